"""Who plays: staying and going out, in turn or at once, with the count of the draw or not (B1)."""

from engine.bourre.dealing import stage_acts
from engine.bourre.report import report
from engine.bourre.state import (
    DEAL_STAGE,
    DECLARING,
    DRAWING,
    END,
    NO_COUNT,
    NOBODY,
    PLAYING,
    BourreState,
)


def stay(state: BourreState, seat: int, count: int) -> None:
    """A seat plays this hand; ``count`` is how many cards it says it will draw, if it says."""
    redundant = state.stage == END and state.winner == seat and state.undeclared >> seat & 1
    if redundant:
        state.undeclared &= ~(1 << seat)
        return
    if not _may_declare(state, seat, "stay"):
        return
    _check_count(state, seat, count)
    state.counts[seat] = count
    state.undeclared &= ~(1 << seat)
    state.stayed |= 1 << seat
    _end_declaring(state)


def go_out(state: BourreState, seat: int) -> None:
    """A seat sits this hand out, for the price of its ante."""
    if not _may_declare(state, seat, "out"):
        return
    state.undeclared &= ~(1 << seat)
    state.out |= 1 << seat
    if state.options.recycle == "discards-and-folded":
        state.pool |= state.held[seat]
        state.pool_hidden += state.hidden(seat)
    _end_declaring(state)


def begin_playing(state: BourreState) -> None:
    """The first stayer left of the dealer leads (B4)."""
    state.stage = PLAYING
    state.leader = state.first_of(state.stayed, state.next_seat(state.dealer))


def _may_declare(state: BourreState, seat: int, act: str) -> bool:
    """Whether the seat still has to declare, however wrong the moment; reports what is wrong."""
    if state.stage == DEAL_STAGE:
        state.stage = DECLARING
    if state.stage == END:
        report(state, "hand-over", "do", seat, None, act)
        return False
    if state.out >> seat & 1:
        report(state, "not-in-hand", "seat", seat, state.to_speak(), seat)
        return False
    if state.stayed >> seat & 1:
        report(state, "decided-twice", "seat", seat, stage_acts(state), act)
        return False
    expected = state.to_speak()
    if expected not in (NOBODY, seat):
        report(state, "out-of-turn", "seat", seat, expected, seat)
    return True


def _check_count(state: BourreState, seat: int, count: int) -> None:
    if state.options.declare != "in-turn-with-count":
        if count != NO_COUNT:
            report(state, "draw-count-unasked", "count", seat, None, count)
    elif count == NO_COUNT:
        report(state, "draw-count-missing", "", seat, "count", None)
    elif count > state.most_drawn:
        report(state, "draw-over-maximum", "count", seat, state.most_drawn, count)


def _end_declaring(state: BourreState) -> None:
    """Ends the hand when one is left (B1), the declaring when all have spoken."""
    live = state.live()
    simultaneous = state.options.declare == "simultaneous"
    if live & (live - 1) == 0 and not (simultaneous and state.undeclared):
        state.stage = END
        state.winner = live.bit_length() - 1
    elif not state.undeclared:
        state.stage = DRAWING
        if not state.most_drawn:
            begin_playing(state)
