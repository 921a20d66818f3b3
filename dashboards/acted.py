"""Finds the step of a hand at which a player did what a rate counts."""

from collections.abc import Collection
from typing import Final

from schemas.verdict import HandReplay

_FOLDS: Final = ("winner-folded", "fold-above-price", "fold-to-open", "fold-to-raise")
_RAISES: Final = ("raise", "reraise-use")
_ACTS: Final[dict[str, tuple[str, ...]]] = {
    "entry": ("open", "call", "raise"),
    "open": ("open",),
    "carre": ("carre",),
    "recarre": ("carre",),
    "fold-to-carre": ("pass",),
    "call-below-price": ("call",),
    **dict.fromkeys(_FOLDS, ("fold",)),
    **dict.fromkeys(_RAISES, ("raise",)),
}
_STAYS: Final = "stay"


def step_of(replay: HandReplay, names: Collection[str], rate: str) -> int | None:
    """The number of the first such step of a player of these names; None where there is none."""
    acts = (_STAYS,) if rate.startswith(_STAYS) else _ACTS.get(rate, ())
    seats = {seat for seat, player in enumerate(replay.players) if player in names}
    return next(
        (
            number
            for number, step in enumerate(replay.steps, 1)
            if step.do in acts and step.seat in seats
        ),
        None,
    )
