"""All players side by side, from the rollups alone: sums, rates, and the way their profit went."""

import datetime as dt
from typing import Any, Final

from msgspec import Struct

from warehouse.aliases import Aliases
from warehouse.players import CALLED, COUNTERS, people
from warehouse.rollup_reading import RollupReader
from warehouse.statistics import STATISTICS
from warehouse.totals import EVERYTHING, NOTHING, Narrowed, Rate, Totals, conditions

RATES: Final = ("entry", "raise", "winner-folded", "stay")
"""The rates of the grid."""

LINE_POINTS: Final = 60

_LINES: Final = """
WITH named AS (
    SELECT unnest($names::VARCHAR[]) AS player, unnest($persons::VARCHAR[]) AS person
),
played AS (
    SELECT
        person,
        date_trunc('hour', min(first_played)) AS first,
        date_diff('hour', min(first_played), max(last_played)) // $points + 1 AS step
    FROM by_player JOIN named USING (player) GROUP BY person
),
stretched AS (
    SELECT person, date_diff('hour', first, hour) // step AS stretch, sum(net) AS net
    FROM rollups JOIN named USING (player) JOIN played USING (person)
    WHERE hands > 0 AND {where} GROUP BY ALL
),
summed AS (
    SELECT
        person,
        stretch,
        sum(net) OVER (PARTITION BY person ORDER BY stretch NULLS FIRST)::BIGINT AS total
    FROM stretched
)
SELECT person, list(total ORDER BY stretch NULLS FIRST) FROM summed GROUP BY person
"""

_COLUMNS: Final = (
    "player, first_played, last_played, hands, net, net_showdown, net_uncontested, premium, per_100"
)


class GridRow(Struct, frozen=True):
    """A player, with what their hands came to in chips, per 100 hands in units, and `RATES`."""

    player: str
    first_played: dt.datetime | None
    last_played: dt.datetime | None
    hands: int
    net: int
    net_showdown: int
    net_uncontested: int
    premium: int
    per_100: float
    rates: list[Rate]


class PlayerGrid:
    """Answers who there is, from a house's rollups."""

    def __init__(self, rollups: RollupReader, aliases: Aliases) -> None:
        self._rollups = rollups
        self._aliases = aliases

    def rows(
        self, name: str | None = None, narrowed: Narrowed = EVERYTHING, least: int = 1
    ) -> list[GridRow]:
        """Return everybody of at least so many hands one of whose names holds `name`.

        Those with the most hands come first.
        """
        known = self._aliases.all()
        which, values = conditions(narrowed)
        values |= {"aliases": list(known), "persons": list(known.values()), "least": least}
        where = "hands >= $least"
        if name is not None:
            where, values["name"] = f"{where} AND {CALLED}", name
        source = people(which, apart=_is_apart(narrowed))
        rows = self._rollups.rows(
            f"SELECT {_COLUMNS}, {', '.join(COUNTERS)} FROM {source}"  # noqa: S608 -- constants
            f" WHERE {where} ORDER BY hands DESC, player",
            values,
        )
        return [_row(row) for row in rows]

    def lines(self, players: list[str], narrowed: Narrowed = EVERYTHING) -> dict[str, list[int]]:
        """Return the cumulative net of players from 0 to now, in chips.

        There is one point for each hour in which a player played, or for each stretch of as many
        hours that there are no more than `LINE_POINTS`.
        """
        which, bound = conditions(narrowed)
        person_of = dict(zip(players, players, strict=True))
        person_of |= {
            alias: person for alias, person in self._aliases.all().items() if person in person_of
        }
        values = {
            "names": list(person_of),
            "persons": list(person_of.values()),
            "points": LINE_POINTS - 1,
            **bound,
        }
        rows = self._rollups.rows(_LINES.format(where=which), values)
        return {player: [0, *sums] for player, sums in rows}


def _is_apart(narrowed: Narrowed) -> bool:
    """Whether conditions are on hours or sessions."""
    return any((narrowed.since, narrowed.until, narrowed.session))


def _row(row: tuple[Any, ...]) -> GridRow:
    shown, counted = row[: -len(COUNTERS)], row[-len(COUNTERS) :]
    sums = {**NOTHING.sums, **dict(zip(COUNTERS, counted, strict=True))}
    totals = Totals(0, 0.0, sums)
    rates = [totals.rate(one) for name in RATES for one in STATISTICS if one.id == name]
    player, first, last, *rest = shown
    fields: list[Any] = [player, _utc(first), _utc(last), *rest, rates]
    return GridRow(*fields)


def _utc(moment: dt.datetime | None) -> dt.datetime | None:
    return None if moment is None else moment.replace(tzinfo=dt.UTC)
