"""The end of a hand: pots to their winners, premiums, stacks and what is carried."""

from engine.cards import UNKNOWN
from engine.result import Outcome, Pot, PremiumPayment
from engine.terms import Decision
from engine.vying.pots import cut_pots, uncalled
from engine.vying.premiums import has_premiums, premium_payments
from engine.vying.report import report_hand
from engine.vying.showdown import (
    CARRE,
    NO_BRELAN,
    brelan_strength,
    first_owner,
    point_suits,
    suit_owners,
    suit_points,
    suits_of,
)
from engine.vying.state import NOBODY, SHOWDOWN, VyingState


def settle(state: VyingState) -> Outcome:
    """Settles a hand whose betting has ended, and reports what unseen cards leave open."""
    if state.stage == SHOWDOWN:
        return _Showdown(state).settle()
    if state.winner == NOBODY:
        return _outcome(state, [], [0] * state.players, carried=state.pot)
    returned = uncalled(state.contributions)
    amount = state.pot - sum(returned)
    pot = Pot(amount, [state.winner], {state.winner: amount}, "uncontested", NOBODY)
    return _outcome(state, [pot], returned, carried=0)


def _outcome(state: VyingState, pots: list[Pot], returned: list[int], *, carried: int) -> Outcome:
    """An outcome without a showdown: no cards, no premium (V14)."""
    stacks = _plus(state.stacks, returned)
    for pot in pots:
        for seat, chips in (pot.winners or {}).items():
            stacks[seat] += chips
    return Outcome(
        pots=pots,
        returned=returned,
        premiums=[0] * state.players,
        payments=[],
        premium_account=state.options.premium_account,
        stacks=stacks,
        carried=carried,
        contributions=_less(state.contributions, returned),
        folded=[not state.live >> seat & 1 for seat in range(state.players)],
        all_in=[stack == 0 for stack in state.stacks],
        points=None,
        owners=None,
        showdown=False,
    )


class _Showdown:
    """The settlement of one showdown, pot after pot."""

    def __init__(self, state: VyingState) -> None:
        self.state = state
        self.unknown = ((1 << state.players) - 1) & ~state.known
        self.strengths = [
            brelan_strength(state.hands[seat], state.retourne, state.options)
            if state.known >> seat & 1
            else NO_BRELAN
            for seat in range(state.players)
        ]
        self.points: list[int] | None = None
        self.owners: list[int] | None = None
        self.main_suits = 0
        self.missing = 0
        self.left_open = False
        if not self.unknown and state.retourne != UNKNOWN:
            self.points = suit_points(state.hands, state.retourne)
            self.owners = suit_owners(state.hands, state.live)

    def settle(self) -> Outcome:
        state = self.state
        returned = uncalled(state.contributions)
        contributions = _less(state.contributions, returned)
        pots = [
            self._award(amount, eligible)
            for amount, eligible in cut_pots(contributions, state.live, state.carried)
        ]
        stacks = self._stacks_after_pots(pots, returned)
        payments = self._premiums(pots, stacks)
        premiums = None if payments is None else _net(payments, state.players)
        if stacks is not None and state.options.premium_account == "stack":
            stacks = None if premiums is None else _plus(stacks, premiums)
        if self.left_open:
            self._report_missing()
        return Outcome(
            pots=pots,
            returned=returned,
            premiums=premiums,
            payments=payments or [],
            premium_account=state.options.premium_account,
            stacks=stacks,
            carried=0,
            contributions=contributions,
            folded=[not state.live >> seat & 1 for seat in range(state.players)],
            all_in=[stack == 0 for stack in state.stacks],
            points=self.points,
            owners=self.owners,
            showdown=True,
        )

    def _award(self, amount: int, eligible: int) -> Pot:
        """One pot to its best eligible hand; a pot with one eligible seat is his (V11).

        The suits that won the main pot stand first for the side pots (V13).
        """
        state = self.state
        seats = [seat for seat in range(state.players) if eligible >> seat & 1]
        best = seats[0]
        if len(seats) == 1:
            return Pot(amount, seats, {best: amount}, "uncontested", NOBODY)
        for seat in seats:
            if self.strengths[seat] > self.strengths[best]:
                best = seat
        strength = self.strengths[best]
        hidden = self.unknown & eligible
        decided = strength >= CARRE or not (hidden or state.retourne == UNKNOWN)
        if strength and decided:
            by: Decision = "brelan-carre" if CARRE <= strength < CARRE + 13 else "brelan"
            return Pot(amount, seats, {best: amount}, by, NOBODY)
        if self.points is None or self.owners is None:
            self._leave_open(self.unknown)
            return Pot(amount, seats, None, None, NOBODY)
        owners = self.owners
        if eligible != state.live:
            owners = suit_owners(state.hands, eligible)
        suits = point_suits(self.points, owners, self.main_suits)
        winner = first_owner(suits, owners, state.dealer, state.players)
        suits = suits_of(winner, suits, owners)
        if eligible == state.live and state.options.side_pot_suit == "main":
            self.main_suits = suits
        return Pot(amount, seats, {winner: amount}, "point", suits.bit_length() - 1)

    def _stacks_after_pots(self, pots: list[Pot], returned: list[int]) -> list[int] | None:
        stacks = _plus(self.state.stacks, returned)
        for pot in pots:
            if pot.winners is None:
                return None
            for seat, chips in pot.winners.items():
                stacks[seat] += chips
        return stacks

    def _premiums(self, pots: list[Pot], stacks: list[int] | None) -> list[PremiumPayment] | None:
        """The premiums, or None where unseen cards or unknown stacks leave them open."""
        options = self.state.options
        if not options.brelans:
            return []
        holders = self.unknown
        if options.premium_holders == "live":
            holders &= self.state.live
        if holders or self.state.retourne == UNKNOWN:
            if not has_premiums(options):
                return []
            self._leave_open(holders)
            return None
        if stacks is None:
            if options.premium_account == "stack":
                return None
            stacks = self.state.stacks
        winners = 0
        for pot in pots[:1]:
            for seat in pot.winners or {}:
                winners |= 1 << seat
        return premium_payments(self.strengths, self.state.live, winners, options, stacks)

    def _leave_open(self, seats: int) -> None:
        self.left_open = True
        self.missing |= seats

    def _report_missing(self) -> None:
        missing: list[object] = [
            seat for seat in range(self.state.players) if self.missing >> seat & 1
        ]
        if self.state.retourne == UNKNOWN:
            missing.append("retourne")
        report_hand(self.state, "cards-missing", "/events", missing, None)


def _net(payments: list[PremiumPayment], players: int) -> list[int]:
    net = [0] * players
    for payment in payments:
        net[payment.holder] += payment.amount
        net[payment.payer] -= payment.amount
    return net


def _plus(chips: list[int], more: list[int]) -> list[int]:
    return [chips[seat] + more[seat] for seat in range(len(chips))]


def _less(chips: list[int], fewer: list[int]) -> list[int]:
    return [chips[seat] - fewer[seat] for seat in range(len(chips))]
