"""What holds in every hand of Bourré: random legal play, and what is not offered is found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.acts import ACT_NAMES, DEAL, DRAW, OUT, PLAY, STAY, TURN
from engine.bourre.legality import legal_actions
from engine.bourre.replay import apply, replay_bourre
from engine.bourre.state import DECLARING, DRAWING, PLAYING
from engine.cards import UNKNOWN, cards_in
from engine.record import BourreRecord
from engine.result import BourreOutcome
from tests.engine.bourre.random_play import Game, dice, shortened, state_after
from tests.engine.random_play import facts

SEEDS = st.integers(0, 2**40)
many = settings(max_examples=150, deadline=None, derandomize=True)


@many
@given(SEEDS)
def test_a_hand_of_legal_acts_is_legal(seed: int) -> None:
    replay = replay_bourre(Game(dice(seed)).play())

    assert replay.violations == []
    assert replay.verdict == "legal"


@many
@given(SEEDS)
def test_chips_are_conserved(seed: int) -> None:
    record = Game(dice(seed)).play()
    replay = replay_bourre(record, want_steps=True)
    outcome = replay.outcome
    before = sum(record.stacks) + record.carried

    assert isinstance(outcome, BourreOutcome)
    for step in replay.steps:
        assert sum(step.stacks) + step.pot == before
        assert min(step.stacks) >= 0
    assert outcome.stacks is not None
    assert outcome.carried is not None
    assert sum(outcome.stacks) + outcome.carried == before
    (pot,) = outcome.pots
    assert sum(pot.winners.values() if pot.winners else [0]) <= pot.amount
    if outcome.pot_payments and pot.winners:
        assert not {payment.seat for payment in outcome.pot_payments} & set(pot.winners)


@many
@given(SEEDS)
def test_the_audit_and_the_replayer_say_the_same_every_time(seed: int) -> None:
    record = Game(dice(seed)).play()
    audit = replay_bourre(record)
    shown = replay_bourre(record, want_steps=True, want_turns=True)

    assert facts(audit.violations) == facts(shown.violations)
    assert facts(audit.outcome) == facts(shown.outcome)
    assert facts(shown) == facts(replay_bourre(record, want_steps=True, want_turns=True))
    assert len(shown.steps) == len(record.acts) + 2
    assert [(turn.act, turn.seat) for turn in shown.turns] == [
        (ACT_NAMES[act], seat)
        for act, seat in zip(record.acts, record.seats, strict=True)
        if act >= STAY
    ]


def moves(record: BourreRecord, events: int) -> list[tuple[int, int, int, int]]:
    """Every stay, going out and single card that one could try: act, seat, count, card."""
    state = state_after(record, events)
    seats = range(state.players)
    counts = range(-1, 6) if record.options.declare == "in-turn-with-count" else [-1]
    tries = [(STAY, seat, count, -1) for seat in seats for count in counts]
    tries += [(OUT, seat, -1, -1) for seat in seats]
    if state.stage == PLAYING:
        tries += [(PLAY, seat, -1, card) for seat in seats for card in range(52)]
    return tries


@settings(max_examples=40, deadline=None, derandomize=True)
@given(SEEDS)
def test_what_is_offered_passes_and_what_is_not_is_found(seed: int) -> None:
    rng = dice(seed)
    game = Game(rng)
    record = game.play()
    for events in rng.sample(game.decisions, min(4, len(game.decisions))):
        state = state_after(record, events)
        offered = {
            (action.act, action.seat, count, card)
            for action in legal_actions(state)
            for count in (range(action.least, action.most + 1) if action.act == STAY else [-1])
            for card in (cards_in(action.cards) if action.act == PLAY else [-1])
        }
        if state.stage == DRAWING:
            offered = set()
        for act, seat, count, card in moves(record, events):
            tried = state_after(record, events)
            tried.event = events
            apply(tried, act, seat, count, [card] if act == PLAY else [], [])
            passes = len(tried.violations) == len(state.violations)
            redundant = act == STAY and state.winner == seat and state.undeclared >> seat & 1
            assert passes == ((act, seat, count, card) in offered or bool(redundant))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(SEEDS)
def test_a_draw_passes_if_it_is_offered(seed: int) -> None:
    rng = dice(seed)
    game = Game(rng)
    record = game.play()
    for events in game.decisions:
        state = state_after(record, events)
        if state.stage != DRAWING:
            continue
        (action,) = legal_actions(state)
        for count in range(6):
            tried = state_after(record, events)
            tried.event = events
            discards = cards_in(tried.held[action.seat])[:count]
            apply(tried, DRAW, action.seat, -1, discards, [UNKNOWN] * count)
            assert (not tried.violations) == (action.least <= count <= action.most)


@many
@given(SEEDS)
def test_a_log_that_stops_early_is_incomplete_and_offers_what_came(seed: int) -> None:
    rng = dice(seed)
    game = Game(rng)
    record = game.play()
    events = rng.choice(game.decisions[:-1])
    replay = replay_bourre(shortened(record, events))

    (found,) = replay.violations
    assert found.code == "hand-incomplete"
    assert replay.outcome is None
    came = (record.acts[events], record.seats[events])
    assert came in {(action.act, action.seat) for action in found.legal}


def from_the_table(record: BourreRecord) -> BourreRecord:
    """The hand as all saw it: dealt, thrown and received cards hidden, the tricks open."""
    seen = shortened(record, len(record.acts))
    for index, act in enumerate(seen.acts):
        if act in (DEAL, DRAW):
            seen.cards[index] = [UNKNOWN] * len(seen.cards[index])
            seen.received[index] = [UNKNOWN] * len(seen.received[index])
    return seen


def with_any_cards(record: BourreRecord, seed: int) -> BourreRecord:
    """The hand with each seat's cards played in another order, and whoever wins by that leads."""
    rng = dice(seed)
    at = record.acts.index(PLAY) if PLAY in record.acts else len(record.acts)
    hands: dict[int, list[list[int]]] = {}
    for index in range(at, len(record.acts)):
        hands.setdefault(record.seats[index], []).append(record.cards[index])
    mixed = shortened(record, at)
    for held in hands.values():
        rng.shuffle(held)
    while any(hands.values()):
        seat = state_after(mixed, len(mixed.acts)).to_speak()
        mixed.acts.append(PLAY)
        mixed.seats.append(seat)
        mixed.adds.append(-1)
        mixed.cards.append(hands[seat].pop())
        mixed.received.append([])
    return mixed


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_a_log_of_what_all_saw_settles_alike_and_shows_every_renege(first: int) -> None:
    for seed in range(first, first + 50):
        record = with_any_cards(Game(dice(seed)).play(), seed)
        full = replay_bourre(record)
        seen = replay_bourre(from_the_table(record))

        assert facts(seen.outcome) == facts(full.outcome)
        known = {(v.code, v.event, v.seat, str(v.expected)) for v in full.violations}
        shown = {(v.code, v.event, v.seat, str(v.expected)) for v in seen.violations}
        assert shown == known


@many
@given(SEEDS)
def test_a_stage_never_goes_back(seed: int) -> None:
    record = Game(dice(seed)).play()
    stages = [step.stage for step in replay_bourre(record, want_steps=True).steps]

    assert stages == sorted(stages)
    assert TURN in record.acts
    assert stages[record.acts.index(TURN) + 1] == DECLARING
