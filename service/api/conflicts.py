"""Conflicts: identities with several hands, and the rulings on which of them counts."""

import datetime as dt
from typing import Annotated

from flask import Response, url_for
from msgspec import Meta, Struct

from service.api.answers import CURSOR, PageQuery, caller, store, written
from service.api.hands import HandKey
from service.api.operations import operation
from service.problems import problem
from warehouse.conditions import UploadId
from warehouse.rows import Standing
from warehouse.rulings import Conflict, NoConflict, NoContestant, Ruling
from workers.sessions import send_changed

_HAND = "^[0-9a-f]{24}$"


class Contestant(Struct, frozen=True):
    """One of the hands of an identity. The one that counts has the standing "first"."""

    hand_id: str
    upload: str
    standing: Standing
    links: dict[str, str]


class ContestedHand(Struct, frozen=True):
    """An identity with several hands: the one that came first, then the others as they arrived.

    ``hand_id`` is the first one's. It is the one that counts unless there is a ruling.
    """

    hand_id: str
    source: str
    table: str
    hand: str
    contestants: list[Contestant]
    ruling: Ruling | None
    links: dict[str, str]


class ContestedPage(Struct, frozen=True):
    """Conflicts in the order of their ids; ``next`` leads on."""

    conflicts: list[ContestedHand]
    next: str | None


class ContestedQuery(PageQuery, omit_defaults=True):
    """The conditions on a conflict, to be met all together."""

    upload: UploadId | None = None
    ruled: (
        Annotated[bool, Meta(title="Whether somebody has ruled upon it, or it is open.")] | None
    ) = None
    cursor: Annotated[str, CURSOR, Meta(pattern=_HAND)] | None = None


class RulingWish(Struct, frozen=True):
    """The ruling: the hand that counts from now on, or ``none`` of them."""

    stands: Annotated[
        str,
        Meta(
            description="the 24 hex digits of the hand's id, or none",
            pattern="^([0-9a-f]{24}|none)$",
        ),
    ]


@operation("GET", "/api/v1/conflicts", scope="read")
def list_contested(query: ContestedQuery) -> ContestedPage:
    """List the identities that have several hands with different contents."""
    found = store().rulings.conflicts(
        query.limit + 1, after=query.cursor or "", upload=query.upload, ruled=query.ruled
    )
    shown = found[: query.limit]
    following = None
    if len(found) > len(shown):
        asked = {**written(query), "cursor": shown[-1].hand_id}
        following = url_for("api.list_contested", **asked)
    return ContestedPage([_document(one) for one in shown], following)


@operation("GET", "/api/v1/conflicts/<hand_id>", scope="read", problems=("not-found",))
def show_contested(hand_id: HandKey) -> ContestedHand | Response:
    """Show the conflict that a hand is in, by any of its hands."""
    found = store().rulings.conflict(hand_id)
    return _none(hand_id) if found is None else _document(found)


@operation(
    "POST",
    "/api/v1/conflicts/<hand_id>/ruling",
    scope="audit",
    problems=("not-found", "not-a-contestant"),
)
def rule(hand_id: HandKey, document: RulingWish) -> ContestedHand | Response:
    """Rule which hand of an identity counts in statistics, or that none does.

    The same ruling again changes nothing; another one takes its place. It holds for as long as the
    hand that it names is there, and again when that hand comes back.
    """
    now = dt.datetime.now(dt.UTC)
    stands = None if document.stands == "none" else document.stands
    ruled = store().rulings.rule(hand_id, stands, caller(), now)
    if isinstance(ruled, NoConflict):
        return _none(hand_id)
    if isinstance(ruled, NoContestant):
        detail = "The hand that is to count is none of those that are in conflict here."
        return problem("not-a-contestant", detail, contestants=ruled.contestants)
    send_changed(store())  # the sessions of the hands
    return _document(ruled)


def _none(hand_id: str) -> Response:
    detail = "There is no such hand, or none other of its identity."
    return problem("not-found", detail, hand_id=hand_id[:100])


def _document(conflict: Conflict) -> ContestedHand:
    return ContestedHand(
        conflict.hand_id,
        conflict.source,
        conflict.table,
        conflict.hand,
        [
            Contestant(
                one.hand_id,
                one.upload,
                one.standing,
                {
                    "hand": url_for("api.show_hand", hand_id=one.hand_id),
                    "upload": url_for("api.show_upload", upload_id=one.upload),
                    "page": url_for("pages.hand", hand_id=one.hand_id),
                },
            )
            for one in conflict.contestants
        ],
        conflict.ruling,
        {
            "self": url_for("api.show_contested", hand_id=conflict.hand_id),
            "ruling": url_for("api.rule", hand_id=conflict.hand_id),
        },
    )
