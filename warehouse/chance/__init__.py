"""The stored showdown chances: q of every hand and retourne, read in microseconds.

A table belongs to a deck and a number of players. Its file has the won deals of every hand class,
in `hand_classes` order, for each place after the dealer, as unsigned little-endian 64-bit numbers;
``python -m warehouse.chance`` makes the files.
"""

import sys
from array import array
from functools import cache
from pathlib import Path
from typing import Final

from engine.chance.classes import HandClass, hand_class, hand_classes
from engine.chance.showdown import other_deals
from engine.options import DECK_BY_COUNT, VyingOptions

TABLES: Final[dict[str, tuple[int, ...]]] = {
    "AK98": (3,),
    "AKQ98": (4,),
    "AKQJ98": (5,),
    "AKQJT98": (2, 3, 4, 5),
}
"""The numbers of players that each deck has tables for: those of the presets."""

FOLDER: Final = Path(__file__).parent


class ChanceTable:
    """The chance of every hand to win a showdown of the whole table, all hands live.

    ``deals`` are the ways to deal the unseen cards to the other players; each hand's won deals are
    of so many.
    """

    def __init__(self, ranks: str, players: int) -> None:
        self.ranks = ranks
        self.players = players
        self.deals = other_deals(4 * len(ranks), players)
        self._rows = _rows_of(ranks)
        self._won = read_counts(table_file(ranks, players))

    def chance(self, hand: int, retourne: int) -> tuple[int, int]:
        """The chance (k of n) of a hand at a place drawn by lot: its mean over all hands is 1/m.

        Args:
            hand: the mask of its three cards.
            retourne: the card turned up.

        Raises:
            KeyError: these are not three cards and another of this deck.
        """
        first = self._first(hand, retourne)
        return sum(self._won[first : first + self.players]), self.deals * self.players

    def chance_at(self, hand: int, retourne: int, place: int) -> tuple[int, int]:
        """The chance (k of n) of a hand at a place, 1 (first after the dealer) to m (the dealer).

        Raises:
            KeyError: these are not three cards and another of this deck.
            IndexError: there is no such place.
        """
        if not 1 <= place <= self.players:
            raise IndexError(f"place {place} of {self.players}")
        return self._won[self._first(hand, retourne) + place - 1], self.deals

    def _first(self, hand: int, retourne: int) -> int:
        return self._rows[hand_class(hand, retourne)] * self.players


def showdown_table(options: VyingOptions, players: int) -> ChanceTable | None:
    """The table for a table's rules; None where the showdown is another, or the deck is unusual.

    Other brelans than the carré and the simple one, or none, change who wins.
    """
    if not options.brelans or options.favori != "off" or options.mistigri != "off":
        return None
    ranks = options.deck
    if ranks == "by-count":
        ranks = DECK_BY_COUNT.get(players, "")
    return chance_table(ranks, players)


@cache
def chance_table(ranks: str, players: int) -> ChanceTable | None:
    """The table of a deck and a number of players, read once; None where there is none."""
    return ChanceTable(ranks, players) if players in TABLES.get(ranks, ()) else None


def table_file(ranks: str, players: int) -> Path:
    """The file of a table."""
    return FOLDER / f"{ranks}-{players}.counts"


def read_counts(path: Path) -> "array[int]":
    """The numbers of a table's file."""
    counts = array("Q", path.read_bytes())
    if sys.byteorder == "big":
        counts.byteswap()
    return counts


def counts_bytes(counts: "array[int]") -> bytes:
    """A table's file of the numbers."""
    if sys.byteorder == "big":
        counts = array("Q", counts)
        counts.byteswap()
    return counts.tobytes()


@cache
def _rows_of(ranks: str) -> dict[HandClass, int]:
    return {codes: row for row, codes in enumerate(hand_classes(ranks))}
