"""Owns the look of the Plotly figures on light and dark pages, and what comes with each.

A figure goes to the page with two templates; the page's script applies the one of its theme.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, TypeVar, overload

import polars as pl
from msgspec import Struct

from dashboards import wording
from dashboards.assets import in_script

MOST_POINTS: Final = 2_000

Thing = TypeVar("Thing")
Cell = str | int | float | None
Trace = dict[str, Any]

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class Ink(Struct, frozen=True):
    """The colours of one theme; ``lines`` are told apart, ``gain`` and ``loss`` mean it."""

    text: str
    faint: str
    grid: str
    zero: str
    surface: str
    gain: str
    loss: str
    lines: list[str]


INKS: Final = {
    "light": Ink(
        text="#18211d",
        faint="#5f6c65",
        grid="#e6eae5",
        zero="#84928a",
        surface="#ffffff",
        gain="#17704a",
        loss="#b3261e",
        lines=["#0b6650", "#2f62b0", "#b0531a", "#7a4a99", "#a3245f", "#5d6b00"],
    ),
    "dark": Ink(
        text="#e7ede9",
        faint="#92a099",
        grid="#28322d",
        zero="#65746c",
        surface="#171e1b",
        gain="#6fd3a0",
        loss="#ff9086",
        lines=["#5fcaa4", "#86b0f2", "#f2a56b", "#cfa3ec", "#f491bd", "#c3cf5c"],
    ),
}


def theme(ink: Ink, lines: list[str]) -> dict[str, Any]:
    """The look of a figure in the colours of a theme, its lines in these."""
    axis = {
        "gridcolor": ink.grid,
        "zerolinecolor": ink.zero,
        "linecolor": ink.zero,
        "tickcolor": ink.zero,
        "tickfont": {"color": ink.faint, "size": 12},
        "title": {"font": {"color": ink.faint, "size": 12}},
    }
    return {
        "layout": {
            "colorway": lines,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": ink.text, "family": "system-ui, sans-serif", "size": 13},
            "xaxis": axis,
            "yaxis": axis,
            "hoverlabel": {
                "bgcolor": ink.surface,
                "bordercolor": ink.zero,
                "font": {"color": ink.text, "family": "system-ui, sans-serif", "size": 13},
            },
            "shapedefaults": {
                "opacity": 0.5,
                "line": {"color": ink.zero, "dash": "dot", "width": 1},
            },
        }
    }


def drawn(lines: pl.DataFrame, most: int = MOST_POINTS) -> list[int]:
    """The places to draw: all, or of each stretch its ends, and each line's lowest and highest."""
    if lines.height <= most:
        return list(range(lines.height))
    place = pl.col("place")
    width = -(-lines.height // (most // (2 + 2 * lines.width)))
    found = (
        lines.lazy()
        .with_row_index("place")
        .group_by(place // width)
        .agg(
            place.first().alias("first"),
            place.last().alias("last"),
            *(place.get(pl.col(name).arg_min()).alias(f"low {name}") for name in lines.columns),
            *(place.get(pl.col(name).arg_max()).alias(f"high {name}") for name in lines.columns),
        )
        .drop("place")
        .collect()
    )
    return sorted({at for row in found.iter_rows() for at in row})


class Row(Struct, frozen=True):
    """A row of the table behind a chart, and the addresses that its cells lead to, by column."""

    cells: list[Cell]
    links: dict[int, str] = {}


class MadeRows(Sequence[Row]):
    """Rows of a table, of which each is made when it is looked at.

    Args:
        count: how many there are.
        make: makes those of a slice.
    """

    def __init__(self, count: int, make: Callable[[slice], Iterable[Row]]) -> None:
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...

    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            return list(self._make(place))
        [row] = self._make(slice(place, place + 1))
        return row

    def __iter__(self) -> Iterator[Row]:
        return iter(self._make(slice(None)))


class Chart(Struct, frozen=True):
    """A figure, what it shows in a sentence, and the table behind it.

    ``figure`` is ``{"data", "layout", "templates": {"light", "dark"}}`` as JSON. The custom data of
    a point is the address that it leads to, or nothing. ``thinned`` says how, where not all of
    the table is drawn.
    """

    id: str
    label: str
    figure: str
    columns: list[str]
    rows: Sequence[Row]
    thinned: str | None = None

    def as_csv(self) -> str:
        """The table as CSV; no text in it is taken for a formula."""
        return csv_of(self.columns, [row.cells for row in self.rows])


def csv_of(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Write a table as CSV, with a "'" before what a spreadsheet would take for a formula."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_plain(cell) for cell in row])
    return file.getvalue()


def _plain(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def layout(x: str, y: str, **changes: object) -> dict[str, Any]:
    """The layout that figures share, with what these axes say."""
    return {
        "template": None,
        "margin": {"l": 56, "r": 16, "t": 8, "b": 44},
        "hovermode": "closest",
        "dragmode": "zoom",
        "separators": wording.separators(),
        "showlegend": False,
        "xaxis": {"title": {"text": x}, "showgrid": False, "zeroline": False, "automargin": True},
        "yaxis": {"title": {"text": y}, "zeroline": True, "automargin": True},
        **changes,
    }


def document(traces: Sequence[Trace], look: dict[str, Any], colours: dict[str, list[str]]) -> str:
    """A figure as the JSON that the page's script draws, its traces in the colours of each theme.

    Args:
        traces: what is drawn, in the words of Plotly.
        look: its `layout`.
        colours: of the traces in their order, by the name of the theme.
    """
    drawn_by = {
        "data": traces,
        "layout": look,
        "templates": {name: _template(name, tuple(colours[name])) for name in INKS},
    }
    return in_script(json.dumps(drawn_by, separators=(",", ":")))


def in_rows(things: Sequence[Thing], size: int) -> Iterator[Sequence[Thing]]:
    """Things, so many in a row at a time."""
    return (things[first : first + size] for first in range(0, len(things), size))


def escaped(name: str) -> str:
    """A name as Plotly's text, which knows some tags, shows it."""
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@cache
def _template(name: str, colours: tuple[str, ...]) -> dict[str, Any]:
    return theme(INKS[name], list(colours))


def lines_of(count: int) -> dict[str, list[str]]:
    """Colours that so many traces are told apart by."""
    return {
        name: [ink.lines[place % len(ink.lines)] for place in range(count)]
        for name, ink in INKS.items()
    }


GAIN_AND_LOSS: Final = {name: [ink.gain, ink.loss] for name, ink in INKS.items()}
"""The colours of two traces, of which one is won and the other lost."""
