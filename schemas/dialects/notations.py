"""How cards are written in four languages: words, letters, suit signs and card glyphs.

A notation says what each word means; what a text means in none or in two ways is no card.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from engine.cards import UNKNOWN_NAME

_LONGEST: Final = 40
_SIGNS: Final = {"♠": "s", "♤": "s", "♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c"}
_NUMERALS: Final = {**{numeral: numeral for numeral in "23456789"}, "10": "T"}
_UNKNOWN: Final = frozenset({"?", UNKNOWN_NAME, "🂠"})

_GLYPHS_BEGIN: Final = 0x1F0A0
_GLYPH_SUITS: Final = "shdc"
_GLYPH_RANKS: Final = " A23456789TJ QK "
"""The sixteen places of a suit's row in Unicode; the knight, the ends and jokers are no cards."""

_SEPARATOR: Final = re.compile(r"[,;|/]")
_GLYPH: Final = re.compile("[\U0001f0a0-\U0001f0ff]")


@dataclass(frozen=True)
class Notation:
    """What words mean: ranks and suits in lower case without accents, and words that mean nothing.

    Attributes:
        name: By which a dialect names it.
        ranks: Rank of the hand document by word.
        suits: Suit of the hand document by word.
        fillers: Words between rank and suit, such as ``of``.
    """

    name: str
    ranks: dict[str, str]
    suits: dict[str, str]
    fillers: frozenset[str]


def _notation(name: str, ranks: str, suits: str, fillers: str) -> Notation:
    return Notation(
        name,
        {**_words(ranks), **_NUMERALS},
        {**_words(suits), **_SIGNS},
        frozenset(fillers.split()),
    )


def _words(table: str) -> dict[str, str]:
    """``A=a,as K=r,roi`` as a dictionary from each word to its letter."""
    meanings = {}
    for entry in table.split():
        letter, _, words = entry.partition("=")
        meanings.update(dict.fromkeys(words.split(","), letter))
    return meanings


NOTATIONS: Final[dict[str, Notation]] = {
    notation.name: notation
    for notation in (
        _notation(
            "english",
            "A=a,ace K=k,king Q=q,queen J=j,jack T=t,ten 9=nine 8=eight 7=seven",
            "c=c,club,clubs d=d,diamond,diamonds h=h,heart,hearts s=s,spade,spades",
            "of",
        ),
        _notation(
            "french",
            "A=a,as,1 K=r,roi Q=d,dame J=v,valet T=t,dix 9=neuf 8=huit 7=sept",
            "c=t,tr,trefle,trefles d=k,ca,carreau,carreaux h=c,co,coeur,coeurs s=p,pi,pique,piques",
            "de du",
        ),
        _notation(
            "german",
            "A=a,as,ass K=k,konig,koenig Q=d,dame J=b,bube T=t,zehn 9=neun 8=acht 7=sieben",
            "c=kr,kreuz d=k,ka,karo h=h,he,herz s=p,pi,pik",
            "",
        ),
        _notation(
            "portuguese",
            "A=a,as K=r,rei Q=d,dama J=v,valete T=t,dez 9=nove 8=oito 7=sete",
            "c=p,paus d=o,ouro,ouros h=c,copa,copas s=e,espada,espadas",
            "de",
        ),
    )
}
"""Every notation by its name. A text that reads the same in several is taken in the first."""


def read_card(text: str, notation: Notation) -> str | None:
    """The card as the hand document writes it, ``??`` for one not known; None if it is no card."""
    if len(text) > _LONGEST:
        return None
    plain = _plain(text)
    if plain in _UNKNOWN:
        return UNKNOWN_NAME
    if _GLYPH.fullmatch(plain):
        return _of_glyph(plain)
    words = re.split(r"[\s_-]+", plain)
    if len(words) > 2:
        words = [word for word in words if word not in notation.fillers]
    if len(words) == 1:
        (word,) = words
        halves = [(word[:cut], word[cut:]) for cut in range(1, len(word))]
    elif len(words) == 2:
        halves = [(words[0], words[1])]
    else:
        return None
    readings = {card for first, second in halves for card in _either_way(first, second, notation)}
    return readings.pop() if len(readings) == 1 else None


def split_cards(text: str, notation: Notation) -> list[str]:
    """The cards of a text: parted by commas and the like if there are any, else by spaces.

    Card glyphs need nothing between them. A text that is one card in several words stays whole.
    """
    if _SEPARATOR.search(text):
        parts = _SEPARATOR.split(text)
    elif read_card(text, notation) is not None:
        parts = [text]
    else:
        parts = _GLYPH.sub(lambda glyph: f" {glyph[0]} ", text).split()
    return [part.strip() for part in parts if part.strip()]


def _either_way(first: str, second: str, notation: Notation) -> list[str]:
    cards = []
    for rank, suit in ((first, second), (second, first)):
        if rank in notation.ranks and suit in notation.suits:
            cards.append(notation.ranks[rank] + notation.suits[suit])
    return cards


def _of_glyph(glyph: str) -> str | None:
    suit, rank = divmod(ord(glyph) - _GLYPHS_BEGIN, 16)
    if suit >= len(_GLYPH_SUITS) or _GLYPH_RANKS[rank] == " ":
        return None
    return _GLYPH_RANKS[rank] + _GLYPH_SUITS[suit]


def _plain(text: str) -> str:
    """The text in lower case, without accents and marks of variation, with ligatures apart."""
    apart = unicodedata.normalize("NFKD", text.strip())
    kept = "".join(char for char in apart if not unicodedata.category(char).startswith("M"))
    return kept.casefold().replace("œ", "oe")
