"""Owns the charts of a player beside that of profit: rates, sessions, prices, people, luck."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct

from dashboards import wording
from dashboards.figures import (
    GAIN_AND_LOSS,
    INKS,
    Cell,
    Chart,
    Row,
    Trace,
    document,
    escaped,
    layout,
    lines_of,
)
from warehouse.curves import Sitting
from warehouse.figures import BrelanLuck
from warehouse.played import JudgedTurn, Opponent
from warehouse.statistics import STATISTICS, Statistic
from warehouse.totals import Rate, Totals

OPPONENTS_DRAWN: Final = 12
WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

NUMBERED: Final = "session"
"""The parts whose names are too long for an axis, which has their numbers."""

_MOST_TICKS: Final = 20
_MOST_TOLD: Final = 12
_MOST_PARTS: Final = 120
_MOST_BARS: Final = 240
_INK: Final = {name: [ink.lines[0]] for name, ink in INKS.items()}
_QUADRANTS: Final = {
    ("call", True): "Calls above the price",
    ("call", False): "Calls below the price",
    ("fold", False): "Folds below the price",
    ("fold", True): "Folds above the price",
}
_BY_TRUMPS: Final = {f"stay-with-{count}": f"{count} trumps" for count in range(6)} | {
    "stay-with-1": "1 trump"
}
_BY_POT: Final = {"stay-fresh": "Fresh pot", "stay-twice": "Carried", "stay-more": "Big pot"}


Thing = TypeVar("Thing")


class Part(Struct, frozen=True):
    """Some of a player's hands under a name, and the address of their list."""

    name: str
    totals: Totals
    leads_to: str


def rate_chart(name: str, along: str, one: Statistic, parts: Sequence[Part], whole: Rate) -> Chart:
    """One rate over parts of the hands, with intervals; the dotted line is that of all of them."""
    chances = [part for part in parts if part.totals.rate(one).n]
    columns = [along, "k", "n", "Share %", "Low %", "High %", "Hands", "Net per 100 (units)"]
    rows = [
        Row([part.name, *rate_cells(part.totals.rate(one)), *_worth(part.totals)], part.leads_to)
        for part in parts
    ]
    look, thinned = _rate_look(along, one.label), None
    if name == NUMBERED:
        chances, thinned = _numbered(chances, look)
    if whole.n:
        look["shapes"] = [_across(100 * whole.k / whole.n)]
    rates = [part.totals.rate(one) for part in chances]
    points = _points([part.name for part in chances], rates, [part.leads_to for part in chances])
    told = ", ".join(
        f"{part.name} {rate.k} of {rate.n}"
        for part, rate in zip(chances[:_MOST_TOLD], rates, strict=False)
    )
    label = f"{one.label}, by {along.lower()}: {told or 'no chance yet'}."
    return Chart(name, label, document([points], look, _INK), columns, rows, thinned)


def _numbered(parts: list[Part], look: dict[str, Any]) -> tuple[list[Part], str | None]:
    """The parts as an axis has them that shows their numbers: some in a row as one, if many."""
    size = -(-len(parts) // _MOST_PARTS) or 1
    drawn_as = [
        some[0]
        if size == 1
        else Part(some[0].name, reduce(add, (part.totals for part in some)), "")
        for some in _in_rows(parts, size)
    ]
    every = -(-len(drawn_as) // _MOST_TICKS) or 1
    look["xaxis"] |= {
        "tickvals": [part.name for part in drawn_as[::every]],
        "ticktext": [str(1 + size * place) for place in range(0, len(drawn_as), every)],
    }
    return drawn_as, _in_a_row(size)


def sessions_chart(
    sittings: Sequence[Sitting], zone: ZoneInfo, leads_to: Callable[[Sitting], str]
) -> Chart:
    """What every session brought, in chips, and how much that was an hour."""
    rows = []
    for number, one in enumerate(sittings, 1):
        hourly = round(one.net / one.hours, 1) if one.hours else None
        length = None if one.hours is None else round(one.hours, 2)
        begun = _local(one.begun, zone)
        cells: list[Cell] = [number, begun, one.session, one.hands, one.net, length, hourly]
        rows.append(Row(cells, leads_to(one)))
    size = -(-len(sittings) // _MOST_BARS) or 1
    won, lost = _bars(), _bars()
    for place, some in enumerate(_in_rows(sittings, size)):
        net, begun = sum(one.net for one in some), _local(some[0].begun, zone)
        side = won if net >= 0 else lost
        side["x"].append(1 + place * size)
        side["y"].append(net)
        side["customdata"].append(leads_to(some[0]) if size == 1 else "")
        hands = wording.plural(sum(one.hands for one in some), "hand")
        side["hovertext"].append(f"{begun or 'Session'} · {hands}")
    look = layout("Session", "Chips", bargap=0.25)
    look["yaxis"] |= {"tickformat": ",d"}
    look["xaxis"] |= {"tickformat": ",d", "rangemode": "tozero"}
    traces = [
        {"type": "bar", **side, "hovertemplate": "%{hovertext}<br>%{y:+,d}<extra></extra>"}
        for side in (won, lost)
    ]
    best = sum(one.net >= 0 for one in sittings)
    return Chart(
        "sessions",
        f"Net of each of {wording.plural(len(rows), 'session')}; {best} of them without a loss.",
        document(traces, look, GAIN_AND_LOSS),
        ["Session", "Begun", "Name", "Hands", "Net", "Hours", "Net an hour"],
        rows,
        _in_a_row(size),
    )


def _in_rows(things: Sequence[Thing], size: int) -> Iterator[Sequence[Thing]]:
    """Things, so many in a row at a time."""
    return (things[first : first + size] for first in range(0, len(things), size))


def _in_a_row(size: int) -> str | None:
    """How a chart is drawn that shows so many sessions as one."""
    if size == 1:
        return None
    return f"{size} sessions in a row are drawn as one; the table and the CSV have each."


def strength_chart(turns: Sequence[JudgedTurn], hand_url: str) -> Chart:
    """Calls and folds by their price and the chance q of the hand, in four groups."""
    groups: dict[tuple[str, bool], list[JudgedTurn]] = {key: [] for key in _QUADRANTS}
    for turn in turns:
        groups[turn.act, _above(turn)].append(turn)
    traces: list[Trace] = [
        {
            "type": "scatter",
            "x": [100 * turn.price for turn in some],
            "y": [100 * turn.q for turn in some],
            "customdata": [hand_url.replace("HAND", turn.hand_id) for turn in some],
            "name": f"{_QUADRANTS[act, above]} ({len(some)})",
            "mode": "markers",
            "marker": {"size": 8, "symbol": "circle" if act == "call" else "x", "opacity": 0.75},
            "hovertemplate": "%{fullData.name}<br>q %{y:.1f} %, price %{x:.1f} %<extra></extra>",
        }
        for (act, above), some in groups.items()
    ]
    colours = {name: [ink.gain, ink.loss, ink.lines[1], ink.lines[2]] for name, ink in INKS.items()}
    look = layout("Price of the call, %", "Chance of the hand q, %")
    look["shapes"] = [{"type": "line", "x0": 0, "x1": 100, "y0": 0, "y1": 100, "layer": "below"}]
    most = max((100 * turn.price for turn in turns), default=50.0)
    look["xaxis"] |= {"range": [0, min(100.0, most + 5)]}
    look["yaxis"] |= {"range": [-2, 102], "zeroline": False}
    told = "; ".join(f"{_QUADRANTS[key]}: {len(some)}" for key, some in groups.items())
    return Chart(
        "strength",
        f"Calls and folds by price and strength. {told}.",
        document(traces, look, colours),
        ["Hand", "Act", "q %", "Price %", "Group"],
        [
            Row(
                [
                    turn.hand_id,
                    turn.act,
                    round(100 * turn.q, 2),
                    round(100 * turn.price, 2),
                    _QUADRANTS[turn.act, _above(turn)],
                ],
                hand_url.replace("HAND", turn.hand_id),
            )
            for turn in turns
        ],
    )


def opponents_chart(opponents: Sequence[Opponent], leads_to: Callable[[str], str]) -> Chart:
    """The chips that came from those most often played with, and those that went to them."""
    won, lost = _bars(), _bars()
    names: list[str] = []
    for place, one in enumerate(opponents[:OPPONENTS_DRAWN]):
        side = won if one.chips >= 0 else lost
        names.append(wording.short(one.player))
        side["x"].append(round(one.chips, 1))
        side["y"].append(place)
        side["customdata"].append(leads_to(one.player))
        side["hovertext"].append(
            f"{escaped(wording.short(one.player))} · {wording.plural(one.hands, 'hand')}"
        )
    traces = [
        {
            "type": "bar",
            **side,
            "orientation": "h",
            "hovertemplate": "%{hovertext}<br>%{x:+,.0f}<extra></extra>",
        }
        for side in (won, lost)
    ]
    look = layout("Chips that came from them (right) or went to them (left)", "", bargap=0.35)
    look["xaxis"] |= {"zeroline": True, "showgrid": True, "tickformat": ",d"}
    look["yaxis"] |= {
        "autorange": "reversed",
        "zeroline": False,
        "showgrid": False,
        "tickvals": list(range(len(names))),
        "ticktext": [escaped(name) for name in names],
    }
    told = "; ".join(
        f"{wording.short(one.player)} {wording.signed(round(one.chips))}"
        for one in opponents[:OPPONENTS_DRAWN]
    )
    return Chart(
        "opponents",
        f"Chips from and to those played with most often: {told}.",
        document(traces, look, GAIN_AND_LOSS),
        ["Player", "Hands together", "Chips"],
        [
            Row([one.player, one.hands, round(one.chips, 1)], leads_to(one.player))
            for one in opponents
        ],
    )


def luck_chart(lucks: Sequence[BrelanLuck]) -> Chart:
    """How many brelans more or fewer were dealt than to be expected, by pack."""
    names = [f"{luck.deck} cards" for luck in lucks]
    points: Trace = {
        "type": "scatter",
        "x": [luck.over for luck in lucks],
        "y": names,
        "mode": "markers",
        "marker": {"size": 10},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [luck.interval.high - luck.over for luck in lucks],
            "arrayminus": [luck.over - luck.interval.low for luck in lucks],
            "thickness": 2,
        },
        "hovertext": [
            f"{luck.dealt} of {wording.plural(luck.hands, 'hand')}, expected {luck.expected:.1f}"
            for luck in lucks
        ],
        "hovertemplate": "%{hovertext}<br>%{x:+.1f}<extra></extra>",
    }
    look = layout("Brelans above (right) or below what is to be expected", "")
    look["xaxis"] |= {"zeroline": True, "showgrid": True}
    look["yaxis"] |= {"type": "category", "autorange": "reversed", "showgrid": False}
    told = "; ".join(
        f"{luck.deck} cards: {luck.dealt}, expected {luck.expected:.1f}" for luck in lucks
    )
    return Chart(
        "luck",
        f"Brelans dealt beside those to be expected. {told}.",
        document([points], look, _INK),
        ["Pack", "Hands", "Brelans", "Expected", "Over", "Low", "High"],
        [
            Row(
                [
                    luck.deck,
                    luck.hands,
                    luck.dealt,
                    *(
                        round(value, 2)
                        for value in (
                            luck.expected,
                            luck.over,
                            luck.interval.low,
                            luck.interval.high,
                        )
                    ),
                ]
            )
            for luck in lucks
        ],
    )


def stays_chart(totals: Totals) -> Chart:
    """How often somebody stays at Bourré, by the trumps in hand and by the pot."""
    statistics = {one.id: one for one in STATISTICS}
    traces, rows = [], []
    for group, names in (("By trumps", _BY_TRUMPS), ("By pot", _BY_POT)):
        rates = [(label, totals.rate(statistics[name])) for name, label in names.items()]
        rows += [Row([group, label, *rate_cells(rate)]) for label, rate in rates]
        known = [(label, rate) for label, rate in rates if rate.n]
        points = _points([label for label, _ in known], [rate for _, rate in known], None)
        traces.append(points | {"name": group})
    told = ", ".join(f"{row.cells[1]} {row.cells[2]} of {row.cells[3]}" for row in rows)
    look = _rate_look("", "Stays")
    look["xaxis"] |= {"categoryarray": [*_BY_TRUMPS.values(), *_BY_POT.values()]}
    return Chart(
        "stays",
        f"How often they stay: {told}.",
        document(traces, look, lines_of(2)),
        ["Apart", "With", "k", "n", "Share %", "Low %", "High %"],
        rows,
    )


def _above(turn: JudgedTurn) -> bool:
    """Whether a hand was worth more than its price; what is even speaks for neither act."""
    return turn.q > turn.price if turn.act == "fold" else turn.q >= turn.price


def _points(names: list[str], rates: list[Rate], leads_to: list[str] | None) -> Trace:
    shares = [100 * rate.k / rate.n for rate in rates]
    return {
        "type": "scatter",
        "x": names,
        "y": shares,
        "customdata": leads_to,
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
        "hovertext": [f"{rate.k} of {rate.n}" for rate in rates],
        "hovertemplate": "%{x}<br>%{y:.1f} % (%{hovertext})<extra></extra>",
    }


def _rate_look(along: str, label: str) -> dict[str, Any]:
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


def _bars() -> dict[str, list[Any]]:
    return {"x": [], "y": [], "customdata": [], "hovertext": []}


def rate_cells(rate: Rate) -> list[Cell]:
    """A rate in numbers: k, n, and in per cent the share and where its interval begins and ends."""
    if rate.low is None or rate.high is None:
        return [rate.k, rate.n, None, None, None]
    return [rate.k, rate.n, *(round(100 * x, 1) for x in (rate.k / rate.n, rate.low, rate.high))]


def _worth(totals: Totals) -> list[Cell]:
    return [totals.hands, round(100 * totals.units / totals.hands, 1) if totals.hands else None]


def _local(at: dt.datetime | None, zone: ZoneInfo) -> str | None:
    if at is None:
        return None
    there = at.replace(tzinfo=dt.UTC).astimezone(zone)
    return f"{there.day} {there:%b %Y, %H:%M}"
