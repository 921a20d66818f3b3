"""A page of a list of hands: chunk by chunk in the list's order, until no other can have more.

First only the hands' places in the order are read, then the rest of those that are on the page.
"""

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection, Select, select

from warehouse.conditions import HandConditions, HandSort, LookedUp, Where, hands_where
from warehouse.placed import Placed
from warehouse.reading import Moved, SegmentReader
from warehouse.rows import Kind
from warehouse.search import bound_place, hand_order
from warehouse.spans import worth_reading
from warehouse.tables import chunks, spans

Place = tuple[Any, ...]

_FIRST_AT_ONCE: Final = 2
_EDGES: Final = {
    "played_at": ((spans.c.first_played,), (spans.c.last_played,)),
    "pot": ((spans.c.least_pot, spans.c.first_played), (spans.c.most_pot, spans.c.last_played)),
    "hand_no": ((spans.c.least_no,), (spans.c.most_no,)),
}
"""Between what the beginning of a hand's place lies, by the order without its direction."""


class _Part(Struct, frozen=True):
    """A chunk's hands. No place of theirs begins before the ``edge``, if that is known.

    ``path`` and ``seats`` are its segments of these kinds.
    """

    path: str
    seats: str | None
    upload: str
    first: int
    last: int
    edge: Place | None


class HandLists:
    """The lists of hands of one house."""

    def __init__(self, reader: SegmentReader) -> None:
        self._reader = reader

    def rows(
        self,
        columns: str,
        conditions: HandConditions,
        known: LookedUp,
        *,
        sort: HandSort,
        behind: Place | None,
        count: int,
    ) -> list[tuple[tuple[Any, ...], Place]]:
        """Return the first hands of a list, each with its place.

        Args:
            columns: What is returned of a hand, as SQL.
            conditions: What a hand must be.
            known: What the records know of them.
            sort: The order of the list.
            behind: The place behind which to begin, or None for the beginning.
            count: How many hands to return at most.
        """
        where = hands_where(conditions, known)
        query = _parts(conditions, known, sort, behind)

        def choose(connection: Connection) -> list[_Part]:
            return [
                _Part(path, seats, upload, first, last, _as_placed(edge))
                for path, seats, upload, first, last, *edge in connection.execute(query)
            ]

        def work(parts: list[_Part], moved: Moved) -> list[tuple[tuple[Any, ...], Place]]:
            places = self._places(parts, moved, where, sort, behind, count)
            return self._whole(columns, parts, moved, places)

        return self._reader.steadily(choose, work)

    def _places(
        self,
        parts: Sequence[_Part],
        moved: Moved,
        where: Where,
        sort: HandSort,
        behind: Place | None,
        count: int,
    ) -> list[Place]:
        """Return the places of the first hands, in their order."""
        order, descending = hand_order(sort), sort.startswith("-")
        values = {**where.values, "count": count}
        wanted = where.sql
        if behind is not None:
            wanted, values = f"{wanted} AND {order.behind}", {**values, **bound_place(behind)}
        sql = f"SELECT {order.place} FROM {{hands}} WHERE {wanted} ORDER BY {order.by} LIMIT $count"  # noqa: S608 -- constants
        found: list[Place] = []
        at, at_once = 0, _FIRST_AT_ONCE
        read: set[str] = set()
        while at < len(parts) and not _is_full(found, count, parts[at].edge, descending=descending):
            some = [part for part in parts[at : at + at_once] if part.path not in read]
            if some:
                read.update(part.path for part in some)  # chunks may share a segment
                those: dict[Kind, list[str]] = {"hands": sorted({part.path for part in some})}
                if where.of_seats:
                    those["seats"] = sorted({part.seats for part in some if part.seats})
                found += self._reader.ask(those, moved, sql, values)
                found = sorted(found, reverse=descending)[:count]
            at, at_once = at + at_once, 2 * at_once
        return found

    def _whole(
        self, columns: str, parts: Sequence[_Part], moved: Moved, places: Sequence[Place]
    ) -> list[tuple[tuple[Any, ...], Place]]:
        """Return what is wanted of the hands at these places."""
        if not places:
            return []
        at = [place[-2:] for place in places]  # the upload, and where in it
        paths = _paths_of(parts, at)
        rows = self._reader.ask(
            {"hands": paths},
            moved,
            f"SELECT {columns}, upload, ordinal FROM {{hands}} WHERE (upload, ordinal) IN"  # noqa: S608 -- constants
            " (SELECT (unnest($uploads::VARCHAR[]), unnest($ordinals::BIGINT[])))",
            {"uploads": [one for one, _ in at], "ordinals": [place for _, place in at]},
        )
        whole = {row[-2:]: row[:-2] for row in rows}
        return [(whole[place[-2:]], place) for place in places]


def _paths_of(parts: Sequence[_Part], at: Iterable[tuple[str, int]]) -> list[str]:
    """Return the segments of hands that are given by their uploads and their places in them."""
    parts_of: dict[str, list[_Part]] = defaultdict(list)
    for part in sorted(parts, key=lambda one: one.first):
        parts_of[part.upload].append(part)
    found = set()
    for upload, ordinal in at:
        mine = parts_of[upload]
        found.add(mine[bisect_right(mine, ordinal, key=lambda one: one.first) - 1].path)
    return sorted(found)


def _is_full(found: Sequence[Place], count: int, edge: Place | None, *, descending: bool) -> bool:
    """Whether a chunk with this edge, and those behind it, have nothing for the page."""
    if len(found) < count or edge is None:
        return False
    last = found[-1][: len(edge)]
    return edge < last if descending else edge > last


def _parts(
    conditions: HandConditions, known: LookedUp, sort: HandSort, behind: Place | None
) -> Select[Any]:
    """Choose the chunks that may have hands of the list: those unknown first, then by their edge.

    Those that all come before the place behind which the page begins are left out.
    """
    least, most = _EDGES[sort.removeprefix("-")]
    descending = sort.startswith("-")
    edge = most if descending else least
    hands, seats = Placed("hands"), Placed("seats")
    query = (
        select(hands.path, seats.path, chunks.c.upload, chunks.c.first, chunks.c.last)
        .add_columns(*edge)
        .select_from(chunks)
        .outerjoin(spans, spans.c.chunk == chunks.c.id)
        .where(chunks.c.superseded_by.is_(None))
        .where(*worth_reading(conditions, known))
        .order_by(spans.c.chunk.is_not(None), *(one.desc() if descending else one for one in edge))
    )
    if conditions.upload is not None:
        query = query.where(chunks.c.upload == conditions.upload)
    if behind is not None:
        bound = _as_recorded(behind[0])
        within = least[0] <= bound if descending else most[0] >= bound
        query = query.where(spans.c.chunk.is_(None) | within)
    return seats.join_if_any(hands.join(query))


def _as_recorded(part: Any) -> Any:  # noqa: ANN401 -- a moment, or something else as it is
    """Return a part of a place as the records have it."""
    return part.replace(tzinfo=dt.UTC) if isinstance(part, dt.datetime) else part


def _as_placed(edge: Sequence[Any]) -> Place | None:
    """Return what the records have as the beginning of a place has it."""
    if edge[0] is None:
        return None
    return tuple(one.replace(tzinfo=None) if isinstance(one, dt.datetime) else one for one in edge)
