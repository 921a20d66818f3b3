"""Which seats can and must hold a brelan at a showdown with hidden cards (V1, V15, V17).

A hidden hand either holds some brelan, whose cards are tried one by one, or none. That hands
without a brelan can be dealt at all is shown by dealing them.
"""

from itertools import combinations

from engine.cards import SUIT_MASK, UNKNOWN, cards_in
from engine.vying.opening import HAND_CARDS
from engine.vying.showdown import MISTIGRI_CARDS, NO_BRELAN, brelan_strength
from engine.vying.unseen import Unseen

_PAIRED_SUITS = ((0, 3), (1, 2))
"""The suits of one colour."""


class BrelanSearch:
    """The brelans that the holders may have between them.

    ``found`` are the distinct lists of strengths, by seat, that completions give; a seat that is no
    holder has `NO_BRELAN`. ``complete`` is false where the tries ran out first.
    """

    def __init__(self, unseen: Unseen, holders: int) -> None:
        self.unseen = unseen
        self.options = unseen.options
        self.holders = holders
        self.hidden = unseen.hidden_seats(holders)
        self.pool = unseen.pool
        self.retourne = unseen.retourne
        self.strengths = [NO_BRELAN] * unseen.players
        self.without: list[int] = []
        self.seen: set[tuple[int, ...]] = set()
        self.found: list[list[int]] = []
        self.complete = True
        if self.retourne != UNKNOWN:
            self._search()
            return
        for card in self._unlike(cards_in(unseen.pool)):
            self.retourne = card
            self.pool = unseen.pool ^ 1 << card
            self._search()

    def _search(self) -> None:
        for seat in range(self.unseen.players):
            if self.holders >> seat & 1 and seat not in self.hidden:
                self.strengths[seat] = brelan_strength(
                    self.unseen.hands[seat], self.retourne, self.options
                )
        self._choose(0)

    def _choose(self, index: int) -> None:
        """Gives the next hidden holder no brelan, and then every brelan that it can have."""
        if not self.complete:
            return
        if index == len(self.hidden):
            self._note()
            return
        seat = self.hidden[index]
        self.strengths[seat] = NO_BRELAN
        self.without.append(seat)
        self._choose(index + 1)
        self.without.pop()
        for hand in self._brelans(seat):
            cards = hand & ~self.unseen.hands[seat]
            self.strengths[seat] = brelan_strength(hand, self.retourne, self.options)
            self.pool ^= cards
            self._choose(index + 1)
            self.pool ^= cards

    def _note(self) -> None:
        key = tuple(self.strengths)
        if not self.unseen.try_one():
            self.complete = False
        elif key not in self.seen and self._can_be_without(0):
            self.seen.add(key)
            self.found.append(self.strengths.copy())

    def _can_be_without(self, index: int) -> bool:
        """Whether the seats that shall have no brelan can have none, all at once."""
        if index == len(self.without):
            return True
        seat = self.without[index]
        for chosen in combinations(cards_in(self.pool), self.unseen.needs[seat]):
            cards = _mask(chosen)
            hand = self.unseen.hands[seat] | cards
            if brelan_strength(hand, self.retourne, self.options) != NO_BRELAN:
                continue
            if not self.unseen.try_one():
                self.complete = False
                return False
            self.pool ^= cards
            can = self._can_be_without(index + 1)
            self.pool ^= cards
            if can:
                return True
        return False

    def _brelans(self, seat: int) -> list[int]:
        """Every full hand of the seat that is a brelan."""
        known = self.unseen.hands[seat]
        cards = known | self.pool
        hands = []
        if self.options.brelans:
            hands = _threes(cards)
            if self.options.favori != "off":
                hands += _with_pair_of(self.retourne % 13, cards)
            if self.options.mistigri != "off":
                hands += _with_wild(MISTIGRI_CARDS[self.options.mistigri], cards)
        fitting = [
            hand
            for hand in hands
            if hand & known == known
            and brelan_strength(hand, self.retourne, self.options) != NO_BRELAN
        ]
        if self.options.mistigri != "off":
            return fitting
        alike: dict[int, int] = {}
        for hand in fitting:
            alike[sum(1 << (4 * (card % 13)) for card in cards_in(hand))] = hand
        return list(alike.values())

    def _unlike(self, cards: list[int]) -> list[int]:
        """One card of each rank; all of them where suits can matter to a brelan."""
        if self.options.mistigri != "off":
            return cards
        by_rank = {card % 13: card for card in cards}
        return list(by_rank.values())


def _threes(cards: int) -> list[int]:
    """Every three of a rank."""
    hands = []
    for rank in range(13):
        same = [card for card in range(rank, 52, 13) if cards >> card & 1]
        hands += [_mask(chosen) for chosen in combinations(same, HAND_CARDS)]
    return hands


def _with_pair_of(rank: int, cards: int) -> list[int]:
    """Every pair of the rank with a card of another."""
    same = [card for card in range(rank, 52, 13) if cards >> card & 1]
    others = [card for card in cards_in(cards) if card % 13 != rank]
    return [_mask(pair) | 1 << third for pair in combinations(same, 2) for third in others]


def _with_wild(wild: int, cards: int) -> list[int]:
    """The wild card with every pair of one colour."""
    if not cards & wild:
        return []
    rest = cards & ~wild
    hands = []
    for one, other in _PAIRED_SUITS:
        ranks = rest >> (13 * one) & rest >> (13 * other) & SUIT_MASK
        hands += [
            wild | 1 << (13 * one + rank) | 1 << (13 * other + rank) for rank in cards_in(ranks)
        ]
    return hands


def _mask(cards: tuple[int, ...]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
