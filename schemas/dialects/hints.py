"""What to say of a hand that cannot be read as the hand document, where a dialect reads it."""

from msgspec.structs import replace

from schemas.dialects.detection import UndecidedDialect, detect
from schemas.dialects.rows import is_csv
from schemas.dialects.stream import HEADER_BYTES
from schemas.errors import UnreadableHand
from schemas.inflate import PlainBytes

_AGAINST_OUR_FORMAT = frozenset(
    {"wrong-version", "missing-key", "unknown-card", "wrong-type", "unknown-value", "not-json"}
)
"""What is said of hands that other clients write in their own way."""


def csv_hint(plain: PlainBytes) -> UnreadableHand | None:
    """Says of a CSV as a whole that it takes a dialect; None for anything else."""
    if not is_csv(plain.peek(HEADER_BYTES)):
        return None
    expected = "hand documents in JSON; this is read with the dialect `csv` or `auto`"
    return UnreadableHand("not-json", "", expected, "rows under a header with a column `do`")


def with_hint(raw: bytes, error: UnreadableHand) -> UnreadableHand:
    """The error of a hand, with the dialects in which the hand reads, where there are any."""
    if error.code not in _AGAINST_OUR_FORMAT:
        return error
    told = detect(raw)
    if isinstance(told, UnreadableHand):
        return error
    names = told.candidates if isinstance(told, UndecidedDialect) else [told.name]
    dialects = " or ".join(f"`{name}`" for name in names)
    return replace(error, expected=f"{error.expected}; the hand reads in the dialect {dialects}")
