"""What an hour of play brought: from rollups alone, which know when each hour's hands were played.

The hands of a rollup lie within one hour, so no pause of more than that is inside one: where its
hands begin and end is all that there is to know.
"""

from typing import Final

from msgspec import Struct

from warehouse.rollup_reading import RollupReader
from warehouse.totals import Narrowed, conditions
from warehouse.uncertainty import Mean, clustered_mean

PAUSE: Final = "INTERVAL 60 MINUTE"
"""A longer pause than this parts sittings, of one session as well."""

_SITTINGS: Final = f"""
WITH played AS (
    SELECT session, first_played AS first, last_played AS last, net / unit AS units
    FROM rollups WHERE list_contains($names, player) AND first_played IS NOT NULL AND {{where}}
),
parted AS (
    SELECT *, coalesce(first - max(last) OVER before > {PAUSE}, false) AS parts
    FROM played
    WINDOW before AS (
        PARTITION BY session ORDER BY first, last
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
),
numbered AS (
    SELECT *, count(*) FILTER (parts) OVER (
        PARTITION BY session ORDER BY first, last ROWS UNBOUNDED PRECEDING
    ) AS number
    FROM parted
)
SELECT fsum(units), date_diff('microsecond', min(first), max(last)) / 3_600_000_000 AS hours
FROM numbered GROUP BY session, number HAVING hours > 0 ORDER BY session, number
"""  # noqa: S608 -- constants


class NetPerHour(Struct, frozen=True, kw_only=True):
    """The net of an hour in units: over so many ``hours`` of so many ``sittings``, ``units``."""

    id: str = "net/hour"
    label: str = "Net per hour"
    formula: str = "net ÷ hours from the first hand of each sitting to its last, of more than one"
    unit: str = "units an hour"
    hours: float
    sittings: int
    units: float
    mean: Mean


def net_per_hour(rollups: RollupReader, names: list[str], narrowed: Narrowed) -> NetPerHour | None:
    """Return what an hour brought the person of these names.

    None where no sitting has a length, and where a place at the table is asked for: an hour of
    play has all of them.
    """
    if narrowed.place is not None:
        return None
    where, values = conditions(narrowed)
    sittings = rollups.rows(_SITTINGS.format(where=where), {"names": names, **values})
    if not sittings:
        return None
    units, hours = zip(*sittings, strict=True)
    return NetPerHour(
        hours=sum(hours),
        sittings=len(sittings),
        units=sum(units),
        mean=clustered_mean(units, hours),
    )
