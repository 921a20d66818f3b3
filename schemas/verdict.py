"""What the audit says of one hand, and the steps of its replay, as public JSON.

Seats are indices into the document's ``seats``; as keys of JSON objects they are written as
strings. Chips are whole. A part that the cards unseen leave open is ``null``.
"""

from msgspec import Struct

from engine.terms import Account, Decision, Severity, Stage, Verdict
from schemas.document import Declared, HandId


class Part(Struct):
    """The base of every part of a verdict."""


class LegalAction(Part):
    """An act that was legal. ``min`` and ``max`` bound its ``add``; absent acts add nothing."""

    do: str
    seat: int | None = None
    min: int | None = None
    max: int | None = None


class Violation(Part):
    """One finding: what, where, what was allowed, and under which ruling."""

    code: str
    severity: Severity
    pointer: str
    event: int | None
    seat: int | None
    player: str | None
    expected: object
    seen: object
    legal: list[LegalAction]
    ruling: str
    message: dict[str, str]


class Pot(Part):
    """A pot as we cut it: who could win it, who took how much, and what decided it."""

    amount: int
    eligible: list[int]
    winners: dict[int, int] | None
    by: Decision | None
    suit: str | None = None


class Premium(Part):
    """One premium payment. ``short`` is what the payer's stack could not cover."""

    holder: int
    payer: int
    amount: int
    short: int = 0


class Outcome(Part):
    """What we compute of a hand. ``returned`` are uncalled chips, by seat."""

    pots: list[Pot]
    returned: dict[int, int]
    premiums: dict[int, int] | None
    premium_payments: list[Premium]
    premium_account: Account
    stacks: list[int] | None
    carried: int | None
    points: dict[str, int] | None
    owners: dict[str, int | None] | None


class HandAudit(Part):
    """The verdict on one hand, ours beside the declared."""

    id: HandId
    preset: str
    verdict: Verdict
    violations: list[Violation]
    ours: Outcome | None
    declared: Declared | None
    engine: str


class TableState(Part):
    """The table after a step. ``hands`` hold card names, ``??`` for a card not known."""

    stage: Stage
    stacks: list[int]
    contributions: list[int]
    highest: int
    pot: int
    carried: int
    folded: list[bool]
    all_in: list[bool]
    hands: list[list[str]]
    retourne: str | None
    to_speak: int | None
    legal: list[LegalAction]


class Step(Part):
    """One step of the replay.

    ``event`` is its index in the document; none for the antes and for the settlement, which the
    rules imply. ``violations`` are indices into the audit's.
    """

    event: int | None
    do: str
    seat: int | None
    add: int | None
    cards: list[str] | None
    state: TableState
    violations: list[int]


class HandReplay(Part):
    """A hand with the table after every step."""

    audit: HandAudit
    players: list[str]
    dealer: int
    steps: list[Step]
