"""The chances of the deal against hand computation and plain enumeration.

The witnesses count whole deals, one after the other: through the engine's settlement where there
are few, through the functions of the showdown where there are hundreds of thousands.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, factorial

import pytest

from engine.cards import CARD_NUMBERS, cards_in, deck_mask
from engine.chance.classes import class_size, hand_class, hand_classes
from engine.chance.dealt import dealt_chances
from engine.chance.showdown import ShowdownCounter, other_deals
from engine.options import DECK_BY_COUNT, OptionValue, VyingOptions, vying_options
from engine.presets import SALON
from engine.vying.showdown import (
    CARRE,
    FAVORI,
    MISTIGRI,
    SIMPLE,
    brelan_strength,
    first_owner,
    point_suits,
    suit_owners,
    suit_points,
)
from tests.engine.showdowns import showdown_winner

DECKS = ["AK98", "AKQ98", "AKQJ98", "AKQJT98", "AKQJT987", "AKQJT9876"]
Deal = list[int]  # the other players' hands, as masks


def options_with(**changed: OptionValue) -> VyingOptions:
    return vying_options({**SALON.values, **changed})


OPTIONS = options_with()


def mask(names: str) -> int:
    return sum(1 << CARD_NUMBERS[name] for name in names.split())


def deals_of(unseen: int, others: int) -> Iterator[Deal]:
    """Every deal of the unseen cards to so many players."""
    if others == 0:
        yield []
        return
    for cards in combinations(cards_in(unseen), 3):
        hand = sum(1 << card for card in cards)
        for rest in deals_of(unseen & ~hand, others - 1):
            yield [hand, *rest]


def settled_wins(hand: int, retourne: int, ranks: str, players: int) -> list[int]:
    """The deals that the engine's settlement gives the hand, by its place after the dealer."""
    wins = [0] * players
    for deal in deals_of(deck_mask(ranks) & ~hand & ~(1 << retourne), players - 1):
        for place in range(1, players + 1):
            # Seat 0 has the hand; the dealer sits so that it has its place.
            winner = showdown_winner(OPTIONS, ranks, [hand, *deal], retourne, players - place)
            wins[place - 1] += winner == 0
    return wins


def judged_wins(hand: int, retourne: int, ranks: str, players: int) -> list[int]:
    """The same by the showdown's functions, the brelans looked up."""
    deck = deck_mask(ranks)
    strengths = {
        sum(1 << card for card in cards): brelan_strength(
            sum(1 << card for card in cards), retourne, OPTIONS
        )
        for cards in combinations(cards_in(deck), 3)
    }
    everybody = (1 << players) - 1
    wins = [0] * players
    for deal in deals_of(deck & ~hand & ~(1 << retourne), players - 1):
        best = max(strengths[other] for other in deal)
        if best or strengths[hand]:
            for place in range(players) if strengths[hand] > best else ():
                wins[place] += 1
            continue
        hands = [hand, *deal]
        owners = suit_owners(hands, everybody)
        suits = point_suits(suit_points(hands, retourne), owners, 0)
        for place in range(1, players + 1):
            wins[place - 1] += first_owner(suits, owners, players - place, players) == 0
    return wins


def counted_wins(hand: int, retourne: int, ranks: str, players: int) -> list[int]:
    (wins,) = ShowdownCounter(ranks, [players]).won_deals(hand_class(hand, retourne))
    return wins


def test_chances_of_twenty_cards_by_hand() -> None:
    # C(20, 3) = 1140 hands, 17 retournes. Triples: 4 of each of 5 ranks, 20.
    # Pairs: 6 of each of 5 ranks; two others of the rank; 16 third cards: 960 of 19,380.
    # Mistigri: Qc and a red or a black pair of A, K, 9 or 8: 8 of 1140; one of the pair's two
    # others is turned up in 2 of 17.
    chances = dealt_chances("AKQ98")
    assert chances.simple_or_better == Fraction(20, 1140)
    assert chances.carre == Fraction(20, 1140 * 17)
    assert chances.simple == Fraction(20 * 16, 1140 * 17)
    assert chances.favori == Fraction(960, 1140 * 17)
    assert chances.mistigri_queen == Fraction(8, 1140)
    assert chances.mistigri_jack == 0
    assert chances.favori_and_mistigri == Fraction(16, 1140 * 17)
    assert f"{float(chances.simple_or_better):.3%}" == "1.754%"
    assert f"{float(chances.carre):.3%}" == "0.103%"


@pytest.mark.parametrize("ranks", DECKS)
def test_chances_are_those_of_every_hand(ranks: str) -> None:
    """Every hand with every retourne, judged by the engine; the suits' names are not cut down."""
    forms = {
        "plain": OPTIONS,
        "favori": options_with(favori="below-simple"),
        "queen": options_with(mistigri="queen"),
        "jack": options_with(mistigri="jack"),
        "both": options_with(favori="below-simple", mistigri="queen"),
    }
    counts: dict[tuple[str, int], int] = {}
    cards = cards_in(deck_mask(ranks))
    for three in combinations(cards, 3):
        hand = sum(1 << card for card in three)
        twice_or_more = len({card % 13 for card in three}) < 3
        for retourne in cards if twice_or_more else ():
            if retourne in three:
                continue
            for form, options in forms.items():
                kind = brelan_strength(hand, retourne, options) // 100 * 100
                counts[form, kind] = counts.get((form, kind), 0) + 1
    deals = comb(len(cards), 3) * (len(cards) - 3)

    def share(form: str, kind: int) -> Fraction:
        return Fraction(counts.get((form, kind), 0), deals)

    chances = dealt_chances(ranks)
    assert chances.simple == share("plain", SIMPLE)
    assert chances.carre == share("plain", CARRE)
    assert chances.simple_or_better == chances.simple + chances.carre
    assert chances.favori == share("favori", FAVORI)
    has_queen, has_jack = "Q" in ranks, "J" in ranks
    assert chances.mistigri_queen == (share("queen", MISTIGRI) if has_queen else 0)
    assert chances.mistigri_jack == (share("jack", MISTIGRI) if has_jack else 0)
    if has_queen:
        assert chances.favori_and_mistigri == share("queen", MISTIGRI) - share("both", MISTIGRI)


def test_a_class_is_the_hand_without_the_suits_names() -> None:
    one = hand_class(mask("Ah Kh 9d"), CARD_NUMBERS["9s"])
    assert one == hand_class(mask("Ac Kc 9h"), CARD_NUMBERS["9d"])
    assert one != hand_class(mask("Ah Kh 9d"), CARD_NUMBERS["9h"])
    assert one != hand_class(mask("Ah Kd 9d"), CARD_NUMBERS["9s"])
    assert class_size(one) == 24
    # The suits without a card are alike: 4 suits to hold three cards, 3 to be turned up in.
    assert class_size(hand_class(mask("Ah Kh 9h"), CARD_NUMBERS["9s"])) == 4 * 3


@pytest.mark.parametrize("ranks", ["AK98", "AKQ98", "AKQJ98", "AKQJT98"])
def test_the_classes_have_every_hand_once(ranks: str) -> None:
    classes = hand_classes(ranks)
    cards = cards_in(deck_mask(ranks))
    sizes: dict[tuple[int, ...], int] = {}
    for three in combinations(cards, 3):
        hand = sum(1 << card for card in three)
        for retourne in cards:
            if retourne not in three:
                codes = hand_class(hand, retourne)
                sizes[codes] = sizes.get(codes, 0) + 1
    assert classes == sorted(sizes)
    assert [class_size(codes) for codes in classes] == [sizes[codes] for codes in classes]


@pytest.mark.parametrize(
    ("hand", "retourne"),
    [
        ("Ah Kh 9h", "8h"),  # nothing tops it, ties aside
        ("Kc Kd 9s", "9h"),  # others may have brelans of aces, eights or a carré of nines
        ("8c 8d 8h", "Kc"),  # a simple brelan of the lowest rank, under a carré of kings
        ("9c 8d 8s", "Ah"),
    ],
)
def test_three_players_sixteen_cards_by_the_settlement(hand: str, retourne: str) -> None:
    cards, turned = mask(hand), CARD_NUMBERS[retourne]
    assert counted_wins(cards, turned, "AK98", 3) == settled_wins(cards, turned, "AK98", 3)


def test_two_players_at_brelan_by_the_settlement() -> None:
    """Every 307th class of the 28 cards, all its 2,024 deals from both places."""
    counter = ShowdownCounter("AKQJT98", [2])
    for codes in hand_classes("AKQJT98")[::307]:
        hand = sum((code >> 13) << 13 * suit for suit, code in enumerate(codes))
        turned = sum((code & 0x1FFF) << 13 * suit for suit, code in enumerate(codes))
        retourne = turned.bit_length() - 1
        assert hand_class(hand, retourne) == codes
        assert counter.won_deals(codes) == [settled_wins(hand, retourne, "AKQJT98", 2)]


@pytest.mark.parametrize(
    ("hand", "retourne", "players"),
    [
        ("Kc Kd 9s", "8h", 4),
        ("9c 9d 9s", "Kh", 4),
        # Sixteen cards are just enough for five: all suits always tie at 38 points, and up to four
        # brelans lie against the hand.
        ("Ac 9d 8d", "8s", 5),
    ],
)
def test_many_players_on_few_cards(hand: str, retourne: str, players: int) -> None:
    """369,600 deals each, with every number of brelans and of tied suits at once."""
    cards, turned = mask(hand), CARD_NUMBERS[retourne]
    assert other_deals(16, players) == 369_600
    assert counted_wins(cards, turned, "AK98", players) == judged_wins(
        cards, turned, "AK98", players
    )


def test_a_carre_always_wins() -> None:
    hand = hand_class(mask("8c 8d 8h"), CARD_NUMBERS["8s"])
    for players, places in zip(
        [2, 3, 4, 5], ShowdownCounter("AKQJT98", [2, 3, 4, 5]).won_deals(hand), strict=True
    ):
        assert places == [other_deals(28, players)] * players


def test_a_simple_brelan_by_hand() -> None:
    # Aces, king turned up, 20 cards, four players: only the carré of the three other kings beats
    # it. Of the C(16, 3) hands of each of three others that is one, and no two have it.
    (places,) = ShowdownCounter("AKQ98", [4]).won_deals(
        hand_class(mask("Ac Ad Ah"), CARD_NUMBERS["Ks"])
    )
    deals = comb(16, 9) * factorial(9) // 6**3
    assert other_deals(20, 4) == deals
    assert [Fraction(won, deals) for won in places] == [1 - Fraction(3, comb(16, 3))] * 4


@pytest.mark.parametrize(("players", "ranks"), [(3, DECK_BY_COUNT[3]), (4, "AK98")])
def test_every_deal_has_one_winner(players: int, ranks: str) -> None:
    counter = ShowdownCounter(ranks, [players])
    won = sum(class_size(codes) * sum(counter.won_deals(codes)[0]) for codes in hand_classes(ranks))
    assert won == comb(16, 3) * 13 * other_deals(16, players)
