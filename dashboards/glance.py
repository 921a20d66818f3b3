"""Owns the home page's view of what is stored: totals, what was found, what is wrong, who plays."""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from dashboards import wording
from warehouse.conditions import HandConditions
from warehouse.cursors import BadCursor
from warehouse.overview import FoundCode
from warehouse.queries import HandSummary, Warehouse
from warehouse.sessions.records import Session
from warehouse.sessions.search import SessionConditions

_CODES_SHOWN: Final = 8
_HANDS_SHOWN: Final = 8
_SESSIONS_SHOWN: Final = 5
_PLAYERS_SHOWN: Final = 8


class WrongSession(Struct, frozen=True):
    """A session and the players whose declared standings are not what the hands come to."""

    session: Session
    players: list[str]


def at_a_glance(warehouse: Warehouse) -> dict[str, Any]:
    """What the template of the glance shows, by the names that it uses."""
    found = found_codes(warehouse)
    players = warehouse.search_players(limit=_PLAYERS_SHOWN)
    totals = asdict(warehouse.overview.totals())
    return {
        "totals": totals,
        "hand_count": sum(totals[verdict] for verdict in wording.VERDICTS),
        "found": found[:_CODES_SHOWN],
        "found_besides": found[_CODES_SHOWN:],
        "most": max((one.hands for one in found), default=0),
        "illegal": latest_illegal(warehouse),
        "wrong": wrong_sessions(warehouse),
        "players": [] if isinstance(players, BadCursor) else players.players,
        "player_count": warehouse.count_players(),
    }


def found_codes(warehouse: Warehouse, upload: str | None = None) -> list[FoundCode]:
    """The codes of all findings, the gravest first and of those what most hands have."""
    return sorted(
        warehouse.overview.found(upload), key=lambda one: wording.GRAVEST_FIRST.index(one.severity)
    )


def hands_of(warehouse: Warehouse, upload: str, most: int) -> list[HandSummary]:
    """The hands of an upload that were played last."""
    page = warehouse.search_hands(HandConditions(upload=upload), limit=most)
    return [] if isinstance(page, BadCursor) else page.hands


def latest_illegal(warehouse: Warehouse) -> list[HandSummary]:
    """The illegal hands that were played last."""
    conditions = HandConditions(verdict="illegal", standing="first")
    page = warehouse.search_hands(conditions, limit=_HANDS_SHOWN)
    return [] if isinstance(page, BadCursor) else page.hands


def wrong_sessions(warehouse: Warehouse) -> list[WrongSession]:
    """The illegal sessions that were played last, with whose standings are wrong."""
    page = warehouse.session_search.find(
        SessionConditions(verdict="illegal"), limit=_SESSIONS_SHOWN
    )
    sessions = [] if isinstance(page, BadCursor) else page.sessions
    return [WrongSession(one, _wronged(warehouse, one.key)) for one in sessions]


def _wronged(warehouse: Warehouse, session: str) -> list[str]:
    stored = warehouse.session_runs.audit(session)
    standings = [] if stored is None else stored.audited.audit.standings
    return [one.player for one in standings if one.agrees is False]
