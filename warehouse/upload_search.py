"""Finding uploads: by conditions, in an order, a page at a time."""

import datetime as dt
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field, to_builtins
from sqlalchemy import ColumnElement, select, tuple_

from warehouse.conditions import Moment, moment
from warehouse.cursors import BadCursor, read_cursor, write_cursor
from warehouse.database import Database
from warehouse.records import Status, Upload
from warehouse.tables import uploads

UploadSort = Literal["-received_at", "received_at", "-size", "size"]
Held = Literal["illegal", "unverifiable", "unreadable", "duplicates", "conflicts"]

_Whole = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class UploadConditions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an upload must be to be listed; all conditions together.

    ``from_`` and ``until`` bound the time at which it came: from the one on, before the other.
    """

    status: Annotated[Status, Meta(title="How far the upload is.")] | None = None
    name: (
        Annotated[
            str,
            Meta(title="What its name holds, in whatever case.", min_length=1, max_length=200),
        ]
        | None
    ) = None
    holds: Annotated[Held, Meta(title="What some of its hands are.")] | None = None
    from_: Annotated[Moment, Meta(title="Received then or later.")] | None = field(
        default=None, name="from"
    )
    until: Annotated[Moment, Meta(title="Received before.")] | None = None

    def __post_init__(self) -> None:
        """Hold that the moments are some.

        Raises:
            ValueError: one of them is none.
        """
        for text in (self.from_, self.until):
            if text is not None:
                moment(text)


def conditions_of(asked: UploadConditions) -> UploadConditions:
    """Return the conditions alone of what asks for more than them."""
    return UploadConditions(
        **{name: getattr(asked, name) for name in UploadConditions.__struct_fields__}
    )


class UploadsFound(Struct, frozen=True):
    """A page of uploads; ``next_cursor`` asks for the one behind it and is None on the last."""

    uploads: list[Upload]
    next_cursor: str | None


_COLUMNS: Final = [uploads.c[name] for name in Upload.__struct_fields__]
_PLACES: Final[dict[str, Any]] = {
    "received_at": tuple[Annotated[dt.datetime, Meta(tz=True)], str],
    "size": tuple[_Whole, str],
}


def search_uploads(
    database: Database,
    conditions: UploadConditions,
    *,
    sort: UploadSort = "-received_at",
    limit: int,
    cursor: str | None = None,
) -> UploadsFound | BadCursor:
    """Return the uploads that meet all conditions, at most `limit` of them."""
    listing = (sort, to_builtins(conditions))
    key = sort.removeprefix("-")
    order = (uploads.c[key], uploads.c.id)
    descending = sort.startswith("-")
    query = select(*_COLUMNS).where(*_conditions(conditions)).limit(limit + 1)
    query = query.order_by(*((one.desc() if descending else one.asc()) for one in order))
    if cursor is not None:
        place = read_cursor(cursor, listing, _PLACES[key])
        if isinstance(place, BadCursor):
            return place
        here = tuple_(*order)
        query = query.where(here < tuple_(*place) if descending else here > tuple_(*place))
    with database.read() as connection:
        rows = connection.execute(query).mappings()
        found = [Upload(**row) for row in rows]
    shown = found[:limit]
    following = None
    if len(found) > len(shown):
        following = write_cursor(listing, (getattr(shown[-1], key), shown[-1].id))
    return UploadsFound(shown, following)


def _conditions(asked: UploadConditions) -> list[ColumnElement[bool]]:
    parts = []
    if asked.status is not None:
        parts.append(uploads.c.status == asked.status)
    if asked.name is not None:
        parts.append(uploads.c.name.icontains(asked.name, autoescape=True))
    if asked.holds is not None:
        parts.append(uploads.c[asked.holds] > 0)
    if asked.from_ is not None:
        parts.append(uploads.c.received_at >= moment(asked.from_))
    if asked.until is not None:
        parts.append(uploads.c.received_at < moment(asked.until))
    return parts
