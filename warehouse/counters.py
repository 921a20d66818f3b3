"""What a hand adds to each seat's statistics, as whole numbers, so that any sum of them is exact.

A chance is a turn, or a hand, at which the act was legal; nothing else counts as one.
"""

from typing import Final

from engine.result import Outcome, Turn

COUNTERS: Final = (
    "decided",  # had a decision after the deal
    "entered",  # opened, called or raised of their own will
    "opened",
    "could_open",
    "carred",
    "could_carre",
    "raised",
    "could_raise",
    "folded_to_open",
    "faced_open",
    "folded_to_raise",
    "faced_raise",
    "raised_again",  # in the no-more round
    "could_raise_again",
    "entered_and_showed",  # was at the showdown, having entered
    "showed",
    "showed_and_won",  # took a share of a pot at the showdown
    "entered_and_stole",  # took the pot without a showdown, having entered
    "entered_all_in",
)
"""The counters, one column each. By hand: 0 or 1; by turn (opened, carred, folded …): how often."""

(
    _DECIDED,
    _ENTERED,
    _OPENED,
    _COULD_OPEN,
    _CARRED,
    _COULD_CARRE,
    _RAISED,
    _COULD_RAISE,
    _FOLDED_TO_OPEN,
    _FACED_OPEN,
    _FOLDED_TO_RAISE,
    _FACED_RAISE,
    _RAISED_AGAIN,
    _COULD_RAISE_AGAIN,
    _ENTERED_AND_SHOWED,
    _SHOWED,
    _SHOWED_AND_WON,
    _ENTERED_AND_STOLE,
    _ENTERED_ALL_IN,
) = range(len(COUNTERS))

_OF_BOURRE: Final = frozenset({"declaring", "drawing", "playing"})
"""Situations that the counters here do not count."""
_VOLUNTARY: Final = frozenset({"open", "call", "raise"})
_FACED: Final = {
    "facing-open": (_FACED_OPEN, _FOLDED_TO_OPEN),
    "facing-raise": (_FACED_RAISE, _FOLDED_TO_RAISE),
}


def count_seats(turns: list[Turn], outcome: Outcome) -> list[list[int]]:
    """Return every seat's counters of one hand, in the order of `COUNTERS`."""
    seats = [[0] * len(COUNTERS) for _ in outcome.folded]
    for turn in turns:
        _count_turn(seats[turn.seat], turn)
    winners = {seat for pot in outcome.pots if pot.winners is not None for seat in pot.winners}
    for seat, counts in enumerate(seats):
        _count_end(counts, outcome, seat, won=seat in winners)
    return seats


def _count_turn(counts: list[int], turn: Turn) -> None:
    if turn.situation == "carre":
        counts[_COULD_CARRE] += 1
        counts[_CARRED] += turn.act == "carre"
        return
    if turn.situation in _OF_BOURRE:
        return
    counts[_DECIDED] = 1
    if turn.act in _VOLUNTARY:
        counts[_ENTERED] = 1
    if turn.situation == "unopened":
        counts[_COULD_OPEN] += turn.may_raise
        counts[_OPENED] += turn.act == "open"
        return
    if turn.may_raise:
        counts[_COULD_RAISE] = 1
    if turn.act == "raise":
        counts[_RAISED] = 1
    if turn.situation == "no-more":
        counts[_COULD_RAISE_AGAIN] += turn.may_raise
        counts[_RAISED_AGAIN] += turn.act == "raise"
        return
    faced, folded = _FACED[turn.situation]
    counts[faced] += 1
    counts[folded] += turn.act == "fold"


def _count_end(counts: list[int], outcome: Outcome, seat: int, *, won: bool) -> None:
    entered = counts[_ENTERED]
    if not outcome.folded[seat] and outcome.showdown:
        counts[_SHOWED] = 1
        counts[_SHOWED_AND_WON] = int(won)
        counts[_ENTERED_AND_SHOWED] = entered
    elif won:
        counts[_ENTERED_AND_STOLE] = entered
    if outcome.all_in[seat]:
        counts[_ENTERED_ALL_IN] = entered
