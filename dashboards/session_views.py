"""Owns what the page of a session shows of its audit: standings, findings, premiums, rebuys."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import UNSET, Struct

from dashboards import wording
from dashboards.language import language, later
from engine.terms import Severity
from schemas.session_verdict import ComparedStanding, SessionAudit
from warehouse.sessions.runs import AuditedSession

STATES: Final = {
    "none": later("No hands yet"),
    "stale": later("Waiting"),
    "auditing": later("Auditing"),
    "done": later("Audited"),
    "failed": later("Failed"),
}

MOST_FINDINGS: Final = 200
MOST_ROWS: Final = 100


class Cell(Struct, frozen=True):
    """An account of ours and what is declared of it, empty where nothing is."""

    ours: str
    declared: str
    differs: bool


class StandingRow(Struct, frozen=True):
    """A player's place and accounts, and the hand at which the session parts from ours."""

    player: str
    position: Cell
    result: Cell
    stack: Cell
    ledger: Cell
    share: Cell
    bought: Cell
    agrees: bool | None
    verified: bool
    parts_at: int | None
    hand_id: str | None


class FindingRow(Struct, frozen=True):
    """A finding, of the session or of one of its hands."""

    severity: Severity
    code: str
    ruling: str
    hand_no: int | None
    hand_id: str | None
    of_hand: bool
    player: str | None
    pointer: str
    expected: str
    seen: str
    sentence: str


class PremiumRow(Struct, frozen=True):
    """What a hand brought to the ledger, and the ledger after it, by player."""

    hand_no: int
    hand_id: str | None
    changes: dict[str, int]
    ledger: dict[str, int]


class RebuyRow(Struct, frozen=True):
    """A cave that was bought after the first."""

    hand_no: int
    hand_id: str | None
    player: str
    amount: int


class SessionView:
    """An audit as its page shows it."""

    def __init__(self, audited: AuditedSession) -> None:
        audit = audited.audit
        self._hand_ids = {
            hand.hand_no: audited.hand_ids[hand.place]
            for hand in audit.hands
            if hand.place in audited.hand_ids
        }
        verdicts = Counter[str](hand.verdict for hand in audit.hands)
        self.verdicts = {name: verdicts[name] for name in wording.VERDICTS}
        self.standings = [self._standing(one) for one in audit.standings]
        self.is_declared = any(one.declared is not None for one in audit.standings)
        self.findings = list(self._findings(audit))
        self.findings.sort(key=lambda row: wording.GRAVEST_FIRST.index(row.severity))
        self.has_ledger = audit.options.get("premium-account") == "ledger"
        self.players = list(audit.hands[-1].ledger) if audit.hands else []
        self.premiums = list(self._premiums(audit))
        self.rebuys = list(self._rebuys(audit))
        self.last_hand_id = self._hand_ids.get(audit.hands[-1].hand_no) if audit.hands else None

    def _standing(self, one: ComparedStanding) -> StandingRow:
        ours, claim = one.ours, one.declared
        declared = (
            {}
            if claim is None
            else {
                name: value
                for name in ("position", "result", "stack", "ledger", "share", "bought")
                if (value := getattr(claim, name)) is not UNSET
            }
        )

        def cell(name: str) -> Cell:
            mine = None if ours is None else getattr(ours, name)
            said = declared.get(name)
            exact = getattr(mine, "exact", mine)
            differs = said is not None and ours is not None and not _same(said, exact)
            return Cell(_amount(name, exact), "" if said is None else _amount(name, said), differs)

        return StandingRow(
            player=one.player,
            position=cell("position"),
            result=cell("result"),
            stack=cell("stack"),
            ledger=cell("ledger"),
            share=cell("share"),
            bought=cell("bought"),
            agrees=one.agrees,
            verified=ours is not None and ours.verified,
            parts_at=one.parts_at,
            hand_id=None if one.parts_at is None else self._hand_ids.get(one.parts_at),
        )

    def _findings(self, audit: SessionAudit) -> Iterator[FindingRow]:
        for found in audit.findings:
            yield FindingRow(
                severity=found.severity,
                code=found.code,
                ruling=found.ruling,
                hand_no=found.hand,
                hand_id=None if found.hand is None else self._hand_ids.get(found.hand),
                of_hand=False,
                player=found.player,
                pointer=found.pointer,
                expected=_said(found.expected),
                seen=_said(found.seen),
                sentence=found.message[language()],
            )
        for hand in audit.hands:
            for violation in hand.violations:
                yield FindingRow(
                    severity=violation.severity,
                    code=violation.code,
                    ruling=violation.ruling,
                    hand_no=hand.hand_no,
                    hand_id=self._hand_ids.get(hand.hand_no),
                    of_hand=True,
                    player=violation.player,
                    pointer=violation.pointer,
                    expected=_said(violation.expected),
                    seen=_said(violation.seen),
                    sentence=violation.message[language()],
                )

    def _premiums(self, audit: SessionAudit) -> Iterator[PremiumRow]:
        before: dict[str, int] = {}
        for hand in audit.hands:
            changes = {
                player: balance - before.get(player, 0)
                for player, balance in hand.ledger.items()
                if balance != before.get(player, 0)
            }
            if changes:
                hand_id = self._hand_ids.get(hand.hand_no)
                yield PremiumRow(hand.hand_no, hand_id, changes, hand.ledger)
            before = hand.ledger

    def _rebuys(self, audit: SessionAudit) -> Iterator[RebuyRow]:
        before: dict[str, int] = {}
        for hand in audit.hands:
            for player, bought in hand.bought.items():
                if bought > before.get(player, bought):
                    hand_id = self._hand_ids.get(hand.hand_no)
                    yield RebuyRow(hand.hand_no, hand_id, player, bought - before[player])
            before = hand.bought


def _same(said: object, ours: object) -> bool:
    """Whether a declared account is ours; results and shares are compared as numbers."""
    if isinstance(said, str) and isinstance(ours, str):
        return wording.fraction(said) == wording.fraction(ours)
    return said == ours


def _amount(name: str, value: object) -> str:
    if value is None:
        return wording.NOTHING
    if isinstance(value, str):
        return wording.exact(value, signed=name == "result")
    number = int(str(value))
    return wording.signed(number) if name == "ledger" else wording.chips(number)


def _said(thing: object) -> str:
    """A value in its column; what a finding has by seats is said with names in its sentence."""
    return wording.NOTHING if isinstance(thing, dict) else wording.value(thing)
