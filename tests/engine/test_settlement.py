"""The engine's settlement against the naive one, on many random showdowns."""

import random

import pytest

from engine.cards import CARD_NUMBERS, deck_mask
from engine.options import OptionValue, vying_options
from engine.presets import PRESETS
from engine.result import Outcome
from engine.vying.settlement import settle
from engine.vying.state import SHOWDOWN, VyingState
from tests.engine import naive_settlement
from tests.engine.naive_settlement import Settlement, Situation

SITUATIONS = 20_000
SEEDS = [1834, *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(1, 6))]
VARIED: dict[str, tuple[OptionValue, ...]] = {
    "favori": ("off", "below-simple", "best"),
    "mistigri": ("off", "queen", "jack"),
    "brelans": (True, True, True, False),
    "premium-simple": (0, 1, 2, 5),
    "premium-carre": (0, 2, 4),
    "premium-favori": (0, 1),
    "premium-favori-pot": (1, 2),
    "premium-mistigri": (0, 1, 3),
    "premium-between-holders": ("waive", "net"),
    "premium-holders": ("shown", "live"),
    "premium-account": ("stack", "ledger"),
    "side-pot-suit": ("main", "fresh"),
}


def random_hands(rng: random.Random, players: int) -> list[list[str]]:
    """Hands and the retourne last. Often packed with equal ranks, so that brelans meet."""
    ranks = rng.choice(["AK98", "AKQ98", "AKQJ98", "AKQJT98"])
    if players == 5 and ranks == "AK98":
        ranks = "AKQ98"
    deck = [rank + suit for rank in ranks for suit in "cdhs"]
    rng.shuffle(deck)
    if rng.random() < 0.6:
        lucky = rng.sample(ranks, 2)
        deck.sort(key=lambda card: card[0] not in lucky)
        head = deck[:8]
        rng.shuffle(head)
        deck[:8] = head
    if rng.random() < 0.4:
        deck.sort(key=lambda card: card[0])
        seats = [deck[4 * place : 4 * place + 3] for place in range(len(deck) // 4)]
        hands = rng.sample(seats, min(players, len(seats) - 1))
        rest = [card for card in deck if not any(card in hand for hand in hands)]
        rng.shuffle(rest)
        while len(hands) < players:
            hands.append([rest.pop() for _ in range(3)])
        rng.shuffle(hands)
        return [*hands, [rest.pop()]]
    return [*(deck[3 * seat : 3 * seat + 3] for seat in range(players)), [deck[3 * players]]]


def random_situation(rng: random.Random) -> Situation:
    """A showdown as betting can leave it: two or more live, one of them at the highest K."""
    players = rng.randint(2, 5)
    live = rng.sample(range(players), rng.randint(2, players))
    folded = [seat not in live for seat in range(players)]
    levels = [rng.randint(1, 12) for _ in range(rng.randint(1, 4))]
    contributions = [rng.choice(levels) for _ in range(players)]
    contributions[live[0]] = max(contributions)
    *hands, (retourne,) = random_hands(rng, players)
    options = dict(PRESETS["bouillotte/salon"].values)
    for name, values in VARIED.items():
        options[name] = rng.choice(values)
    return Situation(
        options=options,
        dealer=rng.randrange(players),
        carried=rng.choice([0, 0, 5, 8]),
        stacks=[rng.choice([0, 1, 2, 3, 90]) for _ in range(players)],
        contributions=contributions,
        folded=folded,
        hands=hands,
        retourne=retourne,
    )


def mask(cards: list[str]) -> int:
    return sum(1 << CARD_NUMBERS[card] for card in cards)


def engine_outcome(situation: Situation) -> Outcome:
    state = VyingState(
        vying_options(situation.options),
        situation.dealer,
        situation.carried,
        situation.stacks,
        deck_mask("AKQJT98"),
    )
    state.contributions = situation.contributions.copy()
    state.highest = max(situation.contributions)
    state.pot = situation.carried + sum(situation.contributions)
    state.live = sum(1 << seat for seat, gone in enumerate(situation.folded) if not gone)
    state.hands = [mask(hand) for hand in situation.hands]
    state.known = (1 << len(situation.hands)) - 1
    state.retourne = CARD_NUMBERS[situation.retourne]
    state.stage = SHOWDOWN
    outcome = settle(state)
    assert state.violations == []
    return outcome


def as_settled(outcome: Outcome) -> Settlement:
    assert outcome.premiums is not None
    assert outcome.stacks is not None
    assert outcome.points is not None
    pots = []
    for pot in outcome.pots:
        assert pot.winners is not None
        ((winner, chips),) = pot.winners.items()
        assert chips == pot.amount
        pots.append(naive_settlement.NaivePot(pot.amount, pot.eligible, winner))
    return Settlement(
        outcome.returned,
        pots,
        outcome.premiums,
        outcome.stacks,
        sum(payment.short for payment in outcome.payments),
        dict(zip("cdhs", outcome.points, strict=True)),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_settles_as_chips_counted_one_by_one(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 -- a repeatable game, no secret
    for number in range(SITUATIONS):
        situation = random_situation(rng)

        assert as_settled(engine_outcome(situation)) == naive_settlement.settle(situation), (
            f"situation {number}: {situation}"
        )


def test_the_random_situations_meet_every_kind_of_brelan_and_side_pots() -> None:
    rng = random.Random(1834)  # noqa: S311 -- a repeatable game, no secret
    kinds: dict[str | None, int] = {}
    pots: dict[int, int] = {}
    for _ in range(4_000):
        situation = random_situation(rng)
        for seat in range(len(situation.stacks)):
            kind = naive_settlement.brelan(situation, seat)
            kinds[kind] = kinds.get(kind, 0) + 1
        count = len(naive_settlement.settle(situation).pots)
        pots[count] = pots.get(count, 0) + 1

    assert min(kinds[kind] for kind in ("carre", "simple", "favori", "mistigri")) >= 20
    assert min(pots[count] for count in (1, 2, 3)) >= 100
