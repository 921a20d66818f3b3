"""The rows of a CSV: told from JSON by the header, parted into hands, read into cells by column."""

import csv
import io
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.errors import UnreadableHand, clip
from schemas.rawtree import BOM, UTF16_BOMS

IDENTITY: Final = ("source", "table", "hand")
HEAD: Final = (
    "preset",
    "played_at",
    "tz",
    "session",
    "session_kind",
    "hand_no",
    "unit",
    "view",
    "carried",
)
OF_ROW: Final = (
    "do",
    "player",
    "amount",
    "add",
    "to",
    "cards",
    "received",
    "count",
    "at",
    "stack",
    "rebuy",
    "exempt",
    "dealer",
    "option",
    "value",
)
COLUMNS: Final = (*IDENTITY, *HEAD, *OF_ROW)
"""The header, in any order. Only ``do`` must be there; other columns are left out with a note."""

_DELIMITERS: Final = ",;\t"
_LONGEST_HEADER: Final = 4096
_LEAST_ROW: Final = 64
"""What a row counts at the least: short rows take memory too."""


class Row(Struct, frozen=True):
    """A row's cells by column, those without text left out, or why it cannot be read.

    It begins in ``line`` at ``offset`` and takes ``size`` bytes.
    """

    line: int
    offset: int
    size: int
    cells: dict[str, str]
    error: UnreadableHand | None = None


def is_csv(raw: bytes) -> bool:
    """Whether the first line is a header with a column ``do``."""
    line = raw.removeprefix(BOM).lstrip().split(b"\n", 1)[0][:_LONGEST_HEADER]
    return line[:1] not in (b"{", b"[") and _delimiter(line.decode(errors="replace")) is not None


def _delimiter(header: str) -> str | None:
    for delimiter in _DELIMITERS:
        if "do" in _names(header.split(delimiter)):
            return delimiter
    return None


def _names(cells: list[str]) -> list[str]:
    return [cell.strip().strip('"').strip().casefold() for cell in cells]


def read_rows(raw: bytes) -> list[Row] | UnreadableHand:
    """Every row with text in it, or why this is no CSV of hands."""
    if raw.startswith(UTF16_BOMS):
        return UnreadableHand("not-utf8", "", "text in UTF-8", "text in UTF-16")
    rows: list[Row] = []
    for row in rows_in([(0, line) for line in raw.splitlines(keepends=True)]):
        if row.error is not None:
            return replace(row.error, pointer=f"/{len(rows)}" if rows else "")
        rows.append(row)
    return rows or NO_ROW


NO_ROW: Final = UnreadableHand("empty", "", "one row at least", "a header alone")


def rows_in(lines: Iterable[tuple[int, bytes]], allowed: int = sys.maxsize) -> Iterator[Row]:
    """Every row with text in it under the header that comes first.

    Args:
        lines: Each with its offset; the last character of a line ends it.
        allowed: How many bytes a row may have.

    Yields:
        The rows; a single one with an error where the header is none.
    """
    feed = _Lines(lines, allowed)
    header = feed.header()
    delimiter = _delimiter(header[:_LONGEST_HEADER])
    names = [] if delimiter is None else _names(next(csv.reader([header], delimiter=delimiter)))
    twice = [name for name in names if name and names.count(name) > 1]
    if delimiter is None:
        yield feed.row(
            UnreadableHand("missing-key", "", "a header with a column `do`", clip(header))
        )
    elif twice:
        seen = clip(f"{twice[0]} twice")
        yield feed.row(UnreadableHand("duplicate-key", "", "each column once", seen))
    else:
        yield from _rows(feed, names, delimiter)


def _rows(feed: "_Lines", names: list[str], delimiter: str) -> Iterator[Row]:
    reader = csv.reader(feed, delimiter=delimiter)
    while True:
        feed.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as broken:
            error = UnreadableHand("wrong-type", "", "a row of CSV", clip(str(broken)))
            yield feed.row(feed.error or error)
            continue
        named = _cells(names, cells)
        if feed.error is not None or named:
            yield feed.row(feed.error, named)


class _Lines:
    """The lines of a CSV as text, and what is to be said of the row that they make up."""

    def __init__(self, lines: Iterable[tuple[int, bytes]], allowed: int) -> None:
        self.error: UnreadableHand | None = None
        self._lines = iter(lines)
        self._allowed = allowed
        self._number = 0
        self._first = (1, 0)
        self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        offset, line = next(self._lines)
        self._number += 1
        if self._size == 0:
            self._first = (self._number, offset)
        self._size += len(line)
        if self._size > self._allowed:
            expected = f"a line of at most {self._allowed} bytes"
            seen = f"{self._size} bytes"
            self.error = UnreadableHand("line-too-long", "", expected, seen)
            raise csv.Error(seen)
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            seen = f"byte 0x{line[error.start]:02x} at offset {offset + error.start}"
            self.error = UnreadableHand("not-utf8", "", "text in UTF-8", seen)
            return line.decode(errors="replace")

    def header(self) -> str:
        """The first line with text in it."""
        try:
            while not (line := next(self).removeprefix("\ufeff").strip()):
                self.begin()
        except (StopIteration, csv.Error):
            return ""
        return line

    def begin(self) -> None:
        """Begins the next row."""
        self.error = None
        self._size = 0

    def row(self, error: UnreadableHand | None, cells: dict[str, str] | None = None) -> Row:
        """The row that was begun last."""
        named = {} if error is not None or cells is None else cells
        return Row(*self._first, self._size, named, error)


def _cells(names: list[str], cells: list[str]) -> dict[str, str]:
    """The cells with text by column; one beyond the header is named by its number, from 1."""
    beyond = [f"column {number}" for number in range(len(names) + 1, len(cells) + 1)]
    named = zip([*names, *beyond], cells, strict=False)
    return {name: cell for name, cell in named if name and cell.strip()}


def hands_of_rows(rows: Iterable[Row], allowed: int = sys.maxsize) -> Iterator[list[Row]]:
    """The rows of each hand: a new one begins where another identity is named.

    Of a hand beyond ``allowed`` bytes one row is left, with the error.
    """
    hand: list[Row] = []
    identity: dict[str, str] = {}
    size = 0
    for row in rows:
        named: dict[str, str] = {key: row.cells[key] for key in IDENTITY if key in row.cells}
        if hand and any(identity.get(key, value) != value for key, value in named.items()):
            yield hand
            hand, size = [], 0
        identity.update(named)
        size += max(row.size, _LEAST_ROW) + sum(map(len, identity.values()))
        if size > allowed:
            expected = f"a hand of at most {allowed} bytes"
            error = UnreadableHand("hand-too-long", "", expected, "more")
            error = next((one.error for one in [*hand, row] if one.error is not None), error)
            hand = [replace((hand or [row])[0], cells={}, error=error)]
        else:
            # What a row leaves blank of the identity is as in the row above.
            hand.append(replace(row, cells={**identity, **row.cells}))
    if hand:
        yield hand


def written(rows: list[Row]) -> bytes:
    """Rows as CSV again, a header above them."""
    names = [name for name in COLUMNS if any(name in row.cells for row in rows)]
    others = {name: None for row in rows for name in row.cells if name not in COLUMNS}
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, [*names, *others], lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.cells for row in rows)
    return out.getvalue().encode()
