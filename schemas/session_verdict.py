"""What the audit says of a session, as public JSON. Players are named; chips are whole.

Results and shares are exact, as text, with a decimal beside them for people. Accounts that hidden
cards leave open are ``null``.
"""

from typing import Literal

from engine.options import OptionValue
from engine.terms import Severity, Verdict
from schemas.document import HandId
from schemas.errors import UnreadableHand
from schemas.session import DeclaredStanding
from schemas.verdict import Part, Violation


class Fractional(Part):
    """Chips exactly, such as ``25/4``, and as a decimal of at most four places."""

    exact: str
    decimal: str


class SessionFinding(Part):
    """One finding about the session; ``hand`` is a number, ``pointer`` is into the document."""

    code: str
    severity: Severity
    ruling: str
    pointer: str
    hand: int | None
    player: str | None
    expected: object
    seen: object
    message: dict[str, str]


class Standing(Part):
    """Where a player stands by our count; not ``verified`` where a break or a gap touches it."""

    stack: int
    ledger: int
    share: Fractional
    bought: int
    result: Fractional
    position: int
    verified: bool


class ComparedStanding(Part):
    """A player's standing, ours beside the declared.

    ``agrees`` is whether every declared part is ours, ``null`` where there is nothing to compare.
    ``parts_at`` is the first hand at which the session says of the player what we do not.
    """

    player: str
    ours: Standing | None
    declared: DeclaredStanding | None
    agrees: bool | None
    parts_at: int | None


class SessionHand(Part):
    """A hand in its place, what is found in it, and the accounts after it, by player.

    ``unverified_before`` is true where it could not be held against the hand before it. Stacks, pot
    and ledger together are what was ``bought`` and the ``unexplained`` chips of breaks.
    """

    hand_no: int
    place: int
    id: HandId
    sha256: str
    dealer: str
    verdict: Verdict
    unverified_before: bool
    stacks: dict[str, int] | None
    carried: int | None
    ledger: dict[str, int]
    bought: dict[str, int]
    unexplained: int
    violations: list[Violation]


class UnreadableInSession(Part):
    """A hand that could not be read, by its place in the document, from 0."""

    place: int
    error: UnreadableHand


class Input(Part):
    """What was audited: the SHA-256 and the size of its bytes as they came."""

    sha256: str
    bytes: int


class Versions(Part):
    """What the audit was made with."""

    engine: str
    rules: str
    format: str


class SessionAudit(Part):
    """The audit of a session. ``carried`` is the pot after the last hand."""

    session: str
    kind: Literal["session", "tournament"]
    preset: str
    options: dict[str, OptionValue]
    verdict: Verdict
    hands_read: int
    standings: list[ComparedStanding]
    carried: int | None
    findings: list[SessionFinding]
    hands: list[SessionHand]
    unreadable: list[UnreadableInSession]
    inputs: list[Input]
    versions: Versions
