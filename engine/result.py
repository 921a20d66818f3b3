"""What a replay yields: findings, decisions, steps and the outcome of the hand."""

from engine.terms import Account, Decision, Fault, Situation, Verdict
from engine.violations import DISCREPANCY, ILLEGAL, UNVERIFIABLE, Action, Violation


class Pot:
    """A pot. ``winners`` is None where unseen cards leave it open; ``suit`` is set by a point.

    What the winners of Bourré do not take of ``amount`` is carried to the next hand.
    """

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

    ``stacks``, ``premiums`` and ``carried`` are None where unseen cards leave them open.
    ``points`` and ``owners`` are by suit, c d h s; an owner is −1 where nobody who is in holds it.
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
        carried: int | None,
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


class PotPayment:
    """What a seat pays into the next pot of Bourré; ``short`` is what its stack lacked."""

    def __init__(self, seat: int, amount: int, short: int, by: Fault) -> None:
        self.seat = seat
        self.amount = amount
        self.short = short
        self.by = by


class BourreOutcome(Outcome):
    """The settlement of a hand of Bourré: one pot, no premiums, nothing returned, no showdown.

    ``folded`` are the seats that are out. ``tricks`` are by seat, ``pot_payments`` go to the next
    pot and are in ``carried``; both are None where hidden cards leave them open. ``reneged`` are
    the seats that cannot win, ``exempt`` tells who owes no ante next hand, ``replaying`` who alone
    plays it.
    """

    def __init__(
        self,
        pot: Pot,
        stacks: list[int] | None,
        carried: int | None,
        contributions: list[int],
        folded: list[bool],
        all_in: list[bool],
        tricks: list[int] | None,
        pot_payments: list[PotPayment] | None,
        reneged: list[int],
        exempt: list[bool] | None,
        replaying: list[int],
    ) -> None:
        nothing = [0] * len(contributions)
        super().__init__(
            [pot],
            nothing,
            nothing,
            [],
            "stack",
            stacks,
            carried,
            contributions,
            folded,
            all_in,
            None,
            None,
            showdown=False,
        )
        self.tricks = tricks
        self.pot_payments = pot_payments
        self.reneged = reneged
        self.exempt = exempt
        self.replaying = replaying

    def paid(self) -> list[int] | None:
        """What each seat pays into the next pot."""
        if self.pot_payments is None:
            return None
        paid = [0] * len(self.contributions)
        for payment in self.pot_payments:
            paid[payment.seat] += payment.amount
        return paid


class Turn:
    """A decision: who, what, facing what. ``may_raise`` is whether opening or raising was legal.

    ``to_call`` are the chips that a call would have cost, all that was left at the most.
    """

    def __init__(
        self, seat: int, act: str, situation: Situation, to_call: int, pot: int, *, may_raise: bool
    ) -> None:
        self.seat = seat
        self.act = act
        self.situation = situation
        self.to_call = to_call
        self.pot = pot
        self.may_raise = may_raise


class TrickTable:
    """What a table of Bourré has besides chips and known cards.

    ``trump`` is −1 where it is unknown; ``declared`` are the seats that have said stay or out, a
    mask; ``sizes`` how many cards each seat holds. ``seats`` and ``cards`` are the trick on the
    table in the order of play, ``winner`` is −1 until it is full; ``won`` are the tricks by seat.
    """

    def __init__(
        self,
        trump: int,
        declared: int,
        sizes: list[int],
        seats: list[int],
        cards: list[int],
        winner: int,
        won: list[int],
    ) -> None:
        self.trump = trump
        self.declared = declared
        self.sizes = sizes
        self.seats = seats
        self.cards = cards
        self.winner = winner
        self.won = won


class Step:
    """The table after one event. ``event`` is −1 for the antes before it and for the settlement.

    ``hands`` are card masks; ``findings`` are the indices of the violations found at this step, in
    Bourré also of those found later that lie in its event. ``pots`` are amounts and masks of the
    seats that may win them, none where there is one pot. ``play`` is set in Bourré alone.
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
        pots: list[tuple[int, int]],
        play: TrickTable | None = None,
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
        self.pots = pots
        self.play = play


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
