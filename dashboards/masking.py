"""Hides who played a hand: pseudonyms in place of players, nothing of where and when it was.

The document is masked before it is examined, so that no name can be in what is said of it.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from schemas.decode import decode_hand
from schemas.document import HandId
from schemas.errors import UnreadableHand

_NOWHERE: Final = HandId(source="masked", table="masked", hand="masked")


def masked_document(raw: bytes, pseudonym: Callable[[str], str]) -> bytes | UnreadableHand:
    """Return a hand's document with other names, and without what else could tell who played.

    Keys that the format does not know are left out too.
    """
    decoded = decode_hand(raw)
    if isinstance(decoded, UnreadableHand):
        return decoded
    hand = decoded.hand
    seats = [replace(seat, player=pseudonym(seat.player)) for seat in hand.seats]
    masked = replace(
        hand, id=_NOWHERE, seats=seats, played_at=UNSET, tz=UNSET, session=UNSET, x=UNSET
    )
    return msgspec.json.encode(masked)
