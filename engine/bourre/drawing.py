"""The draw: what is thrown away, what comes for it, and where it can have come from (B2, B3)."""

from engine.bourre.dealing import stage_acts
from engine.bourre.declaring import begin_playing
from engine.bourre.report import report
from engine.bourre.state import (
    DRAWING,
    END,
    NO_COUNT,
    PLAYING,
    BourreState,
)
from engine.cards import UNKNOWN, card_name


def draw(state: BourreState, seat: int, discards: list[int], received: list[int]) -> None:
    """A seat's draw. Seats before it that have not drawn stand pat thereby."""
    if state.stage == END:
        report(state, "hand-over", "do", seat, None, "draw")
        return
    if state.out >> seat & 1:
        report(state, "not-in-hand", "seat", seat, state.to_speak(), seat)
        return
    if state.stage != DRAWING:
        report(state, "wrong-stage", "do", seat, stage_acts(state), "draw")
        if state.stage == PLAYING or state.served >> seat & 1:
            return
    elif state.drawn >> seat & 1:
        report(state, "out-of-turn", "seat", seat, state.to_speak(), seat)
        if state.served >> seat & 1:
            return
    else:
        _stand_pat_before(state, seat)
    _check_number(state, seat, len(discards), len(received))
    _exchange(state, seat, discards, received)
    state.served |= 1 << seat
    state.drawn |= 1 << seat
    if state.stage == DRAWING and not state.stayed & ~state.drawn:
        begin_playing(state)


def end_drawing(state: BourreState) -> None:
    """Lets every seat that has not drawn stand pat, because somebody plays."""
    for seat in range(state.players):
        if state.stayed >> seat & 1 and not state.drawn >> seat & 1:
            _stand_pat(state, seat)
    begin_playing(state)


def _stand_pat_before(state: BourreState, seat: int) -> None:
    waiting = state.to_speak()
    while waiting != seat:
        _stand_pat(state, waiting)
        waiting = state.to_speak()


def _stand_pat(state: BourreState, seat: int) -> None:
    _check_count(state, seat, 0)
    state.drawn |= 1 << seat


def _check_count(state: BourreState, seat: int, drawn: int) -> None:
    announced = state.announced(seat)
    if announced not in (NO_COUNT, drawn):
        report(state, "draw-count-differs", "", seat, announced, drawn)


def _check_number(state: BourreState, seat: int, thrown: int, came: int) -> None:
    _check_count(state, seat, thrown)
    if thrown > state.most_drawn and thrown != state.counts[seat]:
        report(state, "draw-over-maximum", "discards", seat, state.most_drawn, thrown)
    if came != thrown:
        report(state, "draw-uneven", "received", seat, thrown, came)


def _exchange(state: BourreState, seat: int, discards: list[int], received: list[int]) -> None:
    thrown, hidden = _throw_away(state, seat, discards)
    _receive(state, seat, received)
    thrown &= ~state.held[seat]
    state.discarded[seat] = thrown
    state.pool |= thrown
    state.pool_hidden += hidden
    state.size[seat] += len(received) - len(discards)


def _throw_away(state: BourreState, seat: int, discards: list[int]) -> tuple[int, int]:
    """The seat's discards, as the mask of those known and the number of the others.

    Where a discard is hidden, any card of the hand may be it: none stays known.
    """
    unseen = state.hidden(seat)
    thrown = 0
    hidden = 0
    for place, card in enumerate(discards):
        if card == UNKNOWN:
            hidden += 1
            continue
        bit = 1 << card
        if thrown & bit:
            report(state, "card-twice", f"discards/{place}", seat, None, card_name(card))
        elif state.held[seat] & bit:
            thrown |= bit
        elif unseen and not state.placed & bit:
            unseen -= 1
            thrown |= bit
            state.placed |= bit
        else:
            report(state, "discard-not-held", f"discards/{place}", seat, None, card_name(card))
    state.held[seat] &= ~thrown
    if hidden:
        state.placed &= ~state.held[seat]
        state.held[seat] = 0
    return thrown, hidden


def _receive(state: BourreState, seat: int, received: list[int]) -> None:
    """Deals what came: what is left of the stock, then the pool, shuffled back into it.

    The pool has the discards of those already served; the drawer's own come after (B3).
    """
    fresh = min(state.fresh, len(received))
    again = len(received) - fresh
    state.fresh -= fresh
    candidates = state.recycled
    hidden = state.recycled_hidden
    if again > state.stock_recycled:
        candidates |= state.pool
        hidden += state.pool_hidden
        state.stock_recycled += _shuffle_pool(state)
    state.stock_recycled = max(0, state.stock_recycled - again)
    for place, card in enumerate(received):
        if card == UNKNOWN:
            continue
        bit = 1 << card
        if candidates & bit and again:
            again -= 1
            candidates &= ~bit
            state.recycled &= ~bit
        elif not (state.placed | candidates) & bit and fresh:
            fresh -= 1
        elif not (state.placed | candidates) & bit and again and hidden:
            again -= 1
            hidden -= 1
        else:
            report(state, "received-impossible", f"received/{place}", seat, None, card_name(card))
            if _held_by_another(state, seat, bit):
                continue
        state.held[seat] |= bit
        state.placed |= bit


def _held_by_another(state: BourreState, seat: int, bit: int) -> bool:
    return any(other != seat and hand & bit for other, hand in enumerate(state.held))


def _shuffle_pool(state: BourreState) -> int:
    """Makes the pool the stock; returns how many cards it has."""
    cards = state.pool.bit_count() + state.pool_hidden
    state.recycled = state.pool
    state.recycled_hidden = state.pool_hidden
    state.placed &= ~state.pool
    state.pool = 0
    state.pool_hidden = 0
    return cards
