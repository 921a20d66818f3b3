"""A file's bytes to single hands in whichever dialect: CSV rows by hand, all else as JSON."""

from collections.abc import Iterator
from typing import BinaryIO

from schemas.dialects.rows import hands_of_rows, is_csv, read_rows, written
from schemas.errors import UnreadableHand
from schemas.inflate import LimitExceeded, PlainBytes, StreamLimits
from schemas.streams import RawHand, read_hands


def read_any_hands(stream: BinaryIO, limits: StreamLimits) -> Iterator[RawHand]:
    """Yields the hands of a file in their order, errors in their place.

    A hand of CSV is a header with the hand's own rows, its ``line`` that of its first row.

    Args:
        stream: Seekable; plain, gzip or zstd.
        limits: How much it may unfold to.

    Raises:
        LimitExceeded: it unfolds to more.
    """
    plain = PlainBytes(stream, limits)
    chunks = iter(plain)
    text = next(chunks, b"")
    if not is_csv(text):
        stream.seek(0)
        yield from read_hands(stream, limits)
        return
    allowed = limits.max_document_bytes
    parts = [text]
    size = len(text)
    for chunk in chunks:
        size += len(chunk)
        if size > allowed:
            raise LimitExceeded("max_document_bytes", allowed, size)
        parts.append(chunk)
    yield from _hands_of_csv(b"".join(parts))
    if plain.damage is not None:
        yield RawHand(0, size, b"", plain.damage)


def _hands_of_csv(text: bytes) -> Iterator[RawHand]:
    rows = read_rows(text)
    if isinstance(rows, UnreadableHand):
        yield RawHand(1, 0, b"", rows)
        return
    begun = _line_starts(text)
    for hand in hands_of_rows(rows):
        line = hand[0].line
        yield RawHand(line, begun[min(line, len(begun)) - 1], written(hand))


def _line_starts(text: bytes) -> list[int]:
    """The offset of every line."""
    starts = [0]
    while (end := text.find(b"\n", starts[-1])) >= 0:
        starts.append(end + 1)
    return starts
