"""Which hand is which: a hand's identity, the hash of its content, and the id made of both."""

import hashlib
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from schemas.document import Hand

_USUAL: Final[dict[str, object]] = {
    "view": "full",
    "unit": 1,
    "carried": 0,
    "options": {},
    "kind": "session",
    "rebuy": 0,
    "exempt": False,
}
"""What a key that is left out stands for."""


class Identity(NamedTuple):
    """Who names a hand and how. Two hands of one identity are the same hand, or in conflict."""

    source: str
    table: str
    hand: str


def identity_of(hand: Hand) -> Identity:
    """Return the identity that the hand's document states."""
    return Identity(hand.id.source, hand.id.table, hand.id.hand)


def content_hash(hand: Hand) -> str:
    """Return the SHA-256, in hex, of what the hand says.

    Neither ``x`` counts nor the spelling, nor whether a usual value is written or left out.
    """
    said = hand if hand.x is UNSET else replace(hand, x=UNSET)
    plain = msgspec.to_builtins(said, str_keys=True)
    for part in (plain, plain["rules"], plain.get("session", {}), *plain["seats"]):
        for key, usual in _USUAL.items():
            if key in part and part[key] == usual:
                del part[key]
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


def upload_id(blob: str, dialect: str | None) -> str:
    """Return the id of an upload: 64 hex digits, the same whenever it is sent again.

    Without a dialect it is the SHA-256 of the upload's bytes, which is ``blob``. What is read in a
    dialect is another upload of the same bytes: its id is the SHA-256 of the dialect's name, a
    colon and ``blob``.
    """
    return blob if dialect is None else hashlib.sha256(f"{dialect}:{blob}".encode()).hexdigest()


def hand_id(identity: Identity, content: str) -> str:
    """Return the id of a hand: 24 hex digits, the same wherever the hand is read."""
    named = msgspec.json.encode([*identity, content])
    return hashlib.sha256(named).hexdigest()[:24]
