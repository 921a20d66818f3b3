"""Owns the filters of the list of sessions: what they are called, and what they ask for."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from dashboards.language import gettext, later
from dashboards.wording import VERDICTS
from warehouse.conditions import moment
from warehouse.sessions.search import SORTS, SessionConditions, SessionSort

KINDS: Final = {"session": later("Session"), "tournament": later("Tournament")}
RESULTS: Final = {"wrong": later("Wrong"), "right": later("As declared")}
LABELS: Final = {
    "kind": later("Kind"),
    "result": later("Declared result"),
    "verdict": later("Verdict"),
    "from": later("Played from"),
    "until": later("Begun before"),
    "upload": later("Upload"),
}
"""The filters of an address, in the order in which they are shown."""

_WORDS: Final = {"kind": KINDS, "result": RESULTS, "verdict": VERDICTS}
_SHOWN_OF_AN_ID: Final = 12


def written_filters(query: Mapping[str, str]) -> dict[str, str]:
    """The filters that an address asks for, as they are written there."""
    return {name: text for name in LABELS if (text := query.get(name, "").strip())}


def conditions(written: Mapping[str, str]) -> SessionConditions | None:
    """The conditions on sessions that filters ask for; None where one of them is no such thing."""
    if written.get("result", "wrong") not in RESULTS:
        return None
    asked: dict[str, Any] = {
        "kind": written.get("kind"),
        "verdict": written.get("verdict"),
        "upload": written.get("upload"),
        "agrees": written["result"] == "right" if "result" in written else None,
    }
    try:
        for field, name in (("from_", "from"), ("until", "until")):
            asked[field] = moment(written[name]) if name in written else None
        return msgspec.convert(asked, SessionConditions)
    except ValueError:
        return None


def sort_of(query: Mapping[str, str]) -> SessionSort:
    """The order that an address asks for; the last played first, unless it asks for one."""
    asked = query.get("sort")
    return next((sort for sort in SORTS if sort == asked), "-played_at")


def said(name: str, text: str) -> str:
    """A filter's value in words."""
    if name in _WORDS:
        return gettext(_WORDS[name].get(text, text))
    return text[:_SHOWN_OF_AN_ID] if name == "upload" else text
