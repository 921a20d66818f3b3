"""Re-audits: having hands judged anew by the engine of now, and where it judges otherwise."""

import datetime as dt
from http import HTTPStatus
from typing import Annotated, Any, Final, cast

from flask import Response, url_for
from msgspec import Meta, Struct
from msgspec.structs import asdict

from engine.presets import PRESETS
from schemas.errors import UnreadableHand
from service.api.answers import CURSOR, PageQuery, bad_parameter, caller, store, warehouse
from service.api.body import bad_body
from service.api.hands import HandKey
from service.api.operations import Reply, operation
from service.problems import problem
from warehouse.conditions import ANY_HAND, FINDING_CODES, HandConditions, UploadId, conditions_of
from warehouse.history import PastVerdict
from warehouse.reaudits import Difference, Reaudit
from workers.renewals import send_renewals

_ID: Final = "^[0-9a-f]{16}$"
_MAX_UPLOADS: Final = 1_000

ReauditId = Annotated[
    str,
    Meta(title="The re-audit's id.", description="the 16 hex digits of its id", pattern=_ID),
]


class ReauditWish(HandConditions, frozen=True, kw_only=True, omit_defaults=True):
    """What is to be audited anew: the uploads that hold a hand that meets all conditions.

    Without a condition these are all uploads. ``uploads`` names the only ones that are meant.
    Unless by ``force``, hands that this version of the engine has judged are left out.
    """

    uploads: Annotated[list[UploadId], Meta(min_length=1, max_length=_MAX_UPLOADS)] | None = None
    force: bool = False


class ReauditDocument(Reaudit, frozen=True, kw_only=True):
    """A re-audit as it stands.

    ``reason`` is "asked", or "deletion" where an upload was deleted whose hands others repeat.
    ``asked`` is what was asked for. ``hands`` are all that are to be audited anew, ``hands_done``
    those that were, ``changed`` those of them that are judged otherwise than before. It has failed
    when what is left of it is of uploads that were given up.
    """

    progress: float
    links: dict[str, str]


class ReauditPage(Struct, frozen=True):
    """Re-audits, the newest first; ``next`` leads to older ones."""

    reaudits: list[ReauditDocument]
    next: str | None


class ReauditsQuery(PageQuery):
    """Where to go on in the list of re-audits."""

    cursor: Annotated[str, CURSOR, Meta(pattern=_ID)] | None = None


class DifferenceDocument(Struct, frozen=True, kw_only=True):
    """A hand that is judged otherwise than before.

    A hand that could not be read has the verdict "unreadable" and its problem as its one code.
    ``hand_id`` is null where it could be read neither then nor now.
    """

    hand_id: str | None
    upload: str
    ordinal: int
    old_verdict: str
    old_codes: list[str]
    old_engine: str
    new_verdict: str
    new_codes: list[str]
    new_engine: str


class DifferencePage(Struct, frozen=True):
    """Hands that are judged otherwise than before; ``next`` leads on."""

    differences: list[DifferenceDocument]
    next: str | None


class DifferencesQuery(PageQuery):
    """Where to go on in the list of a re-audit's differences."""

    cursor: Annotated[str, CURSOR, Meta(pattern="^[0-9]{1,18}-[0-9]{1,18}$")] | None = None


class VerdictHistory(Struct, frozen=True):
    """All verdicts on a hand, the last one first."""

    hand_id: str
    verdicts: list[PastVerdict]


@operation(
    "POST",
    "/api/v1/reaudits",
    scope="audit",
    statuses={
        HTTPStatus.ACCEPTED: "The re-audit, which is being worked on.",
        HTTPStatus.OK: "There is nothing to be audited anew.",
    },
    headers={"Location": "The address of the re-audit."},
)
def ask_reaudit(document: ReauditWish) -> Reply[ReauditDocument] | Response:
    """Have uploads audited anew from their bytes, by the engine of now.

    Until a part of an upload is audited anew, what the older engine said of it counts; what it said
    stays known.
    """
    refused = _refused(document)
    if refused is not None:
        return refused
    conditions = conditions_of(document)
    meant = None if conditions == ANY_HAND else set(warehouse().uploads_with(conditions))
    if document.uploads is not None:
        named = set(document.uploads)
        meant = named if meant is None else meant & named
    now = dt.datetime.now(dt.UTC)
    made, uploads = store().reaudits.ask(meant, document, caller(), now, force=document.force)
    send_renewals(store(), uploads)
    shown = _document(made)
    status = HTTPStatus.ACCEPTED if uploads else HTTPStatus.OK
    return Reply(shown, status, {"Location": shown.links["self"]})


@operation("GET", "/api/v1/reaudits", scope="read")
def list_reaudits(query: ReauditsQuery) -> ReauditPage | Response:
    """List the re-audits, the newest first."""
    before = None if query.cursor is None else store().reaudits.reaudit(query.cursor)
    if query.cursor is not None and before is None:
        return bad_parameter("cursor", "the cursor of a link next", query.cursor)
    found = store().reaudits.reaudits(query.limit + 1, before)
    shown = found[: query.limit]
    following = None
    if len(found) > len(shown):
        following = url_for("api.list_reaudits", limit=query.limit, cursor=shown[-1].id)
    return ReauditPage([_document(one) for one in shown], following)


@operation("GET", "/api/v1/reaudits/<reaudit_id>", scope="read", problems=("not-found",))
def show_reaudit(reaudit_id: ReauditId) -> ReauditDocument | Response:
    """Show how far a re-audit is, and how many hands it judges otherwise."""
    found = store().reaudits.reaudit(reaudit_id)
    return _unknown(reaudit_id) if found is None else _document(found)


@operation(
    "GET", "/api/v1/reaudits/<reaudit_id>/differences", scope="read", problems=("not-found",)
)
def list_differences(reaudit_id: ReauditId, query: DifferencesQuery) -> DifferencePage | Response:
    """List the hands that a re-audit judges otherwise, with both verdicts."""
    if store().reaudits.reaudit(reaudit_id) is None:
        return _unknown(reaudit_id)
    after = (0, 0)
    if query.cursor is not None:
        after = cast("tuple[int, int]", tuple(int(one) for one in query.cursor.split("-")))
    found = store().reaudits.differences(reaudit_id, query.limit + 1, after)
    shown = found[: query.limit]
    following = None
    if len(found) > len(shown):
        place = "-".join(str(one) for one in shown[-1].place)
        following = url_for(
            "api.list_differences", reaudit_id=reaudit_id, limit=query.limit, cursor=place
        )
    return DifferencePage([_difference(one) for one in shown], following)


@operation("GET", "/api/v1/hands/<hand_id>/verdicts", scope="read", problems=("not-found",))
def list_verdicts(hand_id: HandKey) -> VerdictHistory | Response:
    """List the verdicts on a hand by every version of the engine that has audited it."""
    verdicts = warehouse().history.verdicts(hand_id)
    if not verdicts:
        return problem("not-found", "There is no such hand.", hand_id=hand_id)
    return VerdictHistory(hand_id, verdicts)


def _refused(asked: ReauditWish) -> Response | None:
    """The problem of a wish that names what does not exist."""
    known: dict[str, tuple[str | None, Any]] = {
        "preset": (asked.preset, PRESETS),
        "code": (asked.code, FINDING_CODES),
    }
    for name, (value, among) in known.items():
        if value is not None and value not in among:
            expected = "one of the reference's list"
            return bad_body(UnreadableHand("unknown-value", f"/{name}", expected, value))
    for place, upload in enumerate(asked.uploads or []):
        if store().records.upload(upload) is None:
            expected = "the id of an upload of this club"
            return bad_body(UnreadableHand("unknown-value", f"/uploads/{place}", expected, upload))
    return None


def _unknown(reaudit: str) -> Response:
    return problem("not-found", "There is no such re-audit.", reaudit=reaudit[:100])


def _document(reaudit: Reaudit) -> ReauditDocument:
    done = reaudit.hands_done / reaudit.hands if reaudit.hands else 1.0
    links = {
        "self": url_for("api.show_reaudit", reaudit_id=reaudit.id),
        "differences": url_for("api.list_differences", reaudit_id=reaudit.id),
    }
    return ReauditDocument(**asdict(reaudit), progress=round(done, 4), links=links)


def _difference(found: Difference) -> DifferenceDocument:
    values = asdict(found)
    del values["place"]
    return DifferenceDocument(**values)
