"""Shares: links that show one hand to whoever has them."""

import datetime as dt
from http import HTTPStatus
from typing import Annotated

from flask import Response, g, url_for
from msgspec import Meta, Struct

from dashboards.house import house
from service.api.answers import store
from service.api.hands import HandKey
from service.api.operations import Reply, operation
from service.problems import problem
from service.registry import registry
from warehouse.shares import Share

ShareKey = Annotated[
    str,
    Meta(
        title="The share's id.",
        description="the 12 hex digits of a share's id",
        pattern="^[0-9a-f]{12}$",
    ),
]


class ShareDocument(Struct, frozen=True):
    """A share of a hand. Its link ``page`` needs no key; ``masked`` shows pseudonyms there."""

    id: str
    masked: bool
    created_at: dt.datetime
    created_by: str
    expires_at: dt.datetime | None
    links: dict[str, str]


class ShareList(Struct, frozen=True):
    """The shares of a hand that are open, the newest first."""

    shares: list[ShareDocument]


class ShareWish(Struct, frozen=True, forbid_unknown_fields=True):
    """How the hand is to be shared; without ``expires_at`` until the share is ended."""

    masked: bool = True
    expires_at: Annotated[dt.datetime, Meta(tz=True)] | None = None


@operation("GET", "/api/v1/hands/<hand_id>/shares", scope="read", problems=("not-found",))
def list_shares(hand_id: HandKey) -> ShareList | Response:
    """List the links by which a hand is shared."""
    return _list(hand_id) if store().notes.knows(hand_id) else _no_hand(hand_id)


@operation(
    "POST",
    "/api/v1/hands/<hand_id>/shares",
    scope="audit",
    problems=("not-found",),
    statuses={HTTPStatus.CREATED: "The share, with its link."},
)
def share_hand(hand_id: HandKey, document: ShareWish) -> Reply[ShareDocument] | Response:
    """Share a hand by a link."""
    if not store().notes.knows(hand_id):
        return _no_hand(hand_id)
    label: str = g.access.key.label
    made = registry().shares.make(
        house().club,
        hand_id,
        label,
        _now(),
        masked=document.masked,
        expires_at=document.expires_at,
    )
    return Reply(_document(made), HTTPStatus.CREATED, {})


@operation(
    "DELETE", "/api/v1/hands/<hand_id>/shares/<share_id>", scope="audit", problems=("not-found",)
)
def end_share(hand_id: HandKey, share_id: ShareKey) -> ShareList | Response:
    """End a share at once: its link leads nowhere from then on."""
    if not registry().shares.revoke(house().club, hand_id, share_id, _now()):
        detail = "The hand has no such share."
        return problem("not-found", detail, hand_id=hand_id[:100], share=share_id[:100])
    return _list(hand_id)


def _list(hand_id: str) -> ShareList:
    shares = registry().shares.of_hand(house().club, hand_id, _now())
    return ShareList([_document(one) for one in shares])


def _document(share: Share) -> ShareDocument:
    links = {
        "page": url_for("shared.show", token=registry().shares.token(share), _external=True),
        "hand": url_for("api.show_hand", hand_id=share.hand_id),
    }
    return ShareDocument(
        share.id, share.masked, share.created_at, share.created_by, share.expires_at, links
    )


def _no_hand(hand_id: str) -> Response:
    return problem("not-found", "There is no such hand.", hand_id=hand_id[:100])


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
