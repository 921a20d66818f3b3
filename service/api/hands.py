"""Hands: searching them, and one hand's verdict, replay and original bytes."""

import datetime as dt
from typing import Annotated, Any

from flask import Response, url_for
from msgspec import Meta, Raw, Struct
from msgspec.structs import asdict

from schemas.audit import audit_document, examine_hand, replay_document
from schemas.errors import UnreadableHand
from schemas.verdict import HandAudit, HandReplay
from service.api.answers import Cursor, Limit, bad_parameter, warehouse, written
from service.api.operations import operation
from service.problems import problem
from warehouse.conditions import HandConditions, HandSort, conditions_of
from warehouse.cursors import BadCursor
from warehouse.queries import HandSummary, StoredHand
from warehouse.rows import Standing

HandKey = Annotated[
    str,
    Meta(
        title="The hand's id.",
        description="the 24 hex digits of a hand's id",
        pattern="^[0-9a-f]{24}$",
    ),
]
Original = Annotated[
    Raw,
    Meta(description="A hand document as it came.", extra_json_schema={"type": "object"}),
]


class HandItem(HandSummary, frozen=True, kw_only=True):
    """A hand in a list, with where it leads to."""

    links: dict[str, str]


class HandPage(Struct, frozen=True):
    """Hands that meet all conditions, in the order asked for; ``next`` leads on."""

    hands: list[HandItem]
    next: str | None


class HandVerdict(HandAudit, kw_only=True):
    """The verdict on a hand, with where the hand comes from and leads to."""

    hand_id: str
    standing: Standing
    upload: str
    ordinal: int
    line: int
    file: str | None
    played_at: dt.datetime | None
    links: dict[str, str]


class HandSteps(HandReplay, kw_only=True):
    """The replay of a hand, with where the hand comes from and leads to."""

    hand_id: str
    standing: Standing
    upload: str
    ordinal: int
    line: int
    file: str | None
    played_at: dt.datetime | None
    links: dict[str, str]


class HandsQuery(HandConditions, frozen=True, omit_defaults=True):
    """The conditions on a hand, to be met all together, and the order of the list."""

    sort: Annotated[
        HandSort, Meta(title="By what the list is ordered, and whether downwards (`-`).")
    ] = "-played_at"
    limit: Limit = 50
    cursor: Cursor | None = None


@operation("GET", "/api/v1/hands", scope="read")
def list_hands(query: HandsQuery) -> HandPage | Response:
    """List the hands that meet all conditions, the last played first unless asked otherwise."""
    page = warehouse().search_hands(
        conditions_of(query), sort=query.sort, limit=query.limit, cursor=query.cursor
    )
    if isinstance(page, BadCursor):
        return bad_parameter("cursor", page.expected, page.seen)
    following = None
    if page.next_cursor is not None:
        following = url_for("api.list_hands", **{**written(query), "cursor": page.next_cursor})
    items = [HandItem(**asdict(hand), links=_links(hand.hand_id)) for hand in page.hands]
    return HandPage(items, following)


@operation(
    "GET",
    "/api/v1/hands/<hand_id>",
    scope="read",
    problems=("not-found", "unreadable-hand"),
    lasting=True,
)
def show_hand(hand_id: HandKey) -> HandVerdict | Response:
    """Show the verdict on a hand, ours beside the declared."""
    stored = _find(hand_id)
    if isinstance(stored, Response):
        return stored
    examined = examine_hand(stored.document)
    if isinstance(examined, UnreadableHand):
        return _unreadable(examined)
    return HandVerdict(**asdict(audit_document(examined)), **_origin(stored))


@operation(
    "GET",
    "/api/v1/hands/<hand_id>/replay",
    scope="read",
    problems=("not-found", "unreadable-hand"),
    lasting=True,
)
def show_replay(hand_id: HandKey) -> HandSteps | Response:
    """Show a hand with the table after each of its events."""
    stored = _find(hand_id)
    if isinstance(stored, Response):
        return stored
    replay = replay_document(stored.document)
    if isinstance(replay, UnreadableHand):
        return _unreadable(replay)
    return HandSteps(**asdict(replay), **_origin(stored))


@operation(
    "GET", "/api/v1/hands/<hand_id>/original", scope="read", problems=("not-found",), lasting=True
)
def show_original(hand_id: HandKey) -> Original | Response:
    """Give the exact bytes of a hand's document as they came."""
    stored = _find(hand_id)
    return stored if isinstance(stored, Response) else Raw(stored.document)


def _find(hand_id: str) -> StoredHand | Response:
    stored = warehouse().find_hand(hand_id)
    if stored is not None:
        return stored
    return problem("not-found", "There is no such hand.", hand_id=hand_id[:100])


def _origin(stored: StoredHand) -> dict[str, Any]:
    """Where a hand comes from and leads to."""
    hand = stored.summary
    return {
        "hand_id": hand.hand_id,
        "standing": hand.standing,
        "upload": hand.upload,
        "ordinal": hand.ordinal,
        "line": hand.line,
        "file": hand.file,
        "played_at": hand.played_at,
        "links": _links(hand.hand_id),
    }


def _links(hand_id: str) -> dict[str, str]:
    return {
        "self": url_for("api.show_hand", hand_id=hand_id),
        "replay": url_for("api.show_replay", hand_id=hand_id),
        "original": url_for("api.show_original", hand_id=hand_id),
        "page": url_for("pages.hand", hand_id=hand_id),
    }


def _unreadable(error: UnreadableHand) -> Response:
    detail = f"At {error.pointer or 'the whole'}: expected {error.expected}, seen {error.seen}."
    return problem("unreadable-hand", detail, error=asdict(error))
