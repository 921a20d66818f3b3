"""Owns the charts of a player beside profit and rates: sessions, prices, people, luck."""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from dashboards import wording
from dashboards.figures import (
    GAIN_AND_LOSS,
    INKS,
    Cell,
    Chart,
    MadeRows,
    Row,
    Trace,
    document,
    escaped,
    in_rows,
    layout,
)
from dashboards.language import gettext, here, later
from dashboards.rate_figures import in_a_row
from warehouse.curves import Sitting
from warehouse.figures import BrelanLuck
from warehouse.played import JudgedTurn, Opponent

OPPONENTS_DRAWN: Final = 12

MOST_BARS: Final = 240
_INK: Final = {name: [ink.lines[0]] for name, ink in INKS.items()}
_MOMENT: Final = "d MMM y, HH:mm"
_QUADRANTS: Final = {
    ("call", True): later("Calls above the price"),
    ("call", False): later("Calls below the price"),
    ("fold", False): later("Folds below the price"),
    ("fold", True): later("Folds above the price"),
}
_ACTS: Final = {"call": later("call"), "fold": later("fold")}


def sessions_chart(
    sittings: Sequence[Sitting], zone: ZoneInfo, leads_to: Callable[[Sitting], str]
) -> Chart:
    """What every session brought, in chips, and how much that was an hour."""

    def row(number: int, one: Sitting) -> Row:
        hourly = round(one.net / one.hours, 1) if one.hours else None
        length = None if one.hours is None else round(one.hours, 2)
        begun = _local(one.begun, zone)
        cells: list[Cell] = [number, begun, one.session, one.hands, one.net, length, hourly]
        return Row(cells, {0: leads_to(one), 3: leads_to(one)})

    size = -(-len(sittings) // MOST_BARS) or 1
    won, lost = _bars(), _bars()
    for place, some in enumerate(in_rows(sittings, size)):
        net, begun = sum(one.net for one in some), _local(some[0].begun, zone)
        side = won if net >= 0 else lost
        side["x"].append(1 + place * size)
        side["y"].append(net)
        side["customdata"].append(leads_to(some[0]) if size == 1 else "")
        hands = wording.hands(sum(one.hands for one in some))
        side["hovertext"].append(f"{begun or gettext('Session')} · {hands}")
    look = layout(gettext("Session"), gettext("Chips"), bargap=0.25)
    look["yaxis"] |= {"tickformat": ",d"}
    look["xaxis"] |= {"tickformat": ",d", "rangemode": "tozero"}
    traces = [
        {"type": "bar", **side, "hovertemplate": "%{hovertext}<br>%{y:+,d}<extra></extra>"}
        for side in (won, lost)
    ]
    return Chart(
        "sessions",
        gettext(
            "What each session brought: %(best)s of %(count)s without a loss.",
            best=wording.chips(sum(one.net >= 0 for one in sittings)),
            count=wording.chips(len(sittings)),
        ),
        document(traces, look, GAIN_AND_LOSS),
        [
            gettext("Session"),
            gettext("Begun"),
            gettext("Name"),
            gettext("Hands"),
            gettext("Net"),
            gettext("Hours"),
            gettext("Net an hour"),
        ],
        MadeRows(
            len(sittings),
            lambda some: (row(place + 1, sittings[place]) for place in range(len(sittings))[some]),
        ),
        in_a_row(size),
    )


def strength_chart(turns: Sequence[JudgedTurn], leads_to: Callable[[JudgedTurn], str]) -> Chart:
    """Calls and folds by their price and the chance q of the hand, in four groups."""
    groups: dict[tuple[str, bool], list[JudgedTurn]] = {key: [] for key in _QUADRANTS}
    for turn in turns:
        groups[turn.act, _above(turn)].append(turn)
    traces: list[Trace] = [
        {
            "type": "scatter",
            "x": [100 * turn.price for turn in some],
            "y": [100 * turn.q for turn in some],
            "customdata": [leads_to(turn) for turn in some],
            "name": f"{gettext(_QUADRANTS[act, above])} ({len(some)})",
            "mode": "markers",
            "marker": {"size": 8, "symbol": "circle" if act == "call" else "x", "opacity": 0.75},
            "hovertemplate": gettext(
                "%(group)s<br>q %(q)s %%, price %(price)s %%",
                group="%{fullData.name}",
                q="%{y:.1f}",
                price="%{x:.1f}",
            )
            + "<extra></extra>",
        }
        for (act, above), some in groups.items()
    ]
    colours = {name: [ink.gain, ink.loss, ink.lines[1], ink.lines[2]] for name, ink in INKS.items()}
    look = layout(gettext("Price of the call, %"), gettext("Chance of the hand q, %"))
    look["shapes"] = [{"type": "line", "x0": 0, "x1": 100, "y0": 0, "y1": 100, "layer": "below"}]
    most = max((100 * turn.price for turn in turns), default=50.0)
    look["xaxis"] |= {"range": [0, min(100.0, most + 5)]}
    look["yaxis"] |= {"range": [-2, 102], "zeroline": False}
    told = "; ".join(f"{gettext(_QUADRANTS[key])}: {len(some)}" for key, some in groups.items())
    return Chart(
        "strength",
        gettext("Calls and folds by price and strength. %(told)s.", told=told),
        document(traces, look, colours),
        [gettext("Hand"), gettext("Act"), gettext("q %"), gettext("Price %"), gettext("Group")],
        [
            Row(
                [
                    turn.hand_id,
                    gettext(_ACTS[turn.act]),
                    round(100 * turn.q, 2),
                    round(100 * turn.price, 2),
                    gettext(_QUADRANTS[turn.act, _above(turn)]),
                ],
                {0: leads_to(turn)},
            )
            for turn in turns
        ],
    )


def opponents_chart(
    opponents: Sequence[Opponent],
    player_url: Callable[[str], str],
    together: Callable[[str], str],
) -> Chart:
    """The chips that came from those most often played with, and those that went to them.

    Args:
        opponents: those played with, the most often first.
        player_url: the page of one of them.
        together: the address of the hands that were played with one of them.
    """
    won, lost = _bars(), _bars()
    names: list[str] = []
    for place, one in enumerate(opponents[:OPPONENTS_DRAWN]):
        side = won if one.chips >= 0 else lost
        names.append(escaped(wording.short(one.player)))
        side["x"].append(round(one.chips, 1))
        side["y"].append(place)
        side["customdata"].append(together(one.player))
        side["hovertext"].append(f"{names[-1]} · {wording.hands(one.hands)}")
    traces = [
        {
            "type": "bar",
            **side,
            "orientation": "h",
            "hovertemplate": "%{hovertext}<br>%{x:+,.0f}<extra></extra>",
        }
        for side in (won, lost)
    ]
    title = gettext("Chips that came from them (right) or went to them (left)")
    look = layout(title, "", bargap=0.35)
    look["xaxis"] |= {"zeroline": True, "showgrid": True, "tickformat": ",d"}
    look["yaxis"] |= {
        "autorange": "reversed",
        "zeroline": False,
        "showgrid": False,
        "tickvals": list(range(len(names))),
        "ticktext": names,
    }
    told = "; ".join(
        f"{wording.short(one.player)} {wording.signed(round(one.chips))}"
        for one in opponents[:OPPONENTS_DRAWN]
    )
    return Chart(
        "opponents",
        gettext("Chips from and to those played with most often: %(told)s.", told=told),
        document(traces, look, GAIN_AND_LOSS),
        [gettext("Player"), gettext("Hands together"), gettext("Chips")],
        MadeRows(
            len(opponents),
            lambda some: (
                Row(
                    [one.player, one.hands, round(one.chips, 1)],
                    {0: player_url(one.player), 1: together(one.player)},
                )
                for one in opponents[some]
            ),
        ),
    )


def luck_chart(lucks: Sequence[BrelanLuck]) -> Chart:
    """How many brelans more or fewer were dealt than to be expected, by pack."""
    told = [
        gettext(
            "%(dealt)s in %(hands)s hands, expected %(expected)s",
            dealt=wording.chips(luck.dealt),
            hands=wording.chips(luck.hands),
            expected=wording.decimals(luck.expected),
        )
        for luck in lucks
    ]
    points: Trace = {
        "type": "scatter",
        "x": [luck.over for luck in lucks],
        "y": [gettext("%(deck)s cards", deck=luck.deck) for luck in lucks],
        "mode": "markers",
        "marker": {"size": 10},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [luck.interval.high - luck.over for luck in lucks],
            "arrayminus": [luck.over - luck.interval.low for luck in lucks],
            "thickness": 2,
        },
        "hovertext": told,
        "hovertemplate": "%{hovertext}<br>%{x:+.1f}<extra></extra>",
    }
    look = layout(gettext("Brelans above (right) or below what is to be expected"), "")
    look["xaxis"] |= {"zeroline": True, "showgrid": True}
    look["yaxis"] |= {"type": "category", "autorange": "reversed", "showgrid": False}
    return Chart(
        "luck",
        gettext(
            "Brelans dealt beside those to be expected, by pack. %(told)s.", told="; ".join(told)
        ),
        document([points], look, _INK),
        [
            gettext("Pack"),
            gettext("Hands"),
            gettext("Brelans"),
            gettext("Expected"),
            gettext("Over"),
            gettext("Low"),
            gettext("High"),
        ],
        [Row([luck.deck, luck.hands, luck.dealt, *_rounded(luck)]) for luck in lucks],
    )


def _rounded(luck: BrelanLuck) -> list[float]:
    values = (luck.expected, luck.over, luck.interval.low, luck.interval.high)
    return [round(value, 2) for value in values]


def _above(turn: JudgedTurn) -> bool:
    """Whether a hand was worth more than its price; what is even speaks for neither act."""
    return turn.q > turn.price if turn.act == "fold" else turn.q >= turn.price


def _bars() -> dict[str, list[Any]]:
    return {"x": [], "y": [], "customdata": [], "hovertext": []}


def _local(at: dt.datetime | None, zone: ZoneInfo) -> str | None:
    if at is None:
        return None
    there = at.replace(tzinfo=dt.UTC).astimezone(zone)
    return format_datetime(there, _MOMENT, tzinfo=zone, locale=here())
