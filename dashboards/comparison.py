"""Owns what stands on the page of some players side by side."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from flask import url_for

from dashboards import wording
from dashboards.figures import INKS, Chart, Row, Trace, csv_of, document, escaped, layout
from dashboards.language import gettext
from dashboards.links import player_url
from dashboards.player_filters import PlayerFilters
from dashboards.profile import Profile, RateRow
from dashboards.profit_figure import compared_profit
from dashboards.rate_figures import rate_cells, rate_columns
from warehouse.queries import Warehouse

FEWEST: Final = 2
MOST: Final = 6


class Comparison:
    """Some players under the same filters."""

    def __init__(
        self, warehouse: Warehouse, players: Sequence[str], filters: PlayerFilters
    ) -> None:
        self._filters = filters
        self.profiles = {player: Profile(warehouse, player, filters) for player in players}

    @cached_property
    def rates(self) -> list[list[RateRow]]:
        """Every rate that any of them had a chance of, for each of them in their order."""
        by_player = [
            {row.rate.id: row for row in profile.every_rate} for profile in self.profiles.values()
        ]
        rows = [[of[name] for of in by_player] for name in by_player[0]]
        return [row for row in rows if any(one.rate.n for one in row)]

    def chart(self, name: str) -> Chart | None:
        """One of the page's charts; None where there is nothing to draw, or no such chart."""
        if name == "profit":
            hands = {player: profile.hands for player, profile in self.profiles.items()}
            return compared_profit(hands, url_for("pages.hand", hand_id="HAND"))
        return self._per_100() if name == "per-100" else None

    def table(self, name: str) -> str | None:
        """The table of one of the page's charts, or that of the rates, as CSV."""
        if name == "rates":
            columns = [gettext("Rate"), gettext("Player"), *rate_columns()]
            rows = [
                [gettext(one.rate.label), player, *rate_cells(one.rate)]
                for row in self.rates
                for player, one in zip(self.profiles, row, strict=True)
            ]
            return csv_of(columns, rows)
        chart = self.chart(name)
        return None if chart is None else chart.as_csv()

    def _per_100(self) -> Chart | None:
        known = {
            player: found
            for player, profile in self.profiles.items()
            if (found := profile.per_100) is not None
        }
        if not known:
            return None
        spans = [found.interval for found in known.values()]
        means = [found.mean for found in known.values()]
        points: Trace = {
            "type": "scatter",
            "x": means,
            "y": list(range(len(known))),
            "mode": "markers",
            "marker": {"size": 10},
            "error_x": {
                "type": "data",
                "symmetric": False,
                "array": [
                    span.high - mean if span else 0 for span, mean in zip(spans, means, strict=True)
                ],
                "arrayminus": [
                    mean - span.low if span else 0 for span, mean in zip(spans, means, strict=True)
                ],
                "thickness": 2,
            },
            "hovertemplate": "%{x:+.1f}<extra></extra>",
        }
        look = layout(gettext("Units per 100 hands"), "")
        look["xaxis"] |= {"zeroline": True, "showgrid": True}
        look["yaxis"] |= {
            "range": [len(known) - 0.5, -0.5],
            "zeroline": False,
            "showgrid": False,
            "tickvals": list(range(len(known))),
            "ticktext": [escaped(wording.short(player)) for player in known],
        }
        told = "; ".join(
            f"{wording.short(player)} {wording.decimal(found.mean)}"
            for player, found in known.items()
        )
        return Chart(
            "per-100",
            gettext("Net per 100 hands, in units. %(told)s.", told=told),
            document([points], look, {name: [ink.lines[0]] for name, ink in INKS.items()}),
            [
                gettext("Player"),
                gettext("Hands"),
                gettext("Net per 100"),
                gettext("Low"),
                gettext("High"),
                gettext("Chance above 0, %"),
            ],
            [
                Row(
                    [
                        player,
                        self.profiles[player].totals.hands,
                        round(found.mean, 1),
                        round(found.interval.low, 1) if found.interval else None,
                        round(found.interval.high, 1) if found.interval else None,
                        None if found.above_zero is None else round(100 * found.above_zero, 1),
                    ],
                    {
                        0: player_url(player, **self._filters.written),
                        1: self.profiles[player].hands_url(),
                    },
                )
                for player, found in known.items()
            ],
        )
