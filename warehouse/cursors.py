"""Cursors of lists: where a page ended, bound to the list's order and conditions.

A cursor goes on in the list from which it came, and in no other: a list with other conditions
would leave out entries without anybody seeing it.
"""

import base64
import hashlib
from typing import Final, TypeVar

import msgspec
from msgspec import Raw, Struct

_SEEN: Final = 200
_DIGEST: Final = 8
_BOUND: Final = msgspec.json.Decoder(tuple[str, Raw])
_OF_THIS_LIST: Final = "the cursor of a link next, of a list with this order and these conditions"

Place = TypeVar("Place")


class BadCursor(Struct, frozen=True):
    """A cursor with which a list cannot go on, and what would have been one."""

    seen: str
    expected: str = "the cursor of a link next"


def write_cursor(listing: object, place: object) -> str:
    """Return the cursor of a place, which is a tuple, in a list.

    Args:
        listing: the order and the conditions of the list, as any JSON.
        place: the values of the list's order where the page ended.
    """
    packed = msgspec.json.encode((_digest(listing), place))
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def read_cursor(text: str, listing: object, kind: type[Place]) -> Place | BadCursor:
    """Return the place, of the type `kind`, of a cursor in a list."""
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        digest, written = _BOUND.decode(packed)
        if digest != _digest(listing):
            return BadCursor(text[:_SEEN], _OF_THIS_LIST)
        return msgspec.json.decode(written, type=kind)
    except (ValueError, msgspec.DecodeError, RecursionError):
        # No Base64, no JSON, JSON that is too deep, or not a place of the kind.
        return BadCursor(text[:_SEEN])


def _digest(listing: object) -> str:
    written = msgspec.json.encode(listing, order="deterministic")
    return hashlib.sha256(written).hexdigest()[:_DIGEST]
