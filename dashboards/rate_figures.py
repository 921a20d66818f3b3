"""Owns the charts of rates: one of them over parts of the hands, and how often somebody stays."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any, Final

from msgspec import Struct

from dashboards.figures import (
    INKS,
    Cell,
    Chart,
    MadeRows,
    Row,
    Trace,
    document,
    in_rows,
    layout,
    lines_of,
)
from dashboards.language import gettext, later
from warehouse.statistics import STATISTICS, Statistic
from warehouse.totals import Rate, Totals

NUMBERED: Final = "session"
"""The parts whose names are too long for an axis, which has their numbers."""

COLUMNS: Final = ("k", "n", later("Share %"), later("Low %"), later("High %"))
"""What `rate_cells` are."""

_MOST_TICKS: Final = 20
_MOST_TOLD: Final = 12
_MOST_PARTS: Final = 120
_INK: Final = {name: [ink.lines[0]] for name, ink in INKS.items()}
_BY_TRUMPS: Final = {
    "stay-with-0": later("0 trumps"),
    "stay-with-1": later("1 trump"),
    "stay-with-2": later("2 trumps"),
    "stay-with-3": later("3 trumps"),
    "stay-with-4": later("4 trumps"),
    "stay-with-5": later("5 trumps"),
}
_BY_POT: Final = {
    "stay-fresh": later("Fresh pot"),
    "stay-twice": later("Carried pot"),
    "stay-more": later("Big pot"),
}


class Part(Struct, frozen=True):
    """Some of a player's hands under a name, and what the list of hands is asked for them."""

    name: str
    totals: Totals
    asked: dict[str, str]


def rate_chart(
    name: str,
    along: str,
    one: Statistic,
    parts: Sequence[Part],
    whole: Rate,
    leads_to: Callable[..., str],
) -> Chart:
    """One rate over parts of the hands, with intervals; the dotted line is that of all of them.

    Args:
        name: the id of the chart.
        along: along what the parts are apart, in the page's language.
        one: the rate.
        parts: in the order in which they are drawn.
        whole: the rate of all hands.
        leads_to: the address of the hands that are asked for so.
    """
    label = gettext(one.label)

    def row(part: Part) -> Row:
        links = {
            0: leads_to(**part.asked),
            1: leads_to(**part.asked, made=one.id),
            2: leads_to(**part.asked, chance=one.id),
        }
        return Row([part.name, *rate_cells(part.totals.rate(one)), *_worth(part.totals)], links)

    drawn = [part for part in parts if part.totals.rate(one).n]
    size = 1 if name != NUMBERED else -(-len(drawn) // _MOST_PARTS) or 1
    look = _look(along, label)
    if name == NUMBERED:
        drawn = list(_in_a_row(drawn, size))
        look["xaxis"] |= _numbers([part.name for part in drawn], size)
    if whole.n:
        look["shapes"] = [_across(100 * whole.k / whole.n)]
    rates = [part.totals.rate(one) for part in drawn]
    points = _points([part.name for part in drawn], rates)
    if size == 1:
        points["customdata"] = [leads_to(**part.asked, chance=one.id) for part in drawn]
    told = ", ".join(
        gettext("%(part)s %(k)s of %(n)s", part=part.name, k=rate.k, n=rate.n)
        for part, rate in zip(drawn[:_MOST_TOLD], rates, strict=False)
    )
    return Chart(
        name,
        gettext(
            "%(rate)s, apart by: %(along)s. %(told)s.",
            rate=label,
            along=along,
            told=told or gettext("No chance yet"),
        ),
        document([points], look, _INK),
        [along, *rate_columns(), gettext("Hands"), gettext("Net per 100 (units)")],
        MadeRows(len(parts), lambda some: map(row, parts[some])),
        in_a_row(size),
    )


def in_a_row(size: int) -> str | None:
    """How a chart is drawn that shows so many sessions as one."""
    if size == 1:
        return None
    return gettext(
        "%(count)s sessions in a row are drawn as one; the table and the CSV have each.",
        count=size,
    )


def stays_chart(totals: Totals, leads_to: Callable[..., str]) -> Chart:
    """How often somebody stays at Bourré, by the trumps in hand and by the pot."""
    statistics = {one.id: one for one in STATISTICS}
    traces, rows = [], []
    for group, names in ((gettext("By trumps"), _BY_TRUMPS), (gettext("By pot"), _BY_POT)):
        rates = [(gettext(label), totals.rate(statistics[name])) for name, label in names.items()]
        rows += [
            Row(
                [group, label, *rate_cells(rate)],
                {2: leads_to(made=rate.id), 3: leads_to(chance=rate.id)},
            )
            for label, rate in rates
        ]
        known = [(label, rate) for label, rate in rates if rate.n]
        points = _points([label for label, _ in known], [rate for _, rate in known])
        links = [leads_to(chance=rate.id) for _, rate in known]
        traces.append(points | {"name": group, "customdata": links})
    told = ", ".join(
        gettext("%(part)s %(k)s of %(n)s", part=label, k=k, n=n)
        for label, k, n in (row.cells[1:4] for row in rows)
    )
    look = _look("", gettext("Stays"))
    look["xaxis"] |= {"categoryarray": [gettext(one) for one in (_BY_TRUMPS | _BY_POT).values()]}
    return Chart(
        "stays",
        gettext("How often they stay: %(told)s.", told=told),
        document(traces, look, lines_of(2)),
        [gettext("Apart"), gettext("With"), *rate_columns()],
        rows,
    )


def rate_columns() -> list[str]:
    """What `rate_cells` are, in the page's language."""
    return [gettext(column) for column in COLUMNS]


def rate_cells(rate: Rate) -> list[Cell]:
    """A rate in numbers: k, n, and in per cent the share and where its interval begins and ends."""
    if rate.low is None or rate.high is None:
        return [rate.k, rate.n, None, None, None]
    return [rate.k, rate.n, *(round(100 * x, 1) for x in (rate.k / rate.n, rate.low, rate.high))]


def _in_a_row(parts: Sequence[Part], size: int) -> Iterator[Part]:
    """The parts, so many in a row as one."""
    for some in in_rows(parts, size):
        yield Part(some[0].name, reduce(add, (part.totals for part in some)), some[0].asked)


def _numbers(names: list[str], size: int) -> dict[str, Any]:
    """An axis that has the parts' numbers in place of their names."""
    every = -(-len(names) // _MOST_TICKS) or 1
    return {
        "tickvals": names[::every],
        "ticktext": [str(1 + size * place) for place in range(0, len(names), every)],
    }


def _points(names: list[str], rates: list[Rate]) -> Trace:
    shares = [100 * rate.k / rate.n for rate in rates]
    return {
        "type": "scatter",
        "x": names,
        "y": shares,
        "mode": "markers",
        "marker": {"size": 8},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [
                100 * (rate.high or 0) - share for rate, share in zip(rates, shares, strict=True)
            ],
            "arrayminus": [
                share - 100 * (rate.low or 0) for rate, share in zip(rates, shares, strict=True)
            ],
            "thickness": 1.4,
            "width": 3,
        },
        "hovertext": [gettext("%(k)s of %(n)s", k=rate.k, n=rate.n) for rate in rates],
        "hovertemplate": "%{x}<br>%{y:.1f} % (%{hovertext})<extra></extra>",
    }


def _look(along: str, label: str) -> dict[str, Any]:
    look = layout(along, f"{label}, %")
    look["margin"] = {"l": 48, "r": 12, "t": 8, "b": 40}
    look["xaxis"] |= {"type": "category"}
    look["yaxis"] |= {"range": [-3, 103], "tickvals": [0, 20, 40, 60, 80, 100], "zeroline": False}
    return look


def _across(height: float) -> dict[str, object]:
    return {
        "type": "line",
        "xref": "paper",
        "layer": "below",
        "x0": 0,
        "x1": 1,
        "y0": height,
        "y1": height,
    }


def _worth(totals: Totals) -> list[Cell]:
    return [totals.hands, round(100 * totals.units / totals.hands, 1) if totals.hands else None]
