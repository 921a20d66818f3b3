"""Owns what a player's page shows of one player under its filters: numbers, rates and charts."""

import datetime as dt
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, Literal

import polars as pl
from flask import url_for
from msgspec import Struct

from dashboards import player_charts, wording
from dashboards.figures import Chart, csv_of
from dashboards.links import player_url
from dashboards.player_charts import WEEKDAYS, Part, rate_cells
from dashboards.player_filters import PlayerFilters, in_utc
from dashboards.profit_figure import profit_chart, session_breaks
from warehouse.curves import Drawdown, Sitting, drawdown, sittings
from warehouse.figures import Figures, Local, Slice
from warehouse.played import Opponent
from warehouse.queries import Warehouse
from warehouse.statistics import STATISTICS, Statistic
from warehouse.totals import Narrowed, Rate

Certainty = Literal["none", "faded", "plain", "strong"]

PLAIN_BELOW: Final = 0.15
STRONG_BELOW: Final = 0.075

HANDS_JUDGED: Final = 500

APART: Final = {
    "position": "Position (the last of a table is the dealer)",
    "hour": "Hour of the day",
    "weekday": "Day of the week",
    "month": "Month",
    "session": "Session, in the order of play",
}
"""The charts of one rate, and along what each is apart."""

_SHOWDOWN: Final = {
    "showdown": "true",
    "won-at-showdown": "true",
    "by-point": "true",
    "by-brelan": "true",
    "steal": "false",
}


def certainty(rate: Rate) -> Certainty:
    """How firmly a rate stands, by the half width of its interval."""
    if rate.low is None or rate.high is None:
        return "none"
    half = (rate.high - rate.low) / 2
    if half < STRONG_BELOW:
        return "strong"
    return "plain" if half < PLAIN_BELOW else "faded"


class RateRow(Struct, frozen=True):
    """A rate as its table shows it, and the address of the hands behind it."""

    rate: Rate
    certainty: Certainty
    leads_to: str


class Profile:
    """One player under filters. What is asked for first is reckoned first, and only once."""

    def __init__(
        self, warehouse: Warehouse, player: str, filters: PlayerFilters, rate: str | None = None
    ) -> None:
        self._warehouse = warehouse
        self._names = warehouse.aliases.person(player).names
        self._player = player
        self._filters = filters
        self._wanted = rate

    @cached_property
    def figures(self) -> Figures:
        """All figures."""
        return self._warehouse.figures.of(self._names, self._filters.narrowed)

    @cached_property
    def hands(self) -> pl.DataFrame:
        """The hands in the order of play, in columns."""
        return self._warehouse.played.of(self._names, self._filters.narrowed)

    @cached_property
    def opponents(self) -> list[Opponent]:
        """With whom the hands were played."""
        return self._warehouse.played.opponents(self._names, self._filters.narrowed)

    @cached_property
    def sittings(self) -> list[Sitting]:
        """The sessions that the hands are of."""
        return sittings(self.hands)

    @property
    def drawdown(self) -> Drawdown | None:
        """The deepest fall of the line of profit."""
        return drawdown(self.hands)

    @property
    def presets(self) -> list[str]:
        """The rules that the player has played by, whatever the filters."""
        return self._warehouse.figures.presets(self._names)

    @property
    def rates(self) -> list[RateRow]:
        """Every rate with its hands."""
        return [
            RateRow(rate, certainty(rate), self.rate_url(rate.id)) for rate in self.figures.rates
        ]

    @property
    def every_rate(self) -> list[RateRow]:
        """Every rate that there is, those of games not played as well."""
        rates = [self.figures.totals.rate(one) for one in STATISTICS]
        return [RateRow(rate, certainty(rate), self.rate_url(rate.id)) for rate in rates]

    @property
    def one_rate(self) -> Statistic:
        """The rate that is shown apart: the one asked for, or the first of what was played."""
        played = {rate.id: rate for rate in self.figures.rates}
        usual = next((rate.id for rate in self.figures.rates if rate.n), STATISTICS[0].id)
        wanted = self._wanted if self._wanted in played else usual
        return next(one for one in STATISTICS if one.id == wanted)

    def hands_url(self, **more: str) -> str:
        """The address of the hands behind the figures, as far as the list of hands can say it."""
        asked: dict[str, Any] = {"verdict": "legal", "standing": "first"}
        return url_for("pages.hands", player=self._player, **asked | self._filters.search | more)

    def rate_url(self, name: str) -> str:
        """The address of the hands behind a rate."""
        return self.hands_url(**({"showdown": _SHOWDOWN[name]} if name in _SHOWDOWN else {}))

    def chart(self, name: str) -> Chart | None:
        """One of the page's charts; None where there is nothing to draw, or no such chart."""
        draw = {**self._charts(), **dict.fromkeys(APART, self._apart)}.get(name)
        return draw(name) if draw is not None and self.figures.totals.hands else None

    def table(self, name: str) -> str | None:
        """The table of one of the page's charts, or that of the rates, as CSV."""
        if name == "rates":
            return self._rates_table()
        chart = self.chart(name)
        return None if chart is None else chart.as_csv()

    def _charts(self) -> dict[str, Callable[[str], Chart | None]]:
        hand_url = url_for("pages.hand", hand_id="HAND")
        return {
            "profit": lambda _: profit_chart(self.hands, session_breaks(self.sittings), hand_url),
            "sessions": lambda _: player_charts.sessions_chart(
                self.sittings, self._filters.zone, self._sitting_url
            ),
            "strength": lambda _: self._strength(hand_url),
            "opponents": lambda _: (
                player_charts.opponents_chart(self.opponents, player_url)
                if self.opponents
                else None
            ),
            "luck": lambda _: (
                player_charts.luck_chart(self.figures.luck) if self.figures.luck else None
            ),
            "stays": lambda _: (
                player_charts.stays_chart(self.figures.totals)
                if self.figures.totals.sums["declared"]
                else None
            ),
        }

    def _strength(self, hand_url: str) -> Chart | None:
        turns = self._warehouse.played.judged_turns(
            self._names, HANDS_JUDGED, self._filters.narrowed
        )
        return player_charts.strength_chart(turns, hand_url) if turns else None

    def _apart(self, name: str) -> Chart | None:
        one = self.one_rate
        parts = {
            "position": self._positions,
            "hour": self._hours,
            "weekday": self._weekdays,
            "month": self._months,
            "session": self._by_session,
        }[name]()
        if not parts:
            return None
        whole = self.figures.totals.rate(one)
        return player_charts.rate_chart(name, APART[name], one, parts, whole)

    def _positions(self) -> list[Part]:
        slices = self._warehouse.figures.apart(*self._asked, "seats", "position")
        return [Part("{1}/{0}".format(*one.key), one.totals, self.hands_url()) for one in slices]

    def _hours(self) -> list[Part]:
        slices = self._by_local(lambda local: local.hour)
        return [Part(f"{one.key[0]:02d}", one.totals, self.hands_url()) for one in slices]

    def _weekdays(self) -> list[Part]:
        slices = self._by_local(lambda local: local.weekday())
        return [Part(WEEKDAYS[one.key[0]], one.totals, self.hands_url()) for one in slices]

    def _months(self) -> list[Part]:
        slices = self._by_local(lambda local: f"{local:%Y-%m}")
        return [
            Part(one.key[0], one.totals, self.hands_url(**self._month(one.key[0])))
            for one in slices
        ]

    def _by_session(self) -> list[Part]:
        """The sessions in the order of play; the hands of none come last."""
        slices = self._warehouse.figures.apart(*self._asked, "session")
        totals = {one.key[0]: one.totals for one in slices}
        ordered = dict.fromkeys(one.session for one in self.sittings if one.session)
        return [
            Part(wording.short(name), totals[name], self.hands_url(session=name))
            for name in ordered
            if name in totals
        ] + ([Part("none", totals[None], self.hands_url())] if None in totals else [])

    @property
    def _asked(self) -> tuple[Statistic, list[str], Narrowed]:
        return self.one_rate, self._names, self._filters.narrowed

    def _by_local(self, part: Callable[[dt.datetime], Local]) -> list[Slice]:
        return self._warehouse.figures.by_local(*self._asked, part, self._filters.zone)

    def _month(self, month: str) -> dict[str, str]:
        """The bounds of a month, within those that are asked for already."""
        asked = self._filters.narrowed
        first = dt.datetime.fromisoformat(f"{month}-01").replace(tzinfo=self._filters.zone)
        following = (first + dt.timedelta(days=31)).replace(day=1)
        since, until = first.astimezone(dt.UTC), following.astimezone(dt.UTC)
        if asked.since is not None:
            since = max(since, asked.since)
        if asked.until is not None:
            until = min(until, asked.until)
        return {"from": in_utc(since), "until": in_utc(until)}

    def _sitting_url(self, sitting: Sitting) -> str:
        if sitting.session is not None:
            return self.hands_url(session=sitting.session)
        if sitting.begun is None or sitting.ended is None:
            return self.hands_url()
        until = sitting.ended + dt.timedelta(seconds=1)
        bounds = [in_utc(at.replace(tzinfo=dt.UTC)) for at in (sitting.begun, until)]
        return self.hands_url(**dict(zip(("from", "until"), bounds, strict=True)))

    def _rates_table(self) -> str:
        columns = ["Rate", "Id", "k", "n", "Share %", "Low %", "High %", "Counted as"]
        rows = [
            [rate.label, rate.id, *rate_cells(rate), rate.formula] for rate in self.figures.rates
        ]
        return csv_of(columns, rows)
