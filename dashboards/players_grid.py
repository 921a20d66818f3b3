"""Owns the list of players: its columns, orders and lines, and the same as CSV."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import polars as pl
from msgspec import Struct

from dashboards.figures import csv_of, drawn
from dashboards.rate_figures import rate_cells
from warehouse.grid import RATES, GridRow

COLUMNS: Final = {
    "player": "Player",
    "hands": "Hands",
    "net": "Net",
    "per_100": "Net per 100",
    "entry": "Enters",
    "raise": "Raises",
    "stay": "Stays",
    "last_played": "Last played",
}
"""The columns by which the list is sorted, in the order in which they are shown."""

WIDTH: Final = 120
HEIGHT: Final = 28

_MOST_POINTS: Final = 60
_LONGEST: Final = 200
_LAST_PAGE: Final = 100_000
_USUAL: Final = "hands"


class Grid(Struct, frozen=True):
    """Whose names hold ``name``, sorted by a column of `COLUMNS`; ``page`` counts from 1."""

    name: str
    sort: str
    descending: bool
    page: int


class Sparkline(Struct, frozen=True):
    """A line within `WIDTH` and `HEIGHT`, and how high the zero lies, as SVG has it."""

    points: str
    zero: float


def read_grid(given: Mapping[str, str]) -> Grid:
    """Read what an address asks for; what there is not is as usual."""
    sort = given.get("sort", _USUAL)
    page = given.get("page", "1")
    return Grid(
        name=given.get("name", "").strip()[:_LONGEST],
        sort=sort if sort in COLUMNS else _USUAL,
        descending=given.get("order", "desc") != "asc",
        page=min(max(int(page), 1), _LAST_PAGE) if page.isascii() and page.isdigit() else 1,
    )


def in_order(rows: Sequence[GridRow], asked: Grid) -> list[GridRow]:
    """Sort players; those without a value, such as a rate that had no chance, come last."""
    value = _value(asked.sort)
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    return [*sorted(known, key=value, reverse=asked.descending), *unknown]


def table(rows: Sequence[GridRow]) -> str:
    """The list as CSV, with the three lines that the net is made of."""
    columns = ["Player", "Hands", "Net", "At showdown", "Without showdown", "Premiums"]
    columns += ["Net per 100 (units)", "First played (UTC)", "Last played (UTC)"]
    for name in RATES:
        columns += [f"{COLUMNS[name]} {part}" for part in ("k", "n", "%", "low %", "high %")]
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


def _value(column: str) -> Callable[[GridRow], Any]:
    if column in RATES:
        place = RATES.index(column)
        return lambda row: row.rates[place].k / n if (n := row.rates[place].n) else None
    if column == "player":
        return lambda row: row.player.casefold()
    return lambda row: getattr(row, column)
