"""All players side by side, from the rollups alone: sums, rates, and the way their profit went."""

import datetime as dt
from collections import defaultdict
from itertools import accumulate
from typing import Any, Final

from msgspec import Struct

from warehouse.aliases import Aliases
from warehouse.players import CALLED, COUNTERS, people
from warehouse.rollup_reading import RollupReader
from warehouse.statistics import STATISTICS
from warehouse.totals import NOTHING, Rate, Totals

RATES: Final = ("entry", "raise", "stay")
"""The rates of the grid."""

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

    def rows(self, name: str | None = None) -> list[GridRow]:
        """Return everybody one of whose names holds `name`, those with the most hands first."""
        known = self._aliases.all()
        values: dict[str, object] = {"aliases": list(known), "persons": list(known.values())}
        where = "true"
        if name is not None:
            where, values["name"] = CALLED, name
        rows = self._rollups.rows(
            f"SELECT {_COLUMNS}, {', '.join(COUNTERS)} FROM {people()}"  # noqa: S608 -- constants
            f" WHERE {where} ORDER BY hands DESC, player",
            values,
        )
        return [_row(row) for row in rows]

    def lines(self, players: list[str]) -> dict[str, list[int]]:
        """Return the cumulative net of players at the end of every hour they played, in chips."""
        known = self._aliases.all()
        names_of: dict[str, list[str]] = defaultdict(list)
        for alias, person in known.items():
            names_of[person].append(alias)
        person_of: dict[str, str] = {}
        for player in players:
            person = known.get(player, player)
            person_of |= dict.fromkeys([person, *names_of[person]], player)
        rows = self._rollups.rows(
            "SELECT player, hour, sum(net)::BIGINT FROM rollups"
            " WHERE list_contains($names, player) GROUP BY player, hour",
            {"names": list(person_of)},
        )
        by_hour: dict[str, dict[dt.datetime, int]] = defaultdict(lambda: defaultdict(int))
        for name, hour, net in rows:
            by_hour[person_of[name]][hour or dt.datetime.min] += net  # noqa: DTZ901 -- before all
        return {
            player: list(accumulate((hours[hour] for hour in sorted(hours)), initial=0))
            for player, hours in by_hour.items()
        }


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
