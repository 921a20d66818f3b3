"""The options of Bourré: what each may be, and the ruling that it belongs to.

`BOURRE_OPTIONS` is the one place where an option's name, its values and its ruling are written. An
option with one value says what is played everywhere; another value is refused by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.options import Amount, Choice, Option, OptionValue


@dataclass(frozen=True)
class BourreOptions:
    """The rules of one table of Bourré: every option's name in snake case."""

    ante: int
    trump_card: str
    declare: str
    maximum_draw: int
    smaller_draw: int
    smaller_draw_from: int
    recycle: str
    opening_lead: str
    cinch: bool
    head_when_trumped: str
    overtrump: str
    undertrump: str
    tie: str
    ante_exemption: str
    limit: str
    cap: int
    renege: str
    cannot_pay: str
    rebuy: int
    session_hands: int
    final_carried: str
    session_seats: str


DRAWS: Final = (0, 1, 2, 3, 4, 5)

BOURRE_OPTIONS: Final[dict[str, Option]] = {
    "ante": Amount(0, "B8"),
    "trump-card": Choice(("dealers-fifth", "extra"), "B2"),
    "declare": Choice(("in-turn", "in-turn-with-count", "simultaneous"), "B1"),
    "maximum-draw": Choice(DRAWS, "B2"),
    "smaller-draw": Choice(DRAWS, "B2"),
    "smaller-draw-from": Choice((0, 2, 3, 4, 5, 6, 7, 8), "B2"),
    "recycle": Choice(("discards", "discards-and-folded"), "B3"),
    "opening-lead": Choice(("free", "ace-of-trumps", "top-trump"), "B4"),
    "cinch": Choice((True, False), "B4"),
    "head-when-trumped": Choice(("required", "waived"), "B5"),
    "overtrump": Choice(("required",), "B5"),
    "undertrump": Choice(("forced", "free"), "B5"),
    "tie": Choice(("carry", "split", "replay"), "B7"),
    "ante-exemption": Choice(("none", "bourre-and-tied"), "B8"),
    "limit": Choice(("none", "bourre", "bourre-and-winner"), "B8"),
    "cap": Amount(1, "B8"),
    "renege": Choice(("pays-pot", "corrected", "both"), "B6"),
    "cannot-pay": Choice(("pays-stack",), "B8"),
    "rebuy": Amount(1, "S2"),
    "session-hands": Amount(0, "S3"),
    "final-carried": Choice(("split", "left"), "S3"),
    "session-seats": Choice(("open", "fixed"), "S5"),
}
"""Every option of Bourré. ``smaller-draw-from`` 0 and ``session-hands`` 0 mean never and open."""


def bourre_options(values: Mapping[str, OptionValue]) -> BourreOptions:
    """The options object of a full set of values, already checked against the table."""
    return BourreOptions(**{name.replace("-", "_"): value for name, value in values.items()})  # type: ignore[arg-type]


def most_drawn(options: BourreOptions, players: int) -> int:
    """How many cards a seat may draw at a table of so many players."""
    if options.smaller_draw_from and players >= options.smaller_draw_from:
        return min(options.smaller_draw, options.maximum_draw)
    return options.maximum_draw
