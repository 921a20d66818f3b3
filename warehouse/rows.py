"""From an examined hand to its rows: one of the hand, one a seat, one a finding.

The schemas here are the columns of the published segments, in order. ``standing`` is decided when
a chunk is settled, so rows are made without it and it is put behind them as their last column.
"""

import datetime as dt
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

import msgspec
import polars as pl
from msgspec import UNSET, Struct, UnsetType

from engine import ENGINE_VERSION
from engine.result import Outcome
from schemas.audit import ExaminedHand
from schemas.document import Hand
from schemas.streams import RawHand
from warehouse.counters import COUNTERS
from warehouse.identity import Identity, content_hash, hand_id, identity_of
from warehouse.seat_counters import count_seats, deck_size

Kind = Literal["hands", "seats", "findings"]
KINDS: Final[tuple[Kind, ...]] = ("hands", "seats", "findings")
SegmentKind = Literal[Kind, "rollups"]
Standing = Literal["first", "conflict"]
Row = tuple[Any, ...]

_TEXT: Final = pl.String()
_INT: Final = pl.Int64()
_SMALL: Final = pl.Int16()
_MOMENT: Final = pl.Datetime("us")
_STANDING: Final = pl.Enum(["first", "conflict"])

_HAND_COLUMNS: Final[dict[str, pl.DataType]] = {
    "hand_id": _TEXT,
    "source": _TEXT,
    "table": _TEXT,
    "hand": _TEXT,
    "content": _TEXT,
    "upload": _TEXT,
    "ordinal": _INT,  # place in the upload, from 1
    "line": _INT,
    "offset": _INT,
    "file": _TEXT,  # in a ZIP, in which line and offset count
    "played_at": _MOMENT,  # UTC
    "tz": _TEXT,
    "session": _TEXT,
    "session_kind": _TEXT,
    "hand_no": _INT,
    "preset": _TEXT,
    "options": _TEXT,  # JSON
    "players": pl.List(pl.String),
    "verdict": _TEXT,
    "codes": pl.List(pl.String),
    "pot": _INT,
    "carried": _INT,  # left for the next hand
    "showdown": pl.Boolean(),
    "engine": _TEXT,
    "document": pl.Binary(),  # the hand's bytes as they came
    "standing": _STANDING,
}

_SEAT_COLUMNS: Final[dict[str, pl.DataType]] = {
    "hand_id": _TEXT,
    "upload": _TEXT,
    "ordinal": _INT,
    "played_at": _MOMENT,
    "session": _TEXT,
    "hand_no": _INT,
    "preset": _TEXT,
    "seat": _SMALL,
    "player": _TEXT,
    "position": _SMALL,  # 1 right of the dealer … the dealer last
    "seats": _SMALL,  # how many there were
    "deck": _SMALL,  # the cards of the pack; null where no pack fits the seats
    "unit": _INT,
    "stack": _INT,
    "counted": pl.Boolean(),  # legal and settled; otherwise nearly all behind it is null or 0
    "net": _INT,
    "net_showdown": _INT,
    "net_uncontested": _INT,
    "premium": _INT,
    "q": _INT,  # the chance to win a showdown of the whole table, in millionths
    **{counter.name: _INT if counter.wide else _SMALL for counter in COUNTERS},
    "standing": _STANDING,
}

_FINDING_COLUMNS: Final[dict[str, pl.DataType]] = {
    "hand_id": _TEXT,
    "code": _TEXT,
    "severity": _TEXT,
    "seat": _SMALL,
    "player": _TEXT,
    "pointer": _TEXT,
    "standing": _STANDING,
}

COLUMNS: Final[dict[Kind, dict[str, pl.DataType]]] = {
    "hands": _HAND_COLUMNS,
    "seats": _SEAT_COLUMNS,
    "findings": _FINDING_COLUMNS,
}


class HandRows(Struct, frozen=True):
    """The rows of one hand, without their standing; ``ordinal`` is its place in the upload."""

    hand_id: str
    identity: Identity
    ordinal: int
    verdict: str
    codes: list[str]
    rows: dict[Kind, list[Row]]


def hand_rows(
    examined: ExaminedHand, raw: RawHand, upload: str, ordinal: int, engine: str = ENGINE_VERSION
) -> HandRows:
    """Return the rows of a hand examined with its turns; `ordinal` is its place in the upload."""
    hand, replay = examined.hand, examined.replay
    identity = identity_of(hand)
    content = content_hash(hand)
    name = hand_id(identity, content)
    findings = _finding_rows(name, examined)
    codes = sorted({row[1] for row in findings})
    moment = _played_at(hand)
    session = None if hand.session is UNSET else hand.session
    outcome = replay.outcome
    hand_row: Row = (
        name,
        *identity,
        content,
        upload,
        ordinal,
        raw.line,
        raw.offset,
        raw.file,
        moment,
        _or_none(hand.tz),
        None if session is None else session.id,
        None if session is None else _or_none(session.kind),
        None if session is None else session.hand_no,
        hand.rules.preset,
        _options(hand),
        [seat.player for seat in hand.seats],
        replay.verdict,
        codes,
        None if outcome is None else sum(pot.amount for pot in outcome.pots),
        None if outcome is None else outcome.carried,
        None if outcome is None else outcome.showdown,
        engine,
        raw.raw,
    )
    place = (
        name,
        upload,
        ordinal,
        moment,
        None if session is None else session.id,
        None if session is None else session.hand_no,
        hand.rules.preset,
    )
    seats = _seat_rows(place, examined)
    rows: dict[Kind, list[Row]] = {"hands": [hand_row], "seats": seats, "findings": findings}
    return HandRows(name, identity, ordinal, replay.verdict, codes, rows)


def _seat_rows(place: Row, examined: ExaminedHand) -> list[Row]:
    hand, replay = examined.hand, examined.replay
    outcome = replay.outcome
    count = len(hand.seats)
    unit = 1 if hand.unit is UNSET else hand.unit
    nets = None
    if outcome is not None and replay.verdict == "legal":
        nets = nets_of(hand, outcome)
    counters, chances = count_seats(examined, None if nets is None else outcome, place[0])
    deck = deck_size(examined.record)
    return [
        (
            *place,
            seat,
            who.player,
            (seat - hand.dealer - 1) % count + 1,
            count,
            deck,
            unit,
            who.stack,
            nets is not None,
            *((None, None, None, None) if nets is None else nets[seat]),
            chances[seat],
            *counters[seat],
        )
        for seat, who in enumerate(hand.seats)
    ]


def nets_of(hand: Hand, outcome: Outcome) -> list[tuple[int, int, int, int]] | None:
    """Return each seat's net and the three lines that make it up: at showdown, without, premiums.

    None stands where cards unseen leave it open.

    A line is the seat's own: chips won or lost by a seat that folded are uncontested, though others
    went on to a showdown.
    """
    if outcome.stacks is None or outcome.premiums is None:
        return None
    nets = []
    for seat, who in enumerate(hand.seats):
        premium = outcome.premiums[seat]
        played = outcome.stacks[seat] - who.stack
        if outcome.premium_account == "stack":
            played -= premium
        at_showdown = outcome.showdown and not outcome.folded[seat]
        lines = (played, 0) if at_showdown else (0, played)
        nets.append((played + premium, *lines, premium))
    return nets


def _finding_rows(name: str, examined: ExaminedHand) -> list[Row]:
    seats = examined.hand.seats
    rows: list[Row] = []
    for found in examined.replay.violations:
        seat = found.seat if 0 <= found.seat < len(seats) else None
        player = None if seat is None else seats[seat].player
        rows.append((name, found.code, found.severity, seat, player, found.pointer))
    rows.extend(
        (name, "unknown-key", "warning", None, None, key.pointer)
        for key in examined.decoded.unknown_keys
    )
    return rows


def _played_at(hand: Hand) -> dt.datetime | None:
    """When the hand was played, in UTC; a time without an offset is of the hand's zone, or UTC."""
    moment = hand.played_at
    if moment is UNSET:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=_zone(hand.tz))
    return moment.astimezone(dt.UTC).replace(tzinfo=None)


def _zone(name: str | UnsetType) -> dt.tzinfo:
    if name is UNSET:
        return dt.UTC
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):  # no such zone, or no name of one
        return dt.UTC


def _options(hand: Hand) -> str:
    options = {} if hand.rules.options is UNSET else hand.rules.options
    return msgspec.json.encode(options, order="deterministic").decode()


def _or_none(value: str | UnsetType) -> str | None:
    return None if value is UNSET else value
