"""Statistics that a club makes up: a name, and two expressions over the columns of a seat.

What was done and how often it could be are added up over the seats that count; where the first is a
part of the second, the rate has the interval of any other.
"""

import datetime as dt
from typing import Final

import duckdb
from msgspec import Struct
from sqlalchemy import Select, delete, false, select

from warehouse.database import Database
from warehouse.expressions import BadExpression, read_expression
from warehouse.players import COUNTED
from warehouse.reading import SegmentReader, published
from warehouse.spans import with_players
from warehouse.statistics import STATISTICS
from warehouse.tables import custom_statistics
from warehouse.totals import EVERYTHING, Narrowed, conditions
from warehouse.uncertainty import wilson

TAKEN: Final = frozenset(one.id for one in STATISTICS)
"""The ids that no statistic of a club may have."""

ID: Final = "[A-Za-z][A-Za-z0-9-]{0,59}"
"""What the ids of a club's statistics are, as a pattern."""

MOST_OF_A_LABEL: Final = 100
"""So many characters the name of one may have."""


class CustomStatistic(Struct, frozen=True):
    """A statistic of a club: ``made`` ÷ ``chances``, each summed over the seats that count."""

    id: str
    label: str
    made: str
    chances: str


class CustomRate(Struct, frozen=True):
    """What such a statistic comes to: k ÷ n, and the 95 % interval where k is a part of n."""

    player: str | None
    k: int
    n: int
    low: float | None
    high: float | None

    @classmethod
    def of(cls, player: str | None, k: int, n: int) -> "CustomRate":
        """Return k ÷ n, with its interval where there is one."""
        low, high = wilson(k, n) if 0 <= k <= n and n else (None, None)
        return cls(player, k, n, low, high)


class UncountableError(Exception):
    """An expression comes to no whole number for some seat, or to one that is too large."""


class CustomStatistics:
    """The statistics that one house has made up."""

    def __init__(self, database: Database, reader: SegmentReader) -> None:
        self._database = database
        self._reader = reader

    def all(self) -> list[CustomStatistic]:
        """Return every one, in the order of their ids."""
        columns = [custom_statistics.c[name] for name in CustomStatistic.__struct_fields__]
        with self._database.read() as connection:
            rows = connection.execute(select(*columns).order_by(custom_statistics.c.id))
            return [CustomStatistic(*row) for row in rows]

    def find(self, name: str) -> CustomStatistic | None:
        """Return the one of this id, or None."""
        return next((one for one in self.all() if one.id == name), None)

    def put(self, wanted: CustomStatistic, now: dt.datetime) -> tuple[str, BadExpression] | None:
        """Add or change one; or return which of its two expressions is not taken, and why."""
        refused = self.refused(wanted)
        if refused:
            return next(iter(refused.items()))
        row = {name: getattr(wanted, name) for name in CustomStatistic.__struct_fields__}
        with self._database.write() as connection:
            of_id = custom_statistics.c.id == wanted.id
            connection.execute(delete(custom_statistics).where(of_id))
            connection.execute(custom_statistics.insert().values(**row, changed_at=now))
        return None

    def refused(self, wanted: CustomStatistic) -> dict[str, BadExpression]:
        """Return which of the two expressions of a statistic are not taken, each with why."""
        found = {part: self._refusal(getattr(wanted, part)) for part in ("made", "chances")}
        return {part: why for part, why in found.items() if why is not None}

    def remove(self, name: str) -> bool:
        """Delete one; tell whether it was there."""
        with self._database.write() as connection:
            gone = connection.execute(
                delete(custom_statistics).where(custom_statistics.c.id == name)
            )
            return gone.rowcount > 0

    def rate(
        self, one: CustomStatistic, names: list[str], narrowed: Narrowed = EVERYTHING
    ) -> CustomRate:
        """Return what one comes to for the person of these names.

        Raises:
            UncountableError: it comes to nothing that can be added up.
        """
        where, values = conditions(narrowed, moment="played_at")
        condition = f"list_contains($names, player) AND {COUNTED} AND {where}"
        played = published("seats").where(with_players(names))
        [row] = self._summed(one, "NULL", played, condition, {"names": names, **values})
        return row

    def by_player(self, one: CustomStatistic, narrowed: Narrowed = EVERYTHING) -> list[CustomRate]:
        """Return what one comes to for every player's name, those with most chances first.

        Raises:
            UncountableError: it comes to nothing that can be added up.
        """
        where, values = conditions(narrowed, moment="played_at")
        counted = f"{COUNTED} AND {where} GROUP BY player"
        found = self._summed(one, "player", published("seats"), counted, values)
        return sorted(found, key=lambda rate: (-rate.n, rate.player or ""))

    def _summed(
        self,
        one: CustomStatistic,
        who: str,
        seats: Select[tuple[str]],
        where: str,
        values: dict[str, object],
    ) -> list[CustomRate]:
        try:
            rows = self._reader.rows(
                {"seats": seats},
                f"SELECT {who}, {_sum(one.made)}, {_sum(one.chances)}"  # noqa: S608 -- checked parts
                f" FROM {{seats}} WHERE {where}",
                values,
            )
        except duckdb.DataError as error:
            raise UncountableError(str(error).partition("\n")[0]) from None
        return [CustomRate.of(*row) for row in rows]

    def _refusal(self, text: str) -> BadExpression | None:
        """Why an expression is not taken; one that is written well may still mean nothing."""
        read = read_expression(text)
        if isinstance(read, BadExpression):
            return read
        try:
            self._reader.rows(
                {"seats": published("seats").where(false())},
                f"SELECT {_sum(text)} FROM {{seats}}",  # noqa: S608 -- checked parts
                {},
            )
        except duckdb.Error as error:
            return BadExpression(str(error).partition("\n")[0])
        return None


def _sum(text: str) -> str:
    """An expression that was taken, summed, with braces that are no places for tables."""
    read = read_expression(text)
    if isinstance(read, BadExpression):
        raise ValueError(read.reason)  # noqa: TRY004 -- it was taken before, so it is not this
    whole = read.replace("{", "{{").replace("}", "}}")
    return f"coalesce(sum(CAST({whole} AS BIGINT)), 0)::BIGINT"
