"""The keys of the caller's club: made, listed, rotated and ended."""

import datetime as dt
from http import HTTPStatus
from typing import Annotated, Any

from flask import Response, url_for
from msgspec import Meta, Struct

from dashboards.house import house
from service.api.operations import Reply, operation
from service.problems import problem
from service.registry import registry
from warehouse.keys import Key, Scope

KeyId = Annotated[
    str,
    Meta(
        title="The key's id, the part of its text between the two _.",
        description="the 12 hex digits of a key's id",
        pattern="^[0-9a-f]{12}$",
    ),
]


class KeyDocument(Struct, frozen=True, kw_only=True):
    """A key without its text. ``used_at`` is exact to the minute."""

    id: str
    label: str
    scopes: tuple[Scope, ...]
    created_at: dt.datetime
    expires_at: dt.datetime | None
    revoked_at: dt.datetime | None
    used_at: dt.datetime | None
    links: dict[str, str]


class NewKey(KeyDocument, frozen=True, kw_only=True):
    """A key that was just made, with its text, which is never shown again."""

    key: str


class KeyList(Struct, frozen=True):
    """A club's keys, the newest first."""

    keys: list[KeyDocument]


class KeyWish(Struct, frozen=True, forbid_unknown_fields=True):
    """The key that is wanted; without ``expires_at`` it opens until it is revoked."""

    label: Annotated[str, Meta(min_length=1, max_length=200)]
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=4)]
    expires_at: Annotated[dt.datetime, Meta(tz=True)] | None = None


class Rotation(Struct, frozen=True):
    """For how many seconds the key that is replaced still opens."""

    overlap_seconds: Annotated[int, Meta(ge=0, le=30 * 86_400)] = 86_400


_MADE = {HTTPStatus.CREATED: "The key, with its text, which is shown this once."}
_LOCATION = {"Location": "The address of the key."}


@operation("GET", "/api/v1/keys", scope="admin")
def list_keys() -> KeyList:
    """List the club's keys, with those that open nothing any more."""
    return KeyList([_document(key) for key in registry().keys.of_club(house().club)])


@operation(
    "POST",
    "/api/v1/keys",
    scope="admin",
    statuses=_MADE,
    headers=_LOCATION,
)
def make_key(document: KeyWish) -> Reply[NewKey]:
    """Make a key of the club."""
    scopes = tuple(dict.fromkeys(document.scopes))
    made = registry().keys.make(house().club, document.label, scopes, _now(), document.expires_at)
    return _new(*made)


@operation("GET", "/api/v1/keys/<key_id>", scope="admin", problems=("not-found",))
def show_key(key_id: KeyId) -> KeyDocument | Response:
    """Show a key, without its text."""
    found = _find(key_id)
    return found if isinstance(found, Response) else _document(found)


@operation(
    "POST",
    "/api/v1/keys/<key_id>/rotation",
    scope="admin",
    statuses=_MADE,
    headers=_LOCATION,
    problems=("not-found",),
)
def rotate_key(key_id: KeyId, document: Rotation) -> Reply[NewKey] | Response:
    """Make another key like this one, which opens a while longer and then expires."""
    found = _find(key_id)
    if isinstance(found, Response):
        return found
    overlap = dt.timedelta(seconds=document.overlap_seconds)
    return _new(*registry().keys.rotate(found, overlap, _now()))


@operation("POST", "/api/v1/keys/<key_id>/revocation", scope="admin", problems=("not-found",))
def revoke_key(key_id: KeyId) -> KeyDocument | Response:
    """End a key at once. It stays in the list."""
    found = _find(key_id)
    if isinstance(found, Response):
        return found
    registry().keys.revoke(found.id, _now())
    again = _find(key_id)
    return again if isinstance(again, Response) else _document(again)


def _find(key_id: str) -> Key | Response:
    """The club's own key of this id; another club's is none."""
    found = registry().keys.find(key_id)
    if found is None or found.club != house().club:
        return problem("not-found", "There is no such key.", key=key_id[:100])
    return found


def _new(key: Key, text: str) -> Reply[NewKey]:
    shown = NewKey(key=text, **_members(key))
    return Reply(shown, HTTPStatus.CREATED, {"Location": shown.links["self"]})


def _document(key: Key) -> KeyDocument:
    return KeyDocument(**_members(key))


def _members(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "label": key.label,
        "scopes": key.scopes,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
        "used_at": key.used_at,
        "links": {"self": url_for("api.show_key", key_id=key.id)},
    }


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
