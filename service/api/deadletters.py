"""Dead letters: uploads whose audit or re-audit was given up, and taking them up again."""

import datetime as dt
from typing import Annotated, Final, cast

from flask import Response, url_for
from msgspec import Meta, Struct
from msgspec.structs import asdict

from service.api.answers import CURSOR, PageQuery, store
from service.api.operations import operation
from service.problems import problem
from warehouse.conditions import UploadId
from warehouse.dead_letters import DeadLetter, Work
from workers.renewals import send_renewals
from workers.sending import send_audit

_PLACE: Final = "^[0-9a-f]{64}:(audit|re-audit)$"


class DeadLetterItem(DeadLetter, frozen=True, kw_only=True):
    """An upload whose audit or re-audit was given up, why, and when, with where it leads to.

    A failed one cannot be worked on, whoever tries; a quarantined one was tried too often.
    """

    links: dict[str, str]


class DeadLetterPage(Struct, frozen=True):
    """What was given up, in the order of the uploads' ids; ``next`` leads on."""

    dead_letters: list[DeadLetterItem]
    next: str | None


class DeadLettersQuery(PageQuery):
    """Where to go on in the list of what was given up."""

    cursor: Annotated[str, CURSOR, Meta(pattern=_PLACE)] | None = None


class TakenUp(Struct, frozen=True):
    """What of an upload is worked on again."""

    upload: str
    work: list[Work]
    links: dict[str, str]


@operation("GET", "/api/v1/dead-letters", scope="read")
def list_dead_letters(query: DeadLettersQuery) -> DeadLetterPage:
    """List the uploads whose audit or re-audit was given up."""
    after = None
    if query.cursor is not None:
        after = cast("tuple[str, str]", tuple(query.cursor.split(":")))
    found = store().dead_letters.page(query.limit + 1, after)
    shown = found[: query.limit]
    following = None
    if len(found) > len(shown):
        place = f"{shown[-1].upload}:{shown[-1].work}"
        following = url_for("api.list_dead_letters", limit=query.limit, cursor=place)
    items = [DeadLetterItem(**asdict(one), links=_links(one.upload)) for one in shown]
    return DeadLetterPage(items, following)


@operation(
    "POST",
    "/api/v1/uploads/<upload_id>/retry",
    scope="audit",
    problems=("not-found", "not-given-up"),
)
def retry_upload(upload_id: UploadId) -> TakenUp | Response:
    """Take an upload up again whose audit or re-audit was given up.

    It has all its attempts again, and goes on behind what was published of it.
    """
    work = store().dead_letters.retry(upload_id, dt.datetime.now(dt.UTC))
    if work is None:
        return problem("not-found", "There is no such upload.", upload=upload_id)
    if not work:
        detail = "Nothing of this upload was given up: it is done, or still being worked on."
        return problem("not-given-up", detail, upload=upload_id)
    if "audit" in work:
        send_audit(store(), upload_id)
    if "re-audit" in work:
        send_renewals(store(), [upload_id])
    return TakenUp(upload_id, work, _links(upload_id))


def _links(upload: str) -> dict[str, str]:
    return {
        "upload": url_for("api.show_upload", upload_id=upload),
        "retry": url_for("api.retry_upload", upload_id=upload),
        "page": url_for("uploads.show", upload_id=upload),
    }
