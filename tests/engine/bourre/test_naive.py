"""The engine against the plain second opinion, on many thousands of random hands."""

import pytest

from engine.acts import PLAY
from engine.bourre.compulsion import legal_cards
from engine.bourre.options import BourreOptions
from engine.bourre.replay import replay_bourre
from engine.cards import CARD_NUMBERS, SUITS, card_name, cards_in
from engine.record import BourreRecord
from engine.result import BourreOutcome
from tests.engine.bourre import naive
from tests.engine.bourre.random_play import Game, dice, random_options

POSITIONS = 20_000
HANDS = 5_000


def rules_of(options: BourreOptions) -> naive.Rules:
    return naive.Rules(
        head_when_trumped=options.head_when_trumped == "required",
        undertrump_forced=options.undertrump == "forced",
        opening_lead=options.opening_lead,
        cinch=options.cinch,
        tie=options.tie,
        cap=None if options.limit == "none" else options.cap,
        cap_on_winner=options.limit == "bourre-and-winner",
        exempting=options.ante_exemption == "bourre-and-tied",
    )


def mask(names: list[str]) -> int:
    return sum(1 << CARD_NUMBERS[name] for name in names)


def test_the_cards_that_may_be_played_are_those_of_the_plain_rules() -> None:
    rng = dice(11)
    for _ in range(POSITIONS):
        options = random_options(rng)
        names = [card_name(card) for card in rng.sample(range(52), 40)]
        trick = [names.pop() for _ in range(rng.randint(0, 7))]
        size = rng.randint(1, 5)
        earlier = [names.pop() for _ in range(rng.choice([0, 4, 8, 12]))]
        position = naive.Position(
            hand=names[:size],
            trick=trick,
            trump=rng.choice(SUITS),
            gone=earlier,
            tricks_won=rng.randint(0, 5 - size) if earlier else 0,
        )
        expected = naive.may_play(position, rules_of(options))
        ours = legal_cards(
            options,
            SUITS.index(position.trump),
            [CARD_NUMBERS[name] for name in trick],
            mask(position.hand),
            mask(earlier),
            position.tricks_won,
        )
        assert {card_name(card) for card in cards_in(ours)} == expected, (position, options)


def tricks_of(record: BourreRecord) -> list[list[tuple[int, str]]]:
    """The tricks of a record, cut by the number of seats that play."""
    played = [
        (record.seats[index], card_name(record.cards[index][0]))
        for index, act in enumerate(record.acts)
        if act == PLAY
    ]
    stayers = len(played) // 5
    return [played[at : at + stayers] for at in range(0, len(played), stayers or 1)]


@pytest.mark.parametrize("seed", range(4))
def test_hands_are_settled_as_by_the_plain_rules(seed: int) -> None:
    rng = dice(seed)
    for _ in range(HANDS // 4):
        game = Game(rng)
        record = game.play()
        outcome = replay_bourre(record).outcome
        assert isinstance(outcome, BourreOutcome)
        tricks = tricks_of(record)
        if not tricks:
            continue
        trump = SUITS[game.state.trump]
        won = {seat: 0 for seat, _ in tricks[0]}
        for trick in tricks:
            won[naive.took(trick, trump)] += 1
        antes = [
            0 if record.exempt[seat] else min(record.options.ante, stack)
            for seat, stack in enumerate(record.stacks)
        ]
        stacks = [stack - ante for stack, ante in zip(record.stacks, antes, strict=True)]
        pot = record.carried + sum(antes)
        result = naive.settle(stacks, pot, won, set(), rules_of(record.options))

        assert outcome.pots[0].amount == pot
        assert outcome.stacks == result.stacks
        assert outcome.carried == result.carried
        assert [seat for seat, free in enumerate(outcome.exempt or []) if free] == result.exempt
        assert outcome.tricks == [won.get(seat, 0) for seat in range(len(stacks))]


def test_reneges_are_settled_as_by_the_plain_rules() -> None:
    """Any card at all is played; every play is judged and every hand settled both ways."""
    rng = dice(5)
    hands = 0
    while hands < HANDS // 4:
        game = Game(rng)
        record = game.play()
        tricks = tricks_of(record)
        if not tricks:
            continue
        hands += 1
        rules = rules_of(record.options)
        trump = SUITS[game.state.trump]
        at = next(index for index, act in enumerate(record.acts) if act == PLAY)
        held = {
            seat: [card for one in tricks for who, card in one if who == seat]
            for seat, _ in tricks[0]
        }
        for part in (record.acts, record.seats, record.adds, record.cards, record.received):
            del part[at:]
        won = dict.fromkeys(held, 0)
        reneged: dict[int, set[int]] = {}
        gone: list[str] = []
        leader = tricks[0][0][0]
        order = sorted(held, key=lambda seat: (seat - leader) % len(record.stacks))
        for _ in range(5):
            trick: list[tuple[int, str]] = []
            start = order.index(leader)
            for seat in order[start:] + order[:start]:
                lying = [card for _, card in trick]
                position = naive.Position(held[seat], lying, trump, gone, won[seat])
                card = rng.choice(held[seat])
                if card not in naive.may_play(position, rules):
                    reneged.setdefault(seat, set()).add(len(record.acts))
                held[seat].remove(card)
                trick.append((seat, card))
                record.acts.append(PLAY)
                record.seats.append(seat)
                record.adds.append(-1)
                record.cards.append([CARD_NUMBERS[card]])
                record.received.append([])
            leader = naive.took(trick, trump)
            won[leader] += 1
            gone += [card for _, card in trick]
        replay = replay_bourre(record)
        outcome = replay.outcome
        assert isinstance(outcome, BourreOutcome)

        assert {found.event for found in replay.violations} == {
            event for events in reneged.values() for event in events
        }
        offenders = set() if record.options.renege == "corrected" else set(reneged)
        stacks = [
            stack - paid for stack, paid in zip(record.stacks, outcome.contributions, strict=True)
        ]
        result = naive.settle(stacks, outcome.pots[0].amount, won, offenders, rules)
        assert outcome.stacks == result.stacks
        assert outcome.carried == result.carried
