"""The counters of a hand of Bourré, seat by seat."""

from itertools import pairwise
from typing import Final

from engine.acts import DEAL, PLAY, RENEGE, TURN
from engine.cards import SUIT_MASK, UNKNOWN
from engine.record import BourreRecord
from engine.result import BourreOutcome, Turn
from engine.violations import Violation
from warehouse.counters import POT_SIZES, RENEGES, Tally
from warehouse.sure_tricks import sure_tricks

_HAND: Final = 5


def count_reneges(tallies: list[Tally], record: BourreRecord, violations: list[Violation]) -> None:
    """Count the cards played face up and the reneges of a hand, whether it counts or not."""
    players = len(tallies)
    for act, seat, cards in zip(record.acts, record.seats, record.cards, strict=True):
        played = act in (PLAY, RENEGE) and cards and cards[0] != UNKNOWN
        if played and 0 <= seat < players:
            tallies[seat].add("cards_seen")
    for found in violations:
        counter = RENEGES.get(found.code)
        if counter is not None and 0 <= found.seat < players:
            tallies[found.seat].add(counter)


def count_bourre(
    tallies: list[Tally],
    record: BourreRecord,
    turns: list[Turn],
    outcome: BourreOutcome,
    *,
    picked: bool,
) -> None:
    """Count what every seat did in a hand that is settled.

    Where it is ``picked``, the tricks that were sure are worked out.
    """
    trumps = _trumps_dealt(record)
    ante = sum(outcome.contributions)
    for turn in turns:
        tally = tallies[turn.seat]
        if turn.situation == "declaring":
            _count_declaration(tally, turn, trumps[turn.seat], ante)
    played = any(turn.situation == "playing" for turn in turns)
    for seat, tally in enumerate(tallies):
        tally.set("bourre_hands")
        tally.add("ante_chips", outcome.contributions[seat])
        _count_won(tally, outcome, seat)
        if played and not outcome.folded[seat]:
            _count_play(tally, record, outcome, seat)
    _count_leads(tallies, turns, outcome)
    if picked and played and outcome.tricks is not None:
        _count_sure_tricks(tallies, record, outcome.tricks)


def _trumps_dealt(record: BourreRecord) -> list[int | None]:
    """How many trumps each seat was dealt, None where the log does not tell."""
    players = len(record.stacks)
    turned = UNKNOWN
    hands: list[list[int]] = [[] for _ in range(players)]
    for act, seat, cards in zip(record.acts, record.seats, record.cards, strict=True):
        if act == TURN:
            turned = cards[0]
        elif act == DEAL and 0 <= seat < players:
            hands[seat] = cards
    if turned == UNKNOWN:
        return [None] * players
    suit = SUIT_MASK << 13 * (turned // 13)
    return [
        sum(suit >> card & 1 for card in cards)
        if len(cards) == _HAND and UNKNOWN not in cards
        else None
        for cards in hands
    ]


def _count_declaration(tally: Tally, turn: Turn, trumps: int | None, antes: int) -> None:
    stays = turn.act == "stay"
    tally.add("declared")
    tally.add("stayed", stays)
    if stays:
        tally.add("pot_at_stay", turn.pot)
    if trumps is not None:
        tally.add(f"declared_with_{trumps}")
        tally.add(f"stayed_with_{trumps}", stays)
    size = POT_SIZES[0 if turn.pot <= antes else 1 if turn.pot <= 2 * antes else 2]
    tally.add(f"declared_{size}")
    tally.add(f"stayed_{size}", stays)


def _count_won(tally: Tally, outcome: BourreOutcome, seat: int) -> None:
    won = (outcome.pots[0].winners or {}).get(seat, 0)
    tally.set("won_pot", won > 0)
    tally.add("pot_chips", won)
    if tally["stayed"]:
        tally.set("stayed_and_won", won > 0)
        tally.add("stayed_pot_chips", won)


def _count_play(tally: Tally, record: BourreRecord, outcome: BourreOutcome, seat: int) -> None:
    tricks = outcome.tricks or [0] * len(outcome.folded)
    drawn = _drawn(record, seat)
    tally.set("played")
    tally.add("drawn", drawn)
    tally.set("pat", drawn == 0)
    tally.add("tricks", tricks[seat])
    tally.set("bourred", tricks[seat] == 0)
    most = tricks[seat] == max(tricks)
    tally.set("tied", most and tricks.count(tricks[seat]) > 1 and not tally["won_pot"])
    tally.add("cards_played", _HAND)
    for payment in outcome.pot_payments or []:
        if payment.seat == seat:
            tally.add(f"{payment.by}_chips", payment.amount)


def _count_sure_tricks(tallies: list[Tally], record: BourreRecord, tricks: list[int]) -> None:
    for tally, sure, taken in zip(tallies, sure_tricks(record), tricks, strict=True):
        if sure is not None:
            tally.set("solved")
            tally.add("sure_tricks", sure)
            tally.add("tricks_of_solved", taken)


def _drawn(record: BourreRecord, seat: int) -> int:
    """How many cards a seat drew; one that says nothing stands pat."""
    return sum(
        len(received)
        for at, received in zip(record.seats, record.received, strict=True)
        if at == seat
    )


def _count_leads(tallies: list[Tally], turns: list[Turn], outcome: BourreOutcome) -> None:
    """Count who led each trick and whether he took it: whoever took one leads the next."""
    plays = [turn.seat for turn in turns if turn.situation == "playing"]
    stayers = outcome.folded.count(False)
    if not plays or len(plays) != _HAND * stayers or outcome.tricks is None:
        return
    leaders = plays[::stayers]
    left = outcome.tricks.copy()
    for leader, winner in pairwise(leaders):
        tallies[leader].add("led")
        tallies[leader].add("led_and_won", leader == winner)
        left[winner] -= 1
    tallies[leaders[-1]].add("led")
    tallies[leaders[-1]].add("led_and_won", left[leaders[-1]] > 0)
