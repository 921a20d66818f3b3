"""Every finding that the engine can report: its code, how grave it is and its ruling.

The table is the whole vocabulary. Sentences for people are made from it outside the engine.
"""

from dataclasses import dataclass
from typing import Final

from engine.terms import Severity

ILLEGAL: Final[Severity] = "illegal"
DISCREPANCY: Final[Severity] = "discrepancy"
WARNING: Final[Severity] = "warning"
UNVERIFIABLE: Final[Severity] = "unverifiable"


@dataclass(frozen=True)
class Code:
    """How grave a finding is and the ruling that it rests on."""

    severity: Severity
    ruling: str


CODES: Final[dict[str, Code]] = {
    "player-count": Code(ILLEGAL, "presets"),
    "no-such-seat": Code(ILLEGAL, "presets"),
    "stack-empty": Code(ILLEGAL, "S2"),
    "rebuy-above-zero": Code(ILLEGAL, "S2"),
    "rebuy-amount": Code(ILLEGAL, "S2"),
    "foreign-act": Code(ILLEGAL, "presets"),
    "wrong-stage": Code(ILLEGAL, "V2"),
    "ante-amount": Code(ILLEGAL, "V2"),
    "ante-repeated": Code(ILLEGAL, "V2"),
    "carre-closed": Code(ILLEGAL, "V2"),
    "carre-amount": Code(ILLEGAL, "V2"),
    "carre-unaffordable": Code(ILLEGAL, "V2"),
    "card-twice": Code(ILLEGAL, "presets"),
    "card-not-in-deck": Code(ILLEGAL, "presets"),
    "card-count": Code(ILLEGAL, "presets"),
    "dealt-twice": Code(ILLEGAL, "presets"),
    "out-of-turn": Code(ILLEGAL, "V9"),
    "not-in-hand": Code(ILLEGAL, "V9"),
    "all-in": Code(ILLEGAL, "V9"),
    "pass-after-opening": Code(ILLEGAL, "V19"),
    "fold-before-opening": Code(ILLEGAL, "V19"),
    "not-opened": Code(ILLEGAL, "V19"),
    "already-opened": Code(ILLEGAL, "V19"),
    "open-below-minimum": Code(ILLEGAL, "V3"),
    "open-unreachable": Code(ILLEGAL, "V6"),
    "call-amount": Code(ILLEGAL, "V19"),
    "raise-below-minimum": Code(ILLEGAL, "V7"),
    "raise-unreachable": Code(ILLEGAL, "V6"),
    "over-stack": Code(ILLEGAL, "V6"),
    "no-more-early": Code(ILLEGAL, "V9"),
    "call-in-no-more": Code(ILLEGAL, "V9"),
    "fold-in-no-more": Code(ILLEGAL, "V9"),
    "betting-closed": Code(ILLEGAL, "V8"),
    "hand-over": Code(ILLEGAL, "V5"),
    "hand-incomplete": Code(ILLEGAL, "V9"),
    "show-early": Code(ILLEGAL, "V14"),
    "show-differs": Code(ILLEGAL, "V12"),
    "declared-impossible": Code(ILLEGAL, "V12"),
    "exemption-not-allowed": Code(ILLEGAL, "B8"),
    "turn-not-dealers": Code(ILLEGAL, "B2"),
    "decided-twice": Code(ILLEGAL, "B1"),
    "draw-over-maximum": Code(ILLEGAL, "B2"),
    "draw-count-differs": Code(ILLEGAL, "B2"),
    "draw-uneven": Code(ILLEGAL, "B2"),
    "discard-not-held": Code(ILLEGAL, "B2"),
    "received-impossible": Code(ILLEGAL, "B3"),
    "card-not-held": Code(ILLEGAL, "B5"),
    "must-lead-trump": Code(ILLEGAL, "B4"),
    "must-play-cinch": Code(ILLEGAL, "B4"),
    "must-follow": Code(ILLEGAL, "B5"),
    "must-head": Code(ILLEGAL, "B5"),
    "must-trump": Code(ILLEGAL, "B5"),
    "must-overtrump": Code(ILLEGAL, "B5"),
    "must-undertrump": Code(ILLEGAL, "B5"),
    "renege-unfounded": Code(ILLEGAL, "B6"),
    "correction-late": Code(ILLEGAL, "B6"),
    "correction-not-allowed": Code(ILLEGAL, "B6"),
    "opened-at-par": Code(WARNING, "V3"),
    "shown-without-showdown": Code(WARNING, "V14"),
    "draw-count-unasked": Code(WARNING, "B2"),
    "renege-corrected": Code(WARNING, "B6"),
    "cards-missing": Code(UNVERIFIABLE, "V12"),
    "cards-too-many": Code(UNVERIFIABLE, "V12"),
    "draw-count-missing": Code(UNVERIFIABLE, "B2"),
    "declared-pots": Code(DISCREPANCY, "V11"),
    "declared-premiums": Code(DISCREPANCY, "V15"),
    "declared-stacks": Code(DISCREPANCY, "V11"),
    "declared-carried": Code(DISCREPANCY, "V4"),
    "declared-tricks": Code(DISCREPANCY, "B7"),
    "declared-payments": Code(DISCREPANCY, "B8"),
}

IN_BOURRE: Final[dict[str, str]] = {
    "wrong-stage": "",
    "out-of-turn": "",
    "not-in-hand": "",
    "hand-over": "",
    "hand-incomplete": "",
    "ante-amount": "B8",
    "ante-repeated": "B8",
    "cards-missing": "B7",
    "declared-pots": "B7",
    "declared-premiums": "presets",
    "declared-stacks": "B8",
    "declared-carried": "B8",
}
"""The rulings of Bourré for codes that it shares with the vying games; empty, that of the stage."""


class Action:
    """An act that is legal now.

    ``least`` and ``most`` bound its add, or in Bourré the cards drawn; −1 where there are none.
    ``cards`` is the mask of the cards that may be played; ``hidden`` how many more the seat holds
    that the log does not show.
    """

    def __init__(
        self, act: int, seat: int, least: int = -1, most: int = -1, cards: int = 0, hidden: int = 0
    ) -> None:
        self.act = act
        self.seat = seat
        self.least = least
        self.most = most
        self.cards = cards
        self.hidden = hidden


class Violation:
    """One finding. ``event`` and ``seat`` are −1 where it concerns none.

    ``expected`` and ``seen`` hold ints, strings, lists or dicts of them, or None. ``legal`` is what
    was allowed at that point. ``ruling`` is the ruling's id, the code's own unless it is given.
    """

    def __init__(
        self,
        code: str,
        pointer: str,
        event: int,
        seat: int,
        expected: object,
        seen: object,
        legal: list[Action],
        ruling: str = "",
    ) -> None:
        self.code = code
        self.pointer = pointer
        self.event = event
        self.seat = seat
        self.expected = expected
        self.seen = seen
        self.legal = legal
        self.ruling = ruling or CODES[code].ruling

    @property
    def severity(self) -> Severity:
        """How grave: illegal, discrepancy, warning or unverifiable."""
        return CODES[self.code].severity
