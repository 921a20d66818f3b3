"""Which seats can win the pots of a showdown with hidden cards (V1, V11, V12, V13).

Hidden hands that are live are tried one after the other, the wanted winner's first. Folded hands
need no trying: of them only the suits' totals count, and what unseen cards can total is known in
closed form. The same reckoning, with the hands not yet placed taken for folded ones, cuts off
trials that cannot end well. An unknown retourne is one such card more, unless a brelan hangs on it.
"""

from typing import Final

from engine.cards import SUIT_MASK, UNKNOWN, cards_in
from engine.vying.showdown import (
    CARRE,
    NO_BRELAN,
    brelan_strength,
    first_owner,
    judge,
    rank_bits,
    suit_owners,
    suit_points,
)
from engine.vying.state import NOBODY
from engine.vying.suit_orders import added, counts_by_points, least_points, most_points
from engine.vying.unseen import NO, UNSURE, YES, Unseen

ANYBODY: Final = -1
ANY_WAY: Final = -1
BY_BRELAN: Final = 4
BY_BRELAN_CARRE: Final = 5
"""Ways to win a pot; the point in a suit has the suit's number, 0 to 3."""

_DEALS: Final = 24
_STRIDES: Final = 53
"""A prime above every card: card times n modulo it is another order of the deck for each n."""

_TOP: Final = 4
"""The level of the richest suits in an order of suits."""


class WinnerSearch:
    """Asks whether some completion has the pots won as wanted.

    ``pots`` are the sets of eligible seats, the main pot's first.
    """

    def __init__(self, unseen: Unseen, pots: list[int]) -> None:
        self.unseen = unseen
        self.pots = pots
        self.options = unseen.options
        self.players = unseen.players
        self.dealer = unseen.dealer
        self.live = unseen.live
        self.hands = unseen.hands.copy()
        self.pool = unseen.pool
        self.retourne = unseen.retourne
        self.folded_needs = sum(unseen.needs[seat] for seat in unseen.hidden_seats(~unseen.live))
        self.strengths = [NO_BRELAN] * unseen.players
        self.placed = 0
        self.order: list[int] = []
        self.wanted: list[int] = []
        self.way = ANY_WAY
        self.way_pot = 0
        self.cut = False
        self.owners: list[list[int]] = []
        self.tables: list[dict[int, int]] = []
        self.levels = [0, 0, 0, 0]
        self.least = [0, 0, 0, 0]
        self.most = [0, 0, 0, 0]
        self.loose = 0
        self.seen: list[list[int]] = []
        self.dealt = False
        for seat in range(self.players):
            if self.live >> seat & 1 and unseen.needs[seat] == 0:
                self.placed |= 1 << seat
                self._weigh(seat)

    def possible(self, pot: int) -> tuple[int, int]:
        """The seats that win the pot under some completion, and those of which it is unsure."""
        can = 0
        unsure = 0
        for seat in range(self.players):
            if self.pots[pot] >> seat & 1:
                found = self.can_win(pot, seat)
                if found == YES:
                    can |= 1 << seat
                elif found == UNSURE:
                    unsure |= 1 << seat
        return can, unsure

    def can_win(self, pot: int, seat: int, way: int = ANY_WAY) -> int:
        """Whether the seat can win the pot, in a certain way where one is given."""
        wanted = [ANYBODY] * len(self.pots)
        wanted[pot] = seat
        return self.can_be(wanted, way, pot)

    def can_be(self, wanted: list[int], way: int = ANY_WAY, way_pot: int = 0) -> int:
        """Whether all pots can have the wanted winners in one and the same completion."""
        if way == ANY_WAY and self._was_seen(wanted):
            return YES
        self.wanted = wanted
        self.way = way
        self.way_pot = way_pot
        self.cut = False
        hidden = self.unseen.hidden_seats(self.live)
        self.order = [seat for seat in hidden if seat in wanted]
        self.order += [seat for seat in hidden if seat not in wanted]
        self.loose = sum(self.unseen.needs[seat] for seat in hidden)
        if self._place(0):
            return YES
        return UNSURE if self.cut else NO

    # Completions dealt at once, which settle most of what is possible without a search

    def _was_seen(self, wanted: list[int]) -> bool:
        if not self.dealt:
            self.dealt = True
            for order in range(1, _DEALS + 1):
                self._deal(order)
        for winners in self.seen:
            if all(seat in (ANYBODY, winners[pot]) for pot, seat in enumerate(wanted)):
                return True
        return False

    def _deal(self, order: int) -> None:
        """Fills every place with the next card in some order of the pool, and notes who wins."""
        places = sorted((card * order % _STRIDES, card) for card in cards_in(self.pool))
        cards = [card for _, card in places]
        hands = self.unseen.hands.copy()
        retourne = cards.pop() if self.retourne == UNKNOWN else self.retourne
        for seat in range(self.players):
            for _ in range(self.unseen.needs[seat]):
                hands[seat] |= 1 << cards.pop()
        strengths = [brelan_strength(hand, retourne, self.options) for hand in hands]
        points = suit_points(hands, retourne)
        winners = []
        main_suits = 0
        for pot, eligible in enumerate(self.pots):
            owners = suit_owners(hands, eligible)
            winner, suits = judge(eligible, strengths, points, owners, main_suits, self.dealer)
            if pot == 0 and self.options.side_pot_suit == "main":
                main_suits = suits
            winners.append(winner)
        if winners not in self.seen:
            self.seen.append(winners)

    # Hidden hands, one after the other

    def _place(self, index: int) -> bool:
        if not self._promising():
            return False
        if index == len(self.order):
            return self._turned()
        seat = self.order[index]
        return self._fill(index, self.unseen.needs[seat], self.pool)

    def _fill(self, index: int, needed: int, cards: int) -> bool:
        """Tries every choice of needed cards: a wanted winner's high first, others' low first."""
        seat = self.order[index]
        if needed == 0:
            if not self.unseen.try_one():
                self.cut = True
                return False
            self._weigh(seat)
            self.placed |= 1 << seat
            self.loose -= self.unseen.needs[seat]
            found = self._place(index + 1)
            self.loose += self.unseen.needs[seat]
            self.placed &= ~(1 << seat)
            self.strengths[seat] = NO_BRELAN
            return found
        while cards and not self.cut:
            card = 1 << (cards.bit_length() - 1) if seat in self.wanted else cards & -cards
            cards ^= card
            self.hands[seat] |= card
            self.pool ^= card
            found = self._fill(index, needed - 1, cards)
            self.hands[seat] ^= card
            self.pool ^= card
            if found:
                return True
        return False

    def _weigh(self, seat: int) -> None:
        self.strengths[seat] = brelan_strength(self.hands[seat], self.retourne, self.options)

    def _turned(self) -> bool:
        """Every live hand is placed: the retourne is next, where it is hidden."""
        if self.retourne != UNKNOWN:
            return self._decided(self.folded_needs)
        if self.options.favori == "off" and not self._best(self.live):
            return self._decided(self.folded_needs + 1)
        strengths = self.strengths.copy()
        found = False
        for card in cards_in(self.pool):
            if not self.unseen.try_one():
                self.cut = True
                break
            self.retourne = card
            self.pool ^= 1 << card
            for seat in range(self.players):
                if self.live >> seat & 1:
                    self._weigh(seat)
            found = self._decided(self.folded_needs)
            self.pool ^= 1 << card
            if found:
                break
        self.retourne = UNKNOWN
        self.strengths = strengths
        return found

    # Cutting off

    def _promising(self) -> bool:
        """Whether the hands placed so far leave every wanted winner a chance."""
        for pot, winner in enumerate(self.wanted):
            if winner != ANYBODY and not self._has_chance(pot, winner):
                return False
        return True

    def _has_chance(self, pot: int, winner: int) -> bool:
        eligible = self.pots[pot]
        own = self.strengths[winner]
        rivals = self._best(eligible & ~(1 << winner))
        is_placed = bool(self.placed >> winner & 1)
        if self.retourne == UNKNOWN and (self.options.favori != "off" or own):
            return True
        if not is_placed:
            if rivals or self._may_get_brelan(winner):
                return True
        elif rivals > own:
            return False
        elif own:
            return True
        suits = 0
        for suit in range(4):
            if self._may_own(suit, winner, eligible):
                suits |= 1 << suit
        if pot or not suits:
            return suits != 0
        unknown_retourne = self.retourne == UNKNOWN
        free = self.folded_needs + self.loose + unknown_retourne
        return self._some_suit_wins(suits, winner, eligible, free)

    def _may_get_brelan(self, seat: int) -> bool:
        ranks = rank_bits(self.hands[seat])
        if ranks & (ranks - 1) == 0:
            return True
        return self.options.favori != "off" or self.options.mistigri != "off"

    def _may_own(self, suit: int, seat: int, eligible: int) -> bool:
        """Whether the seat has, or can still get, the highest card of the suit."""
        cards = self.hands[seat]
        if not self.placed >> seat & 1:
            cards |= self.pool
        own = cards >> (13 * suit) & SUIT_MASK
        if not own:
            return False
        for other in range(self.players):
            if eligible >> other & 1 and other != seat:
                rival = self.hands[other] >> (13 * suit) & SUIT_MASK
                if rival > own:
                    return False
        return True

    def _best(self, seats: int) -> int:
        best = NO_BRELAN
        for seat in range(self.players):
            if seats >> seat & 1 and self.strengths[seat] > best:
                best = self.strengths[seat]
        return best

    # The point, where it hangs on cards of which only the suits' totals count

    def _some_suit_wins(self, suits: int, winner: int, eligible: int, free: int) -> bool:
        """Whether one of the suits can beat all others with so many free cards on the table.

        All that can go into the suit goes there, the dearest cards first, and what is left goes
        into the others as cheap as can be: no other way serves the suit better. Exact where every
        live hand is placed, else never too strict.
        """
        totals = suit_points(self.hands, self.retourne)
        owners = suit_owners(self.hands, eligible)
        all_placed = self.loose == 0
        for suit in range(4):
            if not suits >> suit & 1:
                continue
            most = most_points(self.pool >> (13 * suit) & SUIT_MASK)
            taken = min(free, len(most) - 1)
            points = totals[suit] + most[taken]
            room = 0
            for other in range(4):
                if other == suit:
                    continue
                least = least_points(self.pool >> (13 * other) & SUIT_MASK)
                count = len(least) - 1
                if owners[other] != NOBODY:
                    bound = points - totals[other]
                    if all_placed and not self._may_tie(suit, other, owners[other], winner):
                        bound -= 1
                    while count >= 0 and least[count] > bound:
                        count -= 1
                if count < 0:
                    room = -1
                    break
                room += count
            if room >= free - taken:
                return True
        return False

    def _may_tie(self, suit: int, other: int, owner: int, winner: int) -> bool:
        """Whether a suit as rich as the winner's may stand: it is his, or of a later seat.

        Where it is asked in which suit he wins, the last of his tied suits is told.
        """
        if owner == winner:
            return self.way == ANY_WAY or other < suit
        turns = self.players
        return (winner - self.dealer - 1) % turns < (owner - self.dealer - 1) % turns

    # All live hands are placed

    def _decided(self, free: int) -> bool:
        """Whether so many free cards can lie so that all pots are won as wanted."""
        asked = [pot for pot in range(len(self.pots)) if self.wanted[pot] != ANYBODY]
        pointed = [pot for pot in asked if not self._best(self.pots[pot])]
        for pot in asked:
            if pot not in pointed and not self._brelan_as_wanted(pot):
                return False
        if not pointed:
            return True
        if self.way >= BY_BRELAN and self.way_pot in pointed:
            return False
        if len(pointed) == 1 and (pointed[0] == 0 or self._judged_afresh()):
            return self._point_as_wanted(pointed[0], free)
        return self._in_some_order(free)

    def _judged_afresh(self) -> bool:
        """Whether side pots have nothing to do with the main pot's suit (V13)."""
        return self.options.side_pot_suit != "main" or self._best(self.live) != NO_BRELAN

    def _brelan_as_wanted(self, pot: int) -> bool:
        best = self._best(self.pots[pot])
        if self.strengths[self.wanted[pot]] != best:
            return False
        if self.way == ANY_WAY or self.way_pot != pot:
            return True
        return self.way == (BY_BRELAN_CARRE if CARRE <= best < CARRE + 13 else BY_BRELAN)

    def _point_as_wanted(self, pot: int, free: int) -> bool:
        winner = self.wanted[pot]
        suits = 0
        for suit in range(4):
            if self.way in (ANY_WAY, suit) and self._may_own(suit, winner, self.pots[pot]):
                suits |= 1 << suit
        return self._some_suit_wins(suits, winner, self.pots[pot], free)

    def _in_some_order(self, free: int) -> bool:
        """Tries every order of the owned suits by their totals that the free cards can make."""
        totals = suit_points(self.hands, self.retourne)
        self.owners = [suit_owners(self.hands, eligible) for eligible in self.pots]
        if free == 0:
            return self._as_wanted(totals)
        self.tables = []
        self.levels = [0, 0, 0, 0]
        self.least = totals
        owned = 0
        anywhere = 1
        limit = (1 << (free + 1)) - 1
        for suit in range(4):
            reached = counts_by_points(self.pool >> (13 * suit) & SUIT_MASK)
            table: dict[int, int] = {}
            for points, counts in reached.items():
                table[totals[suit] + points] = counts
            self.tables.append(table)
            most = most_points(self.pool >> (13 * suit) & SUIT_MASK)
            self.most[suit] = totals[suit] + most[min(free, len(most) - 1)]
            if self.owners[0][suit] != NOBODY:
                owned |= 1 << suit
            else:
                cards = (self.pool >> (13 * suit) & SUIT_MASK).bit_count()
                anywhere = added(anywhere, (1 << (cards + 1)) - 1) & limit
        return self._next_suits(owned, {1 << 20: anywhere & limit}, free, _TOP)

    def _next_suits(self, left: int, reached: dict[int, int], free: int, level: int) -> bool:
        """Tries each group of suits as those that tie for the next most points."""
        if left == 0:
            for counts in reached.values():
                if counts >> free & 1:
                    return self._as_wanted(self.levels)
            return False
        group = left
        while group and not self.cut:
            rest = left & ~group
            if self._can_be_next(group, rest) and (level < _TOP or self._may_decide(group)):
                self.cut = not self.unseen.try_one()
                tied = self._tied(group, reached, (1 << (free + 1)) - 1)
                for suit in range(4):
                    if group >> suit & 1:
                        self.levels[suit] = level
                if tied and self._next_suits(rest, tied, free, level - 1):
                    return True
            group = (group - 1) & left
        return False

    def _can_be_next(self, group: int, rest: int) -> bool:
        """Whether the totals' bounds let the suits of the group tie, and beat the rest."""
        ceiling = 1 << 20
        floor = 0
        beaten = -1
        for suit in range(4):
            if group >> suit & 1:
                ceiling = min(ceiling, self.most[suit])
                floor = max(floor, self.least[suit])
            elif rest >> suit & 1:
                beaten = max(beaten, self.least[suit])
        return floor <= ceiling and beaten < ceiling

    def _may_decide(self, suits: int) -> bool:
        """Whether the main pot's wanted winner wins it where these suits are the richest."""
        winner = self.wanted[0]
        if winner == ANYBODY or self._best(self.live):
            return True
        return first_owner(suits, self.owners[0], self.dealer, self.players) == winner

    def _tied(self, group: int, reached: dict[int, int], limit: int) -> dict[int, int]:
        """The counts by points where the suits of the group tie below what is reached."""
        tied: dict[int, int] = {}
        first = (group & -group).bit_length() - 1
        for points, counts in self.tables[first].items():
            above = 0
            for more, taken in reached.items():
                if more > points:
                    above |= taken
            together = added(above, counts) & limit
            for suit in range(first + 1, 4):
                if group >> suit & 1 and together:
                    together = added(together, self.tables[suit].get(points, 0)) & limit
            if together:
                tied[points] = together
        return tied

    def _as_wanted(self, points: list[int]) -> bool:
        """Judges all pots; the points may be any numbers in the order of the suits' totals."""
        main_suits = 0
        for pot, eligible in enumerate(self.pots):
            winner, suits = judge(
                eligible, self.strengths, points, self.owners[pot], main_suits, self.dealer
            )
            if pot == 0 and self.options.side_pot_suit == "main":
                main_suits = suits
            if self.wanted[pot] not in (ANYBODY, winner):
                return False
            told = self.way != ANY_WAY and self.way_pot == pot
            if told and suits and suits.bit_length() - 1 != self.way:
                return False
        return True
