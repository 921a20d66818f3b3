"""The end of a hand: who wins the pot, who pays into the next one, what is carried (B6, B7, B8)."""

from engine.bourre.reneging import settle_claims
from engine.bourre.report import report_hand
from engine.bourre.state import NO_SUIT, NOBODY, BourreState
from engine.cards import cards_in
from engine.result import BourreOutcome, Pot, PotPayment
from engine.terms import Decision, Fault


def settle(state: BourreState) -> BourreOutcome:
    """Settles a hand that has come to its end, and reports what hidden cards leave open."""
    if not state.trick.seats:
        return _without_play(state)
    reneged = settle_claims(state)
    _report_missing(state)
    if state.options.renege == "corrected":
        reneged = 0
    eligible = cards_in(state.stayed & ~reneged)
    if state.trick.winner == NOBODY:
        return _outcome(state, Pot(state.pot, eligible, None, None, NOBODY), [], reneged, 0)
    most = _most(state, eligible)
    winners, by = _winners(state, most)
    pot = Pot(state.pot, eligible, winners, by, NOBODY)
    payments = _payments(state, reneged)
    tied = 0
    if not winners:
        for seat in most:
            tied |= 1 << seat
    return _outcome(state, pot, payments, reneged, tied)


def _without_play(state: BourreState) -> BourreOutcome:
    """The last one left takes the pot (B1); where all went out at once, it is carried."""
    if state.winner == NOBODY:
        return _outcome(state, Pot(state.pot, [], {}, "carried", NOBODY), [], 0, 0)
    share = _capped(state, state.pot)
    pot = Pot(state.pot, [state.winner], {state.winner: share}, "uncontested", NOBODY)
    return _outcome(state, pot, [], 0, 0)


def _most(state: BourreState, eligible: list[int]) -> list[int]:
    """The eligible seats with the most tricks; none where none of them has a trick."""
    most = 1
    seats: list[int] = []
    for seat in eligible:
        if state.won[seat] > most:
            most = state.won[seat]
            seats = [seat]
        elif state.won[seat] == most:
            seats.append(seat)
    return seats


def _winners(state: BourreState, most: list[int]) -> tuple[dict[int, int], Decision]:
    """What each winner takes: all, or an equal share in whole chips where a tie splits the pot."""
    if len(most) == 1 or (most and state.options.tie == "split"):
        share = _capped(state, state.pot // len(most))
        return dict.fromkeys(most, share), "tricks"
    return {}, "carried"


def _capped(state: BourreState, share: int) -> int:
    options = state.options
    return min(share, options.cap) if options.limit == "bourre-and-winner" else share


def _payments(state: BourreState, reneged: int) -> list[PotPayment]:
    """What seats without a trick and offenders pay, each once, as far as the stack goes."""
    options = state.options
    due = state.pot if options.limit == "none" else min(state.pot, options.cap)
    payments = []
    for seat in cards_in(state.stayed):
        by: Fault = "renege" if reneged >> seat & 1 else "bourre"
        if by == "renege" or not state.won[seat]:
            amount = min(due, state.stacks[seat])
            payments.append(PotPayment(seat, amount, due - amount, by))
    return payments


def _outcome(
    state: BourreState, pot: Pot, payments: list[PotPayment], reneged: int, tied: int
) -> BourreOutcome:
    decided = pot.winners is not None
    stacks = state.stacks.copy()
    carried = pot.amount
    for seat, chips in (pot.winners or {}).items():
        stacks[seat] += chips
        carried -= chips
    for payment in payments:
        stacks[payment.seat] -= payment.amount
        carried += payment.amount
    exempt = [False] * state.players
    if state.options.ante_exemption == "bourre-and-tied":
        for seat in range(state.players):
            stayed = bool(state.stayed >> seat & 1 and state.trick.seats)
            exempt[seat] = bool(tied >> seat & 1) or (stayed and not state.won[seat])
    return BourreOutcome(
        pot,
        stacks if decided else None,
        carried if decided else None,
        state.contributions,
        folded=[not state.live() >> seat & 1 for seat in range(state.players)],
        all_in=[stack == 0 for stack in state.stacks],
        tricks=state.won if decided else None,
        pot_payments=payments if decided else None,
        reneged=cards_in(reneged),
        exempt=exempt if decided else None,
        replaying=cards_in(tied) if state.options.tie == "replay" else [],
    )


def _report_missing(state: BourreState) -> None:
    missing: dict[object, object] = {
        seat: count for seat, count in enumerate(state.hidden_plays) if count
    }
    if state.trump == NO_SUIT:
        missing["trump"] = 1
    if missing:
        report_hand(state, "cards-missing", "/events", missing, None)
