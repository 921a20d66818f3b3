"""The text of one hand of a stored upload, as it was sent: what people look at when it is wrong."""

from typing import Final

from msgspec import Struct

from schemas.decode import decode_hand
from schemas.errors import UnreadableHand
from schemas.streams import LimitExceeded
from warehouse.blobs import BlobStore
from warehouse.identity import content_hash, hand_id, identity_of
from warehouse.records import Upload
from warehouse.settings import Settings
from warehouse.uploaded import UploadedHands

REACH: Final = 100_000
"""So many hands into an upload its text is looked up; beyond that it would take too long."""

MOST: Final = 65_536
"""So many characters of a text are given."""


class SourceLine(Struct, frozen=True):
    """A hand's text, at most `MOST` characters of it, and its ``size`` in bytes.

    ``hand_id`` is what the hand is called, if it can be read.
    """

    text: str
    size: int
    hand_id: str | None


def source_line(
    blobs: BlobStore, settings: Settings, upload: Upload, ordinal: int
) -> SourceLine | None:
    """Return the text of the hand at a place of an upload, from 1.

    None where there is no such hand, or nothing that can be shown: the bytes of the upload are
    gone, it is damaged there, or the place is too far into it.
    """
    if not 0 < ordinal <= min(upload.hands, REACH):
        return None
    try:
        stored = blobs.open(upload.blob)
    except FileNotFoundError:
        return None
    with stored:
        try:
            found = UploadedHands(stored, settings, upload.dialect).find(ordinal)
        except LimitExceeded:
            return None
    if found is None or not found.came.raw:
        return None
    raw = found.came.raw
    return SourceLine(raw.decode(errors="replace")[:MOST], len(raw), _called(found.read.raw))


def _called(document: bytes) -> str | None:
    read = decode_hand(document)
    if isinstance(read, UnreadableHand):
        return None
    return hand_id(identity_of(read.hand), content_hash(read.hand))
