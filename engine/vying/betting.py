"""The betting: pass, open, call, raise, fold and no more, and when it closes (V5–V9, V19).

An illegal act is reported and then taken as the fact that it is, as far as the state still means
something: its chips move, and the seat has spoken. An act of a seat that cannot act at all is
reported and left out.
"""

from engine.acts import ACT_NAMES, CALL, FOLD, NO_MORE, OPEN, PASS, RAISE
from engine.vying.legality import calling, least_opening, may_open, may_raise
from engine.vying.opening import begin_speaking, end_if_all_passed
from engine.vying.report import report
from engine.vying.state import (
    ANSWERING,
    END,
    NO_MORE_ROUND,
    SHOWDOWN,
    SPEAKING,
    VyingState,
)


def bet(state: VyingState, act: int, seat: int, add: int) -> None:
    """One act of the betting."""
    if state.stage < SPEAKING:
        report(state, "wrong-stage", "do", seat, "turn", ACT_NAMES[act])
        begin_speaking(state)
    if state.stage == SHOWDOWN:
        report(state, "betting-closed", "do", seat, "show", ACT_NAMES[act])
        return
    if state.stage == END:
        _after_the_end(state, act, seat)
        return
    bit = 1 << seat
    if not state.live & bit:
        report(state, "not-in-hand", "seat", seat, state.to_speak(), seat)
        return
    if state.stacks[seat] == 0:
        report(state, "all-in", "seat", seat, state.to_speak(), seat)
        return
    if seat != state.to_speak():
        report(state, "out-of-turn", "seat", seat, state.to_speak(), seat)
        if not state.pending & bit:
            return
    if state.stage == SPEAKING:
        _speak(state, act, seat, add)
    elif state.stage == ANSWERING:
        _answer(state, act, seat, add)
    else:
        _say_no_more(state, act, seat, add)


def _speak(state: VyingState, act: int, seat: int, add: int) -> None:
    if act == PASS:
        state.pending &= ~(1 << seat)
        end_if_all_passed(state)
    elif act == OPEN:
        _open(state, seat, add)
    elif act == FOLD:
        report(state, "fold-before-opening", "do", seat, "pass", "fold")
        _leave(state, seat)
    else:
        report(state, "not-opened", "do", seat, "pass or open", ACT_NAMES[act])
        if act != NO_MORE and add >= least_opening(state, seat) and may_open(state, seat):
            _put_in(state, seat, add)
            _ask_the_others(state, seat)
        else:
            state.pending &= ~(1 << seat)
            end_if_all_passed(state)


def _open(state: VyingState, seat: int, add: int) -> None:
    least = least_opening(state, seat)
    if not may_open(state, seat):
        report(state, "open-unreachable", "do", seat, least, state.stacks[seat])
    elif add > state.stacks[seat]:
        report(state, "over-stack", "add", seat, state.stacks[seat], add)
    elif add < least:
        report(state, "open-below-minimum", "add", seat, least, add)
    elif add == 0:
        report(state, "opened-at-par", "add", seat, None, 0)
    _put_in(state, seat, add)
    _ask_the_others(state, seat)


def _answer(state: VyingState, act: int, seat: int, add: int) -> None:
    if act == CALL:
        _call(state, seat, add)
    elif act == RAISE:
        _raise(state, seat, add)
    elif act == FOLD:
        _leave(state, seat)
    elif act == OPEN:
        report(state, "already-opened", "do", seat, "call, raise or fold", "open")
        _put_in_as_answer(state, seat, add)
    elif act == PASS:
        report(state, "pass-after-opening", "do", seat, "call, raise or fold", "pass")
        _give_way(state, seat)
    else:
        report(state, "no-more-early", "do", seat, "call, raise or fold", "no-more")
        _give_way(state, seat)


def _call(state: VyingState, seat: int, add: int) -> None:
    call = calling(state, seat)
    if add > state.stacks[seat]:
        report(state, "over-stack", "add", seat, state.stacks[seat], add)
    elif add != call:
        report(state, "call-amount", "add", seat, call, add)
    highest = state.highest
    _put_in(state, seat, add)
    state.highest = highest
    _has_answered(state, seat, called=True)


def _raise(state: VyingState, seat: int, add: int) -> None:
    least = state.to_call(seat) + 1
    if not may_raise(state, seat):
        report(state, "raise-unreachable", "do", seat, least, state.stacks[seat])
    elif add > state.stacks[seat]:
        report(state, "over-stack", "add", seat, state.stacks[seat], add)
    elif add < least:
        report(state, "raise-below-minimum", "add", seat, least, add)
    _put_in_as_answer(state, seat, add)


def _say_no_more(state: VyingState, act: int, seat: int, add: int) -> None:
    if act == RAISE:
        _raise(state, seat, add)
    elif act == FOLD:
        report(state, "fold-in-no-more", "do", seat, "no-more or raise", "fold")
        _leave(state, seat)
    else:
        if act != NO_MORE:
            report(state, "call-in-no-more", "do", seat, "no-more or raise", ACT_NAMES[act])
        _put_in_as_answer(state, seat, add)


def _put_in_as_answer(state: VyingState, seat: int, add: int) -> None:
    highest = state.highest
    _put_in(state, seat, add)
    if state.highest > highest:
        state.raised = True
        _ask_the_others(state, seat)
    else:
        _has_answered(state, seat, called=False)


def _put_in(state: VyingState, seat: int, add: int) -> None:
    state.move(seat, min(add, state.stacks[seat]))


def _ask_the_others(state: VyingState, raiser: int) -> None:
    """After an opening or a raise, every other live seat with chips has to answer."""
    state.stage = ANSWERING
    state.last_raiser = raiser
    state.anchor = state.next_seat(raiser)
    state.pending = state.with_chips() & ~(1 << raiser)
    _close_or_go_on(state, called=False)


def _has_answered(state: VyingState, seat: int, *, called: bool) -> None:
    state.pending &= ~(1 << seat)
    _close_or_go_on(state, called=called)


def _give_way(state: VyingState, seat: int) -> None:
    """A seat that neither called nor folded in words: level it has called, below M it is out."""
    if state.to_call(seat):
        _leave(state, seat)
    else:
        _has_answered(state, seat, called=True)


def _leave(state: VyingState, seat: int) -> None:
    state.leave(seat)
    if state.stage == SPEAKING:
        end_if_all_passed(state)
    else:
        _close_or_go_on(state, called=False)


def _close_or_go_on(state: VyingState, *, called: bool) -> None:
    """Ends the hand, closes the betting, or opens the no-more round, as the state decides."""
    if state.live_seats == 1:
        state.stage = END
        state.winner = state.live.bit_length() - 1
        state.pending = 0
        return
    if _closed(state, called=called):
        state.stage = SHOWDOWN
        state.pending = 0
    elif not state.pending:
        state.stage = NO_MORE_ROUND
        state.anchor = state.next_seat(state.last_raiser)
        state.pending = state.with_chips() & ~(1 << state.last_raiser)


def _closed(state: VyingState, *, called: bool) -> bool:
    with_chips = state.with_chips()
    one_has_chips = with_chips & (with_chips - 1) == 0
    heads_up = state.live_seats == 2 and (called or state.options.heads_up_close == "state")
    if (one_has_chips or heads_up) and not _somebody_owes(state):
        return True
    if state.pending:
        return False
    return state.stage == NO_MORE_ROUND or not state.options.no_more


def _somebody_owes(state: VyingState) -> bool:
    """Whether a seat that has still to speak is below M."""
    for seat in range(state.players):
        if state.pending >> seat & 1 and state.to_call(seat) > 0:
            return True
    return False


def _after_the_end(state: VyingState, act: int, seat: int) -> None:
    """A pass of the last carrer who has won already is redundant (V5); nothing else may follow."""
    if act == PASS and state.passed_out and seat == state.winner:
        state.passed_out = False
        return
    report(state, "hand-over", "do", seat, None, ACT_NAMES[act])
