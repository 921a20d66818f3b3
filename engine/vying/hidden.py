"""A showdown with hidden cards: what follows whatever they are, and what could have been.

A pot or a premium that is the same under every completion is decided. The rest stays open, and is
kept as what it could be: against that the declared result is held.
"""

from collections.abc import Iterator
from itertools import product

from engine.cards import UNKNOWN
from engine.result import Pot, PremiumPayment
from engine.terms import Decision
from engine.vying.possible_brelans import BrelanSearch
from engine.vying.possible_winners import BY_BRELAN, BY_BRELAN_CARRE, WinnerSearch
from engine.vying.premiums import has_premiums, net_premiums, premium_payments
from engine.vying.showdown import NO_BRELAN, brelan_strength
from engine.vying.state import NOBODY, VyingState
from engine.vying.unseen import NO, TRIES, Unseen


class Case:
    """One way in which the hand may have ended, winners by pot and strengths by seat."""

    def __init__(self, winners: list[int], payments: list[PremiumPayment], players: int) -> None:
        self.winners = winners
        self.payments = payments
        self.premiums = net_premiums(payments, players)

    def paid(self) -> list[tuple[int, int, int, int]]:
        """The payments in an order that does not hang on the ranks of brelans."""
        return sorted(
            (payment.holder, payment.payer, payment.amount, payment.short)
            for payment in self.payments
        )


class HiddenShowdown:
    """A showdown in which some places are hidden.

    ``cuts`` are the pots as (amount, eligible seats). ``winners`` are the seats, as masks, that
    may win each pot.
    """

    def __init__(
        self, state: VyingState, cuts: list[tuple[int, int]], stacks: list[int], tries: int = TRIES
    ) -> None:
        self.state = state
        self.options = state.options
        self.cuts = cuts
        self.stacks = stacks
        self.unseen = Unseen(state, tries)
        self.consistent = self.unseen.has_completion()
        self.search = WinnerSearch(self.unseen, [eligible for _, eligible in cuts])
        self.winners: list[int] = []
        self.vectors: list[list[int]] = []
        self.complete = True
        self.payments: list[PremiumPayment] = []
        self.is_open = False
        self.is_certain = False
        self.missing = 0

    # What is decided

    def pots(self) -> list[Pot]:
        """The pots, with their winners where every completion has the same."""
        pots: list[Pot] = []
        for amount, eligible in self.cuts:
            pots.append(self._pot(len(pots), amount, eligible))
        return pots

    def _pot(self, pot: int, amount: int, eligible: int) -> Pot:
        seats = _seats(eligible)
        if len(seats) == 1:
            self.winners.append(eligible)
            return Pot(amount, seats, {seats[0]: amount}, "uncontested", NOBODY)
        if not self.consistent:
            self.winners.append(eligible)
            self._leave_open(self._hidden(), certain=True)
            return Pot(amount, seats, None, None, NOBODY)
        can, unsure = self.search.possible(pot)
        self.winners.append(can | unsure)
        if (can | unsure).bit_count() == 1:
            winner = (can | unsure).bit_length() - 1
            by, suit = self._way(pot, winner)
            return Pot(amount, seats, {winner: amount}, by, suit)
        self._leave_open(self._matter_to_pot(eligible), certain=can & (can - 1) != 0)
        return Pot(amount, seats, None, None, NOBODY)

    def _way(self, pot: int, winner: int) -> tuple[Decision | None, int]:
        """By what the pot is won, as far as it is the same under every completion."""
        ways = [
            way for way in range(BY_BRELAN_CARRE + 1) if self.search.can_win(pot, winner, way) != NO
        ]
        if ways == [BY_BRELAN]:
            return "brelan", NOBODY
        if ways == [BY_BRELAN_CARRE]:
            return "brelan-carre", NOBODY
        if BY_BRELAN in ways or BY_BRELAN_CARRE in ways:
            return None, NOBODY
        return "point", ways[0] if len(ways) == 1 else NOBODY

    def premiums(self) -> list[int] | None:
        """The net premiums, or None where completions differ in them. Call it after `pots`.

        `payments` are then what they are made of, where that is the same in all of them too.
        """
        if not self.options.brelans or not has_premiums(self.options):
            self.vectors = [[NO_BRELAN] * self.state.players]
            return [0] * self.state.players
        if not self.consistent:
            self._leave_open(self._hidden(), certain=True)
            return None
        holders = self._holders()
        brelans = BrelanSearch(self.unseen, holders)
        self.vectors = brelans.found
        self.complete = brelans.complete
        first: Case | None = None
        same_payments = True
        for case in self.cases():
            if first is None:
                first = case
            elif case.premiums != first.premiums:
                self._leave_open(self._matter_to_premiums(holders), certain=True)
                return None
            elif case.paid() != first.paid():
                same_payments = False
        if first is None or not self.complete:
            self._leave_open(self._matter_to_premiums(holders), certain=False)
            return None
        if same_payments:
            self.payments = first.payments
        return first.premiums

    # What could be

    def cases(self) -> Iterator[Case]:
        """Every way in which the hand may have ended, as far as the tries reach.

        Winners and brelans are possible each for themselves, and agree with each other; whether
        they are possible together is not asked.
        """
        for chosen in product(*[_seats(mask) for mask in self.winners]):
            winners = list(chosen)
            stacks = self._stacks_with(winners)
            for strengths in self.vectors:
                if not self.unseen.try_one():
                    self.complete = False
                    return
                if not self._agree(winners, strengths):
                    continue
                payments = self._payments(strengths, stacks)
                yield Case(winners, payments, self.state.players)

    def stacks_of(self, case: Case) -> list[int]:
        """The final stacks of a case."""
        stacks = self._stacks_with(case.winners)
        if self.options.premium_account == "stack":
            return [stack + case.premiums[seat] for seat, stack in enumerate(stacks)]
        return stacks

    def excluded(self, winners: list[int]) -> bool:
        """Whether no completion has all the pots won by these seats."""
        return self.consistent and self.search.can_be(winners) == NO

    def _agree(self, winners: list[int], strengths: list[int]) -> bool:
        """Whether the winners are the best brelans, where there are any."""
        for pot, (_, eligible) in enumerate(self.cuts):
            best = NO_BRELAN
            for seat in _seats(eligible):
                best = max(best, strengths[seat])
            if best and strengths[winners[pot]] != best:
                return False
        return True

    def _stacks_with(self, winners: list[int]) -> list[int]:
        stacks = self.stacks.copy()
        for pot, winner in enumerate(winners):
            stacks[winner] += self.cuts[pot][0]
        return stacks

    def _payments(self, strengths: list[int], stacks: list[int]) -> list[PremiumPayment]:
        best = NO_BRELAN
        winner = 0
        for seat in _seats(self.state.live):
            if strengths[seat] > best:
                best = strengths[seat]
                winner = 1 << seat
        return premium_payments(strengths, self.state.live, winner, self.options, stacks)

    # What is missing

    def missing_places(self) -> dict[object, object]:
        """How many cards are wanted of which seats, and the retourne."""
        places: dict[object, object] = {
            seat: self.unseen.needs[seat] for seat in _seats(self.missing)
        }
        if self.unseen.retourne == UNKNOWN:
            places["retourne"] = 1
        return places

    def _leave_open(self, seats: int, *, certain: bool) -> None:
        self.is_open = True
        self.is_certain = self.is_certain or certain
        self.missing |= seats

    def _holders(self) -> int:
        """The seats whose brelans earn premiums (V15)."""
        everybody = (1 << self.state.players) - 1
        return self.state.live if self.options.premium_holders == "live" else everybody

    def _hidden(self) -> int:
        everybody = (1 << self.state.players) - 1
        return everybody & ~self.state.known

    def _matter_to_pot(self, eligible: int) -> int:
        """The hidden seats that the pot may hang on; folded ones matter to the point alone."""
        if self.unseen.retourne == UNKNOWN:
            return self._hidden()
        for seat in _seats(eligible & self.state.known):
            if brelan_strength(self.unseen.hands[seat], self.unseen.retourne, self.options):
                return self._hidden() & eligible
        return self._hidden()

    def _matter_to_premiums(self, holders: int) -> int:
        """The hidden holders that may have a brelan or another."""
        seats = 0
        for seat in _seats(holders & self._hidden()):
            if len({strengths[seat] for strengths in self.vectors}) > 1:
                seats |= 1 << seat
        return seats


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]
