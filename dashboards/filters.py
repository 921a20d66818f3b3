"""Owns the filters of the page of hands: what its form may say, read into conditions."""

from collections.abc import Iterable, Mapping
from typing import Final, get_args

import msgspec
from msgspec import Struct

from dashboards import player_filters
from engine.terms import Severity
from warehouse.conditions import HandConditions, HandSort
from warehouse.rows import Standing
from warehouse.statistics import STATISTICS

SORTS: Final[dict[HandSort, str]] = {
    "-played_at": "last played first",
    "played_at": "first played first",
    "-pot": "largest pot first",
    "pot": "smallest pot first",
    "hand_no": "by number, upwards",
    "-hand_no": "by number, downwards",
}
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
STANDINGS: Final[dict[Standing, str]] = {"first": "counts", "conflict": "in conflict"}
ANSWERS: Final = {"true": "yes", "false": "no"}
WEEKDAYS: Final = {
    "1": "Monday",
    "2": "Tuesday",
    "3": "Wednesday",
    "4": "Thursday",
    "5": "Friday",
    "6": "Saturday",
    "7": "Sunday",
}
PLACES: Final = player_filters.PLACES
RATES: Final = {one.id: one.label for one in STATISTICS}

_LABELS: Final = {
    "upload": "Upload should be the 64 digits of an upload’s id.",
    "from": "Played from should be a day, such as 2026-03-14.",
    "until": "Played before should be a day, such as 2026-03-14.",
    "tag": "Tag should be small letters, digits and hyphens, such as odd-call.",
    "min_pot": "Pot of at least should be a whole number.",
    "hour": "Hour should be a number from 0 to 23.",
    "weekday": "Day of the week should be a number from 1, Monday, to 7, Sunday.",
    "tz": "Time zone should be one such as Europe/Paris.",
    "seats": "Players at the table should be a number.",
    "position": "Position should be a number, 1 for the seat right of the dealer.",
}
_SORT: Final = "sort"
_FIRST: Final = frozenset(
    {"player", "verdict", "severity", "code", "preset", "from", "until", "sort"}
)
"""The filters that the form does not fold away."""


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
        fault = f"There is no order {written[_SORT][:40]!r}."
        return HandFilters(written, HandConditions(), fault=fault)
    for name, text in written.items():
        try:
            msgspec.convert({name: text}, HandConditions, strict=False)
        except msgspec.ValidationError:
            fault = _LABELS.get(name, f"There is no {name} {text[:40]!r}.")
            return HandFilters(written, HandConditions(), fault=fault)
    conditions = msgspec.convert(written, HandConditions, strict=False)
    return HandFilters(written, conditions, sort)
