"""Random legal hands of Bourré: any table, any options, every act drawn from `legal_actions`."""

import random

from engine.acts import DEAL, DRAW, OUT, PLAY, STAY, TURN
from engine.bourre.legality import legal_actions
from engine.bourre.options import BOURRE_OPTIONS, BourreOptions
from engine.bourre.replay import apply, begin
from engine.bourre.state import END, NO_COUNT, BourreState
from engine.cards import cards_in
from engine.options import Choice, OptionValue
from engine.presets import PRESETS
from engine.record import BourreRecord
from engine.violations import Action
from tests.engine.bourre.hands import LOUISIANA, PAGAT, table_options


def dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 -- a repeatable game, no secret


def random_options(rng: random.Random) -> BourreOptions:
    """Every other table plays a preset, the rest anything that the options allow."""
    preset = rng.choice([LOUISIANA, PAGAT])
    values: dict[str, OptionValue] = {}
    if rng.random() < 0.5:
        for name, option in BOURRE_OPTIONS.items():
            if isinstance(option, Choice):
                values[name] = rng.choice(option.values)
        values["ante"] = rng.choice([0, 1, 3])
        values["cap"] = rng.choice([1, 5, 12])
    return table_options(preset, values)


class Game:
    """A hand being played: the state, the record that grows with it, and the unseen pack."""

    def __init__(self, rng: random.Random) -> None:
        players = rng.randint(2, 8)
        options = random_options(rng)
        exempting = options.ante_exemption != "none"
        self.rng = rng
        self.record = BourreRecord(
            options=options,
            min_players=PRESETS[LOUISIANA].min_players,
            max_players=PRESETS[LOUISIANA].max_players,
            dealer=rng.randrange(players),
            carried=rng.choice([0, 0, 7, 30]),
            stacks=[rng.choice([1, 2, 10, 60, 100]) for _ in range(players)],
            rebuys=[0] * players,
            exempt=[exempting and rng.random() < 0.3 for _ in range(players)],
            acts=[],
            seats=[],
            adds=[],
            cards=[],
            received=[],
            declared=None,
        )
        self.state = begin(self.record)
        self.pack = rng.sample(range(52), 52)
        self.pool: list[int] = []
        self.decisions: list[int] = []

    def play(self) -> BourreRecord:
        self._deal()
        out_seldom = self.rng.random() < 0.8
        while self.state.stage != END:
            self.decisions.append(len(self.record.acts))
            legal = legal_actions(self.state)
            weights = [0.3 if a.act == OUT and out_seldom else 1.0 for a in legal]
            self._act(self.rng.choices(legal, weights)[0])
        self.decisions.append(len(self.record.acts))
        return self.record

    def _deal(self) -> None:
        for place in range(self.state.players):
            seat = (self.state.dealer + 1 + place) % self.state.players
            self.do(DEAL, seat, held=self._cards(5))
        dealers = self.state.options.trump_card == "dealers-fifth"
        self.do(TURN, -1, held=[self.record.cards[-1][-1]] if dealers else self._cards(1))

    def _act(self, action: Action) -> None:
        seat = action.seat
        if action.act == PLAY:
            self.do(PLAY, seat, held=[self.rng.choice(cards_in(action.cards))])
        elif action.act == DRAW:
            count = self.rng.randint(action.least, action.most)
            discards = self.rng.sample(cards_in(self.state.held[seat]), count)
            self.do(DRAW, seat, held=discards, received=self._cards(count))
            self.pool += discards
        elif action.act == STAY and action.least >= 0:
            self.do(STAY, seat, self.rng.randint(action.least, action.most))
        else:
            if action.act == OUT and self.state.options.recycle == "discards-and-folded":
                self.pool += cards_in(self.state.held[seat])
            self.do(action.act, seat)

    def _cards(self, count: int) -> list[int]:
        came = []
        for _ in range(count):
            if not self.pack:
                self.pack = self.rng.sample(self.pool, len(self.pool))
                self.pool = []
            came.append(self.pack.pop())
        return came

    def do(
        self,
        act: int,
        seat: int,
        add: int = NO_COUNT,
        held: list[int] | None = None,
        received: list[int] | None = None,
    ) -> None:
        record = self.record
        self.state.event = len(record.acts)
        record.acts.append(act)
        record.seats.append(seat)
        record.adds.append(add)
        record.cards.append(held or [])
        record.received.append(received or [])
        apply(self.state, act, seat, add, held or [], received or [])


def state_after(record: BourreRecord, events: int) -> BourreState:
    """The table after so many events of a record."""
    state = begin(record)
    for index in range(events):
        state.event = index
        apply(
            state,
            record.acts[index],
            record.seats[index],
            record.adds[index],
            record.cards[index],
            record.received[index],
        )
    return state


def shortened(record: BourreRecord, events: int) -> BourreRecord:
    """The record of the first so many events."""
    return BourreRecord(
        record.options,
        record.min_players,
        record.max_players,
        record.dealer,
        record.carried,
        record.stacks.copy(),
        record.rebuys.copy(),
        record.exempt.copy(),
        record.acts[:events],
        record.seats[:events],
        record.adds[:events],
        [part.copy() for part in record.cards[:events]],
        [part.copy() for part in record.received[:events]],
        record.declared,
    )
