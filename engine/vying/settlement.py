"""The end of a hand: pots to their winners, premiums, stacks and what is carried."""

from engine.cards import UNKNOWN
from engine.result import Outcome, Pot, PremiumPayment
from engine.terms import Decision
from engine.vying.hidden import HiddenShowdown
from engine.vying.pots import cut_pots, uncalled
from engine.vying.premiums import net_premiums, premium_payments
from engine.vying.showdown import CARRE, brelan_strength, judge, suit_owners, suit_points
from engine.vying.state import END, NOBODY, SHOWDOWN, VyingState


def hidden_showdown(state: VyingState) -> HiddenShowdown | None:
    """The showdown's hidden cards, or None where none is hidden or there is no showdown."""
    if state.stage != SHOWDOWN:
        return None
    if state.known == (1 << state.players) - 1 and state.retourne != UNKNOWN:
        return None
    returned = uncalled(state.contributions)
    cuts = cut_pots(_less(state.contributions, returned), state.live, state.carried)
    return HiddenShowdown(state, cuts, _plus(state.stacks, returned))


def pots_so_far(state: VyingState) -> list[tuple[int, int]]:
    """The pots as they would be cut now, none where they are one; in the showdown as they are cut.

    While the betting goes on nothing is uncalled yet.
    """
    if state.stage == END:
        return []
    contributions = state.contributions
    betting = state.with_chips()
    if state.stage == SHOWDOWN:
        contributions = _less(contributions, uncalled(contributions))
        betting = 0
    pots = cut_pots(contributions, state.live, state.carried, betting)
    return pots if len(pots) > 1 else []


def settle(state: VyingState, hidden: HiddenShowdown | None = None) -> Outcome:
    """Settles a hand whose betting has ended.

    ``hidden`` is the state's `hidden_showdown`, for callers that have further use for it.
    """
    hidden = hidden or hidden_showdown(state)
    if hidden is not None:
        return _settle_hidden(state, hidden)
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


def _settle_hidden(state: VyingState, hidden: HiddenShowdown) -> Outcome:
    """The settlement as far as it is the same whatever the hidden cards are."""
    pots = hidden.pots()
    premiums = hidden.premiums()
    stacks: list[int] | None = hidden.stacks.copy()
    for pot in pots:
        if pot.winners is None or stacks is None:
            stacks = None
            continue
        for seat, chips in pot.winners.items():
            stacks[seat] += chips
    if stacks is not None and state.options.premium_account == "stack":
        stacks = None if premiums is None else _plus(stacks, premiums)
    returned = uncalled(state.contributions)
    return Outcome(
        pots=pots,
        returned=returned,
        premiums=premiums,
        payments=hidden.payments,
        premium_account=state.options.premium_account,
        stacks=stacks,
        carried=0,
        contributions=_less(state.contributions, returned),
        folded=[not state.live >> seat & 1 for seat in range(state.players)],
        all_in=[stack == 0 for stack in state.stacks],
        points=None,
        owners=None,
        showdown=True,
    )


class _Showdown:
    """The settlement of one showdown with every card known, pot after pot."""

    def __init__(self, state: VyingState) -> None:
        self.state = state
        self.strengths = [
            brelan_strength(hand, state.retourne, state.options) for hand in state.hands
        ]
        self.points = suit_points(state.hands, state.retourne)
        self.owners = suit_owners(state.hands, state.live)
        self.main_suits = 0

    def settle(self) -> Outcome:
        state = self.state
        returned = uncalled(state.contributions)
        contributions = _less(state.contributions, returned)
        stacks = _plus(state.stacks, returned)
        pots = []
        for amount, eligible in cut_pots(contributions, state.live, state.carried):
            pot, winner = self._award(amount, eligible)
            pots.append(pot)
            stacks[winner] += amount
            if len(pots) == 1:
                main_winner = winner
        payments = self._premiums(1 << main_winner, stacks)
        premiums = net_premiums(payments, state.players)
        if state.options.premium_account == "stack":
            stacks = _plus(stacks, premiums)
        return Outcome(
            pots=pots,
            returned=returned,
            premiums=premiums,
            payments=payments,
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

    def _award(self, amount: int, eligible: int) -> tuple[Pot, int]:
        """One pot and its winner; a pot with one eligible seat is his (V11).

        The suits that won the main pot stand first for the side pots (V13).
        """
        state = self.state
        seats = [seat for seat in range(state.players) if eligible >> seat & 1]
        if len(seats) == 1:
            return Pot(amount, seats, {seats[0]: amount}, "uncontested", NOBODY), seats[0]
        is_main = eligible == state.live
        owners = self.owners if is_main else suit_owners(state.hands, eligible)
        winner, suits = judge(
            eligible, self.strengths, self.points, owners, self.main_suits, state.dealer
        )
        if not suits:
            strength = self.strengths[winner]
            by: Decision = "brelan-carre" if CARRE <= strength < CARRE + 13 else "brelan"
            return Pot(amount, seats, {winner: amount}, by, NOBODY), winner
        if is_main and state.options.side_pot_suit == "main":
            self.main_suits = suits
        return Pot(amount, seats, {winner: amount}, "point", suits.bit_length() - 1), winner

    def _premiums(self, main_winner: int, stacks: list[int]) -> list[PremiumPayment]:
        state = self.state
        if not state.options.brelans:
            return []
        return premium_payments(self.strengths, state.live, main_winner, state.options, stacks)


def _plus(chips: list[int], more: list[int]) -> list[int]:
    return [chips[seat] + more[seat] for seat in range(len(chips))]


def _less(chips: list[int], fewer: list[int]) -> list[int]:
    return [chips[seat] - fewer[seat] for seat in range(len(chips))]
