"""The exact chances of being dealt a brelan, for a deck of four suits (V1, V17).

A hand is three cards of a deck of 4r, and the retourne is one of the others: C(4r, 3) · (4r − 3)
deals of both, all equally likely. The carré, the favori and the mistigri look at the retourne or at
a card's name; each count below stands with its reason.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb


@dataclass(frozen=True)
class DealtChances:
    """The chance of each brelan in one hand; 0 where the deck has no such card.

    ``simple`` excludes the carré, ``simple_or_better`` is both. ``favori`` and the mistigris are
    the hands so called, whether or not a table counts them as brelans; a hand with a favori and a
    mistigri is in both, and counts as a favori.
    """

    simple: Fraction
    carre: Fraction
    simple_or_better: Fraction
    favori: Fraction
    mistigri_queen: Fraction
    mistigri_jack: Fraction
    favori_and_mistigri: Fraction


def dealt_chances(ranks: str) -> DealtChances:
    """The chances for a deck, named by its ranks such as ``AKQ98``."""
    r = len(ranks)
    cards = 4 * r
    hands = comb(cards, 3)
    deals = hands * (cards - 3)
    # A rank has four triples; of each the fourth card is one of all the others to be turned up.
    simple_or_better = Fraction(4 * r, hands)
    carre = Fraction(4 * r, deals)
    # A pair (six of a rank), one of its two others turned up, any third card of another rank.
    favori = Fraction(r * 6 * 2 * (cards - 4), deals)
    # With the wild card: a red or a black pair of any other rank. A red pair of its own rank makes
    # a simple brelan, a black one needs the wild card itself.
    mistigri = Fraction(2 * (r - 1), hands)
    queen = mistigri if "Q" in ranks else Fraction(0)
    jack = mistigri if "J" in ranks else Fraction(0)
    # The mistigri's pair with one of its two others turned up.
    both = mistigri * Fraction(2, cards - 3) if "Q" in ranks else Fraction(0)
    return DealtChances(
        simple=simple_or_better - carre,
        carre=carre,
        simple_or_better=simple_or_better,
        favori=favori,
        mistigri_queen=queen,
        mistigri_jack=jack,
        favori_and_mistigri=both,
    )
