"""The rows of a CSV: told from JSON by the header, parted into hands, read into cells by column."""

import csv
import io
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

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


class Row(Struct, frozen=True):
    """A row's cells by column, those without text left out; it begins in ``line``."""

    line: int
    cells: dict[str, str]


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
    text = _text(raw)
    if isinstance(text, UnreadableHand):
        return text
    header = text.split("\n", 1)[0]
    delimiter = _delimiter(header[:_LONGEST_HEADER])
    if delimiter is None:
        return UnreadableHand("missing-key", "", "a header with a column `do`", clip(header))
    begun = raw.count(b"\n", 0, len(raw) - len(text.encode()))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[Row] = []
    error: UnreadableHand | None = None
    try:
        names = _names(next(reader))
        twice = [name for name in names if name and names.count(name) > 1]
        if twice:
            return UnreadableHand(
                "duplicate-key", "", "each column once", clip(f"{twice[0]} twice")
            )
        line = begun + reader.line_num + 1
        for cells in reader:
            row = Row(line, _cells(names, cells))
            if row.cells:
                rows.append(row)
            line = begun + reader.line_num + 1
    except csv.Error as broken:
        error = UnreadableHand("wrong-type", f"/{len(rows)}", "a row of CSV", clip(str(broken)))
    if error is None and not rows:
        error = UnreadableHand("empty", "", "one row at least", "a header alone")
    return error or rows


def _text(raw: bytes) -> str | UnreadableHand:
    if raw.startswith(UTF16_BOMS):
        return UnreadableHand("not-utf8", "", "text in UTF-8", "text in UTF-16")
    try:
        return raw.removeprefix(BOM).decode().lstrip()
    except UnicodeDecodeError as error:
        seen = f"byte 0x{error.object[error.start]:02x} at offset {error.start}"
        return UnreadableHand("not-utf8", "", "text in UTF-8", seen)


def _cells(names: list[str], cells: list[str]) -> dict[str, str]:
    """The cells with text by column; one beyond the header is named by its number, from 1."""
    beyond = [f"column {number}" for number in range(len(names) + 1, len(cells) + 1)]
    named = zip([*names, *beyond], cells, strict=False)
    return {name: cell for name, cell in named if name and cell.strip()}


def hands_of_rows(rows: list[Row]) -> Iterator[list[Row]]:
    """The rows of each hand: a new one begins where another identity is named."""
    hand: list[Row] = []
    identity: dict[str, str] = {}
    for row in rows:
        named: dict[str, str] = {key: row.cells[key] for key in IDENTITY if key in row.cells}
        if hand and any(identity.get(key, value) != value for key, value in named.items()):
            yield hand
            hand = []
        identity.update(named)
        # What a row leaves blank of the identity is as in the row above.
        hand.append(Row(row.line, {**identity, **row.cells}))
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
