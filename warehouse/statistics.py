"""The statistics of a player as a table of data, and the uncertainty of a rate.

A statistic is a sum of one counter over the sum of another, so it is exact over any set of hands.
"""

from math import sqrt
from typing import Final

from msgspec import Struct


class Statistic(Struct, frozen=True):
    """A rate: how often something was done (``made``) of how often it could be (``chances``)."""

    id: str
    label: str
    made: str
    chances: str
    formula: str


STATISTICS: Final = (
    Statistic(
        "entry",
        "Enters",
        "entered",
        "decided",
        "hands with a voluntary opening, call or raise ÷ hands with a decision after the deal",
    ),
    Statistic("open", "Opens", "opened", "could_open", "openings ÷ unopened turns"),
    Statistic("carre", "Carres", "carred", "could_carre", "carres ÷ turns in the carre chain"),
    Statistic(
        "raise",
        "Raises",
        "raised",
        "could_raise",
        "hands raised ÷ hands facing an opening or the no-more option",
    ),
    Statistic(
        "fold-to-open",
        "Folds to an opening",
        "folded_to_open",
        "faced_open",
        "folds to an opening ÷ openings faced",
    ),
    Statistic(
        "fold-to-raise",
        "Folds to a raise",
        "folded_to_raise",
        "faced_raise",
        "folds to a raise ÷ raises faced",
    ),
    Statistic(
        "reraise-use",
        "Uses the no-more right",
        "raised_again",
        "could_raise_again",
        "raises ÷ raises and no-mores, once everybody has called",
    ),
    Statistic(
        "showdown",
        "Goes to the showdown",
        "entered_and_showed",
        "entered",
        "showdowns of hands entered ÷ hands entered",
    ),
    Statistic(
        "won-at-showdown",
        "Wins at the showdown",
        "showed_and_won",
        "showed",
        "showdowns with a share of a pot ÷ showdowns",
    ),
    Statistic(
        "steal",
        "Wins uncontested",
        "entered_and_stole",
        "entered",
        "hands entered and won without a showdown ÷ hands entered",
    ),
    Statistic(
        "va-tout",
        "Goes all-in",
        "entered_all_in",
        "entered",
        "hands entered and all-in ÷ hands entered",
    ),
)

_Z_95: Final = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""


def wilson(k: int, n: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of the rate k/n, within 0 and 1.

    Raises:
        ValueError: there was no chance (n = 0), or k is not within 0 and n.
    """
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"{k} of {n} is no rate")
    rate = k / n
    square = _Z_95 * _Z_95 / n
    centre = (rate + square / 2) / (1 + square)
    half = _Z_95 * sqrt(rate * (1 - rate) / n + square / (4 * n)) / (1 + square)
    return (0.0 if k == 0 else centre - half, 1.0 if k == n else centre + half)
