"""Owns the chart of a player's cumulative profit, and that of several players beside each other."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

import plotly.graph_objects as go  # type: ignore[import-untyped] # plotly ships no types

from dashboards import wording
from dashboards.figures import (
    INKS,
    MOST_POINTS,
    Chart,
    Row,
    document,
    drawn,
    escaped,
    layout,
    lines_of,
)
from warehouse.curves import PlayedHand, band, by_session, deal_adjusted, sittings

LINES: Final = {
    "Net": "solid",
    "At showdown": "solid",
    "Without showdown": "solid",
    "Premiums": "dot",
}
ADJUSTED: Final = "Deal-adjusted"
BAND: Final = "95 % band"

_MOST_BREAKS: Final = 200


def session_breaks(hands: Sequence[PlayedHand]) -> list[int]:
    """How many hands had been played each time another session began."""
    places = by_session(hands)
    gathered = [hands[place] for place in places]
    return sorted(places[sitting.first] for sitting in sittings(gathered))[1:] if hands else []


def profit_chart(hands: Sequence[PlayedHand], hand_url: str) -> Chart:
    """The cumulative profit over hands played, in chips, with its sources, luck and spread.

    Args:
        hands: a player's hands in the order of play, at least one.
        hand_url: the address of a hand, with HAND in place of its id.
    """
    sums = {
        "Net": list(accumulate((hand.net for hand in hands), initial=0)),
        "At showdown": list(accumulate((hand.net_showdown for hand in hands), initial=0)),
        "Without showdown": list(accumulate((hand.net_uncontested for hand in hands), initial=0)),
        "Premiums": list(accumulate((hand.premium for hand in hands), initial=0)),
    }
    widths = [0.0, *band(hands)]
    adjusted = deal_adjusted(hands)
    places = drawn(sums["Net"])
    leads_to = ["", *(hand_url.replace("HAND", hand.hand_id) for hand in hands)]
    traces = [
        _line(name, dash, places, sums[name], width=2.6 if name == "Net" else 1.6)
        for name, dash in LINES.items()
    ]
    traces[0].customdata = [leads_to[place] for place in places]
    colours = {name: [*ink.lines[:5], ink.lines[0]] for name, ink in INKS.items()}
    if adjusted is None:
        colours = {name: [*of[:4], of[5]] for name, of in colours.items()}
    else:
        line = [0, *(round(value) for value in adjusted)]
        traces.append(_line(ADJUSTED, "dash", places, line, width=1.8))
    traces.append(_band(places, sums["Net"], widths))
    breaks = session_breaks(hands)
    look = _look(len(hands))
    if len(breaks) <= _MOST_BREAKS:
        look["shapes"] = [
            {"type": "line", "xref": "x", "yref": "paper", "layer": "below"}
            | {"x0": place, "x1": place, "y0": 0, "y1": 1}
            for place in breaks
        ]
    number = wording.plural(len(hands), "hand")
    return Chart(
        "profit",
        f"Cumulative profit over {number}; it ends at {wording.signed(sums['Net'][-1])} chips.",
        document(traces, look, colours),
        ["Hand", "Played (UTC)", "Session", *LINES, ADJUSTED, "Band ±"],
        [
            Row(
                [
                    place,
                    hand.played_at.isoformat(sep=" ") if hand.played_at else None,
                    hand.session,
                    *(sums[name][place] for name in LINES),
                    round(adjusted[place - 1], 1) if adjusted else None,
                    round(widths[place], 1),
                ],
                leads_to[place],
            )
            for place, hand in enumerate(hands, 1)
        ],
    )


def compared_profit(hands_of: dict[str, list[PlayedHand]], hand_url: str) -> Chart | None:
    """The cumulative profit of several players over their hands; None where nobody has any."""
    some = {player: hands for player, hands in hands_of.items() if hands}
    if not some:
        return None
    traces, rows = [], []
    for player, hands in some.items():
        net = list(accumulate((hand.net for hand in hands), initial=0))
        leads_to = ["", *(hand_url.replace("HAND", hand.hand_id) for hand in hands)]
        places = drawn(net, MOST_POINTS // len(some))
        line = _line(escaped(wording.short(player)), "solid", places, net, width=2.2)
        line.update(customdata=[leads_to[place] for place in places], meta=wording.short(player))
        traces.append(line)
        rows += [
            Row([player, place, net[place]], leads_to[place]) for place in range(1, len(hands) + 1)
        ]
    ends = "; ".join(
        f"{wording.short(player)} ends at {wording.signed(sum(hand.net for hand in hands))}"
        for player, hands in some.items()
    )
    return Chart(
        "profit",
        f"Cumulative profit of {wording.plural(len(some), 'player')}, in chips: {ends}.",
        document(traces, _look(max(map(len, some.values()))), lines_of(len(some))),
        ["Player", "Hand", "Net"],
        rows,
    )


def _line(name: str, dash: str, places: list[int], sums: list[int], *, width: float) -> Any:  # noqa: ANN401 -- plotly ships no types
    return go.Scatter(
        x=places,
        y=[sums[place] for place in places],
        name=name,
        mode="lines",
        line={"width": width, "dash": dash, "shape": "linear"},
        hovertemplate="%{fullData.name} %{y:+,d}<extra></extra>",
    )


def _band(places: list[int], net: list[int], widths: list[float]) -> Any:  # noqa: ANN401 -- likewise
    upper = [round(net[place] + widths[place], 1) for place in places]
    lower = [round(net[place] - widths[place], 1) for place in places]
    return go.Scatter(
        x=[*places, *reversed(places)],
        y=[*upper, *reversed(lower)],
        name=BAND,
        mode="lines",
        line={"width": 0},
        fill="toself",
        opacity=0.25,
        hoverinfo="skip",
    )


def _look(hands: int) -> dict[str, Any]:
    look = layout("Hands played", "Chips", hovermode="x unified")
    look["xaxis"] |= {
        "rangemode": "tozero",
        "tickformat": ",d",
        "hoverformat": ",d",
        "unifiedhovertitle": {"text": "After hand %{x:,d}"},
        "minallowed": 0,
        "maxallowed": max(hands, 1),
    }
    look["yaxis"] |= {"tickformat": ",d"}
    return look
