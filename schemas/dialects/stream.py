"""A file's bytes to single hands in whichever dialect: CSV rows by hand, all else as JSON."""

from collections.abc import Iterator
from typing import BinaryIO, Final

from schemas.archive import PackedFile
from schemas.dialects.rows import NO_ROW, hands_of_rows, is_csv, rows_in, written
from schemas.inflate import PlainBytes, StreamLimits
from schemas.streams import MeetSession, RawHand, hands_of_text, read_files

HEADER_BYTES: Final = 4096


def read_any_hands(stream: BinaryIO, limits: StreamLimits) -> Iterator[RawHand]:
    """Yields the hands of a file in their order, errors in their place.

    A hand of CSV is a header with the hand's own rows, its ``line`` that of its first row.

    Args:
        stream: Plain, gzip, zstd or a ZIP of such files.
        limits: How much it may unfold to.

    Raises:
        LimitExceeded: it unfolds to more.
    """
    return read_files(stream, limits, hands_of_any_file)


def hands_of_any_file(
    file: PackedFile, limits: StreamLimits, met: MeetSession | None = None
) -> Iterator[RawHand]:
    """Yields the hands of one file; ``met`` as for `hands_of_text`."""
    plain = PlainBytes(file.source, limits, file.total)
    if is_csv(plain.peek(HEADER_BYTES)):
        yield from _hands_of_csv(plain, limits)
    else:
        yield from hands_of_text(plain, limits, met)


def _hands_of_csv(plain: PlainBytes, limits: StreamLimits) -> Iterator[RawHand]:
    """The hands of a CSV; an error costs the hand in which it is, the last of damaged data too."""
    allowed = limits.max_line_bytes
    met = False
    for rows in hands_of_rows(rows_in(_lines(plain, allowed), allowed), allowed):
        met = True
        first = rows[0]
        error = next((row.error for row in rows if row.error is not None), None)
        raw = b"" if error is not None else written(rows)
        yield RawHand(first.line, first.offset, raw, error)
    if plain.damage is not None:
        yield RawHand(0, 0, b"", plain.damage)
    elif not met:
        yield RawHand(1, 0, b"", NO_ROW)


def _lines(chunks: PlainBytes, allowed: int) -> Iterator[tuple[int, bytes]]:
    """Every line with its offset; of one that is too long, only so much as shows it."""
    offset, rest, dropped = 0, b"", 0
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield offset, line + b"\n"
            offset, dropped = offset + dropped + len(line) + 1, 0
        if len(rest) > allowed:
            dropped += len(rest) - allowed - 1
            rest = rest[: allowed + 1]
    if rest:
        yield offset, rest
