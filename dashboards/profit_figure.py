"""Owns the chart of a player's cumulative profit, and that of several players beside each other."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from dashboards import wording
from dashboards.figures import (
    INKS,
    MOST_POINTS,
    Chart,
    MadeRows,
    Row,
    Trace,
    document,
    drawn,
    escaped,
    layout,
    lines_of,
)
from dashboards.language import gettext, later, ngettext
from warehouse.curves import SOURCES, Sitting, band, deal_adjusted

LINES: Final = {
    "net": later("Net"),
    "net_showdown": later("At showdown"),
    "net_uncontested": later("Without showdown"),
    "premium": later("Premiums"),
    "adjusted": later("Deal-adjusted"),
}
BAND: Final = later("95 % band")
MOST_BREAKS: Final = 200
"""Where there are more sessions, their breaks are too close to be drawn."""

_WIDTHS: Final = {"net": 2.6, "adjusted": 1.8}
_DASHES: Final = {"premium": "dot", "adjusted": "dash"}


def session_breaks(sittings: Sequence[Sitting]) -> list[int]:
    """How many hands had been played each time another session began."""
    return sorted(sitting.first for sitting in sittings)[1:]


def profit_chart(hands: pl.DataFrame, breaks: Sequence[int], hand_url: str) -> Chart:
    """The cumulative profit over hands played, in chips, with its sources, luck and spread.

    Args:
        hands: a player's hands in the order of play, at least one.
        breaks: how many had been played each time another session began.
        hand_url: the address of a hand, with HAND in place of its id.
    """
    adjusted, width = deal_adjusted(hands), band(hands)
    lines = hands.select(pl.col(SOURCES).cum_sum())
    if adjusted is not None:
        lines = lines.with_columns(adjusted)
    from_nothing = _from_nothing(lines)
    places = drawn(from_nothing)
    shown = from_nothing[places]
    traces = [
        _line(gettext(LINES[name]), places, shown[name].round().cast(pl.Int64).to_list())
        | {"line": {"width": _WIDTHS.get(name, 1.6), "dash": _DASHES.get(name, "solid")}}
        for name in lines.columns
    ]
    traces[0]["customdata"] = _addresses(hands, places, hand_url)
    colours = {name: [*ink.lines[: len(traces)], ink.lines[0]] for name, ink in INKS.items()}
    widths = _from_nothing(width.to_frame())["band"][places]
    traces.append(_band(places, shown["net"], widths))
    look = _look(hands.height)
    if len(breaks) <= MOST_BREAKS:
        look["shapes"] = [
            {"type": "line", "xref": "x", "yref": "paper", "layer": "below"}
            | {"x0": place, "x1": place, "y0": 0, "y1": 1}
            for place in breaks
        ]
    return Chart(
        "profit",
        ngettext(
            "Cumulative profit over %(num)s hand; it ends at %(chips)s chips.",
            "Cumulative profit over %(num)s hands; it ends at %(chips)s chips.",
            hands.height,
            num=wording.chips(hands.height),
            chips=wording.signed(shown["net"][-1]),
        ),
        document(traces, look, colours),
        [
            gettext("Hand"),
            gettext("Played (UTC)"),
            gettext("Session"),
            *map(gettext, LINES.values()),
            gettext("Band ±"),
        ],
        _rows(hands, lines, width, hand_url),
        thinned=_thinned(hands.height, len(places)),
    )


def compared_profit(hands_of: dict[str, pl.DataFrame], hand_url: str) -> Chart | None:
    """The cumulative profit of several players over their hands; None where nobody has any."""
    some = {player: hands for player, hands in hands_of.items() if not hands.is_empty()}
    if not some:
        return None
    traces, tables, points = [], [], 0
    for player, hands in some.items():
        net = hands.select(pl.col("net").cum_sum())
        from_nothing = _from_nothing(net)
        places = drawn(from_nothing, MOST_POINTS // len(some))
        points += len(places) - 1
        name = wording.short(player)
        line = _line(escaped(name), places, from_nothing["net"][places].to_list())
        traces.append(
            line
            | {
                "line": {"width": 2.2, "dash": "solid"},
                "customdata": _addresses(hands, places, hand_url),
                "meta": name,
            }
        )
        tables.append(
            net.with_row_index("number", offset=1).select(
                pl.lit(player).alias("player"), pl.col("number"), pl.col("net"), hands["hand_id"]
            )
        )
    table = pl.concat(tables)
    ends = "; ".join(
        gettext(
            "%(player)s ends at %(chips)s",
            player=wording.short(player),
            chips=wording.signed(int(hands["net"].sum())),
        )
        for player, hands in some.items()
    )
    return Chart(
        "profit",
        gettext("Cumulative profit of these players, in chips: %(ends)s.", ends=ends),
        document(traces, _look(max(hands.height for hands in some.values())), lines_of(len(some))),
        [gettext("Player"), gettext("Hand"), gettext("Net")],
        MadeRows(
            table.height,
            lambda some: (
                Row(list(cells), {1: hand_url.replace("HAND", hand_id)})
                for *cells, hand_id in table[some].iter_rows()
            ),
        ),
        thinned=_thinned(table.height, points),
    )


def _from_nothing(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines with the 0 at which they begin, before the first hand."""
    return pl.concat([lines.clear(1).fill_null(0), lines])


def _thinned(hands: int, points: int) -> str | None:
    """How a chart of so many hands is drawn by so few points."""
    if points >= hands:
        return None
    return gettext(
        "Of %(hands)s hands %(points)s are drawn: of each stretch the first and the last, and where"
        " each line is lowest and highest. The CSV has all.",
        hands=wording.chips(hands),
        points=wording.chips(points),
    )


def _addresses(hands: pl.DataFrame, places: Sequence[int], hand_url: str) -> list[str]:
    """Where the points lead to: a place counts the hands played, so the first has none."""
    ids = hands["hand_id"][[place - 1 for place in places if place]]
    return ["", *(hand_url.replace("HAND", hand_id) for hand_id in ids)]


def _rows(hands: pl.DataFrame, lines: pl.DataFrame, width: pl.Series, hand_url: str) -> MadeRows:
    if "adjusted" not in lines.columns:
        lines = lines.with_columns(pl.lit(None, pl.Float64).alias("adjusted"))
    table = lines.select(
        pl.int_range(1, pl.len() + 1).alias("number"),
        hands["played_at"].dt.strftime("%Y-%m-%d %H:%M:%S"),
        hands["session"],
        *SOURCES,
        pl.col("adjusted").round(1),
        width.round(1),
        hands["hand_id"],
    )
    return MadeRows(
        table.height,
        lambda some: (
            Row(list(cells), {0: hand_url.replace("HAND", hand_id)})
            for *cells, hand_id in table[some].iter_rows()
        ),
    )


def _line(name: str, places: Sequence[int], heights: Sequence[int]) -> Trace:
    return {
        "type": "scatter",
        "x": places,
        "y": heights,
        "name": name,
        "mode": "lines",
        "hovertemplate": "%{fullData.name} %{y:+,d}<extra></extra>",
    }


def _band(places: list[int], net: pl.Series, widths: pl.Series) -> Trace:
    upper, lower = (net + widths).round(1), (net - widths).round(1)
    return {
        "type": "scatter",
        "x": [*places, *reversed(places)],
        "y": [*upper, *reversed(lower)],
        "name": gettext(BAND),
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "opacity": 0.25,
        "hoverinfo": "skip",
    }


def _look(hands: int) -> dict[str, Any]:
    look = layout(gettext("Hands played"), gettext("Chips"), hovermode="x unified")
    look["xaxis"] |= {
        "rangemode": "tozero",
        "tickformat": ",d",
        "hoverformat": ",d",
        "unifiedhovertitle": {"text": gettext("After hand %(number)s", number="%{x:,d}")},
        "minallowed": 0,
        "maxallowed": max(hands, 1),
    }
    look["yaxis"] |= {"tickformat": ",d"}
    return look
