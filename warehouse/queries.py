"""What everybody may ask of the warehouse: hands, players, profit and rates.

Only published segments are read. Statistics count the hands that are legal, settled and first of
their identity; a hand can be found and searched for whatever its verdict.
"""

import base64
import datetime as dt
import threading
from typing import Annotated, Any, Final

import duckdb
import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict
from sqlalchemy import Select, or_, select

from warehouse.database import open_house
from warehouse.records import Records
from warehouse.rows import Kind, Standing
from warehouse.segments import SegmentFolder
from warehouse.settings import Settings
from warehouse.statistics import STATISTICS, wilson
from warehouse.tables import chunks, conflicts, identities, segments, standings

MAX_PAGE: Final = 1_000

_Whole = Annotated[int, Meta(ge=0, le=2**63 - 1)]

_DUCKDB: Final[dict[str, str | bool | int | float | list[str]]] = {
    "memory_limit": "2GB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_COUNTED: Final = "counted AND standing = 'first'"
_ORDER_OF_PLAY: Final = "played_at NULLS FIRST, session NULLS FIRST, hand_no, upload, ordinal, seat"
_ATTEMPTS: Final = 5
_MOVED: Final = select(standings.c.hand_id, standings.c.standing)
_RESTATED: Final = """(
    SELECT * REPLACE (
        CASE
            WHEN hand_id IN (SELECT unnest($raised::VARCHAR[])) THEN 'first'
            WHEN hand_id IN (SELECT unnest($lowered::VARCHAR[])) THEN 'conflict'
            ELSE standing
        END AS standing
    )
    FROM read_parquet($files)
)"""
"""Segments with their rows' standings as they are now."""
_LONG_AGO: Final = dt.datetime(1, 1, 1)  # noqa: DTZ001 -- segments hold UTC without an offset
_SEARCH_KEY: Final = (
    "(coalesce(played_at, TIMESTAMP '0001-01-01'), coalesce(session, ''), coalesce(hand_no, 0),"
    " upload, ordinal)"
)


class HandSummary(Struct, frozen=True, kw_only=True):
    """A hand in a list. ``played_at`` is UTC, ``ordinal`` its place in the upload, from 1.

    ``pot`` are the chips of all pots and ``carried`` those left for the next hand; both are None
    when the hand never came to its end. ``standing`` is "conflict" when another hand of the same
    identity came first.
    """

    hand_id: str
    source: str
    table: str
    hand: str
    upload: str
    ordinal: int
    line: int
    played_at: dt.datetime | None
    tz: str | None
    session: str | None
    session_kind: str | None
    hand_no: int | None
    preset: str
    players: list[str]
    verdict: str
    codes: list[str]
    pot: int | None
    carried: int | None
    showdown: bool | None
    engine: str
    standing: Standing


class StoredHand(Struct, frozen=True):
    """A hand and the exact bytes of its document as they came."""

    summary: HandSummary
    document: bytes


class Page(Struct, frozen=True):
    """A page of a list; ``next_cursor`` asks for the one behind it and is None on the last."""

    hands: list[HandSummary]
    next_cursor: str | None


class BadCursor(Struct, frozen=True):
    """A cursor that did not come from here."""

    seen: str


class PlayerSummary(Struct, frozen=True):
    """A player's counted hands, in chips. The three lines add up to ``net``.

    ``per_100`` is the net in units per 100 hands.
    """

    first_played: dt.datetime | None
    last_played: dt.datetime | None
    player: str
    hands: int
    net: int
    net_showdown: int
    net_uncontested: int
    premium: int
    per_100: float


class ProfitPoint(Struct, frozen=True):
    """What one hand brought its player; ``number`` counts the player's hands from 1."""

    hand_id: str
    number: int
    played_at: dt.datetime | None
    session: str | None
    net: int
    net_showdown: int
    net_uncontested: int
    premium: int


class Rate(Struct, frozen=True):
    """A statistic of a player: k of n, and its 95 % interval; none where there was no chance."""

    id: str
    label: str
    formula: str
    k: int
    n: int
    low: float | None
    high: float | None


class _SearchPlace(Struct, array_like=True):
    """Where a page ended: the values of `_SEARCH_KEY`, in its order."""

    played_at: dt.datetime
    session: str
    hand_no: _Whole
    upload: str
    ordinal: _Whole


_SEARCH_PLACE: Final = msgspec.json.Decoder(_SearchPlace)
_SEARCH_PLACE_BOUND: Final = (
    f"({', '.join(f'$key_{one}' for one in _SearchPlace.__struct_fields__)})"
)


class Warehouse:
    """The read side of one installation, to be shared by the threads of a process.

    DuckDB does not survive a fork: who forks does so before the first question.
    """

    def __init__(self, settings: Settings) -> None:
        self._database = open_house(settings)
        self._folder = SegmentFolder(settings)
        self._spill = str(settings.home / "spill")
        self._lock = threading.Lock()
        self._connections = threading.local()
        self._duckdb: duckdb.DuckDBPyConnection | None = None
        self.records = Records(self._database)

    def find_hand(self, hand_id: str) -> StoredHand | None:
        """Return a hand by its id, or None."""
        query = select(segments.c.path).where(
            segments.c.kind == "hands",
            or_(
                *(
                    segments.c.chunk.in_(select(table.c.chunk).where(table.c.hand_id == hand_id))
                    for table in (identities, conflicts)
                )
            ),
        )
        found = self._select(
            query, f"{_SUMMARY}, document", "WHERE hand_id = $hand_id", hand_id=hand_id
        )
        if not found:
            return None
        *summary, document = found[0]
        return StoredHand(_summary(summary), document)

    def search_hands(
        self,
        *,
        upload: str | None = None,
        player: str | None = None,
        verdict: str | None = None,
        code: str | None = None,
        preset: str | None = None,
        session: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page | BadCursor:
        """Return the hands that meet all conditions, the last played first.

        Args:
            upload: its id.
            player: one of the hand's players.
            verdict: legal, illegal or unverifiable.
            code: of one of the hand's findings.
            preset: of the hand's rules.
            session: its id.
            limit: hands on a page, at most `MAX_PAGE`.
            cursor: `next_cursor` of the page before.
        """
        conditions = ["true"]
        values: dict[str, object] = {}
        wanted = {"verdict": verdict, "preset": preset, "session": session}
        for column, value in wanted.items():
            if value is not None:
                conditions.append(f"{column} = ${column}")
                values[column] = value
        for column, value in {"players": player, "codes": code}.items():
            if value is not None:
                conditions.append(f"list_contains({column}, ${column})")
                values[column] = value
        if cursor is not None:
            place = _read_cursor(cursor)
            if place is None:
                return BadCursor(cursor[:200])
            conditions.append(f"{_SEARCH_KEY} < {_SEARCH_PLACE_BOUND}")
            values |= {f"key_{name}": value for name, value in asdict(place).items()}
        limit = max(1, min(limit, MAX_PAGE))
        rows = self._select(
            self._published("hands", upload),
            _SUMMARY,
            f"WHERE {' AND '.join(conditions)} ORDER BY {_SEARCH_KEY} DESC LIMIT $limit",
            limit=limit + 1,
            **values,
        )
        hands = [_summary(row) for row in rows[:limit]]
        return Page(hands, _write_cursor(hands[-1]) if len(rows) > limit else None)

    def players(self) -> list[PlayerSummary]:
        """Return all players who have a counted hand, those with the most hands first."""
        rows = self._select(
            self._published("seats"),
            "min(played_at), max(played_at), player, count(*), sum(net), sum(net_showdown),"
            " sum(net_uncontested), sum(premium), 100 * sum(net / unit) / count(*)",
            f"WHERE {_COUNTED} GROUP BY player ORDER BY count(*) DESC, player",
        )
        return [PlayerSummary(_utc(first), _utc(last), *row) for first, last, *row in rows]

    def profit(self, player: str) -> list[ProfitPoint]:
        """Return what each counted hand brought a player, in the order of play."""
        rows = self._select(
            self._published("seats"),
            "hand_id, played_at, session, net, net_showdown, net_uncontested, premium",
            f"WHERE player = $player AND {_COUNTED} ORDER BY {_ORDER_OF_PLAY}",
            player=player,
        )
        return [
            ProfitPoint(hand_id, number, _utc(played_at), *rest)
            for number, (hand_id, played_at, *rest) in enumerate(rows, 1)
        ]

    def rates(self, player: str) -> list[Rate]:
        """Return a player's statistics over all counted hands, in the order of `STATISTICS`."""
        sums = ", ".join(f"sum({one.made}), sum({one.chances})" for one in STATISTICS)
        rows = self._select(
            self._published("seats"),
            sums,
            f"WHERE player = $player AND {_COUNTED}",
            player=player,
        )
        counts = iter(rows[0] if rows else [0] * (2 * len(STATISTICS)))
        rates = []
        for one in STATISTICS:
            k, n = next(counts) or 0, next(counts) or 0
            low, high = wilson(k, n) if n else (None, None)
            rates.append(Rate(one.id, one.label, one.formula, k, n, low, high))
        return rates

    def _published(self, kind: Kind, upload: str | None = None) -> Select[tuple[str]]:
        """Choose the published segments of a kind, of one upload or of all."""
        query = (
            select(segments.c.path)
            .join(chunks, chunks.c.id == segments.c.chunk)
            .where(segments.c.kind == kind, chunks.c.superseded_by.is_(None))
            .order_by(segments.c.path)
        )
        return query if upload is None else query.where(chunks.c.upload == upload)

    def _select(
        self, chosen: Select[tuple[str]], columns: str, conditions: str, **values: object
    ) -> list[tuple[Any, ...]]:
        """Select from the chosen segments; what is not a constant of ours is bound to a `$name`.

        A segment may be deleted between the choice and the reading; then all is chosen again.
        """
        for attempt in range(_ATTEMPTS):
            with self._database.read() as connection:
                paths = list(connection.scalars(chosen))
                moved = connection.execute(_MOVED).all() if paths else []
            if not paths:
                return []
            source = "(SELECT * FROM read_parquet($files))"
            if moved:
                source = _RESTATED
                values["raised"] = [one.hand_id for one in moved if one.standing == "first"]
                values["lowered"] = [one.hand_id for one in moved if one.standing != "first"]
            sql = f"SELECT {columns} FROM {source} {conditions}"  # noqa: S608 -- constants
            try:
                values["files"] = self._folder.locate_all(paths)
                return self._connection().execute(sql, values).fetchall()
            except (FileNotFoundError, duckdb.IOException):
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError("every attempt returns, raises or goes on")

    def _connection(self) -> duckdb.DuckDBPyConnection:
        """Return this thread's connection to the one DuckDB of the process."""
        if not hasattr(self._connections, "mine"):
            with self._lock:
                if self._duckdb is None:
                    config = {**_DUCKDB, "temp_directory": self._spill}
                    self._duckdb = duckdb.connect(":memory:", config=config)
                self._connections.mine = self._duckdb.cursor()
        mine: duckdb.DuckDBPyConnection = self._connections.mine
        return mine


_SUMMARY: Final = ", ".join(f'"{field}"' for field in HandSummary.__struct_fields__)


def _summary(row: list[Any] | tuple[Any, ...]) -> HandSummary:
    fields = dict(zip(HandSummary.__struct_fields__, row, strict=True))
    return HandSummary(**{**fields, "played_at": _utc(fields["played_at"])})


def _utc(moment: dt.datetime | None) -> dt.datetime | None:
    return None if moment is None else moment.replace(tzinfo=dt.UTC)


def _write_cursor(hand: HandSummary) -> str:
    played_at = _LONG_AGO if hand.played_at is None else hand.played_at.replace(tzinfo=None)
    place = _SearchPlace(
        played_at, hand.session or "", hand.hand_no or 0, hand.upload, hand.ordinal
    )
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).rstrip(b"=").decode()


def _read_cursor(text: str) -> _SearchPlace | None:
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        place = _SEARCH_PLACE.decode(packed)
    except (ValueError, msgspec.DecodeError):  # no Base64, no JSON, or not the key's values
        return None
    return place if place.played_at.tzinfo is None else None
