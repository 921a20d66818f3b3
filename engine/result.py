"""What a replay yields: findings, decisions, steps and the outcome of the hand."""

from engine.terms import Account, Decision, Situation, Verdict
from engine.violations import DISCREPANCY, ILLEGAL, UNVERIFIABLE, Action, Violation


class Pot:
    """A pot. ``winners`` is None where unseen cards leave it open; ``suit`` is set by a point."""

    def __init__(
        self,
        amount: int,
        eligible: list[int],
        winners: dict[int, int] | None,
        by: Decision | None,
        suit: int,
    ) -> None:
        self.amount = amount
        self.eligible = eligible
        self.winners = winners
        self.by = by
        self.suit = suit


class PremiumPayment:
    """What one seat pays another for a brelan; ``short`` is what the payer's stack lacked (V15)."""

    def __init__(self, holder: int, payer: int, amount: int, short: int) -> None:
        self.holder = holder
        self.payer = payer
        self.amount = amount
        self.short = short


class Outcome:
    """The settlement of one hand, in whole chips, lists indexed by seat.

    ``stacks`` and ``premiums`` are None where unseen cards leave them open. ``points`` and
    ``owners`` are by suit, c d h s; an owner is −1 where nobody who is in holds the suit.
    ``contributions`` are without the uncalled chips, which are in ``returned``.
    """

    def __init__(
        self,
        pots: list[Pot],
        returned: list[int],
        premiums: list[int] | None,
        payments: list[PremiumPayment],
        premium_account: Account,
        stacks: list[int] | None,
        carried: int,
        contributions: list[int],
        folded: list[bool],
        all_in: list[bool],
        points: list[int] | None,
        owners: list[int] | None,
        *,
        showdown: bool,
    ) -> None:
        self.pots = pots
        self.returned = returned
        self.premiums = premiums
        self.payments = payments
        self.premium_account = premium_account
        self.stacks = stacks
        self.carried = carried
        self.contributions = contributions
        self.folded = folded
        self.all_in = all_in
        self.points = points
        self.owners = owners
        self.showdown = showdown


class Turn:
    """A decision: who, what, facing what. ``may_raise`` is whether opening or raising was legal."""

    def __init__(
        self, seat: int, act: str, situation: Situation, to_call: int, pot: int, *, may_raise: bool
    ) -> None:
        self.seat = seat
        self.act = act
        self.situation = situation
        self.to_call = to_call
        self.pot = pot
        self.may_raise = may_raise


class Step:
    """The table after one event. ``event`` is −1 for the antes before it and for the settlement.

    ``hands`` are card masks; ``findings`` are the indices of the violations found at this step.
    """

    def __init__(
        self,
        event: int,
        stage: int,
        stacks: list[int],
        contributions: list[int],
        highest: int,
        pot: int,
        carried: int,
        live: int,
        hands: list[int],
        retourne: int,
        to_speak: int,
        legal: list[Action],
        findings: list[int],
    ) -> None:
        self.event = event
        self.stage = stage
        self.stacks = stacks
        self.contributions = contributions
        self.highest = highest
        self.pot = pot
        self.carried = carried
        self.live = live
        self.hands = hands
        self.retourne = retourne
        self.to_speak = to_speak
        self.legal = legal
        self.findings = findings


class Replay:
    """A hand replayed. ``outcome`` is None where the hand never came to its end."""

    def __init__(
        self,
        violations: list[Violation],
        outcome: Outcome | None,
        turns: list[Turn],
        steps: list[Step],
    ) -> None:
        self.violations = violations
        self.outcome = outcome
        self.turns = turns
        self.steps = steps

    @property
    def verdict(self) -> Verdict:
        """``illegal``, ``unverifiable`` or ``legal``: the gravest finding decides."""
        severities = {violation.severity for violation in self.violations}
        if ILLEGAL in severities or DISCREPANCY in severities:
            return "illegal"
        return "unverifiable" if UNVERIFIABLE in severities else "legal"
