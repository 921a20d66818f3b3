"""Owns the quick ranges of days that lists offer, such as the last seven days."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import url_for
from msgspec import Struct

from dashboards.language import gettext, later

_DAY: Final = dt.timedelta(days=1)


class DayRange(Struct, frozen=True):
    """A range of days by its name, in words, and the address of the list within it.

    Days begin and end by UTC; the page's script has them begin and end by the reader's clock.
    """

    name: str
    text: str
    url: str
    chosen: bool


def day_ranges(endpoint: str, written: Mapping[str, str], today: dt.date) -> list[DayRange]:
    """The ranges that a list offers, each keeping its other filters."""
    others: dict[str, Any] = {
        name: text for name, text in written.items() if name not in ("from", "until")
    }
    ranges = []
    for name, (text, bounds) in _RANGES.items():
        begin, end = (day.isoformat() for day in bounds(today))
        url = url_for(endpoint, **{**others, "from": begin, "until": end})
        chosen = (written.get("from"), written.get("until")) == (begin, end)
        ranges.append(DayRange(name, gettext(text), url, chosen))
    return ranges


def _last(days: int) -> Callable[[dt.date], tuple[dt.date, dt.date]]:
    return lambda today: (today - (days - 1) * _DAY, today + _DAY)


def _this_month(today: dt.date) -> tuple[dt.date, dt.date]:
    begin = today.replace(day=1)
    return begin, (begin + 31 * _DAY).replace(day=1)


def _last_month(today: dt.date) -> tuple[dt.date, dt.date]:
    return _this_month(today.replace(day=1) - _DAY)


def _this_year(today: dt.date) -> tuple[dt.date, dt.date]:
    return dt.date(today.year, 1, 1), dt.date(today.year + 1, 1, 1)


_RANGES: Final[dict[str, tuple[str, Callable[[dt.date], tuple[dt.date, dt.date]]]]] = {
    "today": (later("Today"), _last(1)),
    "7-days": (later("Last 7 days"), _last(7)),
    "30-days": (later("Last 30 days"), _last(30)),
    "this-month": (later("This month"), _this_month),
    "last-month": (later("Last month"), _last_month),
    "this-year": (later("This year"), _this_year),
}
