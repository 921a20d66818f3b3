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
from warehouse.sessions.results import SessionResult
from warehouse.sessions.search import SessionConditions

_CODES_SHOWN: Final = 8
_HANDS_SHOWN: Final = 8
_SESSIONS_SHOWN: Final = 5
_PLAYERS_SHOWN: Final = 8


class WrongSession(Struct, frozen=True):
    """A session that is wrong, and what its last audit says of its result."""

    session: Session
    result: SessionResult | None


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
    """Sessions with a wrong result, then other illegal ones, of each those played last."""
    search = warehouse.session_search
    asked = (SessionConditions(agrees=False), SessionConditions(verdict="illegal"))
    pages = [search.find(conditions, limit=_SESSIONS_SHOWN) for conditions in asked]
    found = {
        one.key: one for page in pages if not isinstance(page, BadCursor) for one in page.sessions
    }
    shown = list(found.values())[:_SESSIONS_SHOWN]
    results = search.results([one.key for one in shown])
    return [WrongSession(one, results.get(one.key)) for one in shown]
