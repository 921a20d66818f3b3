"""The local time of moments as SQL, by the same zones as Python's, whatever DuckDB knows of them.

A moment counts by the UTC hour that it lies in, as the figures do, which are kept by the hour.
"""

import datetime as dt
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

_HOUR: Final = dt.timedelta(hours=1)
_WEEK: Final = dt.timedelta(weeks=1)

Change = tuple[dt.datetime, int]


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone.

    Raises:
        ValueError: there is none of this name.
    """
    try:
        return ZoneInfo(name)
    except (LookupError, OSError):
        raise ValueError(f"There is no time zone {name!r}.") from None


def local_hour(zone: ZoneInfo, column: str, years: tuple[int, int]) -> str:
    """Return as SQL the local time at which the UTC hour of a moment of some years begins.

    Args:
        zone: Where the time is local.
        column: The moment, in UTC.
        years: The first and the last of the years. Outside them the clocks stay as they are at
            their ends: the fewer they are, the faster is the query.
    """
    (_, before), *changes = _changes(zone, *years)
    return f"(date_trunc('hour', {column}) + to_seconds({_offset(column, before, changes)}))"


def _offset(column: str, before: int, changes: list[Change]) -> str:
    """The offset at a moment in seconds, found by halves; it is ``before`` until the first change.

    Changes are at full hours, so a moment is before one where its hour is.
    """
    if not changes:
        return str(before)
    middle = len(changes) // 2
    at, after = changes[middle]
    return (
        f"CASE WHEN {column} < TIMESTAMP '{at.isoformat(' ')}'"
        f" THEN {_offset(column, before, changes[:middle])}"
        f" ELSE {_offset(column, after, changes[middle + 1 :])} END"
    )


@lru_cache(maxsize=64)
def _changes(zone: ZoneInfo, first: int, last: int) -> list[Change]:
    """The first full hours at which a zone's clocks are set otherwise, with the offset from then.

    The first of them is the beginning of the years.
    """
    at, end = dt.datetime(first, 1, 1), dt.datetime(last, 12, 31)  # noqa: DTZ001 -- UTC, as segments
    changes = [(at, _seconds(at, zone))]
    while at < end:
        following = min(at + _WEEK, end)
        if _seconds(following, zone) == changes[-1][1]:
            at = following
            continue
        while _seconds(at, zone) == changes[-1][1]:
            at += _HOUR
        changes.append((at, _seconds(at, zone)))
    return changes


def _seconds(at: dt.datetime, zone: ZoneInfo) -> int:
    offset = at.replace(tzinfo=dt.UTC).astimezone(zone).utcoffset()
    return 0 if offset is None else round(offset.total_seconds())
