"""Which hand is which: a hand's identity, the hash of its content, and the id made of both."""

import hashlib
from typing import NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from schemas.document import Hand


class Identity(NamedTuple):
    """Who names a hand and how. Two hands of one identity are the same hand, or in conflict."""

    source: str
    table: str
    hand: str


def identity_of(hand: Hand) -> Identity:
    """Return the identity that the hand's document states."""
    return Identity(hand.id.source, hand.id.table, hand.id.hand)


def content_hash(hand: Hand) -> str:
    """Return the SHA-256, in hex, of what the hand says; ``x`` and spelling do not count."""
    said = hand if hand.x is UNSET else replace(hand, x=UNSET)
    plain = msgspec.to_builtins(said, str_keys=True)
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


def hand_id(identity: Identity, content: str) -> str:
    """Return the id of a hand: 24 hex digits, the same wherever the hand is read."""
    named = msgspec.json.encode([*identity, content])
    return hashlib.sha256(named).hexdigest()[:24]
