"""The audit of a session: its hands fetched in order, examined, and held together.

It is a function of the session's document alone, so a run that dies is simply begun again.
"""

import datetime as dt
import hashlib
import time
from collections.abc import Callable
from typing import Final, Literal

import msgspec
import structlog

from schemas.audit import ExaminedHand, examine_hand
from schemas.errors import UnreadableHand
from schemas.session_audit import SessionAuditor
from schemas.session_verdict import Input
from schemas.streams import EnvelopeSession, RawHand, adopt
from warehouse.bucket import StoreUnreachableError
from warehouse.queries import Warehouse
from warehouse.rows import nets_of
from warehouse.sessions.declarations import members, read_declaration, whole
from warehouse.sessions.hands import ComposedSession, SessionHands
from warehouse.sessions.runs import AuditedSession, Lines, NoSessionRun

SessionEnding = Literal["settled", "changed", "waiting", "unknown", "busy"]
"""How a run ended: ``changed`` wants another one, ``waiting`` wants one later, when the store of
objects answers again; ``busy``: somebody else is at it."""

_SIGN_SECONDS: Final = 5.0  # between two signs of life; a third of the lease
_SESSION: Final = msgspec.json.Decoder(EnvelopeSession)

_log = structlog.get_logger("sessions")


def process_session(warehouse: Warehouse, key: str) -> SessionEnding:
    """Audit a session as it stands now, and keep what is found.

    Exceptions are those of the machine; the session stays in this run's hold until its lease is
    over or `SessionRuns.fail_attempt` ends it.
    """
    runs = warehouse.session_runs
    run = runs.begin(key, _now())
    if isinstance(run, NoSessionRun):
        return run.reason
    signed = time.monotonic()

    def give_sign() -> None:
        nonlocal signed
        if time.monotonic() - signed >= _SIGN_SECONDS:
            runs.touch_run(run, _now())
            signed = time.monotonic()

    try:
        composed = warehouse.session_hands.compose(run.session)
        made = audit_composed(composed, warehouse.session_hands, give_sign)
    except StoreUnreachableError:
        _log.exception("the store of objects cannot be reached")
        runs.let_go(run, _now())
        return "waiting"
    return "settled" if runs.finish(run, made, _now()) else "changed"


def audit_composed(
    composed: ComposedSession, hands: SessionHands, give_sign: Callable[[], None]
) -> AuditedSession | None:
    """Return the audit of a session document; None where it has no hands that can be read.

    It is the one that the whole document gives when it is audited as a file.
    """
    if not composed.hands:
        return None
    auditor = SessionAuditor(read_declaration(composed.text))
    session = _SESSION.decode(members(composed.text)["session"])
    begun, end = whole(composed.text)
    digest = hashlib.sha256(begun)
    size = len(begun) + len(end)
    place_of = dict(zip(composed.hands, composed.places, strict=True))
    hand_ids: dict[int, str] = {}
    lines: dict[int, dict[str, Lines]] = {}
    for number, (hand_id, document) in enumerate(hands.fetch(composed.hands), 1):
        give_sign()
        comma = b",\n" if number > 1 else b""
        digest.update(comma + document)
        size += len(comma) + len(document)
        raw = adopt(document, session, number)
        examined = examine_hand(raw)
        auditor.take(RawHand(number, 0, raw), examined)
        place = place_of[hand_id]
        if place not in hand_ids:
            hand_ids[place] = hand_id
            lines[place] = _lines(examined)
    digest.update(end)
    audits = auditor.audits([Input(sha256=digest.hexdigest(), bytes=size)])
    return AuditedSession(audits[0], hand_ids, digest.hexdigest(), lines) if audits else None


def _lines(examined: ExaminedHand | UnreadableHand) -> dict[str, Lines]:
    """Return what a hand brought its players, as it is taken; of one that stays open, nothing."""
    if isinstance(examined, UnreadableHand) or examined.replay.outcome is None:
        return {}
    hand = examined.hand
    nets = nets_of(hand, examined.replay.outcome)
    if nets is None:
        return {}
    return {seat.player: Lines(*lines) for seat, (_, *lines) in zip(hand.seats, nets, strict=True)}


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
