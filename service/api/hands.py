"""Hands: searching them, and one hand's verdict, replay and original bytes."""

import datetime as dt
from typing import Annotated, Any

import msgspec
from flask import Response, url_for
from msgspec import Meta, Struct
from msgspec.structs import asdict

from engine.presets import PRESETS
from engine.terms import Verdict
from engine.violations import CODES
from schemas.audit import audit_document, examine_hand, replay_document
from schemas.errors import UnreadableHand
from service.api.answers import (
    NoParameters,
    answer,
    bad_parameter,
    lasting,
    read_query,
    warehouse,
)
from service.api.uploads import Limit
from service.problems import problem
from warehouse.queries import BadCursor, HandSummary, StoredHand

Text = Annotated[str, Meta(min_length=1, max_length=200)]

_FINDINGS = (*CODES, "unknown-key")


class HandItem(HandSummary, frozen=True, kw_only=True):
    """A hand in a list, with where it leads to."""

    links: dict[str, str]


class HandPage(Struct, frozen=True):
    """Hands that meet all conditions, the last played first; ``next`` leads on."""

    hands: list[HandItem]
    next: str | None


class _HandsQuery(Struct, omit_defaults=True):
    upload: (
        Annotated[
            str,
            Meta(pattern="^[0-9a-f]{64}$", description="the 64 hex digits of an upload's id"),
        ]
        | None
    ) = None
    player: Text | None = None
    verdict: Verdict | None = None
    code: Text | None = None
    preset: Text | None = None
    session: Text | None = None
    limit: Limit = 50
    cursor: str | None = None


def list_hands() -> Response:
    """The hands that meet all of the query's conditions."""
    query = read_query(_HandsQuery)
    if isinstance(query, Response):
        return query
    for name, value, known in (
        ("code", query.code, _FINDINGS),
        ("preset", query.preset, tuple(PRESETS)),
    ):
        if value is not None and value not in known:
            expected = f"one of the {len(known)} that are allowed"
            return bad_parameter(name, expected, value, allowed=sorted(known))
    conditions: dict[str, Any] = msgspec.to_builtins(query)
    page = warehouse().search_hands(**conditions)
    if isinstance(page, BadCursor):
        return bad_parameter("cursor", "the cursor of a link next", page.seen)
    following = None
    if page.next_cursor is not None:
        following = url_for("api.list_hands", **{**conditions, "cursor": page.next_cursor})
    items = [HandItem(**asdict(hand), links=_links(hand.hand_id)) for hand in page.hands]
    return answer(HandPage(items, following))


def show_hand(hand_id: str) -> Response:
    """The verdict on a hand, ours beside the declared."""
    stored = _find(hand_id)
    if isinstance(stored, Response):
        return stored
    examined = examine_hand(stored.document)
    if isinstance(examined, UnreadableHand):
        return _unreadable(examined)
    return lasting(answer({**_origin(stored), **asdict(audit_document(examined))}))


def show_replay(hand_id: str) -> Response:
    """A hand with the table after each of its events."""
    stored = _find(hand_id)
    if isinstance(stored, Response):
        return stored
    replay = replay_document(stored.document)
    if isinstance(replay, UnreadableHand):
        return _unreadable(replay)
    return lasting(answer({**_origin(stored), **asdict(replay)}))


def show_original(hand_id: str) -> Response:
    """The exact bytes of a hand's document as they came."""
    stored = _find(hand_id)
    if isinstance(stored, Response):
        return stored
    return lasting(Response(stored.document, mimetype="application/json"))


def _find(hand_id: str) -> StoredHand | Response:
    query = read_query(NoParameters)
    if isinstance(query, Response):
        return query
    stored = warehouse().find_hand(hand_id)
    if stored is not None:
        return stored
    return problem("not-found", "There is no such hand.", hand_id=hand_id[:100])


def _origin(stored: StoredHand) -> dict[str, object]:
    """Where a hand comes from and leads to."""
    hand = stored.summary
    played_at: dt.datetime | None = hand.played_at
    return {
        "hand_id": hand.hand_id,
        "standing": hand.standing,
        "upload": hand.upload,
        "ordinal": hand.ordinal,
        "line": hand.line,
        "played_at": played_at,
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
