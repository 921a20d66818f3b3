"""What a player's hands come to, under conditions and apart by keys: from rollups alone."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from warehouse.rollup_base import APART
from warehouse.rollup_reading import RollupReader
from warehouse.rollups import SUMS
from warehouse.statistics import AVERAGES, STATISTICS, Average, Game, Statistic
from warehouse.uncertainty import Interval, ratio, wilson

Place = Literal["first", "between", "dealer"]
Key = Literal["player", "hour", "session", "preset", "seats", "deck", "position", "unit"]


class Narrowed(Struct, frozen=True, kw_only=True):
    """Which of the hands are looked at; what is None does not matter.

    ``since`` is a moment from which on, ``until`` one before which, both at full hours; ``place``
    is where the player sat: right of the dealer, as the dealer, who speaks last, or between.
    """

    preset: str | None = None
    session: str | None = None
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    place: Place | None = None


EVERYTHING: Final = Narrowed()


class Rate(Struct, frozen=True):
    """A statistic of a player: k of n, and its 95 % interval; none where there was no chance."""

    id: str
    game: Game
    label: str
    formula: str
    k: int
    n: int
    low: float | None
    high: float | None


class AverageFigure(Struct, frozen=True):
    """An average of a player's over ``n`` times; None where there was none."""

    id: str
    game: Game
    label: str
    formula: str
    unit: str
    value: float | None
    n: int


class Aggression(Struct, frozen=True):
    """(openings + raises) ÷ calls; hidden where either is under 5."""

    active: int
    calls: int
    value: float | None
    interval: Interval | None


class Totals(Struct, frozen=True):
    """Sums over hands. ``units`` is their net in units, ``sums`` has counters by their names."""

    hands: int
    units: float
    sums: dict[str, int]

    def __add__(self, other: "Totals") -> "Totals":
        both = {name: count + other.sums[name] for name, count in self.sums.items()}
        return Totals(self.hands + other.hands, self.units + other.units, both)

    def rate(self, one: Statistic) -> Rate:
        """Return a rate with its interval."""
        k = sum(self.sums[name] for name in one.made)
        n = sum(self.sums[name] for name in one.chances)
        low, high = wilson(k, n) if n else (None, None)
        return Rate(one.id, one.game, one.label, one.formula, k, n, low, high)

    def rates(self) -> list[Rate]:
        """Return the rates of every game in which there was a chance to do anything."""
        rates = [self.rate(one) for one in STATISTICS]
        played = {rate.game for rate in rates if rate.n}
        return [rate for rate in rates if rate.game in played]

    def average(self, one: Average) -> AverageFigure:
        """Return an average."""
        total = sum(
            -self.sums[name[1:]] if name.startswith("-") else self.sums[name] for name in one.total
        )
        n = sum(self.hands if name == "hands" else self.sums[name] for name in one.times)
        value = one.scale * total / n if n else None
        return AverageFigure(one.id, one.game, one.label, one.formula, one.unit, value, n)

    def averages(self) -> list[AverageFigure]:
        """Return the averages that are of anything."""
        return [found for found in map(self.average, AVERAGES) if found.n]

    def aggression(self) -> Aggression:
        """Return how often the player bet for each time that they called."""
        active, calls = self.sums["opened"] + self.sums["raises"], self.sums["calls"]
        found = ratio(active, calls)
        value, interval = found or (None, None)
        return Aggression(active, calls, value, interval)


_PLACES: Final[dict[Place, str]] = {
    "first": "position = 1",
    "between": "position > 1 AND position < seats",
    "dealer": "position = seats",
}
NOTHING: Final = Totals(0, 0.0, dict.fromkeys(SUMS, 0))


def conditions(narrowed: Narrowed, moment: str = "hour") -> tuple[str, dict[str, object]]:
    """Return a condition on rollups as SQL, and what its ``$names`` stand for.

    It is one on seats as well, where the column of the moment is ``played_at``.
    """
    parts, values = ["true"], dict[str, object]()
    for column in ("preset", "session"):
        value = getattr(narrowed, column)
        if value is not None:
            parts.append(f"{column} = ${column}")
            values[column] = value
    for name, compared in (("since", ">="), ("until", "<")):
        at = getattr(narrowed, name)
        if at is not None:
            parts.append(f"{moment} {compared} ${name}")
            values[name] = at.astimezone(dt.UTC).replace(tzinfo=None)
    if narrowed.place is not None:
        parts.append(_PLACES[narrowed.place])
    return " AND ".join(parts), values


def counters_of(one: Statistic) -> list[str]:
    """Return the counters that a rate is made of, each once."""
    return list(dict.fromkeys(one.made + one.chances))


def totals_by(
    rollups: RollupReader,
    names: list[str] | None,
    narrowed: Narrowed,
    *keys: Key,
    counters: Sequence[str] = SUMS,
) -> list[tuple[tuple[Any, ...], Totals]]:
    """Return sums over hands, apart by keys and in their order; of everybody, or of some names.

    Without a key there is one, even of no hands; with keys there are those alone that have hands
    which count. Only these ``counters`` are summed.
    """
    where, values = conditions(narrowed)
    if names is not None:
        where = f"list_contains($names, player) AND {where}"
        values["names"] = names
    by = f"{', '.join(keys)}, " if keys else ""
    grouped = (
        f"GROUP BY {', '.join(keys)} HAVING sum(hands) > 0 ORDER BY {', '.join(keys)}"
        if keys
        else ""
    )
    summed = "".join(f", coalesce(sum({name}), 0)::HUGEINT" for name in counters)
    rows = rollups.rows(
        f"SELECT {by}sum(hands)::BIGINT, fsum(net / unit){summed}"  # noqa: S608 -- constants
        f" FROM {_table(narrowed, keys)} WHERE {where} {grouped}",
        values,
    )
    count = len(keys)
    return [(row[:count], _totals(row[count:], counters)) for row in rows]


def _table(narrowed: Narrowed, keys: tuple[Key, ...]) -> str:
    """The rollups that are apart by what is asked of them, and by no more."""
    asked = (narrowed.session, narrowed.since, narrowed.until)
    fine = any(one is not None for one in asked) or not set(APART).isdisjoint(keys)
    return "rollups" if fine else "by_player"


def _totals(row: tuple[Any, ...], counters: Sequence[str]) -> Totals:
    hands, units, *sums = row
    return Totals(hands or 0, units or 0.0, dict(zip(counters, map(int, sums), strict=True)))
