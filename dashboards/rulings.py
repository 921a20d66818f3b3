"""The rulings on which findings rest: their names, as the rules have them, and their gist.

Names stay what they are in every language; the gist of a ruling is said in that of the page.
"""

from typing import Final

from dashboards.language import gettext, later

NAMES: Final = {
    "V1": "Brelans",
    "V2": "The carre",
    "V3": "What opens",
    "V4": "Carried chips",
    "V5": "Nobody opens",
    "V6": "Short stacks",
    "V7": "The least raise",
    "V8": "Two left",
    "V9": "No more",
    "V10": "Uncalled chips",
    "V11": "Pots",
    "V12": "The point",
    "V13": "The point in side pots",
    "V14": "Won without showing",
    "V15": "Premiums",
    "V16": "Antes",
    "V17": "Two guests",
    "V18": "The hand after",
    "V19": "Each act at its time",
    "S1": "From hand to hand",
    "S2": "The cave",
    "S3": "The end",
    "S4": "Gaps and order",
    "S5": "Coming and going",
    "B1": "In or out",
    "B2": "The draw",
    "B3": "When the stock runs out",
    "B4": "Who leads what",
    "B5": "Following",
    "B6": "The renege",
    "B7": "Who wins",
    "B8": "Who pays",
}

_GIST: Final = {
    "presets": later(
        "So many players sit down as the game is for; each is dealt so many cards of its"
        " deck, and no card is there twice."
    ),
    "V2": later(
        "Antes come first, then the carre goes round, each matching the whole pot, until"
        " somebody declines; then come the deal, the retourne and the betting."
    ),
    "V3": later("An opening brings one’s contribution to the highest at least."),
    "V4": later("What an earlier hand left in the pot swells the main pot and is nobody’s stake."),
    "V5": later(
        "Where nobody opens, the last who made a carre takes the pot; without a carre it is"
        " carried to the next hand. Then the hand is over."
    ),
    "V6": later(
        "Nobody puts in more than they have, and a stack that does not go over the highest"
        " may call, but neither open nor raise."
    ),
    "V7": later("A raise goes over the highest by one chip at least."),
    "V8": later(
        "With two left who have both matched the highest or are all-in, the betting is closed."
    ),
    "V9": later(
        "Everybody acts in turn. When all have called, each may raise once more or say no"
        " more; when all have said so, cards are shown."
    ),
    "V11": later(
        "Pots are cut at the contribution of each who is still in, and each pot goes to the"
        " best hand among those who reach it."
    ),
    "V12": later(
        "Each suit is counted over all hands and the retourne; it belongs to whoever has its"
        " highest card in hand, and the richest suit wins."
    ),
    "V14": later(
        "Cards are shown when the betting is over, and not where the pot was won without."
    ),
    "V15": later("Every brelan earns its holder a premium from each other player at a showdown."),
    "V19": later(
        "Before the opening one passes or opens; after it one calls, raises or folds. A call"
        " matches the highest exactly, or is all that one has."
    ),
    "S2": later("A new cave is bought before a hand, in full, and only with nothing left."),
    "B1": later("Each says once, in turn, whether to stay in or go out."),
    "B2": later(
        "Who stays throws away cards that they hold, not more than the table allows, and"
        " receives as many."
    ),
    "B3": later(
        "Cards come from the stock, and then from discards of those already served; nobody"
        " gets back a card of their own."
    ),
    "B4": later(
        "The first who stays left of the dealer leads, then the winner of each trick; some"
        " tables ask for a high trump to be led."
    ),
    "B5": later(
        "One follows suit and beats the trick if able; without the suit one trumps, over the"
        " highest trump if able."
    ),
    "B6": later("A renege may be put right, or costs the pot, as far as the table has agreed."),
    "B7": later("Most tricks, alone, win the pot."),
    "B8": later("Whoever stayed and took no trick pays as much as the pot held into the next one."),
}


def gist(ruling: str) -> str:
    """What a ruling says, in the page's language; empty where it says nothing of its own."""
    return gettext(_GIST[ruling]) if ruling in _GIST else ""


def titled(ruling: str) -> str:
    """A ruling with its name, such as ``V9 – No more``; what has none stands alone."""
    return f"{ruling} – {NAMES[ruling]}" if ruling in NAMES else ruling
