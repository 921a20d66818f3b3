"""Every completion of a showdown with hidden cards, dealt out and settled one by one."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from engine.cards import UNKNOWN, cards_in, deck_mask
from engine.options import OptionValue, VyingOptions
from engine.record import DeclaredOutcome
from engine.result import Outcome
from engine.vying.hidden import HiddenShowdown
from engine.vying.settlement import hidden_showdown, settle
from engine.vying.state import SHOWDOWN, VyingState
from tests.engine.hands import SALON, table_options

TABLES: dict[str, tuple[OptionValue, ...]] = {
    "favori": ("off", "off", "below-simple", "best"),
    "mistigri": ("off", "off", "queen", "jack"),
    "brelans": (True, True, True, False),
    "premium-between-holders": ("waive", "net"),
    "premium-holders": ("shown", "live"),
    "premium-account": ("stack", "ledger"),
    "side-pot-suit": ("main", "fresh"),
}
DECKS = ("AK98", "AKQ9", "AQJ8", "KQJT")


@dataclass
class Showdown:
    """A showdown; ``hands`` are masks of the cards that are known."""

    options: VyingOptions
    dealer: int
    stacks: list[int]
    contributions: list[int]
    live: int
    hands: list[int]
    retourne: int

    def state(self) -> VyingState:
        players = len(self.stacks)
        before = [self.stacks[seat] + self.contributions[seat] for seat in range(players)]
        state = VyingState(self.options, self.dealer, 0, before, deck_mask(self.options.deck))
        for seat in range(players):
            state.move(seat, self.contributions[seat])
            if not self.live >> seat & 1:
                state.leave(seat)
            if self.hands[seat].bit_count() == 3:
                state.known |= 1 << seat
        state.hands = self.hands.copy()
        state.retourne = self.retourne
        state.stage = SHOWDOWN
        return state

    def hidden(self) -> HiddenShowdown | None:
        return hidden_showdown(self.state())

    def pool(self) -> int:
        seen = 0 if self.retourne == UNKNOWN else 1 << self.retourne
        for hand in self.hands:
            seen |= hand
        return deck_mask(self.options.deck) & ~seen

    def completions(self) -> Iterator["Showdown"]:
        """The same showdown with every hidden place filled, in every way."""
        places = [seat for seat, hand in enumerate(self.hands) if hand.bit_count() < 3]
        yield from self.filled(places, self.pool())

    def filled(self, places: list[int], pool: int) -> Iterator["Showdown"]:
        """The same showdown with these seats' hidden places filled from the pool."""
        if not places:
            turned = cards_in(pool) if self.retourne == UNKNOWN else [self.retourne]
            for card in turned:
                yield self.with_cards(self.hands, card)
            return
        seat, *rest = places
        for chosen in combinations(cards_in(pool), 3 - self.hands[seat].bit_count()):
            cards = sum(1 << card for card in chosen)
            hands = self.hands.copy()
            hands[seat] |= cards
            yield from self.with_cards(hands, self.retourne).filled(rest, pool & ~cards)

    def with_cards(self, hands: list[int], retourne: int) -> "Showdown":
        return Showdown(
            self.options,
            self.dealer,
            self.stacks,
            self.contributions,
            self.live,
            hands,
            retourne,
        )


@dataclass
class Everything:
    """What all completions yield."""

    winners: list[set[int]] = field(default_factory=list)
    tuples: set[tuple[int, ...]] = field(default_factory=set)
    ways: list[set[tuple[object, int]]] = field(default_factory=list)
    premiums: set[tuple[int, ...]] = field(default_factory=set)
    stacks: set[tuple[int, ...]] = field(default_factory=set)
    outcomes: list[Outcome] = field(default_factory=list)


def everything(showdown: Showdown) -> Everything:
    """Settles every completion."""
    found = Everything()
    for whole in showdown.completions():
        outcome = settle(whole.state())
        assert outcome.premiums is not None
        assert outcome.stacks is not None
        winners = tuple(next(iter(pot.winners or {})) for pot in outcome.pots)
        found.winners = found.winners or [set() for _ in winners]
        found.ways = found.ways or [set() for _ in winners]
        for pot, winner in enumerate(winners):
            found.winners[pot].add(winner)
            found.ways[pot].add((outcome.pots[pot].by, outcome.pots[pot].suit))
        found.tuples.add(winners)
        found.premiums.add(tuple(outcome.premiums))
        found.stacks.add(tuple(outcome.stacks))
        found.outcomes.append(outcome)
    return found


def random_showdown(rng: random.Random, most_hidden: int) -> Showdown:
    """Three or four seats and a few hidden places, in a deck of sixteen cards."""
    players = rng.choice([3, 3, 4])
    names = {name: rng.choice(values) for name, values in TABLES.items()}
    options = table_options(SALON, {**names, "deck": rng.choice(DECKS)})
    pack = cards_in(deck_mask(options.deck))
    rng.shuffle(pack)
    if rng.random() < 0.3:
        lucky = rng.choice(pack) % 13
        pack.sort(key=lambda card: card % 13 != lucky)
        pack[:5] = rng.sample(pack[:5], 5)
    hands = [sum(1 << card for card in pack[3 * s : 3 * s + 3]) for s in range(players)]
    retourne = pack[3 * players]
    live = 0
    while live.bit_count() < 2:
        live = rng.randrange(1 << players)
    places = [(seat, card) for seat in range(players) for card in cards_in(hands[seat])]
    if rng.random() < 0.5:
        seats = rng.sample(range(players), rng.choice([1, 1, 2]))
        places = [place for place in places if place[0] in seats]
    hidden = rng.randint(1, most_hidden)
    if rng.random() < 0.25:
        retourne = UNKNOWN
        hidden -= 1
    for seat, card in rng.sample(places, min(hidden, len(places))):
        hands[seat] ^= 1 << card
    return Showdown(
        options=options,
        dealer=rng.randrange(players),
        stacks=[rng.choice([0, 1, 5, 50]) for _ in range(players)],
        contributions=[rng.choice([2, 5, 5, 9]) for _ in range(players)],
        live=live,
        hands=hands,
        retourne=retourne,
    )


def declared_of(outcome: Outcome) -> DeclaredOutcome:
    """A full and true declaration of an outcome."""
    return DeclaredOutcome(
        [(pot.amount, dict(pot.winners or {})) for pot in outcome.pots],
        dict(enumerate(outcome.premiums or [])),
        outcome.stacks,
        outcome.carried,
    )
