"""The replay of a vying hand: a fold of its events over the table, then the settlement.

One function serves the audit, which wants the verdict, and the replayer, which wants every step.
"""

from typing import Final

from engine.acts import (
    ACT_NAMES,
    ANTE,
    CARRE,
    DEAL,
    DECLINE,
    FOREIGN,
    NO_MORE,
    OPEN,
    SHOW,
    TURN,
)
from engine.cards import deck_mask
from engine.options import DECK_BY_COUNT
from engine.record import VyingRecord
from engine.result import Outcome, Replay, Step
from engine.result import Turn as Decision
from engine.seating import seat_faults
from engine.terms import Situation
from engine.vying.betting import bet
from engine.vying.declared import compare_declared
from engine.vying.declared_hidden import report_hidden, report_impossible
from engine.vying.legality import legal_actions, may_open, may_raise
from engine.vying.opening import carre, deal, decline, logged_ante, post_antes, show, turn
from engine.vying.report import report, report_hand, report_incomplete
from engine.vying.settlement import hidden_showdown, pots_so_far, settle
from engine.vying.state import (
    ANSWERING,
    CARRE_STAGE,
    END,
    NO_MORE_ROUND,
    NOBODY,
    SHOWDOWN,
    SPEAKING,
    VyingState,
)

_DECKS: Final[dict[str, int]] = {}


def replay_vying(
    record: VyingRecord, *, want_steps: bool = False, want_turns: bool = False
) -> Replay:
    """Replays a hand. Findings never stop it while the state still means something.

    ``want_steps`` keeps the table after every event, ``want_turns`` every decision in order; the
    audit alone needs neither.
    """
    state = begin(record)
    if state.violations and not state.deck:
        return Replay(state.violations, None, [], [])
    post_antes(state)
    steps: list[Step] = []
    decisions: list[Decision] = []
    if want_steps:
        steps.append(_step(state, -1, 0))
    for index, act in enumerate(record.acts):
        found = len(state.violations)
        state.event = index
        if want_turns:
            _note_decision(state, decisions, act, record.seats[index])
        apply(state, act, record.seats[index], record.adds[index], record.cards[index])
        if want_steps:
            steps.append(_step(state, index, found))
    found = len(state.violations)
    outcome = _settled(state, record)
    if want_steps and outcome is not None:
        steps.append(_settled_step(state, outcome, found))
    elif want_steps:
        steps[-1].findings.extend(range(found, len(state.violations)))
    return Replay(state.violations, outcome, decisions, steps)


def begin(record: VyingRecord) -> VyingState:
    """The table before the antes, and what is wrong with it already."""
    players = len(record.stacks)
    ranks = record.options.deck
    if ranks == "by-count":
        ranks = DECK_BY_COUNT.get(players, "")
    deck = _DECKS.get(ranks, -1)
    if deck < 0:
        deck = _DECKS[ranks] = deck_mask(ranks)
    state = VyingState(record.options, record.dealer, record.carried, record.stacks, deck)
    least = record.min_players if deck else max(record.min_players, min(DECK_BY_COUNT))
    if not least <= players <= record.max_players:
        allowed = f"{least} to {record.max_players}"
        report_hand(state, "player-count", "/seats", allowed, players)
    for seat, stack in enumerate(record.stacks):
        _check_seat(state, seat, stack, record.rebuys[seat])
    return state


def _check_seat(state: VyingState, seat: int, stack: int, rebuy: int) -> None:
    for code, field, expected, seen in seat_faults(stack, rebuy, state.options.rebuy):
        report_hand(state, code, f"/seats/{seat}/{field}", expected, seen, seat)


def apply(state: VyingState, act: int, seat: int, add: int, cards: list[int]) -> None:
    """One event of any kind, legal or not."""
    if seat >= state.players:
        report(state, "no-such-seat", "seat", NOBODY, state.players - 1, seat)
    elif OPEN <= act <= NO_MORE:
        bet(state, act, seat, add)
    elif act == DEAL:
        deal(state, seat, cards)
    elif act == TURN:
        turn(state, cards[0])
    elif act == SHOW:
        show(state, seat, cards)
    elif act == CARRE:
        carre(state, seat, add)
    elif act == DECLINE:
        decline(state, seat)
    elif act == ANTE:
        logged_ante(state, seat, add)
        return
    elif act == FOREIGN:
        report(state, "foreign-act", "do", seat, "an act of a vying game", "foreign")
    state.begun = True


def _settled(state: VyingState, record: VyingRecord) -> Outcome | None:
    if state.stage < SHOWDOWN:
        report_incomplete(state)
        return None
    hidden = hidden_showdown(state)
    outcome = settle(state, hidden)
    if hidden is not None:
        report_hidden(state, hidden)
    if record.declared is not None:
        compare_declared(state, record.declared, outcome, record.stacks)
        if hidden is not None:
            report_impossible(state, record.declared, outcome, hidden)
    return outcome


def _note_decision(state: VyingState, decisions: list[Decision], act: int, seat: int) -> None:
    """Notes a decision that the seat really had: it was its turn to speak.

    Cards dealt or turned while a seat may carre are that seat's refusal.
    """
    if state.stage == CARRE_STAGE and act in {DEAL, TURN}:
        seat = state.carre_seat
        act = DECLINE
    if seat == NOBODY:
        return
    if not CARRE <= act <= DECLINE or seat != state.to_speak():
        return
    situation = _situation(state)
    if situation:
        able = may_open(state, seat) if state.stage == SPEAKING else may_raise(state, seat)
        cost = min(state.to_call(seat), state.stacks[seat])
        decisions.append(Decision(seat, ACT_NAMES[act], situation, cost, state.pot, may_raise=able))


def _situation(state: VyingState) -> Situation | None:
    if state.stage == CARRE_STAGE:
        return "carre"
    if state.stage == SPEAKING:
        return "unopened"
    if state.stage == ANSWERING:
        return "facing-raise" if state.raised else "facing-open"
    return "no-more" if state.stage == NO_MORE_ROUND else None


def _step(state: VyingState, event: int, first_finding: int) -> Step:
    return Step(
        event=event,
        stage=state.stage,
        stacks=state.stacks.copy(),
        contributions=state.contributions.copy(),
        highest=state.highest,
        pot=state.pot,
        carried=state.carried,
        live=state.live,
        hands=state.hands.copy(),
        retourne=state.retourne,
        to_speak=state.to_speak() if state.stage < SHOWDOWN else NOBODY,
        legal=legal_actions(state),
        findings=list(range(first_finding, len(state.violations))),
        pots=pots_so_far(state),
    )


def _settled_step(state: VyingState, outcome: Outcome, first_finding: int) -> Step:
    """The table when everything is paid: the pot is empty but for what is carried."""
    state.stage = END
    step = _step(state, -1, first_finding)
    step.contributions = [0] * state.players
    step.highest = 0
    if outcome.stacks is not None:
        step.stacks = outcome.stacks
        step.pot = outcome.carried or 0
    return step
