"""What holds in every hand: random legal play, acts that are not offered, events out of order."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.acts import (
    ANTE,
    CALL,
    CARRE,
    DEAL,
    DECLINE,
    FOLD,
    FOREIGN,
    NO_MORE,
    OPEN,
    PASS,
    RAISE,
    SHOW,
    TURN,
)
from engine.cards import UNKNOWN
from engine.record import VyingRecord
from engine.violations import WARNING, Action
from engine.vying.legality import legal_actions
from engine.vying.replay import apply, replay_vying
from engine.vying.state import CARRE_STAGE, END, NOBODY, SHOWDOWN, VyingState
from tests.engine.random_play import (
    copied,
    copied_state,
    declare,
    facts,
    outcome_of,
    play,
    state_after,
)

SEEDS = st.integers(0, 2**40)
ADDING = (CARRE, OPEN, CALL, RAISE)
BETTING = (PASS, OPEN, CALL, RAISE, FOLD, NO_MORE)
many = settings(max_examples=300, deadline=None, derandomize=True)
some = settings(max_examples=50, deadline=None, derandomize=True)


def dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 -- a repeatable game, no secret


@many
@given(SEEDS)
def test_a_hand_of_legal_acts_is_legal(seed: int) -> None:
    replay = replay_vying(play(dice(seed)).record)

    assert replay.verdict == "legal"
    assert {found.code for found in replay.violations} <= {"opened-at-par"}


@many
@given(SEEDS)
def test_chips_are_conserved(seed: int) -> None:
    record = play(dice(seed)).record
    replay = replay_vying(record, want_steps=True)
    outcome = outcome_of(replay)
    before = sum(record.stacks) + record.carried

    for step in replay.steps[:-1]:
        assert sum(step.stacks) + step.pot == before
        assert sum(step.contributions) + record.carried == step.pot
        assert min(step.stacks) >= 0
        cut = sum(chips for chips, _ in step.pots)
        assert cut in (0, step.pot - sum(outcome.returned) * (step.stage == SHOWDOWN))
    assert outcome.stacks is not None
    assert outcome.premiums is not None
    assert outcome.carried is not None
    assert sum(outcome.stacks) + outcome.carried == before
    assert sum(outcome.premiums) == 0
    assert min(outcome.stacks) >= 0
    paid = sum(pot.amount for pot in outcome.pots) + sum(outcome.returned) + outcome.carried
    assert paid == replay.steps[-2].pot
    for pot in outcome.pots:
        assert pot.winners is not None
        assert sum(pot.winners.values()) == pot.amount
        assert set(pot.winners) <= set(pot.eligible)
        assert not any(outcome.folded[seat] for seat in pot.eligible)


@many
@given(SEEDS)
def test_the_audit_and_the_replayer_say_the_same_every_time(seed: int) -> None:
    record = play(dice(seed)).record
    audit = replay_vying(record)
    shown = replay_vying(record, want_steps=True, want_turns=True)

    assert facts(audit.violations) == facts(shown.violations)
    assert facts(audit.outcome) == facts(shown.outcome)
    assert facts(shown) == facts(replay_vying(record, want_steps=True, want_turns=True))
    assert len(shown.steps) == len(record.acts) + 2


@many
@given(SEEDS)
def test_every_decision_is_a_turn_and_nothing_else_is(seed: int) -> None:
    record = play(dice(seed)).record
    turns = replay_vying(record, want_turns=True).turns
    decided = [
        (record.seats[index], act)
        for index, act in enumerate(record.acts)
        if act in BETTING or act in (CARRE, DECLINE)
    ]

    assert len(turns) == len(decided)
    assert [turn.seat for turn in turns] == [seat for seat, _ in decided]


# What is offered is legal, what is not is reported


def candidates(state: VyingState, legal: list[Action]) -> list[tuple[int, int, int]]:
    """Every act of every seat, with the amounts around every bound."""
    bounds = {0, 1, 2, state.pot, state.highest}
    for action in legal:
        bounds |= {action.least - 1, action.least, action.least + 1}
        bounds |= {action.most - 1, action.most, action.most + 1}
    amounts = sorted(chips for chips in bounds if chips >= 0)
    tries = [(TURN, NOBODY, 0)]
    for seat in range(state.players):
        tries += [(act, seat, chips) for act in (ANTE, *ADDING) for chips in amounts]
        tries += [(act, seat, 0) for act in (DECLINE, DEAL, PASS, FOLD, NO_MORE, SHOW)]
    return tries


def offered(legal: list[Action], act: int, seat: int, add: int) -> bool:
    return any(
        action.act == act
        and action.seat == seat
        and (action.least < 0 or action.least <= add <= action.most)
        for action in legal
    )


def harmless_though_not_offered(state: VyingState, act: int, seat: int, add: int) -> bool:
    """The log's freedoms: what it may write though it follows already from the rules."""
    if act == ANTE:  # an ante that the rules imply, once, at the beginning
        unwritten = not state.antes_logged >> seat & 1
        return not state.begun and unwritten and add == state.contributions[seat]
    if act == DECLINE:  # the refusal of one who cannot afford the carre (V2)
        return state.stage == CARRE_STAGE and seat == state.carre_refuser
    # the pass of the last carrer who has won already (V5)
    return act == PASS and state.stage == END and state.passed_out and seat == state.winner


@some
@given(SEEDS)
def test_exactly_what_is_offered_is_accepted(seed: int) -> None:
    moments = play(dice(seed))
    for events in moments.decisions:
        state = state_after(moments.record, events)
        legal = legal_actions(state)
        for act, seat, add in candidates(state, legal):
            after = copied_state(state)
            cards = [UNKNOWN] * {DEAL: 3, SHOW: 3, TURN: 1}.get(act, 0)
            apply(after, act, seat, add, cards)
            found = [v.code for v in after.violations[len(state.violations) :]]
            may_be = offered(legal, act, seat, add) or harmless_though_not_offered(
                state, act, seat, add
            )
            assert (set(found) <= {"opened-at-par"}) == may_be, (act, seat, add, found)


# Events out of order


def move(record: VyingRecord, source: int, target: int) -> None:
    for numbers in (record.acts, record.seats, record.adds):
        numbers.insert(target, numbers.pop(source))
    record.cards.insert(target, record.cards.pop(source))


def harmless_order(acts: list[int]) -> bool:
    """Deals among themselves, shows among themselves, written antes among themselves."""
    return len(set(acts)) == 1 and acts[0] in (DEAL, SHOW, ANTE)


@many
@given(SEEDS)
def test_a_moved_event_is_reported(seed: int) -> None:
    rng = dice(seed)
    record = play(rng).record
    for source in range(len(record.acts)):
        target = rng.randrange(len(record.acts))
        low, high = min(source, target), max(source, target)
        if low == high:
            continue
        moved = copied(record)
        move(moved, source, target)
        found = [v.code for v in replay_vying(moved).violations if v.severity != WARNING]
        harmless = harmless_order(record.acts[low : high + 1])
        assert bool(found) != harmless, (source, target)


@many
@given(SEEDS)
def test_two_neighbours_swapped_in_the_betting_are_reported(seed: int) -> None:
    record = play(dice(seed)).record
    for index in range(len(record.acts) - 1):
        pair = record.acts[index : index + 2]
        if not all(act in BETTING for act in pair):
            continue
        swapped = copied(record)
        move(swapped, index, index + 1)
        replay = replay_vying(swapped)
        assert replay.verdict == "illegal"
        assert replay.violations[0].event <= index + 1


# Hidden cards


@many
@given(SEEDS)
def test_what_is_decided_with_hidden_cards_is_what_all_cards_decide(seed: int) -> None:
    rng = dice(seed)
    record = play(rng).record
    whole = outcome_of(replay_vying(record))
    hidden = copied(record)
    hidden.declared = declare(record)
    for seat in range(-1, len(record.stacks)):
        if rng.random() < 0.6:
            continue
        for index in range(len(record.acts)):
            if record.seats[index] == seat:
                hidden.cards[index] = [
                    UNKNOWN if rng.random() < 0.7 else card for card in record.cards[index]
                ]
    replay = replay_vying(hidden)
    seen = outcome_of(replay)

    assert replay.verdict != "illegal"
    assert seen.returned == whole.returned
    assert len(seen.pots) == len(whole.pots)
    for pot, whole_pot in zip(seen.pots, whole.pots, strict=True):
        assert pot.amount == whole_pot.amount
        assert pot.winners in (None, whole_pot.winners)
    assert seen.premiums in (None, whole.premiums)
    assert seen.stacks in (None, whole.stacks)
    open_parts = None in (seen.stacks, seen.premiums, *(pot.winners for pot in seen.pots))
    assert open_parts == (replay.verdict == "unverifiable")


# Anything at all


def nonsense(rng: random.Random) -> VyingRecord:
    """A hand of which every part may be wrong, or a legal one with some events of that kind."""
    record = copied(play(rng).record)
    players = len(record.stacks)
    record.dealer = rng.randrange(players)
    record.stacks = [rng.choice([0, stack, 10**12]) for stack in record.stacks]
    record.rebuys = [rng.choice([0, 0, 100, 10**12]) for _ in record.stacks]
    for _ in range(rng.randint(1, 12)):
        index = rng.randint(0, len(record.acts))
        act = rng.randint(ANTE, FOREIGN)
        record.acts.insert(index, act)
        record.seats.insert(index, NOBODY if act == TURN else rng.randrange(8))
        record.adds.insert(index, rng.choice([0, 1, 5, 10**12]) if act <= RAISE else 0)
        count = 1 if act == TURN else rng.choice([0, 2, 3, 3, 5])
        shown = count if act in (DEAL, SHOW, TURN) else 0
        record.cards.insert(index, [rng.randint(UNKNOWN, 51) for _ in range(shown)])
    return record


@many
@given(SEEDS)
def test_any_nonsense_is_replayed_and_keeps_its_chips(seed: int) -> None:
    record = nonsense(dice(seed))
    before = sum(record.stacks) + record.carried
    replay = replay_vying(record, want_steps=True, want_turns=True)

    assert facts(replay.violations) == facts(replay_vying(record).violations)
    for step in replay.steps[:-1]:
        assert sum(step.stacks) + step.pot == before
        assert min(step.stacks) >= 0
    if replay.outcome is not None and replay.outcome.stacks is not None:
        assert replay.outcome.carried is not None
        assert sum(replay.outcome.stacks) + replay.outcome.carried == before
        assert min(replay.outcome.stacks) >= 0
