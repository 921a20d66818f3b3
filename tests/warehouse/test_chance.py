"""The stored showdown chances: their bytes, their sums, the settlement as a witness, the page."""

import hashlib
import random
from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest

from engine.cards import CARD_NUMBERS, cards_in, deck_mask
from engine.chance.classes import class_size, hand_classes, own_ranks
from engine.chance.dealt import dealt_chances
from engine.chance.showdown import ShowdownCounter
from engine.options import OptionValue, vying_options
from engine.presets import SALON
from tests.engine.showdowns import showdown_winner
from warehouse.chance import (
    FOLDER,
    TABLES,
    ChanceTable,
    chance_table,
    read_counts,
    showdown_table,
    table_file,
)
from warehouse.chance.__main__ import SUMS, build

PAGE = (Path(__file__).parents[2] / "docs/chances.md").read_text()
EACH = [(ranks, players) for ranks, sizes in TABLES.items() for players in sizes]
DECKS = ["AK98", "AKQ98", "AKQJ98", "AKQJT98", "AKQJT987", "AKQJT9876"]
OPTIONS = vying_options(SALON.values)
SIGMAS = 5
"""How far a count of trials may be from its expectation. Beyond five standard deviations lie 6 in
ten million; of the hundred counts here, one in 17,000 programs without fault would stray so far.
The seeds are fixed, so a count that passes once always does."""


def table_of(ranks: str, players: int) -> ChanceTable:
    table = chance_table(ranks, players)
    assert table is not None
    return table


def mask(names: str) -> int:
    return sum(1 << CARD_NUMBERS[name] for name in names.split())


def cells(head: str) -> list[list[str]]:
    """The rows of the page's table whose head begins so."""
    _, _, below = PAGE.partition(f"| {head} |")
    lines = below.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def listed_sums() -> dict[str, str]:
    lines = [line.split() for line in SUMS.read_text().splitlines()]
    return {name: digest for digest, name in lines}


def exact(chance: Fraction) -> str:
    """A chance as the page writes it."""
    if chance in (0, 1):
        return str(chance)
    return f"{chance.numerator:,} / {chance.denominator:,} = {float(chance):.3%}".replace("%", " %")


def mean_of_place(ranks: str, players: int, place: int) -> Fraction:
    counts = read_counts(table_file(ranks, players))
    classes = hand_classes(ranks)
    won = sum(
        class_size(codes) * counts[row * players + place - 1] for row, codes in enumerate(classes)
    )
    hands = sum(class_size(codes) for codes in classes)
    return Fraction(won, hands * table_of(ranks, players).deals)


def test_the_files_are_those_of_the_list() -> None:
    listed = listed_sums()
    files = {path.name: path.read_bytes() for path in FOLDER.glob("*.counts")}
    assert {name: hashlib.sha256(raw).hexdigest() for name, raw in files.items()} == listed
    assert set(files) == {table_file(*each).name for each in EACH}
    assert sum(len(raw) for raw in files.values()) < 1_000_000


def test_the_program_makes_the_same_bytes() -> None:
    assert build("AK98") == {3: table_file("AK98", 3).read_bytes()}


@pytest.mark.parametrize("ranks", list(TABLES))
def test_some_classes_are_counted_anew(ranks: str) -> None:
    players = list(TABLES[ranks])
    counter = ShowdownCounter(ranks, players)
    stored = [read_counts(table_file(ranks, number)) for number in players]
    classes = hand_classes(ranks)
    for row in random.Random(ranks).sample(range(len(classes)), 12):  # noqa: S311 - a fixed sample
        assert counter.won_deals(classes[row]) == [
            list(counts[row * number : (row + 1) * number])
            for counts, number in zip(stored, players, strict=True)
        ]


@pytest.mark.parametrize(("ranks", "players"), EACH)
def test_every_deal_has_one_winner(ranks: str, players: int) -> None:
    """The means of the places add up to exactly 1, so the mean of all is 1/m."""
    means = [mean_of_place(ranks, players, place) for place in range(1, players + 1)]
    assert sum(means) == 1
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize(("ranks", "players"), EACH)
def test_random_deals_are_won_as_often(ranks: str, players: int) -> None:
    """Whole deals, settled: wins at each place, and of hands of like chance, against their sum."""
    rng = random.Random(f"{ranks} {players}")  # noqa: S311 - trials have to repeat
    table = table_of(ranks, players)
    pack = cards_in(deck_mask(ranks))
    groups: dict[str, tuple[float, float, int]] = {}
    for _ in range(2_000):
        cards = rng.sample(pack, 3 * players + 1)
        hands = [
            sum(1 << card for card in cards[3 * seat : 3 * seat + 3]) for seat in range(players)
        ]
        winner = showdown_winner(OPTIONS, ranks, hands, cards[-1], players - 1)
        for seat, hand in enumerate(hands):
            won, deals = table.chance_at(hand, cards[-1], seat + 1)
            chance = won / deals
            for group in (f"place {seat + 1}", f"chance {int(5 * chance) / 5}"):
                expected, variance, seen = groups.get(group, (0.0, 0.0, 0))
                groups[group] = (
                    expected + chance,
                    variance + chance * (1 - chance),
                    seen + (winner == seat),
                )
    for group, (expected, variance, seen) in groups.items():
        assert abs(seen - expected) <= SIGMAS * sqrt(variance) + 1, group


@pytest.mark.parametrize(
    ("ranks", "hand", "retourne", "dealer"),
    [
        ("AKQ98", "Ac Kc 9d", "Ah", 3),
        ("AKQ98", "8c 8d 8h", "Kc", 1),
        ("AKQJ98", "Kc Kd 9s", "9h", 0),
        ("AKQJ98", "Qc Jc 9d", "8s", 4),
        ("AKQJT98", "9c 9d 9s", "Ah", 2),
        ("AKQJT98", "Ac Td 9s", "8c", 0),
    ],
)
def test_one_hand_against_random_others(ranks: str, hand: str, retourne: str, dealer: int) -> None:
    """2,000 deals of a hand in seat 0; the count of its wins is binomial."""
    players = max(TABLES[ranks])
    rng = random.Random(hand)  # noqa: S311 - trials have to repeat
    cards, turned = mask(hand), CARD_NUMBERS[retourne]
    unseen = cards_in(deck_mask(ranks) & ~cards & ~(1 << turned))
    wins = 0
    for _ in range(2_000):
        dealt = rng.sample(unseen, 3 * players - 3)
        others = [sum(1 << card for card in dealt[at : at + 3]) for at in range(0, len(dealt), 3)]
        wins += showdown_winner(OPTIONS, ranks, [cards, *others], turned, dealer) == 0
    won, deals = table_of(ranks, players).chance_at(cards, turned, (-dealer - 1) % players + 1)
    chance = won / deals
    assert abs(wins - 2_000 * chance) <= SIGMAS * sqrt(2_000 * chance * (1 - chance)) + 1


def test_a_chance_is_the_mean_of_its_places() -> None:
    table = table_of("AKQ98", 4)
    hand, turned = mask("Ah Kd 9d"), CARD_NUMBERS["9s"]
    places = [table.chance_at(hand, turned, place) for place in (1, 2, 3, 4)]
    assert {deals for _, deals in places} == {table.deals}
    assert table.chance(hand, turned) == (sum(won for won, _ in places), 4 * table.deals)


def test_what_is_no_hand_of_the_deck_has_no_chance() -> None:
    table = table_of("AKQ98", 4)
    for hand, retourne in [("Ah Kd", "9s"), ("Ah Kd 7d", "9s"), ("Ah Kd 9d", "9d")]:
        with pytest.raises(KeyError):
            table.chance(mask(hand), CARD_NUMBERS[retourne])
    for place in (0, 5):
        with pytest.raises(IndexError):
            table.chance_at(mask("Ah Kd 9d"), CARD_NUMBERS["9s"], place)


@pytest.mark.parametrize(
    ("players", "changed", "found"),
    [
        (3, {}, ("AK98", 3)),
        (4, {}, ("AKQ98", 4)),
        (5, {}, ("AKQJ98", 5)),
        (2, {"deck": "AKQJT98"}, ("AKQJT98", 2)),
        (2, {}, None),
        (4, {"deck": "AK98"}, None),
        (4, {"favori": "best"}, None),
        (4, {"mistigri": "queen"}, None),
        (4, {"brelans": False}, None),
    ],
)
def test_the_table_of_a_table(
    players: int, changed: dict[str, OptionValue], found: tuple[str, int] | None
) -> None:
    table = showdown_table(vying_options({**SALON.values, **changed}), players)
    assert (table and (table.ranks, table.players)) == found


def test_the_page_has_the_chances_of_the_brelans() -> None:
    rows = []
    for ranks in DECKS:
        chances = dealt_chances(ranks)
        shown = (
            chances.simple_or_better,
            chances.carre,
            chances.favori,
            chances.mistigri_queen,
            chances.mistigri_jack,
        )
        rows.append(
            [
                f"{4 * len(ranks)}: {ranks}",
                *(exact(chance) if chance else "–" for chance in shown),
            ]
        )
    assert cells("deck | simple or better") == rows


def test_the_page_has_the_chances_of_the_places() -> None:
    rows = []
    for ranks, players in EACH:
        means = [
            f"{float(mean_of_place(ranks, players, place)):.2%}".replace("%", " %")
            for place in range(1, players + 1)
        ]
        rows.append([f"{4 * len(ranks)}: {ranks}", str(players), *means, *["–"] * (5 - players)])
    assert cells("deck | players | first") == rows


def test_the_page_has_the_chances_of_some_hands() -> None:
    rows = cells("hand | retourne")
    assert len(rows) > 8
    for hand, retourne, ranks, players, first, last, mean in rows:
        table = table_of(ranks, int(players))
        cards, turned = mask(hand), CARD_NUMBERS[retourne]
        assert first == exact(Fraction(*table.chance_at(cards, turned, 1)))
        assert last == exact(Fraction(*table.chance_at(cards, turned, int(players))))
        assert mean == exact(Fraction(*table.chance(cards, turned)))


def test_the_page_has_the_files() -> None:
    sums = listed_sums()
    rows = [
        [
            f"`{table_file(*each).name}`",
            f"{len(hand_classes(each[0])):,}",
            f"{table_of(*each).deals:,}",
            f"{table_file(*each).stat().st_size:,}",
            f"`{sums[table_file(*each).name]}`",
        ]
        for each in EACH
    ]
    assert cells("file | hand classes") == rows


def test_the_page_has_the_best_points() -> None:
    rows = cells("deck | players | best hand")
    assert [row[:2] for row in rows] == [
        [f"{4 * len(ranks)}: {ranks}", str(players)] for ranks, players in EACH
    ]
    for (ranks, players), row in zip(EACH, rows, strict=True):
        table = table_of(ranks, players)
        counts = read_counts(table_file(ranks, players))
        most = max(
            sum(counts[at * players : (at + 1) * players])
            for at, codes in enumerate(hand_classes(ranks))
            if not own_ranks(codes[0]) & own_ranks(codes[1]) & own_ranks(codes[2])
        )
        won, _ = table.chance(mask(row[2]), CARD_NUMBERS[row[3]])
        assert won == most
        assert row[4] == exact(Fraction(won, table.deals * players))
