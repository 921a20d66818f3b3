"""Owns the Plotly figures: what is drawn, and how it looks on light and dark pages.

A figure goes to the page with two templates; the page's script applies the one of its theme.
"""

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any, Final

import plotly.graph_objects as go  # type: ignore[import-untyped] # plotly ships no types
from msgspec import Struct

from dashboards import wording
from warehouse.queries import ProfitPoint

MOST_POINTS: Final = 2_000
SESSION_GAP: Final = dt.timedelta(hours=1)

LINES: Final = {
    "Net": "solid",
    "At showdown": "solid",
    "Without showdown": "solid",
    "Premiums": "dot",
}


class Ink(Struct, frozen=True):
    """The colours of one theme; ``lines`` in the order of `LINES`."""

    text: str
    faint: str
    grid: str
    zero: str
    surface: str
    lines: list[str]


INKS: Final = {
    "light": Ink(
        text="#18211d",
        faint="#5f6c65",
        grid="#e6eae5",
        zero="#84928a",
        surface="#ffffff",
        lines=["#0b6650", "#2f62b0", "#b0531a", "#7a4a99"],
    ),
    "dark": Ink(
        text="#e7ede9",
        faint="#92a099",
        grid="#28322d",
        zero="#65746c",
        surface="#171e1b",
        lines=["#5fcaa4", "#86b0f2", "#f2a56b", "#cfa3ec"],
    ),
}


def theme(ink: Ink, lines: list[str]) -> go.layout.Template:
    """The look of a figure in the colours of a theme, its lines in these."""
    axis = {
        "gridcolor": ink.grid,
        "zerolinecolor": ink.zero,
        "linecolor": ink.zero,
        "tickcolor": ink.zero,
        "tickfont": {"color": ink.faint, "size": 12},
        "title": {"font": {"color": ink.faint, "size": 12}},
    }
    return go.layout.Template(
        layout={
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
    )


def _cumulative(amounts: list[int]) -> list[int]:
    total = 0
    sums = [0]
    for amount in amounts:
        total += amount
        sums.append(total)
    return sums


def drawn(net: list[int], most: int = MOST_POINTS) -> list[int]:
    """The places to draw: all, or of each stretch its ends, its lowest and its highest."""
    if len(net) <= most:
        return list(range(len(net)))
    width = -(-len(net) // (most // 4))
    places: set[int] = set()
    for start in range(0, len(net), width):
        stretch = range(start, min(start + width, len(net)))
        places |= {
            stretch[0],
            stretch[-1],
            min(stretch, key=net.__getitem__),
            max(stretch, key=net.__getitem__),
        }
    return sorted(places)


def session_breaks(points: Sequence[ProfitPoint]) -> list[int]:
    """How many hands had been played each time another session began.

    Hands without a session are parted by a gap of more than an hour.
    """
    return [place for place in range(1, len(points)) if _parted(points[place - 1], points[place])]


def _parted(before: ProfitPoint, after: ProfitPoint) -> bool:
    if before.session is not None or after.session is not None:
        return before.session != after.session
    if before.played_at is None or after.played_at is None:
        return False
    return after.played_at - before.played_at > SESSION_GAP


def profit_figure(points: Sequence[ProfitPoint]) -> str:
    """The cumulative profit over hands played, as the JSON that the page's script draws.

    Args:
        points: a player's hands in order of play.

    Returns:
        ``{"data", "layout", "templates": {"light", "dark"}}``. Every trace carries the hand ids
        as its custom data.
    """
    sums = {
        "Net": _cumulative([point.net for point in points]),
        "At showdown": _cumulative([point.net_showdown for point in points]),
        "Without showdown": _cumulative([point.net_uncontested for point in points]),
        "Premiums": _cumulative([point.premium for point in points]),
    }
    places = drawn(sums["Net"])
    hand_ids = ["", *(point.hand_id for point in points)]
    figure = go.Figure(
        data=[
            go.Scatter(
                x=places,
                y=[sums[name][place] for place in places],
                customdata=[hand_ids[place] for place in places],
                name=name,
                mode="lines",
                line={"width": 2.6 if name == "Net" else 1.6, "dash": dash, "shape": "linear"},
                hovertemplate=f"{name} <b>%{{y:+,d}}</b><extra></extra>",
            )
            for name, dash in LINES.items()
        ],
        layout={
            "template": None,
            "margin": {"l": 56, "r": 16, "t": 8, "b": 44},
            "hovermode": "x unified",
            "dragmode": "zoom",
            "separators": ".\u202f",
            "xaxis": {
                "title": {"text": "Hands played"},
                "showgrid": False,
                "zeroline": False,
                "rangemode": "tozero",
                "tickformat": ",d",
                "hoverformat": ",d",
                "unifiedhovertitle": {"text": "After hand %{x:,d}"},
                "minallowed": 0,
                "maxallowed": max(len(points), 1),
            },
            "yaxis": {"title": {"text": "Chips"}, "zeroline": True, "tickformat": ",d"},
            "showlegend": False,
            "shapes": [
                {"type": "line", "xref": "x", "yref": "paper", "layer": "below"}
                | {"x0": place, "x1": place, "y0": 0, "y1": 1}
                for place in session_breaks(points)
            ],
        },
    )
    return _with_templates(figure)


def _with_templates(figure: go.Figure) -> str:
    document: dict[str, Any] = json.loads(figure.to_json())
    document["templates"] = {
        name: theme(ink, ink.lines).to_plotly_json() for name, ink in INKS.items()
    }
    return wording.in_script(json.dumps(document, separators=(",", ":")))
