"""What everybody may ask of the warehouse: hands, players, profit and rates.

Only published segments are read. Statistics count the hands that are legal, settled and first of
their identity; a hand can be found and searched for whatever its verdict.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from warehouse.aliases import Aliases
from warehouse.conditions import ANY_HAND, HandConditions, HandSort, hands_where
from warehouse.cursors import BadCursor, read_cursor, write_cursor
from warehouse.custom import CustomStatistics
from warehouse.database import open_house
from warehouse.exports import Exporter
from warehouse.figures import FigureReader
from warehouse.grid import PlayerGrid
from warehouse.hand_lists import HandLists
from warehouse.history import History
from warehouse.looking_up import look_up
from warehouse.notes import Notes
from warehouse.overview import Overview
from warehouse.played import PlayedHands
from warehouse.players import CALLED, COUNTED, SUMMARY, people
from warehouse.reading import Chosen, SegmentReader, published
from warehouse.records import Records
from warehouse.rollup_check import RollupCheck
from warehouse.rollup_reading import RollupReader
from warehouse.rows import Kind, Standing
from warehouse.search import Order, PlayerSort, bound_place, hand_order, play_order, player_order
from warehouse.segments import SegmentFolder
from warehouse.sessions.hands import SessionHands
from warehouse.sessions.records import SessionRecords
from warehouse.sessions.runs import SessionRuns
from warehouse.sessions.search import SessionSearch
from warehouse.settings import Settings
from warehouse.spans import counted, with_hands, with_players, worth_reading
from warehouse.totals import EVERYTHING, Rate, totals_by
from warehouse.upload_report import UploadReports
from warehouse.upload_search import UploadConditions, UploadsFound, UploadSort, search_uploads

__all__ = ["BadCursor"]

MAX_PAGE: Final = 1_000


class HandSummary(Struct, frozen=True, kw_only=True):
    """A hand in a list. ``played_at`` is UTC, ``ordinal`` its place in the upload, from 1.

    Of a ZIP, ``line`` is in the ``file`` that is named. ``pot`` are the chips of all pots and
    ``carried`` those left for the next hand; both are None when the hand never came to its end.
    ``standing`` is "conflict" when another hand of the same identity came first.
    """

    hand_id: str
    source: str
    table: str
    hand: str
    upload: str
    ordinal: int
    line: int
    file: str | None
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


class PlayersFound(Struct, frozen=True):
    """A page of players; ``next_cursor`` asks for the one behind it and is None on the last."""

    players: list[PlayerSummary]
    next_cursor: str | None


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


class ProfitFound(Struct, frozen=True):
    """A page of profit points; ``next_cursor`` leads on as that of `PlayersFound` does."""

    points: list[ProfitPoint]
    next_cursor: str | None


_ONE_OF: Final = "list_contains($names, player)"
_POINT: Final = "hand_id, number, played_at, session, net, net_showdown, net_uncontested, premium"


class Warehouse:
    """The read side of one installation, to be shared by the threads of a process.

    DuckDB does not survive a fork: who forks does so before the first question.
    """

    def __init__(self, settings: Settings) -> None:
        self._database = open_house(settings)
        folder = SegmentFolder(settings)
        self._reader = SegmentReader(self._database, folder, settings.home / "spill")
        self._hands = HandLists(self._reader)
        self.records = Records(self._database)
        self.aliases = Aliases(self._database)
        self.notes = Notes(self._database)
        self.reports = UploadReports(self._database, self._reader, self.records)
        self.exporter = Exporter(self._database, self._reader, settings.home / "spill")
        self.played = PlayedHands(self._reader, self.aliases)
        self.custom = CustomStatistics(self._database, self._reader)
        self.rollups = RollupReader(self._database, folder, settings.home)
        self.overview = Overview(self._database, self.rollups)
        self.rollup_check = RollupCheck(self._database, folder, self._reader, self.rollups)
        self.figures = FigureReader(self.rollups)
        self.grid = PlayerGrid(self.rollups, self.aliases)
        self.history = History(self._database, self._reader)
        self.sessions = SessionRecords(self._database)
        self.session_search = SessionSearch(self._database)
        self.session_runs = SessionRuns(self._database)
        self.session_hands = SessionHands(self._database, self._reader)

    def find_hand(self, hand_id: str) -> StoredHand | None:
        """Return a hand by its id, or None."""
        query = published("hands").where(with_hands([hand_id]))
        sql = f"SELECT {_SUMMARY}, document FROM {{hands}} WHERE hand_id = $hand_id"  # noqa: S608 -- constants
        found = self._reader.rows({"hands": query}, sql, {"hand_id": hand_id})
        if not found:
            return None
        *summary, document = found[0]
        return StoredHand(_summary(summary), document)

    def search_hands(
        self,
        conditions: HandConditions = ANY_HAND,
        *,
        sort: HandSort = "-played_at",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page | BadCursor:
        """Return the hands that meet all conditions, at most `limit` and at most `MAX_PAGE`.

        ``cursor`` is the `next_cursor` of the page before, of the same conditions and order.
        """
        limit = max(1, min(limit, MAX_PAGE))
        listing = (sort, msgspec.to_builtins(conditions))
        behind: tuple[Any, ...] | None = None
        if cursor is not None:
            place = read_cursor(cursor, listing, hand_order(sort).kind)
            if isinstance(place, BadCursor):
                return place
            behind = place
        rows = self._hands.rows(
            _SUMMARY,
            conditions,
            look_up(self._database, conditions),
            sort=sort,
            behind=behind,
            count=limit + 1,
        )
        following = write_cursor(listing, rows[limit - 1][1]) if len(rows) > limit else None
        return Page([_summary(row) for row, _ in rows[:limit]], following)

    def count_hands(self, conditions: HandConditions) -> int:
        """Return how many hands meet all conditions."""
        in_records = counted(conditions)
        if in_records is not None:
            with self._database.read() as connection:
                return int(connection.execute(in_records).scalar_one())
        [(count,)] = self._of_hands("SELECT count(*) FROM {{hands}} WHERE {where}", conditions)
        return int(count)

    def uploads_with(self, conditions: HandConditions) -> list[str]:
        """Return the uploads that hold a hand that meets all conditions."""
        sql = "SELECT DISTINCT upload FROM {{hands}} WHERE {where} ORDER BY upload"
        return [upload for (upload,) in self._of_hands(sql, conditions)]

    def _of_hands(self, sql: str, conditions: HandConditions) -> list[tuple[Any, ...]]:
        """Return the rows of a query of the hands that meet all conditions, its ``{where}``."""
        known = look_up(self._database, conditions)
        where, worth = hands_where(conditions, known), worth_reading(conditions, known)
        kinds: tuple[Kind, ...] = ("hands", "seats") if where.of_seats else ("hands",)
        chosen = {kind: published(kind, conditions.upload).where(*worth) for kind in kinds}
        return self._reader.rows(chosen, sql.format(where=where.sql), where.values)

    def search_uploads(
        self,
        conditions: UploadConditions,
        *,
        sort: UploadSort = "-received_at",
        limit: int = 50,
        cursor: str | None = None,
    ) -> UploadsFound | BadCursor:
        """Return the uploads that meet all conditions, at most `limit` of them."""
        return search_uploads(self._database, conditions, sort=sort, limit=limit, cursor=cursor)

    def players(self) -> list[PlayerSummary]:
        """Return all players who have a counted hand, those with the most hands first.

        A player's hands are those of all their names.
        """
        sql = f"SELECT {SUMMARY} FROM {people()} ORDER BY hands DESC, player"  # noqa: S608 -- constants
        rows = self.rollups.rows(sql, self._known())
        return [_player(row) for row in rows]

    def count_players(self) -> int:
        """Return how many players have a counted hand."""
        [(count,)] = self.rollups.rows(f"SELECT count(*) FROM {people()}", self._known())  # noqa: S608 -- constants
        return int(count)

    def search_players(
        self,
        name: str | None = None,
        *,
        sort: PlayerSort = "-hands",
        limit: int = 50,
        cursor: str | None = None,
    ) -> PlayersFound | BadCursor:
        """Return the players one of whose names holds `name`, at most `limit` of them."""
        values = self._known()
        where = "true"
        if name is not None:
            where, values["name"] = CALLED, name
        question = _Question(None, SUMMARY, people(), where, values)
        found = self._page(question, player_order(sort), (sort, name), limit, cursor)
        if isinstance(found, BadCursor):
            return found
        rows, following = found
        return PlayersFound([_player(row) for row in rows], following)

    def player(self, name: str) -> PlayerSummary | None:
        """Return a player by any of their names, or None where nobody played under them."""
        person = self.aliases.person(name)
        names = {"names": person.names}
        sql = f"SELECT {SUMMARY} FROM {people(_ONE_OF)}"  # noqa: S608 -- constants
        rows = self.rollups.rows(sql, {**self._known(), **names})
        if rows:
            return _player(rows[0])
        chosen: Chosen = {"seats": published("seats").where(with_players(person.names))}
        played = f"SELECT 1 FROM {{seats}} WHERE {_ONE_OF} LIMIT 1"  # noqa: S608 -- constants
        if not self._reader.rows(chosen, played, names):
            return None
        return PlayerSummary(None, None, person.player, 0, 0, 0, 0, 0, 0.0)

    def profit(self, player: str) -> list[ProfitPoint]:
        """Return what each counted hand brought a player, in the order of play."""
        found = self.profit_page(player, limit=None)
        return [] if isinstance(found, BadCursor) else found.points

    def profit_page(
        self, player: str, *, limit: int | None, cursor: str | None = None
    ) -> ProfitFound | BadCursor:
        """Return a page of a player's profit, in the order of play; without a limit, all."""
        names = self._names(player)
        order = play_order()
        numbered = (
            f"(SELECT *, row_number() OVER (ORDER BY {order.by}) AS number"  # noqa: S608 -- constants
            f" FROM {{seats}} WHERE {_ONE_OF} AND {COUNTED})"
        )
        question = _Question("seats", _POINT, numbered, "true", {"names": names}, names)
        found = self._page(question, order, ("profit", player), limit, cursor)
        if isinstance(found, BadCursor):
            return found
        rows, following = found
        points = [
            ProfitPoint(hand_id, number, _utc(played_at), *rest)
            for hand_id, number, played_at, *rest in rows
        ]
        return ProfitFound(points, following)

    def rates(self, player: str) -> list[Rate]:
        """Return a player's rates over all counted hands, in the order of `STATISTICS`.

        A game in which there never was a chance to do anything has none.
        """
        [(_, totals)] = totals_by(self.rollups, self._names(player), EVERYTHING)
        return totals.rates()

    def _names(self, player: str) -> list[str]:
        """All names of the person who is called so."""
        return self.aliases.person(player).names

    def _known(self) -> dict[str, object]:
        """The aliases that there are, as `people` takes them."""
        known = self.aliases.all()
        return {"aliases": list(known), "persons": list(known.values())}

    def _page(
        self,
        question: "_Question",
        order: Order,
        listing: object,
        limit: int | None,
        cursor: str | None,
    ) -> tuple[list[tuple[Any, ...]], str | None] | BadCursor:
        """Return a page of rows, and the cursor of those behind it."""
        where, values = question.where, dict(question.values)
        if cursor is not None:
            place = read_cursor(cursor, listing, order.kind)
            if isinstance(place, BadCursor):
                return place
            where = f"{where} AND {order.behind}"
            values |= bound_place(place)
        sql = (
            f"SELECT {question.columns}, {order.place} FROM {question.source}"  # noqa: S608 -- constants
            f" WHERE {where} ORDER BY {order.by}"
        )
        if limit is not None:
            sql, values["limit"] = f"{sql} LIMIT $limit", limit + 1
        if question.kind is None:
            rows = self.rollups.rows(sql, values)
        else:
            chosen = published(question.kind).where(with_players(question.players))
            rows = self._reader.rows({question.kind: chosen}, sql, values)
        following = None
        if limit is not None and len(rows) > limit:
            following = write_cursor(listing, rows[limit - 1][-order.width :])
        return [row[: -order.width] for row in rows[:limit]], following


class _Question(Struct, frozen=True):
    """Columns of a source that is made of the segments of a kind, and conditions on its rows.

    Without a kind the source is made of the rollups, and otherwise of what these players played.
    """

    kind: Kind | None
    columns: str
    source: str
    where: str
    values: dict[str, object]
    players: Sequence[str] = ()


_SUMMARY: Final = ", ".join(f'"{field}"' for field in HandSummary.__struct_fields__)


def _summary(row: list[Any] | tuple[Any, ...]) -> HandSummary:
    fields = dict(zip(HandSummary.__struct_fields__, row, strict=True))
    return HandSummary(**{**fields, "played_at": _utc(fields["played_at"])})


def _utc(moment: dt.datetime | None) -> dt.datetime | None:
    return None if moment is None else moment.replace(tzinfo=dt.UTC)


def _player(row: tuple[Any, ...]) -> PlayerSummary:
    first, last, *rest = row
    return PlayerSummary(_utc(first), _utc(last), *rest)
