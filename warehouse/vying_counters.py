"""The counters of a hand of Bouillotte or Brelan, seat by seat."""

from typing import Final

from engine.record import VyingRecord
from engine.result import Outcome, Turn
from engine.vying.showdown import rank_bits
from warehouse.counters import Tally
from warehouse.strength import MILLION, KnownHands, would_have_won

_VOLUNTARY: Final = frozenset({"open", "call", "raise"})
_FACED: Final = {
    "facing-open": ("faced_open", "folded_to_open"),
    "facing-raise": ("faced_raise", "folded_to_raise"),
}
_COUNTED_ACTS: Final = {"raise": "raises", "call": "calls", "fold": "folds"}
_NOBODY: Final = -1


def count_vying(
    tallies: list[Tally],
    record: VyingRecord,
    turns: list[Turn],
    outcome: Outcome,
    known: KnownHands,
    chances: list[int | None],
) -> None:
    """Count what every seat did in a hand that is settled; ``chances`` are the seats' q."""
    carrer = _NOBODY
    for turn in turns:
        tally = tallies[turn.seat]
        if turn.situation == "carre":
            _count_carre(tally, turn, carrer)
            if turn.act == "carre":
                carrer = turn.seat
        else:
            _count_turn(tally, turn, carrer)
            _judge_turn(tally, turn, chances[turn.seat])
    for seat, tally in enumerate(tallies):
        _count_end(tally, outcome, seat)
        _count_cards(tally, known.dealt[seat])
    _count_folded_winners(tallies, record, outcome, known)


def _count_carre(tally: Tally, turn: Turn, carrer: int) -> None:
    made = turn.act == "carre"
    tally.add("could_carre")
    tally.add("carred", made)
    if carrer != _NOBODY:
        tally.add("could_recarre")
        tally.add("recarred", made)


def _count_turn(tally: Tally, turn: Turn, carrer: int) -> None:
    tally.set("decided")
    if turn.act in _VOLUNTARY:
        tally.set("entered")
    counter = _COUNTED_ACTS.get(turn.act)
    if counter is not None:
        tally.add(counter)
    if turn.situation == "unopened":
        tally.add("could_open", turn.may_raise)
        tally.add("opened", turn.act == "open")
        if carrer not in (_NOBODY, turn.seat):
            tally.add("faced_carre")
            tally.add("passed_to_carre", turn.act == "pass")
        return
    if turn.may_raise:
        tally.set("could_raise")
    if turn.act == "raise":
        tally.set("raised")
    if turn.situation == "no-more":
        tally.add("could_raise_again", turn.may_raise)
        tally.add("raised_again", turn.act == "raise")
        return
    faced, folded = _FACED[turn.situation]
    tally.add(faced)
    tally.add(folded, turn.act == "fold")


def _judge_turn(tally: Tally, turn: Turn, q: int | None) -> None:
    """Hold the strength of the hand against what the turn cost."""
    if q is None:
        return
    if turn.act == "open":
        tally.add("opens_judged")
        tally.add("q_at_open", q)
    elif turn.act == "raise":
        tally.add("raises_judged")
        tally.add("q_at_raise", q)
    elif turn.to_call > 0 and turn.act in ("call", "fold"):
        price = price_of(turn)
        tally.add(f"{turn.act}s_judged")
        tally.add(f"q_at_{turn.act}", q)
        tally.add(f"price_at_{turn.act}", price)
        if turn.act == "call":
            tally.add("calls_below_price", q < price)
        else:
            tally.add("folds_above_price", q > price)


def price_of(turn: Turn) -> int:
    """Return what a call costs beside the pot after it, in millionths."""
    after = turn.pot + turn.to_call
    return (turn.to_call * MILLION * 2 + after) // (2 * after)


def _count_end(tally: Tally, outcome: Outcome, seat: int) -> None:
    won = [pot for pot in outcome.pots if pot.winners is not None and seat in pot.winners]
    entered = tally["entered"]
    if outcome.showdown and not outcome.folded[seat]:
        contested = [pot for pot in won if pot.by != "uncontested"]
        tally.set("showed")
        tally.set("showed_and_won", bool(contested))
        tally.set("entered_and_showed", entered)
        if contested:
            by_point = contested[0].by == "point"
            tally.set("won_by_point", by_point)
            tally.set("won_by_brelan", not by_point)
    elif won:
        tally.set("entered_and_stole", entered)
    if outcome.all_in[seat]:
        tally.set("entered_all_in", entered)


def _count_cards(tally: Tally, hand: int) -> None:
    if hand:
        ranks = rank_bits(hand)
        tally.set("dealt_known")
        tally.set("brelans_dealt", ranks & (ranks - 1) == 0)


def _count_folded_winners(
    tallies: list[Tally], record: VyingRecord, outcome: Outcome, known: KnownHands
) -> None:
    live = sum(1 << seat for seat, folded in enumerate(outcome.folded) if not folded)
    if not live or not known.all_shown():
        return
    for seat, tally in enumerate(tallies):
        if tally["folds"]:
            tally.set("folds_all_shown")
            tally.set("winner_folded", would_have_won(record, known, live, seat))
