"""What a showdown with hidden cards leaves open, and a declared result that no hidden cards allow.

`engine.vying.declared` compares what is decided. Here is the rest: a claim that some completion
bears out is left as it is, one that none does is impossible.
"""

from engine.record import DeclaredOutcome
from engine.result import Outcome
from engine.vying.hidden import HiddenShowdown
from engine.vying.report import report_hand
from engine.vying.state import NOBODY, VyingState
from engine.vying.unseen import TRIES


def report_hidden(state: VyingState, hidden: HiddenShowdown) -> None:
    """Reports what is missing, or that there are too many hidden cards to tell."""
    if not hidden.is_open:
        return
    if hidden.is_certain:
        report_hand(state, "cards-missing", "/events", hidden.missing_places(), None)
    else:
        report_hand(state, "cards-too-many", "/events", hidden.missing_places(), TRIES)


def report_impossible(
    state: VyingState, declared: DeclaredOutcome, outcome: Outcome, hidden: HiddenShowdown
) -> None:
    """Reports the parts of the declared result that cannot be true under any completion.

    A part that cannot be true by itself is named; else the last part that cannot be true together
    with those before it: pots, premiums, stacks.
    """
    if not hidden.consistent:
        return
    claims = _Claims(state, declared, outcome, hidden)
    claims.check_pots()
    claims.check_premiums()
    claims.check_stacks()


class _Claims:
    """The declared result, part after part. A part that was found wrong binds the next no more."""

    def __init__(
        self,
        state: VyingState,
        declared: DeclaredOutcome,
        outcome: Outcome,
        hidden: HiddenShowdown,
    ) -> None:
        self.state = state
        self.declared = declared
        self.outcome = outcome
        self.hidden = hidden
        self.winners: list[int] | None = None
        self.premiums: dict[int, int] = {}

    def check_pots(self) -> None:
        """Each open pot's winners, and then all of them together."""
        pots = self.outcome.pots
        if self.declared.pots is None or len(self.declared.pots) != len(pots):
            return
        winners = []
        for index, (amount, shares) in enumerate(self.declared.pots):
            pot = pots[index]
            claimed = _only_winner(shares, [amount, pot.amount])
            if pot.winners is not None:
                if shares != pot.winners:
                    return
            elif claimed < 0 or not self.hidden.winners[index] >> claimed & 1:
                could = [s for s in pot.eligible if self.hidden.winners[index] >> s & 1]
                pointer = f"/declared/pots/{index}/winners"
                self._report(pointer, could, shares)
                return
            winners.append(claimed)
        if self.hidden.excluded(winners):
            taken = dict.fromkeys(winners, 0)
            for index, (amount, _) in enumerate(self.declared.pots):
                taken[winners[index]] += amount
            self._report("/declared/pots", None, taken)
        else:
            self.winners = winners

    def check_premiums(self) -> None:
        """Each net premium, and then all of them together and with the pots."""
        claimed = self.declared.premiums
        if claimed is None or self.outcome.premiums is not None:
            return
        for seat in claimed:
            if seat >= self.state.players:
                return
        reached = self._reached_premiums()
        if not self.hidden.complete:
            return
        impossible = [seat for seat in claimed if claimed[seat] not in reached[seat]]
        for seat in impossible:
            pointer = f"/declared/premiums/{seat}"
            could = sorted(reached[seat])
            self._report(pointer, could, claimed[seat], seat, "V15")
        if impossible:
            return
        self.premiums = claimed
        if not self._is_possible(None):
            self._report("/declared/premiums", None, claimed, NOBODY, "V15")
            self.premiums = {}

    def check_stacks(self) -> None:
        """The stacks, together with what was declared before."""
        claimed = self.declared.stacks
        if claimed is None or self.outcome.stacks is not None:
            return
        at_table = sum(self.hidden.stacks) + sum(pot.amount for pot in self.outcome.pots)
        if len(claimed) != self.state.players or sum(claimed) != at_table:
            return
        if not self._is_possible(claimed):
            self._report("/declared/stacks", None, claimed)

    def _report(
        self, pointer: str, could: object, seen: object, seat: int = NOBODY, ruling: str = ""
    ) -> None:
        report_hand(self.state, "declared-impossible", pointer, could, seen, seat, ruling)

    def _reached_premiums(self) -> list[set[int]]:
        """The net premiums of each seat under any completion, whatever the pots."""
        reached: list[set[int]] = [set() for _ in range(self.state.players)]
        for case in self.hidden.cases():
            for seat, net in enumerate(case.premiums):
                reached[seat].add(net)
        return reached

    def _is_possible(self, stacks: list[int] | None) -> bool:
        """Whether a case bears out the claims that stand, and these stacks."""
        excluded: list[list[int]] = []
        for case in self.hidden.cases():
            if self.winners is not None and case.winners != self.winners:
                continue
            if any(case.premiums[seat] != net for seat, net in self.premiums.items()):
                continue
            if stacks is not None and self.hidden.stacks_of(case) != stacks:
                continue
            if case.winners in excluded:
                continue
            if not self.hidden.excluded(case.winners):
                return True
            excluded.append(case.winners)
        return not self.hidden.complete


def _only_winner(shares: dict[int, int], amounts: list[int]) -> int:
    """The seat that takes the whole pot, or −1 where it is shared out otherwise."""
    for seat, chips in shares.items():
        if len(shares) == 1 and chips in amounts:
            return seat
    return -1
