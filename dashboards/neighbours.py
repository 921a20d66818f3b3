"""Leads from a hand to the one before and the one behind it, in the list that one came from.

Without such a list they are those of the hand's session, or else of its table.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from flask import url_for
from msgspec import Struct

from dashboards import filters
from dashboards.house import house
from warehouse.conditions import HandConditions, HandSort
from warehouse.neighbours import neighbours
from warehouse.queries import HandSummary


class Way(Struct, frozen=True):
    """Links to the hands before and behind; None at an end.

    ``among`` says of what: ``list``, ``session`` or ``table``. ``query`` are the list's filters, as
    they stand behind an address.
    """

    before: str | None
    behind: str | None
    among: str
    query: str


def way_on(hand: HandSummary, asked: Mapping[str, str]) -> Way:
    """The way on from a hand whose page was asked for with these parameters."""
    given = filters.hand_filters(asked)
    listed = given.written if given.fault is None else {}
    among, conditions, sort = _listing(hand)
    if listed:
        among, conditions, sort = "list", given.conditions, given.sort
    found = neighbours(house().warehouse, hand, conditions, sort)
    query = f"?{urlencode(listed)}" if listed else ""
    return Way(_address(found.before, listed), _address(found.behind, listed), among, query)


def _listing(hand: HandSummary) -> tuple[str, HandConditions, HandSort]:
    if hand.session:
        return "session", HandConditions(session=hand.session), "hand_no"
    return "table", HandConditions(source=hand.source, table=hand.table), "played_at"


def _address(hand: HandSummary | None, listed: Mapping[str, str]) -> str | None:
    """The page of a hand in a list; where that is one of a finding, at the finding."""
    if hand is None:
        return None
    asked: dict[str, Any] = {**listed}
    if "code" in listed:
        asked["finding"] = listed["code"]
    return url_for("pages.hand", hand_id=hand.hand_id, **asked)
