"""Every seat's counters of one examined hand, whichever its game."""

from typing import Final, cast

from msgspec import UNSET, UnsetType

from engine.bourre.state import PACK
from engine.options import DECK_BY_COUNT
from engine.record import BourreRecord, HandRecord
from engine.result import BourreOutcome, Outcome
from schemas.audit import ExaminedHand
from schemas.document import (
    Call,
    Carre,
    Decline,
    Draw,
    Fold,
    Hand,
    NoMore,
    Open,
    Out,
    Pass,
    Play,
    Raise,
    Stay,
)
from warehouse.bourre_counters import count_bourre, count_reneges
from warehouse.counters import Tally
from warehouse.strength import KnownHands, strengths
from warehouse.sure_tricks import is_picked
from warehouse.vying_counters import count_vying

_SUITS: Final = 4
_DECISIONS: Final = (
    *(Carre, Decline, Pass, Open, Call, Raise, Fold, NoMore),
    *(Stay, Out, Draw, Play),
)


def count_seats(
    examined: ExaminedHand, outcome: Outcome | None, hand_id: str
) -> tuple[list[list[int]], list[int | None]]:
    """Return the counters of a hand examined with its turns, and q, each by seat.

    Without an outcome, of a hand that does not count, they are those alone that count even then.
    """
    record, replay = examined.record, examined.replay
    seats = examined.hand.seats
    tallies = [Tally() for _ in seats]
    chances: list[int | None] = [None] * len(seats)
    if isinstance(record, BourreRecord):
        count_reneges(tallies, record, replay.violations)
    if outcome is not None:
        if isinstance(record, BourreRecord):
            picked = is_picked(hand_id)
            settled = cast("BourreOutcome", outcome)
            count_bourre(tallies, record, replay.turns, settled, picked=picked)
        else:
            known = KnownHands(record)
            chances = strengths(record, known)
            count_vying(tallies, record, replay.turns, outcome, known, chances)
        for tally, who in zip(tallies, seats, strict=True):
            if who.rebuy is not UNSET and who.rebuy > 0:
                tally.set("rebought")
        _count_times(tallies, examined.hand)
    return [tally.counts for tally in tallies], chances


def deck_size(record: HandRecord) -> int | None:
    """Return how many cards the pack has; None where the rules have none for so many seats."""
    if isinstance(record, BourreRecord):
        return PACK
    ranks = record.options.deck
    if ranks == "by-count":
        ranks = DECK_BY_COUNT.get(len(record.stacks), "")
    return _SUITS * len(ranks) or None


def _count_times(tallies: list[Tally], hand: Hand) -> None:
    """Count how long each decision took: since the event before it, where both are timed."""
    before: int | UnsetType = UNSET
    for event in hand.events:
        at = event.at
        if at is UNSET or before is UNSET or at < before:
            before = at
            continue
        if isinstance(event, _DECISIONS):
            tallies[event.seat].add("timed")
            tallies[event.seat].add("decision_ms", at - before)
        before = at
