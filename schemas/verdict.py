"""What the audit says of one hand, and the steps of its replay, as public JSON.

Seats are indices into the document's ``seats``; as keys of JSON objects they are written as
strings. Chips are whole. A part that the cards unseen leave open is ``null``.
"""

from msgspec import UNSET, Struct, UnsetType

from engine.terms import Account, Decision, Fault, Severity, Stage, Verdict
from schemas.document import Declared, HandId


class Part(Struct):
    """The base of every part of a verdict."""


class LegalAction(Part):
    """An act that was legal. ``min`` and ``max`` bound its ``add``; absent acts add nothing.

    In Bourré they bound the cards to be drawn, and ``cards`` are those that may be played, with a
    ``??`` for each card of the hand that is not known.
    """

    do: str
    seat: int | None = None
    min: int | None = None
    max: int | None = None
    cards: list[str] | None = None


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


class PotPayment(Part):
    """What a seat pays into the next pot of Bourré, and what its stack could not cover of it."""

    seat: int
    amount: int
    short: int
    by: Fault


class Outcome(Part, tag_field="game", tag="vying"):
    """What we compute of a hand of Bouillotte or Brelan. ``returned`` are uncalled chips, by seat.

    Its ``game`` is ``vying``.
    """

    pots: list[Pot]
    returned: dict[int, int]
    premiums: dict[int, int] | None
    premium_payments: list[Premium]
    premium_account: Account
    stacks: list[int] | None
    carried: int | None
    points: dict[str, int] | None
    owners: dict[str, int | None] | None


class BourreOutcome(Part, tag_field="game", tag="bourre"):
    """What we compute of a hand of Bourré. Its ``game`` is ``bourre``.

    ``pots`` is one pot; what no winner takes of it is carried, and so are ``payments``. ``reneged``
    are the seats that cannot win. ``exempt`` are those that owe no ante next hand, ``replaying``
    those that alone play it, where a tie is replayed.
    """

    pots: list[Pot]
    tricks: list[int] | None
    payments: list[PotPayment] | None
    stacks: list[int] | None
    carried: int | None
    reneged: list[int]
    exempt: list[int] | None
    replaying: list[int]


class HandAudit(Part):
    """The verdict on one hand, ours beside the declared."""

    id: HandId
    preset: str
    verdict: Verdict
    violations: list[Violation]
    ours: Outcome | BourreOutcome | None
    declared: Declared | None
    engine: str


class PlayedCard(Part):
    """A card that lies in a trick."""

    seat: int
    card: str


class Play(Part):
    """The play of Bourré after a step.

    ``trump`` is a suit letter, ``stayed`` is none where a seat has not said. ``trick`` is on the
    table in the order of play until the next one is led; it has a ``winner`` when it is full.
    """

    trump: str | None
    stayed: list[bool | None]
    trick: list[PlayedCard]
    winner: int | None
    tricks: list[int]


class CutPot(Part):
    """A pot before it is won: its chips, and the seats that may win it."""

    amount: int
    eligible: list[int]


class TableState(Part):
    """The table after a step. ``hands`` hold card names, ``??`` for a card not known.

    ``retourne`` is the card turned up, in Bourré the trump. ``play`` is there in Bourré alone.

    ``pots`` is there while ``pot`` is cut into a main pot, which comes first, and side pots: once a
    seat is all-in and others have put in more. Seats with chips left may still win every pot. In
    the showdown the pots are without uncalled chips.
    """

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
    play: Play | None = None
    pots: list[CutPot] | UnsetType = UNSET


class Step(Part):
    """One step of the replay. ``cards`` are those of its event; a draw has ``received`` as well.

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
    received: list[str] | None = None


class HandReplay(Part):
    """A hand with the table after every step."""

    audit: HandAudit
    players: list[str]
    dealer: int
    steps: list[Step]
