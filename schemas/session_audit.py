"""From a session's bytes to its audit: hands read and replayed one by one, then held together.

`audit_upload` is the whole way at once. `SessionAuditor` takes hands that are read elsewhere, so
that one reading serves the hands and their sessions alike. The same bytes give the same audit.
"""

import hashlib
from typing import BinaryIO, Final, Literal

from msgspec import UNSET

from engine import ENGINE_VERSION, RULES_VERSION
from engine.session.audit import audit_session
from engine.session.record import SessionHand, SessionRecord
from engine.session.result import SessionFinding, SessionReplay, Standing, TableAfter
from engine.terms import Verdict
from engine.violations import WARNING
from schemas import session_verdict as answer
from schemas.audit import ExaminedHand, audit_document, examine_hand
from schemas.document import FORMAT_VERSION
from schemas.errors import UnknownKey, UnreadableHand
from schemas.inflate import StreamLimits
from schemas.sentences import unknown_key_in_words
from schemas.session import DeclaredStanding
from schemas.session_decode import ReadSession, read_session
from schemas.session_record import Players, declared_record, key_of, session_hand
from schemas.session_sentences import fractional, plain, session_finding_in_words
from schemas.session_terms import ResolvedRules, resolve_rules
from schemas.streams import RawHand, read_hands

_STEP: Final = 1 << 20
_BY_GRAVITY: Final[list[Verdict]] = ["legal", "unverifiable", "illegal"]


def audit_upload(
    file: BinaryIO, limits: StreamLimits, hands: BinaryIO | None = None
) -> answer.SessionAudit | UnreadableHand:
    """Audits the one session of a file: a session document, or hands that share a session.

    Args:
        file: The document, from its start; it is read more than once.
        limits: What it may unfold to.
        hands: Where the hands are when the document has only their identities.

    Returns:
        The audit, or why there is none.

    Raises:
        LimitExceeded: a file unfolds to more than the limits allow.
    """
    read = read_session(file, limits)
    if isinstance(read, UnreadableHand):
        return read
    auditor = SessionAuditor(read)
    inputs = [fingerprint(file)]
    if hands is not None:
        inputs.append(fingerprint(hands))
    for raw in read_hands(hands or file, limits):
        auditor.take(raw, raw.error or examine_hand(raw.raw))
    audits = auditor.audits(inputs)
    if len(audits) == 1:
        return audits[0]
    return UnreadableHand("empty", "", "hands of one session", f"hands of {len(audits)} sessions")


def fingerprint(file: BinaryIO) -> answer.Input:
    """What names an input: the hash and the size of its bytes. The file is at its start again."""
    file.seek(0)
    digest = hashlib.sha256()
    size = 0
    while piece := file.read(_STEP):
        digest.update(piece)
        size += len(piece)
    file.seek(0)
    return answer.Input(sha256=digest.hexdigest(), bytes=size)


class SessionAuditor:
    """Gathers the hands of a session document, or of every session that a file's hands name."""

    def __init__(self, read: ReadSession | None) -> None:
        self._read = read
        self._sessions: dict[str, _Gathered] = {}
        self._unreadable: list[answer.UnreadableInSession] = []
        self._place = 0
        if read is not None:
            self._sessions[read.session.session.id] = _Gathered(read.session.session.id, read)

    def take(self, raw: RawHand, examined: ExaminedHand | UnreadableHand) -> None:
        """Adds the next hand of the file. A hand of no session is passed over."""
        place = self._place
        self._place += 1
        if isinstance(examined, UnreadableHand):
            self._unreadable.append(answer.UnreadableInSession(place=place, error=examined))
            return
        gathered: _Gathered | None
        if self._read is not None:
            gathered = self._sessions[self._read.session.session.id]
        elif examined.hand.session is not UNSET:
            name = examined.hand.session.id
            gathered = self._sessions.setdefault(name, _Gathered(name, None))
        else:
            return
        gathered.take(place, raw.raw, examined)

    def audits(self, inputs: list[answer.Input]) -> list[answer.SessionAudit]:
        """The audit of every session, in the order in which they were met.

        A hand that cannot be read is told of where there is only one session that it can be of.
        """
        sessions = [session for session in self._sessions.values() if session.rules is not None]
        unreadable = self._unreadable if len(sessions) == 1 else []
        return [session.audit(unreadable, inputs) for session in sessions]


class _Kept:
    """What is kept of a hand until its session is complete."""

    __slots__ = ("dealer", "id", "sha256", "verdict", "violations")

    def __init__(self, raw: bytes, examined: ExaminedHand) -> None:
        audit = audit_document(examined)
        self.dealer = examined.hand.seats[examined.hand.dealer].player
        self.id = audit.id
        self.sha256 = hashlib.sha256(raw).hexdigest()
        self.verdict = audit.verdict
        self.violations = audit.violations


class _Gathered:
    """One session: what its document says of it, and its hands so far."""

    def __init__(self, name: str, read: ReadSession | None) -> None:
        self.name = name
        self.kind: Literal["session", "tournament"] = "session"
        self.rules: ResolvedRules | None = None
        self._read = read
        self._players = Players()
        self._kept: dict[int, _Kept] = {}
        self._numbers: dict[tuple[str, str, str], int] | None = None
        self._record: SessionRecord | None = None
        if read is not None:
            session = read.session
            if session.session.kind is not UNSET:
                self.kind = session.session.kind
            if session.hand_ids is not UNSET:
                self._numbers = {}
                for index, identity in enumerate(session.hand_ids):
                    self._numbers.setdefault(key_of(identity), index + 1)
            if session.rules is not UNSET:
                resolved = resolve_rules(session.rules)
                self._set_rules(resolved if isinstance(resolved, ResolvedRules) else None)

    def _set_rules(self, rules: ResolvedRules | None) -> None:
        self.rules = rules
        if rules is not None:
            session = None if self._read is None else self._read.session
            self._record = declared_record(session, rules.terms(), self._players)

    def take(self, place: int, raw: bytes, examined: ExaminedHand) -> None:
        hand = examined.hand
        number = place + 1 if hand.session is UNSET else hand.session.hand_no
        if self._numbers is not None:
            listed = self._numbers.get(key_of(hand.id))
            if listed is None:
                return
            place, number = listed - 1, listed
        if self.rules is None:
            resolved = resolve_rules(hand.rules)
            self._set_rules(resolved if isinstance(resolved, ResolvedRules) else None)
        if self.rules is None or self._record is None:
            raise AssertionError("a hand that was replayed has rules that can be resolved")
        named = UNSET if hand.session is UNSET or self._numbers is not None else hand.session.id
        self._kept.setdefault(place, _Kept(raw, examined))
        self._record.hands.append(
            session_hand(
                examined,
                place,
                number,
                self._players,
                foreign=named is not UNSET and named != self.name,
                same_rules=hand.rules.preset == self.rules.preset
                and examined.record.options == self.rules.options,
            )
        )
        if self.kind == "session" and hand.session is not UNSET and self._read is None:
            self.kind = "session" if hand.session.kind is UNSET else hand.session.kind

    def audit(
        self, unreadable: list[answer.UnreadableInSession], inputs: list[answer.Input]
    ) -> answer.SessionAudit:
        if self.rules is None or self._record is None:
            raise AssertionError("a session without rules has no audit")
        self._record.players = len(self._players.names)
        if self._numbers is not None:
            self._record.hands.sort(key=_place)
        replay = audit_session(self._record)
        findings = [self._finding(found) for found in replay.findings]
        findings += [self._unread(bad) for bad in unreadable]
        if self._read is not None:
            findings += [_unknown_key(key) for key in self._read.unknown_keys]
        hands = [self._hand(table) for table in replay.tables]
        verdicts = [replay.verdict, *(hand.verdict for hand in hands)]
        if unreadable:
            verdicts.append("unverifiable")
        return answer.SessionAudit(
            session=self.name,
            kind=self.kind,
            preset=self.rules.preset,
            options=self.rules.values,
            verdict=max(verdicts, key=_BY_GRAVITY.index),
            hands_read=len(self._record.hands),
            standings=self._standings(replay),
            carried=None if replay.standings is None else replay.carried,
            findings=findings,
            hands=hands,
            unreadable=unreadable,
            inputs=inputs,
            versions=answer.Versions(
                engine=ENGINE_VERSION, rules=RULES_VERSION, format=FORMAT_VERSION
            ),
        )

    def _finding(self, found: SessionFinding) -> answer.SessionFinding:
        names = self._players.names
        pointer = found.pointer
        if self._numbers is not None and pointer.startswith("/hands"):
            pointer = f"/hand_ids/{found.place}" if found.place >= 0 else "/hand_ids"
        return answer.SessionFinding(
            code=found.code,
            severity=found.severity,
            ruling=found.ruling,
            pointer=pointer,
            hand=None if found.number < 0 else found.number,
            player=None if found.player < 0 else names[found.player],
            expected=plain(found, found.expected, names),
            seen=plain(found, found.seen, names),
            message=session_finding_in_words(found, names),
        )

    def _unread(self, bad: answer.UnreadableInSession) -> answer.SessionFinding:
        pointer = f"/hands/{bad.place}"
        code = bad.error.code
        found = SessionFinding("hand-unreadable", pointer, -1, bad.place, -1, code, bad.place + 1)
        return self._finding(found)

    def _hand(self, table: TableAfter) -> answer.SessionHand:
        kept = self._kept[table.place]
        names = self._players.names
        return answer.SessionHand(
            hand_no=table.number,
            place=table.place,
            id=kept.id,
            sha256=kept.sha256,
            dealer=kept.dealer,
            verdict=kept.verdict,
            unverified_before=not table.follows,
            stacks=None if table.stacks is None else _named(table.stacks, names),
            carried=None if table.carried < 0 else table.carried,
            ledger=_named(table.ledger, names),
            bought=_named(table.bought, names),
            unexplained=table.unexplained,
            violations=kept.violations,
        )

    def _standings(self, replay: SessionReplay) -> list[answer.ComparedStanding]:
        session = None if self._read is None else self._read.session
        declared: dict[str, DeclaredStanding] = {}
        if session is not None and session.standings is not UNSET:
            declared = {standing.player: standing for standing in session.standings}
        names = self._players.names
        differing = {
            names[found.player] for found in replay.findings if found.code.startswith("declared-")
        }
        compared = []
        for standing in replay.standings or []:
            name = names[standing.player]
            claim = declared.pop(name, None)
            compared.append(
                answer.ComparedStanding(
                    player=name,
                    ours=_standing(standing),
                    declared=claim,
                    agrees=None if claim is None or not replay.ended else name not in differing,
                    parts_at=None if standing.parts_at < 0 else standing.parts_at,
                )
            )
        compared += [
            answer.ComparedStanding(
                player=name,
                ours=None,
                declared=claim,
                agrees=None if replay.standings is None or not replay.ended else False,
                parts_at=None,
            )
            for name, claim in declared.items()
        ]
        return compared


def _place(hand: SessionHand) -> int:
    return hand.place


def _standing(standing: Standing) -> answer.Standing:
    return answer.Standing(
        stack=standing.stack,
        ledger=standing.ledger,
        share=fractional(standing.share),
        bought=standing.bought,
        result=fractional(standing.result),
        position=standing.position,
        verified=standing.verified,
    )


def _named(chips: dict[int, int], names: list[str]) -> dict[str, int]:
    return {names[player]: amount for player, amount in chips.items()}


def _unknown_key(key: UnknownKey) -> answer.SessionFinding:
    return answer.SessionFinding(
        code="unknown-key",
        severity=WARNING,
        ruling="format",
        pointer=key.pointer,
        hand=None,
        player=None,
        expected=key.suggestion,
        seen=key.pointer.rsplit("/", 1)[-1],
        message=unknown_key_in_words(key),
    )
