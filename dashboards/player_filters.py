"""Owns the filters of the pages of players: what an address asks for, read into conditions."""

import datetime as dt
from collections.abc import Mapping
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from dashboards.language import gettext, later
from engine.presets import PRESETS
from warehouse.conditions import moment
from warehouse.totals import EVERYTHING, Narrowed, Place

PLACES: Final[dict[Place, str]] = {
    "first": later("first to speak"),
    "between": later("between"),
    "dealer": later("dealer, last to speak"),
}
_FIELDS: Final = ("preset", "place", "from", "until", "session", "tz")
_LONGEST: Final = 200


class PlayerFilters(Struct, frozen=True):
    """What was asked for, and how it was ``written`` in the address.

    Days begin in ``zone``. ``fault`` says what cannot be read; nothing is narrowed then.
    """

    written: dict[str, str]
    narrowed: Narrowed
    zone: ZoneInfo
    fault: str | None = None

    @property
    def search(self) -> dict[str, str]:
        """The same for the list of hands."""
        asked = self.narrowed
        given = {
            "preset": asked.preset,
            "session": asked.session,
            "place": asked.place,
            "from": None if asked.since is None else in_utc(asked.since),
            "until": None if asked.until is None else in_utc(asked.until),
        }
        return {name: text for name, text in given.items() if text is not None}


def player_filters(given: Mapping[str, str], usual_zone: str | None) -> PlayerFilters:
    """Read the filters of an address; what is empty is not asked for."""
    written = {name: text for name in _FIELDS if (text := given.get(name, "").strip()[:_LONGEST])}
    usual = _zone(usual_zone or "UTC") or ZoneInfo("UTC")
    zone = _zone(written["tz"]) if "tz" in written else usual
    preset, wanted = written.get("preset"), written.get("place")
    place = next((one for one in PLACES if one == wanted), None)
    try:
        since, until = (
            None if name not in written else _full_hour(written[name], zone or usual)
            for name in ("from", "until")
        )
    except ValueError:
        fault = gettext("From and until should be days, such as 2026-03-14.")
        return PlayerFilters(written, EVERYTHING, usual, fault)
    fault = ""
    if zone is None:
        fault = gettext(
            "There is no time zone “%(name)s”; Europe/Paris is one.", name=written["tz"][:40]
        )
    elif preset is not None and preset not in PRESETS:
        fault = gettext("There are no rules “%(name)s”.", name=preset[:40])
    elif wanted is not None and place is None:
        fault = gettext("There is no place “%(name)s” at the table.", name=wanted[:40])
    if fault:
        return PlayerFilters(written, EVERYTHING, usual, fault)
    narrowed = Narrowed(
        preset=preset, session=written.get("session"), since=since, until=until, place=place
    )
    return PlayerFilters(written, narrowed, zone or usual)


def full_hour(at: dt.datetime) -> dt.datetime:
    """The beginning of a moment's hour, which is as fine as figures are kept."""
    return at.replace(minute=0, second=0, microsecond=0)


def _full_hour(text: str, zone: ZoneInfo) -> dt.datetime:
    """The hour that a day begins in at a place, or that of a moment.

    Raises:
        ValueError: the text names neither.
    """
    at = moment(text)
    if len(text) == len("2026-03-14"):
        try:
            at = at.replace(tzinfo=zone).astimezone(dt.UTC)
        except OverflowError:
            raise ValueError(f"{text} is out of the years that there are") from None
    return full_hour(at)


def in_utc(at: dt.datetime) -> str:
    """A moment as addresses have it."""
    return at.isoformat().replace("+00:00", "Z")


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
