"""From documents to the engine's record of a session: names become ints, moments milliseconds."""

import datetime as dt
import hashlib

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from engine.result import BourreOutcome, Outcome
from engine.session.record import (
    DeclaredStanding,
    LedgerPoint,
    ListedRebuy,
    SessionHand,
    SessionRecord,
    SessionTerms,
)
from schemas.audit import ExaminedHand
from schemas.document import Hand, HandId
from schemas.session import Session
from schemas.session_decode import fraction_of

_DECLARED = frozenset({"declared-stacks", "declared-premiums"})


class Players:
    """The players of a session as ints, in the order in which they are met."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The player's number, the next one for a player who is new."""
        number = self._numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


def key_of(identity: HandId) -> tuple[str, str, str]:
    """What identifies a hand."""
    return identity.source, identity.table, identity.hand


def session_hand(
    examined: ExaminedHand,
    place: int,
    number: int,
    players: Players,
    *,
    foreign: bool,
    same_rules: bool,
) -> SessionHand:
    """A hand and what its replay has yielded, as the session sees it."""
    hand = examined.hand
    outcome = examined.replay.outcome
    seats = [players.number(seat.player) for seat in hand.seats]
    premiums: list[int] | None = None
    if outcome is not None:
        none = [0] * len(seats)
        premiums = none if outcome.premium_account == "stack" else outcome.premiums
    return SessionHand(
        place=place,
        number=number,
        identity=" ".join(key_of(hand.id)),
        content=_content(hand),
        began=_milliseconds(hand.played_at),
        players=seats,
        stacks=examined.record.stacks,
        rebuys=examined.record.rebuys,
        dealer=hand.dealer,
        carried=examined.record.carried,
        after=None if outcome is None else outcome.stacks,
        premiums=premiums,
        left=-1 if outcome is None or outcome.carried is None else outcome.carried,
        parted=[
            seats[found.seat]
            for found in examined.replay.violations
            if found.code in _DECLARED and 0 <= found.seat < len(seats)
        ],
        exempt=[seat.exempt is True for seat in hand.seats],
        exempt_next=_exempt_next(outcome, len(seats)),
        foreign=foreign,
        same_rules=same_rules,
    )


def declared_record(
    session: Session | None, terms: SessionTerms, players: Players
) -> SessionRecord:
    """The record of a session without its hands: the terms, and what the document declares."""
    if session is None:
        return SessionRecord(terms, 0, [], None, None, None, None)
    buy_ins = rebuys = ledger = standings = None
    if session.entrants is not UNSET:
        buy_ins = {players.number(entrant.player): entrant.buy_in for entrant in session.entrants}
    if session.rebuys is not UNSET:
        rebuys = [
            ListedRebuy(players.number(rebuy.player), rebuy.hand_no, rebuy.amount)
            for rebuy in session.rebuys
        ]
    if session.ledger is not UNSET:
        ledger = [
            LedgerPoint(
                point.after,
                {players.number(name): chips for name, chips in point.balances.items()},
            )
            for point in session.ledger
        ]
    if session.standings is not UNSET:
        standings = [
            DeclaredStanding(
                player=players.number(standing.player),
                result=None if standing.result is UNSET else fraction_of(standing.result),
                position=_known(standing.position),
                stack=_known(standing.stack),
                ledger=_known(standing.ledger),
                share=None if standing.share is UNSET else fraction_of(standing.share),
                bought=_known(standing.bought),
            )
            for standing in session.standings
        ]
    record = SessionRecord(terms, 0, [], buy_ins, rebuys, ledger, standings)
    if session.hand_ids is not UNSET:
        record.listed = len(session.hand_ids)
    return record


def _exempt_next(outcome: Outcome | None, seats: int) -> list[bool] | None:
    if isinstance(outcome, BourreOutcome):
        return outcome.exempt
    return None if outcome is None else [False] * seats


def _known(value: int | UnsetType) -> int | None:
    return None if value is UNSET else value


def _content(hand: Hand) -> str:
    """What the hand says, hashed, without its place in a session."""
    said = msgspec.to_builtins(replace(hand, x=UNSET, session=UNSET), str_keys=True)
    return hashlib.sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()


def _milliseconds(moment: dt.datetime | UnsetType) -> int:
    """Since 1970; a moment without a zone is taken as UTC, one that is not there is −1."""
    if moment is UNSET:
        return -1
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)
    return max(-1, round(aware.timestamp() * 1000))
