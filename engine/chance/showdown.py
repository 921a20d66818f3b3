"""The exact chance of a hand at a showdown of the whole table, by counting deals.

Every player is in: all hands are shown and live, under the presets' own brelans (carré and simple,
V1) and the point (V12). `ShowdownCounter` counts, for a hand class, the deals of the unseen cards
to the other players that the hand wins.

Only the set of the others' cards decides the suits' points and whether the hand owns a suit, so
sets are counted, suit by suit, as polynomials in the number of cards. How a set falls into hands
matters twice, and both have a closed form: a hand without a brelan wins only where nobody was dealt
one, counted by inclusion and exclusion over the triples of a rank that lie together in one hand;
and in a tie of suits the owners of the others must sit after the hand in turn order.

The counts are kept for each place after the dealer: the first to speak wins every tie, the dealer
none. A mean over the places can be made of them, but not they of a mean.
"""

from itertools import combinations
from math import comb, factorial, perm
from typing import Final

from engine.cards import POINTS_OF_RANKS
from engine.chance.classes import HandClass, own_ranks, rank_mask, turned_rank

_CELL: Final = 48
"""Bits of a coefficient: a polynomial in the number of cards is one int, its value at 2 ** 48.

No coefficient comes near: at most 2,101 sets of triples times C(24, 12) sets of cards are added.
"""

_CELL_MASK: Final = (1 << _CELL) - 1

MOST_POINTS: Final = POINTS_OF_RANKS[-1]

Tie = tuple[int, int]
"""What a tie asks of the others' cards: how many triples, and how many cards outside triples, must
lie in hands that come later in turn order. (0, 0) where there is no tie."""

Tally = dict[Tie, int]
"""The sets of cards that win, counted by what they ask."""


_CARDS: Final = 7
_TRIPLES_AT: Final = 3
_OWNS: Final = 1 << 8
"""A state while suits are put together: the owners of those that tie, see `_with_suit`."""


class SuitSets:
    """The sets of one suit's cards that the others may hold, counted by what they do to the point.

    Each list has a polynomial for each number of points: the sets with fewer points or without an
    owner (``under``), and those with just so many whose highest card is the hand's own (``own``),
    a card of a triple (``tripled``), or another (``other``).
    """

    def __init__(self, ranks: int, code: int, forced: int) -> None:
        own = own_ranks(code)
        turned = turned_rank(code)
        self.own = [0] * (MOST_POINTS + 2)
        self.tripled = [0] * (MOST_POINTS + 2)
        self.other = [0] * (MOST_POINTS + 2)
        self.under = [0] * (MOST_POINTS + 2)
        free = ranks & ~(own | turned | forced)
        chosen = free
        while True:
            held = chosen | forced
            points = POINTS_OF_RANKS[own | turned | held]
            one = 1 << _CELL * held.bit_count()
            if own > held:
                self.own[points] += one
            elif forced > chosen:
                self.tripled[points] += one
            elif held:
                self.other[points] += one
            else:
                self.under[0] += one
            if chosen == 0:
                break
            chosen = (chosen - 1) & free
        for points in range(MOST_POINTS + 1):
            self.under[points + 1] = (
                self.under[points] + self.own[points] + self.tripled[points] + self.other[points]
            )

        self.owned_at = [points for points, sets in enumerate(self.own) if sets]

    def key(self) -> tuple[int, ...]:
        """What makes two of them the same."""
        return (self.under[0], *self.own, *self.tripled, *self.other)


class ShowdownCounter:
    """Counts the won deals of a deck's hand classes for tables of the given sizes.

    Tallies are shared between classes and sets of triples: many suits differ only in cards that
    count alike.
    """

    def __init__(self, ranks: str, players: list[int]) -> None:
        self.ranks = rank_mask(ranks)
        self.rank_bits = [1 << bit for bit in range(13) if self.ranks >> bit & 1]
        self.players = players
        self.sizes = [3 * (number - 1) for number in players]
        self.most_triples = max(players) - 1
        self._sets: list[SuitSets] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._number_of_suit: dict[tuple[int, int], int] = {}
        self._tallies: dict[tuple[int, ...], Tally] = {}

    def won_deals(self, codes: HandClass) -> list[list[int]]:
        """The deals that the class wins, for each number of players and each place.

        The places go in turn order from the first after the dealer to the dealer himself. All
        deals are `other_deals`.
        """
        own_rank = own_ranks(codes[0]) & own_ranks(codes[1]) & own_ranks(codes[2])
        if own_rank:
            return [
                [self._brelan_wins(codes, own_rank, players)] * players for players in self.players
            ]
        tallies = self._tallies_by_triples(codes)
        return [
            [
                _deals_of(tallies, index, players - 1, players - place)
                for place in range(1, players + 1)
            ]
            for index, players in enumerate(self.players)
        ]

    def _brelan_wins(self, codes: HandClass, own_rank: int, players: int) -> int:
        """The deals in which nobody has a better brelan; the point does not matter."""
        turned = codes[0] | codes[1] | codes[2] | codes[3]
        better = [1]
        if turned_rank(turned) != own_rank:
            for rank in self.rank_bits:
                unseen = self._unseen_of_rank(codes, rank)
                if rank > own_rank or rank == turned_rank(turned):
                    better = _times(better, [1, comb(len(unseen), 3)])
        others = players - 1
        unseen_cards = 4 * len(self.rank_bits) - 4
        won = 0
        for triples, ways in enumerate(better[: others + 1]):
            left = others - triples
            won += (
                (-1) ** triples
                * ways
                * perm(others, triples)
                * comb(unseen_cards - 3 * triples, 3 * left)
                * _deals_into_hands(left)
            )
        return won

    def _unseen_of_rank(self, codes: HandClass, rank: int) -> list[int]:
        return [
            suit
            for suit in range(4)
            if not (own_ranks(codes[suit]) | turned_rank(codes[suit])) & rank
        ]

    def _tallies_by_triples(self, codes: HandClass) -> list[Tally]:
        """By the number of triples: the tallies of all ways to name so many, added up."""
        triples_of_rank = [
            (rank, list(combinations(self._unseen_of_rank(codes, rank), 3)))
            for rank in self.rank_bits
        ]
        triples_of_rank = [(rank, triples) for rank, triples in triples_of_rank if triples]
        sums: list[Tally] = [{} for _ in range(self.most_triples + 1)]
        self._add_triples(codes, triples_of_rank, 0, 0, [0, 0, 0, 0], [0, 0, 0, 0], sums)
        return sums

    def _add_triples(
        self,
        codes: HandClass,
        triples_of_rank: list[tuple[int, list[tuple[int, int, int]]]],
        start: int,
        count: int,
        forced: list[int],
        highest: list[int],
        sums: list[Tally],
    ) -> None:
        """Adds the tally of the triples named so far, and of all that name more.

        Ranks ascend, so ``highest``, the number of the last triple with a card of each suit, is
        the triple of the suit's highest named card.
        """
        total = sums[count]
        for tie, sets in self._tally(codes, forced, highest).items():
            total[tie] = total.get(tie, 0) + sets
        if count == self.most_triples:
            return
        for place in range(start, len(triples_of_rank)):
            rank, triples = triples_of_rank[place]
            for suits in triples:
                more = forced[:]
                tops = highest[:]
                for suit in suits:
                    more[suit] |= rank
                    tops[suit] = count + 1
                self._add_triples(codes, triples_of_rank, place + 1, count + 1, more, tops, sums)

    def _tally(self, codes: HandClass, forced: list[int], highest: list[int]) -> Tally:
        numbers = [self._suit_number(codes[suit], forced[suit]) for suit in range(4)]
        pairs = sorted((numbers[suit] << 3 | highest[suit]) for suit in range(4))
        key = []
        labels = [0, 0, 0, 0, 0]
        fresh = 0
        for pair in pairs:
            label = pair & 7
            if label:
                if not labels[label]:
                    fresh += 1
                    labels[label] = fresh
                label = labels[label]
            key.append(pair >> 3 << 3 | label)
        shared = tuple(key)
        tally = self._tallies.get(shared)
        if tally is None:
            winning = _winning_sets(
                [self._sets[pair >> 3] for pair in key], [pair & 7 for pair in key]
            )
            tally = {tie: self._of_sizes(sets) for tie, sets in winning.items()}
            self._tallies[shared] = tally
        return tally

    def _of_sizes(self, polynomial: int) -> int:
        """Of a polynomial only the coefficients of the table's sizes, in cells of one int."""
        sets = 0
        for index, size in enumerate(self.sizes):
            sets |= (polynomial >> _CELL * size & _CELL_MASK) << _CELL * index
        return sets

    def _suit_number(self, code: int, forced: int) -> int:
        suit = (code, forced)
        number = self._number_of_suit.get(suit)
        if number is None:
            sets = SuitSets(self.ranks, code, forced)
            key = sets.key()
            number = self._numbers.get(key)
            if number is None:
                number = self._numbers[key] = len(self._sets)
                self._sets.append(sets)
            self._number_of_suit[suit] = number
        return number


def other_deals(cards: int, players: int) -> int:
    """All deals of the cards that a player does not see to the other players, in their places."""
    others = players - 1
    return comb(cards - 4, 3 * others) * _deals_into_hands(others)


def _winning_sets(suits: list[SuitSets], highest: list[int]) -> Tally:
    """The sets of cards that the hand wins by the point, its ties included, as polynomials.

    For each number of points that may decide: every suit has fewer, or just so many and an owner;
    the hand owns at least one of those that have just so many.
    """
    winning: Tally = {}
    for points in {points for suit in suits for points in suit.owned_at}:
        states = {0: 1}
        for suit, triple in zip(suits, highest, strict=True):
            states = _with_suit(states, suit, points, 1 << _TRIPLES_AT + triple)
        for state, sets in states.items():
            if state & _OWNS:
                triples = (state & _OWNS - 1) >> _TRIPLES_AT
                tie = (triples.bit_count(), state & _CARDS)
                winning[tie] = winning.get(tie, 0) + sets
    return winning


def _with_suit(states: dict[int, int], suit: SuitSets, points: int, triple: int) -> dict[int, int]:
    """The states with one more suit, which has no more than so many points.

    A state says of the suits that have just so many whether the hand owns one, which triples own
    one, and how many other cards do.
    """
    under = suit.under[points]
    own = suit.own[points]
    tripled = suit.tripled[points]
    other = suit.other[points]
    if not (own or tripled or other):
        return {state: sets * under for state, sets in states.items()} if under else {}
    grown: dict[int, int] = {}
    for state, sets in states.items():
        if under:
            grown[state] = grown.get(state, 0) + sets * under
        if own:
            grown[state | _OWNS] = grown.get(state | _OWNS, 0) + sets * own
        if tripled:
            grown[state | triple] = grown.get(state | triple, 0) + sets * tripled
        if other:
            grown[state + 1] = grown.get(state + 1, 0) + sets * other
    return grown


def _deals_of(tallies: list[Tally], index: int, others: int, later: int) -> int:
    """The deals to so many others, so many of them later in turn order, that the sets make.

    The sets of their number of cards are in the cell ``index`` of each tally.
    """
    won = 0
    for triples in range(min(others, len(tallies) - 1) + 1):
        for tie, counts in tallies[triples].items():
            sets = counts >> _CELL * index & _CELL_MASK
            if sets:
                won += (-1) ** triples * sets * _ways(triples, tie, others, later)
    return won


def _ways(triples: int, tie: Tie, others: int, later: int) -> int:
    """The ways to deal a set out so that each named triple is a hand and the tie is won.

    ``tie`` says how many of the triples and of the other cards must lie in the later hands.
    """
    bound, cards = tie
    unbound = triples - bound
    left = others - triples
    ways = 0
    for among_later in range(unbound + 1):
        open_later = later - bound - among_later
        if open_later < 0:
            break
        ways += (
            comb(unbound, among_later)
            * perm(later, bound + among_later)
            * perm(others - later, unbound - among_later)
            * perm(3 * open_later, cards)
        )
    return ways * factorial(3 * left - cards) // 6**left if 3 * left >= cards else 0


def _deals_into_hands(hands: int) -> int:
    """The ways to deal three cards to each of so many hands."""
    return int(factorial(3 * hands) // 6**hands)


def _times(left: list[int], right: list[int]) -> list[int]:
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product
