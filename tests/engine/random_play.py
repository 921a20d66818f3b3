"""Random legal play: any table, any options, every act drawn from `legal_actions`."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Any

from engine.acts import (
    ANTE,
    CALL,
    CARRE,
    DEAL,
    DECLINE,
    FOLD,
    NO_MORE,
    OPEN,
    PASS,
    RAISE,
    SHOW,
    TURN,
)
from engine.cards import cards_in
from engine.options import OptionValue, VyingOptions
from engine.record import DeclaredOutcome, VyingRecord
from engine.result import Outcome, Replay
from engine.violations import Action
from engine.vying.legality import legal_actions
from engine.vying.opening import post_antes
from engine.vying.replay import apply, begin, replay_vying
from engine.vying.state import DEAL_STAGE, NOBODY, SHOWDOWN, VyingState
from tests.engine.hands import HISTORICO, SALON, table_options

LIKELIHOOD = {
    CARRE: 2,
    DECLINE: 1,
    PASS: 2,
    OPEN: 2,
    CALL: 4,
    RAISE: 2,
    FOLD: 1,
    NO_MORE: 3,
}
VARIED: dict[str, Sequence[OptionValue]] = {
    "deck": ("by-count", "AKQJT98"),
    "ante": (0, 1, 2),
    "dealer-extra": (0, 1, 2),
    "carre": ("none", "chain", "first"),
    "open-minimum": (0, 1),
    "no-more": (True, False),
    "carry": ("dealer", "everyone"),
    "favori": ("off", "below-simple", "best"),
    "mistigri": ("off", "queen", "jack"),
    "brelans": (True, False),
    "premium-between-holders": ("waive", "net"),
    "premium-holders": ("shown", "live"),
    "premium-account": ("stack", "ledger"),
    "side-pot-suit": ("main", "fresh"),
    "heads-up-close": ("state", "call"),
}


def random_options(rng: random.Random) -> VyingOptions:
    """Every other table plays a preset, the rest anything that the options allow."""
    preset = rng.choice([SALON, HISTORICO])
    values: dict[str, OptionValue] = {"deck": "by-count"}
    if rng.random() < 0.5:
        values = {name: rng.choice(choices) for name, choices in VARIED.items()}
        if not values["ante"] and not values["dealer-extra"]:
            values["ante"] = 1
    return table_options(preset, values)


@dataclass
class Game:
    """A hand being played: its state, and the record that grows with it."""

    record: VyingRecord
    state: VyingState

    def do(self, act: int, seat: int, add: int = 0, cards: Sequence[int] = ()) -> None:
        self.state.event = len(self.record.acts)
        self.record.acts.append(act)
        self.record.seats.append(seat)
        self.record.adds.append(add)
        self.record.cards.append(list(cards))
        apply(self.state, act, seat, add, list(cards))


@dataclass
class Moments:
    """The hand, and how many events it had at every point where something was to be decided."""

    record: VyingRecord
    decisions: list[int] = field(default_factory=list)


def play(rng: random.Random) -> Moments:
    """A whole legal hand with the log's freedoms: written antes, shows or none, a late pass."""
    players = rng.randint(3, 5)
    stacks = [rng.choice([1, 2, 3, 7, 20, 60, 100]) for _ in range(players)]
    record = VyingRecord(
        options=random_options(rng),
        min_players=3,
        max_players=5,
        dealer=rng.randrange(players),
        carried=rng.choice([0, 0, 5, 9]),
        stacks=stacks,
        rebuys=[0] * players,
        acts=[],
        seats=[],
        adds=[],
        cards=[],
        declared=None,
    )
    state = begin(record)
    post_antes(state)
    game = Game(record, state)
    moments = Moments(record)
    if rng.random() < 0.3:
        for seat in range(players):
            game.do(ANTE, seat, state.contributions[seat])
    while state.carre_seat != NOBODY and state.stage < DEAL_STAGE:
        moments.decisions.append(len(record.acts))
        _choose(game, [a for a in legal_actions(state) if a.act in (CARRE, DECLINE)], rng)
    moments.decisions.append(len(record.acts))
    _deal(game, rng)
    while state.stage < SHOWDOWN:
        moments.decisions.append(len(record.acts))
        _choose(game, legal_actions(state), rng)
    moments.decisions.append(len(record.acts))
    if state.stage == SHOWDOWN and rng.random() < 0.7:
        for seat in range(players):
            game.do(SHOW, seat, cards=cards_in(state.hands[seat]))
    return moments


def _choose(game: Game, legal: list[Action], rng: random.Random) -> None:
    action = rng.choices(legal, [LIKELIHOOD[action.act] for action in legal])[0]
    add = 0
    if action.least >= 0:
        add = action.least
        if rng.random() < 0.5:
            add = rng.randint(action.least, min(action.most, action.least + 12))
        elif rng.random() < 0.15:
            add = action.most
    game.do(action.act, action.seat, add)


def _deal(game: Game, rng: random.Random) -> None:
    players = game.state.players
    pack = cards_in(game.state.deck)
    rng.shuffle(pack)
    if rng.random() < 0.3:
        lucky = rng.choice(pack) % 13
        pack.sort(key=lambda card: card % 13 != lucky)
        pack[:7] = rng.sample(pack[:7], 7)
    for seat in range(players):
        game.do(DEAL, seat, cards=pack[3 * seat : 3 * seat + 3])
    game.do(TURN, NOBODY, cards=[pack[3 * players]])


def state_after(record: VyingRecord, events: int) -> VyingState:
    """The table after so many events of a record."""
    state = begin(record)
    post_antes(state)
    for index in range(events):
        state.event = index
        apply(
            state, record.acts[index], record.seats[index], record.adds[index], record.cards[index]
        )
    return state


def outcome_of(replay: Replay) -> Outcome:
    assert replay.outcome is not None
    return replay.outcome


def declare(record: VyingRecord) -> DeclaredOutcome:
    """All that a client can declare of the hand, as the engine settles it."""
    outcome = outcome_of(replay_vying(record))
    assert outcome.premiums is not None
    return DeclaredOutcome(
        [(pot.amount, dict(pot.winners or {})) for pot in outcome.pots],
        dict(enumerate(outcome.premiums)),
        outcome.stacks,
        outcome.carried,
    )


def copied(record: VyingRecord) -> VyingRecord:
    """A record of its own whose lists may be changed."""
    return VyingRecord(
        record.options,
        record.min_players,
        record.max_players,
        record.dealer,
        record.carried,
        record.stacks.copy(),
        record.rebuys.copy(),
        record.acts.copy(),
        record.seats.copy(),
        record.adds.copy(),
        [held.copy() for held in record.cards],
        record.declared,
    )


def facts(value: object) -> object:
    """A result as plain lists and dicts, to be compared."""
    if isinstance(value, list):
        return [facts(part) for part in value]
    if isinstance(value, dict):
        return {key: facts(part) for key, part in value.items()}
    if type(value).__module__.startswith("engine."):
        return {name: facts(getattr(value, name)) for name in attributes(value)}
    return value


def attributes(value: object) -> list[str]:
    """The names of an object's attributes; compiled classes keep them in a list of their own."""
    return list(getattr(type(value), "__mypyc_attrs__", None) or vars(value))


def copied_state(state: VyingState) -> VyingState:
    """A table of its own in the same state."""
    made = VyingState(state.options, state.dealer, state.carried, state.stacks, state.deck)
    for name, part in zip(state_names(), parts_of(state), strict=True):
        setattr(made, name, part.copy() if isinstance(part, list) else part)
    return made


def parts_of(state: VyingState) -> tuple[Any, ...]:
    """The values of the state's attributes, in the order of `state_names`."""
    return _getter()(state)


@cache
def state_names() -> tuple[str, ...]:
    return tuple(attributes(VyingState(table_options(), 0, 0, [1, 1, 1], 0)))


@cache
def _getter() -> Callable[[VyingState], tuple[Any, ...]]:
    return attrgetter(*state_names())
