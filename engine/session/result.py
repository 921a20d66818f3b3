"""What the audit of a session yields: findings, the table after every hand, the standings."""

from fractions import Fraction

from engine.session.codes import SESSION_CODES
from engine.terms import Severity, Verdict
from engine.violations import DISCREPANCY, ILLEGAL, UNVERIFIABLE


class SessionFinding:
    """One finding. ``number`` (of the hand), ``place`` and ``player`` are −1 where it has none.

    ``expected`` and ``seen`` hold ints, fractions, strings, lists of players, or None. ``part``
    says which of several things it is about, empty where there is but one.
    """

    def __init__(
        self,
        code: str,
        pointer: str,
        number: int,
        place: int,
        player: int,
        expected: object,
        seen: object,
        part: str = "",
    ) -> None:
        self.code = code
        self.pointer = pointer
        self.number = number
        self.place = place
        self.player = player
        self.expected = expected
        self.seen = seen
        self.part = part

    @property
    def severity(self) -> Severity:
        """How grave: illegal, discrepancy, warning or unverifiable."""
        return SESSION_CODES[self.code].severity

    @property
    def ruling(self) -> str:
        """The ruling's id."""
        return SESSION_CODES[self.code].ruling


class TableAfter:
    """The accounts after a hand, by player; players who have left keep theirs.

    ``follows`` is False where the hand could not be held against the one before it: it is
    unverified before this hand. ``stacks`` is None and ``carried`` −1 where the hand's outcome is
    open. At all times stacks, pot and ledger together are what was bought and ``unexplained``, the
    chips that breaks have brought in or taken away.
    """

    def __init__(
        self,
        number: int,
        place: int,
        stacks: dict[int, int] | None,
        ledger: dict[int, int],
        bought: dict[int, int],
        carried: int,
        unexplained: int,
        *,
        follows: bool,
    ) -> None:
        self.number = number
        self.place = place
        self.stacks = stacks
        self.ledger = ledger
        self.bought = bought
        self.carried = carried
        self.unexplained = unexplained
        self.follows = follows


class Standing:
    """Where a player stands at the end.

    ``verified`` is False where a break or a gap touches the player's accounts. ``parts_at`` is the
    first hand at which the session says something else of the player than we do, −1 for none.
    """

    def __init__(
        self,
        player: int,
        stack: int,
        ledger: int,
        share: Fraction,
        bought: int,
        *,
        verified: bool,
        parts_at: int,
    ) -> None:
        self.player = player
        self.stack = stack
        self.ledger = ledger
        self.share = share
        self.bought = bought
        self.result = stack + ledger + share - bought
        self.position = 0
        self.verified = verified
        self.parts_at = parts_at


class SessionReplay:
    """A session audited. ``standings`` is None where the last hand's outcome is open.

    ``carried`` is the pot after the last hand. ``ended`` is False where hands are listed that come
    after the last one here: the standings are those so far, and nothing is held against them.
    """

    def __init__(
        self,
        findings: list[SessionFinding],
        tables: list[TableAfter],
        standings: list[Standing] | None,
        carried: int,
        *,
        ended: bool,
    ) -> None:
        self.findings = findings
        self.tables = tables
        self.standings = standings
        self.carried = carried
        self.ended = ended

    @property
    def verdict(self) -> Verdict:
        """What the session's own findings come to; the hands have verdicts of their own."""
        severities = {finding.severity for finding in self.findings}
        if ILLEGAL in severities or DISCREPANCY in severities:
            return "illegal"
        return "unverifiable" if UNVERIFIABLE in severities else "legal"
