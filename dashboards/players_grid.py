"""Owns the list of players: its filters, columns, orders and lines, and the same as CSV."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import polars as pl
from flask import url_for
from msgspec import Struct

from dashboards.figures import csv_of, drawn
from dashboards.language import gettext, later
from dashboards.player_filters import PlayerFilters, player_filters
from dashboards.rate_figures import rate_cells, rate_columns
from warehouse.grid import RATES, GridRow
from warehouse.totals import Rate

COLUMNS: Final = {
    "player": later("Player"),
    "hands": later("Hands"),
    "net": later("Net"),
    "per_100": later("Net per 100"),
    "entry": later("Enters"),
    "raise": later("Raises"),
    "winner-folded": later("Folds the best hand"),
    "stay": later("Stays"),
    "last_played": later("Last played"),
}
"""The columns by which the list is sorted, in the order in which they are shown."""

QUESTIONS: Final = {
    "winner-folded": later("Who folds winning hands?"),
    "per_100": later("Who wins the most?"),
    "entry": later("Who plays the most hands?"),
    "raise": later("Who raises the most?"),
    "stay": later("Who stays the most at Bourré?"),
}
"""What an organiser asks, and the column that answers it."""

WIDTH: Final = 120
HEIGHT: Final = 28

_MOST_POINTS: Final = 60
_LONGEST: Final = 200
_LAST_PAGE: Final = 100_000
_MOST_HANDS: Final = 10**9
_USUAL: Final = "hands"
_FILTERS: Final = ("preset", "from", "until")


class Grid(Struct, frozen=True):
    """Whose names hold ``name``, of at least so many hands, sorted by a column of `COLUMNS`.

    ``page`` counts from 1.
    """

    name: str
    least: int
    filters: PlayerFilters
    sort: str
    descending: bool
    page: int

    @property
    def written(self) -> dict[str, str]:
        """What is asked for but the order and the page, as an address has it."""
        more = {"name": self.name, "least": str(self.least) if self.least > 1 else ""}
        return {**self.filters.written, **{name: text for name, text in more.items() if text}}

    def url(self, **others: str) -> str:
        """The address of this list, with something else asked."""
        order = {"sort": self.sort, "order": "desc" if self.descending else "asc"}
        asked: dict[str, Any] = {**self.written, **order, **others}
        return url_for("players.index", **asked)

    def sorted_by(self, column: str) -> str:
        """The address of this list by a column; by the one it has, the other way round."""
        usual = "asc" if column == "player" else "desc"
        other = "asc" if self.descending else "desc"
        return self.url(sort=column, order=other if column == self.sort else usual)

    def hands_url(self, player: str, **more: str) -> str:
        """The address of the hands of a player behind a row's number."""
        asked: dict[str, Any] = {"verdict": "legal", "standing": "first", **self.filters.search}
        return url_for("pages.hands", player=player, **asked | more)


class Sparkline(Struct, frozen=True):
    """A line within `WIDTH` and `HEIGHT`, and how high the zero lies, as SVG has it."""

    points: str
    zero: float


def read_grid(given: Mapping[str, str]) -> Grid:
    """Read what an address asks for; what there is not is as usual."""
    sort = given.get("sort", _USUAL)
    asked = {name: given[name] for name in _FILTERS if name in given}
    return Grid(
        name=given.get("name", "").strip()[:_LONGEST],
        least=min(_whole(given.get("least", "1")), _MOST_HANDS),
        filters=player_filters(asked, None),
        sort=sort if sort in COLUMNS else _USUAL,
        descending=given.get("order", "desc") != "asc",
        page=min(_whole(given.get("page", "1")), _LAST_PAGE),
    )


def in_order(rows: Sequence[GridRow], asked: Grid) -> list[GridRow]:
    """Sort players; those without a value, such as a rate that had no chance, come last.

    A rate counts by the end of its interval that is nearer to the others, so that the share of a
    few hands comes before that of many only if it is sure to be beyond it.
    """
    value = _value(asked)
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    return [*sorted(known, key=value, reverse=asked.descending), *unknown]


def table(rows: Sequence[GridRow]) -> str:
    """The list as CSV, with the three lines that the net is made of."""
    columns = [
        gettext("Player"),
        gettext("Hands"),
        gettext("Net"),
        gettext("At showdown"),
        gettext("Without showdown"),
        gettext("Premiums"),
        gettext("Net per 100 (units)"),
        gettext("First played (UTC)"),
        gettext("Last played (UTC)"),
        *(f"{gettext(COLUMNS[name])}: {part}" for name in RATES for part in rate_columns()),
    ]
    cells = [
        [
            *(row.player, row.hands, row.net, row.net_showdown, row.net_uncontested, row.premium),
            round(row.per_100, 1),
            *(
                f"{at:%Y-%m-%d %H:%M:%S}" if at else None
                for at in (row.first_played, row.last_played)
            ),
            *(cell for rate in row.rates for cell in rate_cells(rate)),
        ]
        for row in rows
    ]
    return csv_of(columns, cells)


def sparkline(sums: Sequence[int]) -> Sparkline | None:
    """The way of a cumulative sum, made small; None where there is no way yet."""
    if len(sums) < 2:
        return None
    low, high = min(0, *sums), max(0, *sums)
    span = (high - low) or 1
    inner = HEIGHT - 4

    def height(amount: int) -> float:
        return round(2 + inner * (high - amount) / span, 1)

    places = drawn(pl.DataFrame({"sum": sums}), _MOST_POINTS)
    points = " ".join(
        f"{round(WIDTH * place / (len(sums) - 1), 1)},{height(sums[place])}" for place in places
    )
    return Sparkline(points, height(0))


def _value(asked: Grid) -> Callable[[GridRow], Any]:
    if asked.sort in RATES:
        place = RATES.index(asked.sort)

        def cautious(rate: Rate) -> float | None:
            return rate.low if asked.descending else rate.high

        return lambda row: cautious(row.rates[place])
    if asked.sort == "player":
        return lambda row: row.player.casefold()
    return lambda row: getattr(row, asked.sort)


def _whole(text: str) -> int:
    """A whole number of 1 at least; what is none is 1."""
    text = text.strip()
    return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 20 else 1
