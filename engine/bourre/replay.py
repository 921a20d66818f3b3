"""The replay of a hand of Bourré: a fold of its events over the table, then the settlement.

One function serves the audit, which wants the verdict, and the replayer, which wants every step.
"""

from engine.acts import ACT_NAMES, ANTE, DEAL, DRAW, OUT, PLAY, RENEGE, STAY, TURN
from engine.bourre.dealing import deal, logged_ante, post_antes, turn
from engine.bourre.declared import compare_declared
from engine.bourre.declaring import go_out, stay
from engine.bourre.drawing import draw
from engine.bourre.legality import legal_actions
from engine.bourre.reneging import NO_CARD, renege
from engine.bourre.report import report, report_hand, report_incomplete
from engine.bourre.settlement import settle
from engine.bourre.state import (
    DECLARING,
    DRAWING,
    END,
    NOBODY,
    PLAYING,
    BourreState,
)
from engine.bourre.tricks import play
from engine.cards import UNKNOWN
from engine.record import BourreRecord
from engine.result import BourreOutcome, Replay, Step, TrickTable, Turn
from engine.seating import seat_faults
from engine.terms import Situation


def replay_bourre(
    record: BourreRecord, *, want_steps: bool = False, want_turns: bool = False
) -> Replay:
    """Replays a hand. Findings never stop it while the state still means something.

    ``want_steps`` keeps the table after every event, ``want_turns`` every decision in order; the
    audit alone needs neither.
    """
    state = begin(record)
    steps: list[Step] = []
    turns: list[Turn] = []
    if want_steps:
        steps.append(_step(state, -1, 0))
    for index, act in enumerate(record.acts):
        found = len(state.violations)
        state.event = index
        seat = record.seats[index]
        if want_turns:
            _note_turn(state, turns, act, seat)
        apply(state, act, seat, record.adds[index], record.cards[index], record.received[index])
        if want_steps:
            steps.append(_step(state, index, found))
    found = len(state.violations)
    outcome = _settled(state, record)
    if want_steps:
        if outcome is not None:
            steps.append(_settled_step(state, outcome))
        _put_findings(state, steps, found)
    return Replay(state.violations, outcome, turns, steps)


def begin(record: BourreRecord) -> BourreState:
    """The table after the antes, and what is wrong with it already."""
    players = len(record.stacks)
    state = BourreState(record.options, record.dealer, record.carried, record.stacks)
    if not record.min_players <= players <= record.max_players:
        allowed = f"{record.min_players} to {record.max_players}"
        report_hand(state, "player-count", "/seats", allowed, players)
    for seat, stack in enumerate(record.stacks):
        _check_seat(state, seat, stack, record.rebuys[seat])
    post_antes(state, record.exempt)
    return state


def apply(
    state: BourreState, act: int, seat: int, add: int, cards: list[int], received: list[int]
) -> None:
    """One event of any kind, legal or not."""
    if seat >= state.players:
        report(state, "no-such-seat", "seat", NOBODY, state.players - 1, seat)
    elif act == PLAY:
        play(state, seat, cards[0])
    elif act == STAY:
        stay(state, seat, add)
    elif act == OUT:
        go_out(state, seat)
    elif act == DRAW:
        draw(state, seat, cards, received)
    elif act == DEAL:
        deal(state, seat, cards)
    elif act == TURN:
        turn(state, cards[0])
    elif act == RENEGE:
        renege(state, seat, cards[0] if cards else NO_CARD)
    elif act == ANTE:
        logged_ante(state, seat, add)
        return
    else:
        report(state, "foreign-act", "do", seat, "an act of Bourré", "foreign")
    state.begun = True


def _check_seat(state: BourreState, seat: int, stack: int, rebuy: int) -> None:
    for code, field, expected, seen in seat_faults(stack, rebuy, state.options.rebuy):
        report_hand(state, code, f"/seats/{seat}/{field}", expected, seen, seat)


def _settled(state: BourreState, record: BourreRecord) -> BourreOutcome | None:
    if state.stage != END:
        report_incomplete(state)
        return None
    outcome = settle(state)
    if record.declared is not None:
        at_table = sum(record.stacks) + record.carried
        compare_declared(state, record.declared, outcome, at_table)
    return outcome


def _note_turn(state: BourreState, turns: list[Turn], act: int, seat: int) -> None:
    """Notes a decision that the seat really had: it was its turn."""
    situation = _situation(state, act, seat)
    if situation is not None:
        turns.append(Turn(seat, ACT_NAMES[act], situation, 0, state.pot, may_raise=False))


def _situation(state: BourreState, act: int, seat: int) -> Situation | None:
    """What the seat decides by the act, or none where it has nothing to decide.

    A seat may draw or lead past seats that stand pat without saying so.
    """
    if act in (STAY, OUT) and state.stage == DECLARING:
        turn = state.to_speak()
        at_once = turn == NOBODY and state.undeclared >> seat & 1
        return "declaring" if turn == seat or at_once else None
    if act == DRAW and state.stage == DRAWING:
        return "drawing" if (state.stayed & ~state.drawn) >> seat & 1 else None
    return "playing" if act == PLAY and seat == _due_to_play(state) else None


def _due_to_play(state: BourreState) -> int:
    if state.stage == DRAWING:
        return state.first_of(state.stayed, state.next_seat(state.dealer))
    return state.to_play() if state.stage == PLAYING else NOBODY


def _step(state: BourreState, event: int, first_finding: int) -> Step:
    trick = state.trick
    return Step(
        event=event,
        stage=state.stage,
        stacks=state.stacks.copy(),
        contributions=state.contributions.copy(),
        highest=max(state.contributions),
        pot=state.pot,
        carried=state.carried,
        live=state.live(),
        hands=state.held.copy(),
        retourne=UNKNOWN if state.turned == NOBODY else state.turned,
        to_speak=state.to_speak(),
        legal=legal_actions(state),
        findings=[
            index
            for index in range(first_finding, len(state.violations))
            if state.violations[index].event in (event, NOBODY)
        ],
        pots=[],
        play=TrickTable(
            state.trump,
            state.stayed | state.out,
            state.size.copy(),
            trick.seats.copy(),
            trick.cards.copy(),
            trick.winner,
            state.won.copy(),
        ),
    )


def _settled_step(state: BourreState, outcome: BourreOutcome) -> Step:
    """The table when everything is paid: the pot is what is carried."""
    step = _step(state, -1, len(state.violations))
    step.contributions = [0] * state.players
    step.highest = 0
    if outcome.stacks is not None and outcome.carried is not None:
        step.stacks = outcome.stacks
        step.pot = outcome.carried
    return step


def _put_findings(state: BourreState, steps: list[Step], first_at_end: int) -> None:
    """Puts the findings at the steps of their events, also those that a later event has shown."""
    for index, found in enumerate(state.violations):
        if found.event >= 0:
            findings = steps[found.event + 1].findings
            if index not in findings:
                findings.append(index)
        elif index >= first_at_end:
            steps[-1].findings.append(index)
