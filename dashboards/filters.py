"""Owns the filters of the page of hands: what its form may say, read into conditions."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from dashboards import player_filters
from dashboards.language import gettext, later
from dashboards.wording import SEVERITIES, VERDICTS
from warehouse.conditions import HandConditions, HandSort
from warehouse.rows import Standing
from warehouse.statistics import STATISTICS

SORTS: Final[dict[HandSort, str]] = {
    "-played_at": later("last played first"),
    "played_at": later("first played first"),
    "-pot": later("largest pot first"),
    "pot": later("smallest pot first"),
    "hand_no": later("by number, upwards"),
    "-hand_no": later("by number, downwards"),
}
STANDINGS: Final[dict[Standing, str]] = {
    "first": later("counts"),
    "conflict": later("in conflict"),
}
ANSWERS: Final = {"true": later("yes"), "false": later("no")}
WEEKDAYS: Final = {
    "1": later("Monday"),
    "2": later("Tuesday"),
    "3": later("Wednesday"),
    "4": later("Thursday"),
    "5": later("Friday"),
    "6": later("Saturday"),
    "7": later("Sunday"),
}
PLACES: Final = player_filters.PLACES
RATES: Final = {one.id: one.label for one in STATISTICS}

LABELS: Final = {
    "player": later("Player"),
    "opponent": later("Other player"),
    "verdict": later("Verdict"),
    "severity": later("Severity"),
    "code": later("Finding"),
    "found": later("Anything found"),
    "preset": later("Rules"),
    "from": later("Played from"),
    "until": later("Played before"),
    "hour": later("Hour of the day"),
    "weekday": later("Day of the week"),
    "tz": later("Time zone"),
    "session": later("Session"),
    "source": later("Source"),
    "table": later("Table"),
    "min_pot": later("Pot of at least"),
    "showdown": later("Showdown"),
    "standing": later("Standing"),
    "tag": later("Tag"),
    "seats": later("Players at the table"),
    "place": later("Place of the player"),
    "position": later("Position, 1 right of the dealer"),
    "made": later("Player did"),
    "chance": later("Player could have"),
    "dated": later("Time known"),
    "in_session": later("In a session"),
    "upload": later("Upload"),
}
"""What each filter is called."""

_ANSWERED: Final = ("found", "showdown", "dated", "in_session")
_WORDS: Final[dict[tuple[str, str], str]] = {
    **{("verdict", value): word for value, word in VERDICTS.items()},
    **{("severity", value): word for value, word in SEVERITIES.items()},
    **{("standing", value): word for value, word in STANDINGS.items()},
    **{(name, value): word for name in _ANSWERED for value, word in ANSWERS.items()},
    **{("weekday", value): word for value, word in WEEKDAYS.items()},
    **{("place", value): word for value, word in PLACES.items()},
    **{(name, value): word for name in ("made", "chance") for value, word in RATES.items()},
}
_FAULTS: Final = {
    "upload": later("Upload should be the 64 digits of an upload’s id."),
    "from": later("Played from should be a day, such as 2026-03-14."),
    "until": later("Played before should be a day, such as 2026-03-14."),
    "tag": later("Tag should be small letters, digits and hyphens, such as odd-call."),
    "min_pot": later("Pot of at least should be a whole number."),
    "hour": later("Hour should be a number from 0 to 23."),
    "weekday": later("Day of the week should be a number from 1, Monday, to 7, Sunday."),
    "tz": later("Time zone should be one such as Europe/Paris."),
    "seats": later("Players at the table should be a number."),
    "position": later("Position should be a number, 1 for the seat right of the dealer."),
}
_SHOWN_OF_AN_ID: Final = 12
_SORT: Final = "sort"
_FIRST: Final = frozenset(
    {"player", "verdict", "severity", "code", "preset", "from", "until", "sort"}
)
"""The filters that the form does not fold away."""


def said(name: str, text: str) -> str:
    """A filter's value in words."""
    if name == "upload":
        return text[:_SHOWN_OF_AN_ID]
    word = _WORDS.get((name, text))
    return text if word is None else gettext(word)


def same(names: Iterable[str]) -> list[tuple[str, str]]:
    """The choices that are called as they are written."""
    return [(name, name) for name in names]


class HandFilters(Struct, frozen=True):
    """What the form asked for, and how it was ``written`` in the address.

    ``fault`` says what of it cannot be read; the conditions are none then.
    """

    written: dict[str, str]
    conditions: HandConditions
    sort: HandSort = "-played_at"
    fault: str | None = None

    @property
    def more(self) -> bool:
        """Whether any of the filters is asked for that the form folds away."""
        return not _FIRST.issuperset(self.written)


def hand_filters(given: Mapping[str, str]) -> HandFilters:
    """Read the filters of an address; what is empty is not asked for."""
    fields = (*(field.encode_name for field in msgspec.structs.fields(HandConditions)), _SORT)
    written = {name: text for name in fields if (text := given.get(name, "").strip())}
    sort = next((one for one in SORTS if one == written.get(_SORT, "-played_at")), None)
    if sort is None:
        fault = gettext("There is no order “%(order)s”.", order=written[_SORT][:40])
        return HandFilters(written, HandConditions(), fault=fault)
    for name, text in written.items():
        try:
            msgspec.convert({name: text}, HandConditions, strict=False)
        except msgspec.ValidationError:
            return HandFilters(written, HandConditions(), fault=_fault(name, text))
    conditions = msgspec.convert(written, HandConditions, strict=False)
    return HandFilters(written, conditions, sort)


def _fault(name: str, text: str) -> str:
    if name in _FAULTS:
        return gettext(_FAULTS[name])
    label = gettext(LABELS.get(name, name))
    return gettext("%(filter)s cannot be “%(value)s”.", filter=label, value=text[:40])
