"""From the bytes of a hand to its rows, or to the problem that it is; a slip of ours is one too."""

from collections.abc import Callable
from functools import partial
from typing import Final

import structlog
from msgspec import Struct

from engine import ENGINE_VERSION
from schemas.audit import ExaminedHand, examine_hand
from schemas.decode import HandLimits
from schemas.dialects.hints import with_hint
from schemas.errors import UnreadableHand
from schemas.streams import RawHand
from warehouse.records import Problem
from warehouse.rows import HandRows, hand_rows
from warehouse.settings import Settings

_SLIPS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What a mistake of ours raises over one hand. It must not cost the hand's neighbours."""

_HINTED: Final = 100
"""So many of an upload's first hands are looked at again where they cannot be read: whether they
are in a dialect. Those behind them fail for the same reason."""

_log = structlog.get_logger("intake")


def installed(settings: Settings) -> "Examiner":
    """Return the engine that is installed, with the limits of a hand that are set."""
    limits = HandLimits(max_depth=settings.max_depth, max_events=settings.max_events)
    return Examiner(examine=partial(examine_hand, want_turns=True, limits=limits))


class Examiner(Struct, frozen=True):
    """What examines hands: the engine's version, which stands with every verdict, and the way in.

    ``examine`` turns a hand's bytes into the hand examined with its turns.
    """

    version: str = ENGINE_VERSION
    examine: Callable[[bytes], ExaminedHand | UnreadableHand] = partial(
        examine_hand, want_turns=True
    )

    def rows(self, raw: RawHand, upload: str, ordinal: int) -> HandRows | Problem:
        """Return the rows of an upload's hand, or why it could not be read."""
        read = raw.error or self._examined(raw, upload, ordinal)
        if isinstance(read, UnreadableHand):
            place = (ordinal, raw.line, raw.offset)
            said = (read.code, read.pointer, read.expected, read.seen)
            return Problem(*place, *said, raw.file)
        return read

    def _examined(self, raw: RawHand, upload: str, ordinal: int) -> HandRows | UnreadableHand:
        try:
            examined = self.examine(raw.raw)
            if isinstance(examined, UnreadableHand):
                return with_hint(raw.raw, examined) if ordinal <= _HINTED else examined
            return hand_rows(examined, raw, upload, ordinal, self.version)
        except _SLIPS as slip:
            _log.exception("hand not examined", ordinal=ordinal, line=raw.line)
            return UnreadableHand("audit-failed", "", "a hand that we can audit", repr(slip)[:200])
