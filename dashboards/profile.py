"""Owns what a player's page shows of one player under its filters: numbers, rates and charts."""

import datetime as dt
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, Literal

import polars as pl
from babel.dates import get_day_names
from flask import url_for
from msgspec import Struct

from dashboards import player_charts, wording
from dashboards.figures import Chart
from dashboards.language import gettext, here, later
from dashboards.links import player_url
from dashboards.player_filters import PlayerFilters, full_hour, in_utc
from dashboards.profit_figure import profit_chart, session_breaks
from dashboards.rate_figures import Part, rate_chart, stays_chart
from warehouse.curves import Drawdown, Sitting, drawdown, sittings
from warehouse.custom import CustomRate, CustomStatistic, UncountableError
from warehouse.figures import Figures, Local, Slice
from warehouse.played import JudgedTurn, Opponent
from warehouse.queries import Warehouse
from warehouse.statistics import STATISTICS, Statistic
from warehouse.totals import AverageFigure, Narrowed, Rate, Totals
from warehouse.uncertainty import Mean, shrunk

Certainty = Literal["none", "faded", "plain", "strong"]

PLAIN_BELOW: Final = 0.15
STRONG_BELOW: Final = 0.075

HANDS_JUDGED: Final = 500

APART: Final = {
    "position": later("Position (the last of a table is the dealer)"),
    "hour": later("Hour of the day"),
    "weekday": later("Day of the week"),
    "month": later("Month"),
    "session": later("Session, in the order of play"),
}
"""The charts of one rate, and along what each is apart."""

_RENEGE: Final = "renege"
_TIMED: Final = frozenset({"hour", "weekday", "month"})

_OF_AVERAGES: Final = {
    "q-at-open": {"made": "open"},
    "q-at-raise": {"made": "raise"},
    "q-at-call": {"chance": "call-below-price"},
    "price-at-call": {"chance": "call-below-price"},
    "q-at-fold": {"chance": "fold-above-price"},
    "draw-mean": {"chance": "pat"},
    "tricks/stay": {"chance": "pat"},
    "bourre-cost": {"made": "bourre"},
    "stay-ROI": {"made": "stay"},
}
"""What the list of hands is asked for those that an average is of, where that is not all."""


def certainty(rate: Rate) -> Certainty:
    """How firmly a rate stands, by the half width of its interval."""
    if rate.low is None or rate.high is None:
        return "none"
    half = (rate.high - rate.low) / 2
    if half < STRONG_BELOW:
        return "strong"
    return "plain" if half < PLAIN_BELOW else "faded"


class RateRow(Struct, frozen=True):
    """A rate as its table shows it, and the addresses of the hands behind its k and its n.

    ``usual`` is that of everybody, where it is asked for.
    """

    rate: Rate
    certainty: Certainty
    made: str
    chance: str
    usual: float | None = None

    @property
    def shrunk(self) -> float | None:
        """The rate drawn to the usual one, as far as it is not known well."""
        return None if self.usual is None else shrunk(self.rate.k, self.rate.n, self.usual)


class Profile:
    """One player under filters. What is asked for first is reckoned first, and only once."""

    def __init__(
        self,
        warehouse: Warehouse,
        player: str,
        filters: PlayerFilters,
        rate: str | None = None,
        *,
        with_usual: bool = False,
    ) -> None:
        self._warehouse = warehouse
        self._names = warehouse.aliases.person(player).names
        self._player = player
        self._filters = filters
        self._wanted = rate
        self.with_usual = with_usual

    @cached_property
    def totals(self) -> Totals:
        """What the hands come to."""
        return self._warehouse.figures.totals(self._names, self._filters.narrowed)

    @cached_property
    def figures(self) -> Figures:
        """All figures."""
        return self._warehouse.figures.of_totals(self.totals, self._names, self._filters.narrowed)

    @cached_property
    def per_100(self) -> Mean | None:
        """The net of 100 hands in units; None without hands."""
        return self._warehouse.figures.per_100(self._names, self._filters.narrowed)

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

    @cached_property
    def rates(self) -> list[RateRow]:
        """Every rate of a game that was played, with its hands."""
        usual: dict[str, float] = {}
        if self.with_usual:
            everybody = self._warehouse.figures.totals(None, self._filters.narrowed)
            usual = {rate.id: rate.k / rate.n for rate in everybody.rates() if rate.n}
        return [self._row(rate, usual.get(rate.id)) for rate in self.totals.rates()]

    @property
    def every_rate(self) -> list[RateRow]:
        """Every rate that there is, those of games not played as well."""
        return [self._row(self.totals.rate(one)) for one in STATISTICS]

    def _row(self, rate: Rate, usual: float | None = None) -> RateRow:
        links = (self.hands_url(made=rate.id), self.hands_url(chance=rate.id))
        return RateRow(rate, certainty(rate), *links, usual)

    @cached_property
    def own(self) -> list[tuple[CustomStatistic, CustomRate | None]]:
        """The club's own statistics; None where one comes to nothing that can be added up."""
        found: list[tuple[CustomStatistic, CustomRate | None]] = []
        for one in self.own_statistics:
            try:
                rate = self._warehouse.custom.rate(one, self._names, self._filters.narrowed)
            except UncountableError:
                found.append((one, None))
            else:
                found.append((one, rate))
        return found

    @cached_property
    def own_statistics(self) -> list[CustomStatistic]:
        """The statistics that the club has made up."""
        return self._warehouse.custom.all()

    @property
    def one_rate(self) -> Statistic:
        """The rate that is shown apart: the one asked for, or the first of what was played."""
        played = {rate.id: rate for rate in self.totals.rates()}
        usual = next((name for name, rate in played.items() if rate.n), STATISTICS[0].id)
        wanted = self._wanted if self._wanted in played else usual
        return next(one for one in STATISTICS if one.id == wanted)

    def hands_url(self, **more: str) -> str:
        """The address of the hands behind a figure: those of the filters, and ``more``."""
        asked: dict[str, Any] = {"verdict": "legal", "standing": "first"}
        if _RENEGE in (more.get("made"), more.get("chance")):
            del asked["verdict"]  # for a hand with a renege is no legal one, and yet counts here
        return url_for("pages.hands", player=self._player, **asked | self._filters.search | more)

    def average_url(self, average: AverageFigure) -> str:
        """The address of the hands that an average is of."""
        if average.id.startswith(_RENEGE):
            return self.hands_url(made=_RENEGE)
        return self.hands_url(**_OF_AVERAGES.get(average.id, {}))

    def drawdown_url(self, fall: Drawdown) -> str:
        """The address of the hands of the deepest fall, as far as their times are known."""
        moments = self.hands["played_at"][[fall.first, fall.last]].to_list()
        return self.hands_url(**_between(*moments))

    @property
    def apart(self) -> list[str]:
        """Along what one rate is shown apart: the charts of it that there are."""
        timed = self.hands["played_at"].null_count() < self.hands.height
        return [name for name in APART if timed or name not in _TIMED]

    @property
    def has_judged(self) -> bool:
        """Whether any call or fold can be held against its price."""
        sums = self.totals.sums
        return sums["calls_judged"] + sums["folds_judged"] > 0

    @property
    def has_luck(self) -> bool:
        """Whether any hand of three cards is known as it was dealt."""
        return self.totals.sums["dealt_known"] > 0

    @property
    def has_stays(self) -> bool:
        """Whether there was a decision to stay or go out."""
        return self.totals.sums["declared"] > 0

    def chart(self, name: str) -> Chart | None:
        """One of the page's charts; None where there is nothing to draw, or no such chart."""
        draw = {**self._charts(), **dict.fromkeys(APART, self._apart)}.get(name)
        return draw(name) if draw is not None and self.totals.hands else None

    def _charts(self) -> dict[str, Callable[[str], Chart | None]]:
        hand_url = url_for("pages.hand", hand_id="HAND")
        return {
            "profit": lambda _: profit_chart(self.hands, session_breaks(self.sittings), hand_url),
            "sessions": lambda _: player_charts.sessions_chart(
                self.sittings, self._filters.zone, self._sitting_url
            ),
            "strength": lambda _: self._strength(),
            "opponents": lambda _: self._opponents(),
            "luck": lambda _: self._luck() if self.has_luck else None,
            "stays": lambda _: stays_chart(self.totals, self.hands_url) if self.has_stays else None,
        }

    def _luck(self) -> Chart:
        lucks = self._warehouse.figures.luck(self._names, self._filters.narrowed)
        return player_charts.luck_chart(lucks)

    def _strength(self) -> Chart | None:
        turns = self._warehouse.played.judged_turns(
            self._names, HANDS_JUDGED, self._filters.narrowed
        )
        return player_charts.strength_chart(turns, self._turn_url) if turns else None

    def _turn_url(self, turn: JudgedTurn) -> str:
        chance = {"call": "call-below-price", "fold": "fold-above-price"}[turn.act]
        return url_for("pages.hand", hand_id=turn.hand_id, player=self._player, chance=chance)

    def _opponents(self) -> Chart | None:
        if not self.opponents:
            return None
        return player_charts.opponents_chart(
            self.opponents, player_url, lambda name: self.hands_url(opponent=name)
        )

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
        whole = self.totals.rate(one)
        return rate_chart(name, gettext(APART[name]), one, parts, whole, self.hands_url)

    def _positions(self) -> list[Part]:
        slices = self._warehouse.figures.apart(*self._asked, "seats", "position")
        return [
            Part(f"{position}/{seats}", one.totals, {"seats": seats, "position": position})
            for one in slices
            for seats, position in [map(str, one.key)]
        ]

    def _hours(self) -> list[Part]:
        slices = self._by_local(lambda local: local.hour)
        return [
            Part(f"{one.key[0]:02d}", one.totals, {"hour": str(one.key[0]), **self._in_zone})
            for one in slices
        ]

    def _weekdays(self) -> list[Part]:
        names = get_day_names("abbreviated", locale=here())
        slices = self._by_local(lambda local: local.isoweekday())
        return [
            Part(names[one.key[0] - 1], one.totals, {"weekday": str(one.key[0]), **self._in_zone})
            for one in slices
        ]

    def _months(self) -> list[Part]:
        slices = self._by_local(lambda local: f"{local:%Y-%m}")
        return [Part(one.key[0], one.totals, self._month(one.key[0])) for one in slices]

    def _by_session(self) -> list[Part]:
        """The sessions in the order of play; the hands of none come last."""
        slices = self._warehouse.figures.apart(*self._asked, "session")
        totals = {one.key[0]: one.totals for one in slices}
        ordered = dict.fromkeys(one.session for one in self.sittings if one.session)
        named = [
            Part(wording.short(name), totals[name], {"session": name})
            for name in ordered
            if name in totals
        ]
        if None not in totals:
            return named
        return [*named, Part(gettext("none"), totals[None], _NO_SESSION)]

    @property
    def _in_zone(self) -> dict[str, str]:
        return {"tz": self._filters.zone.key}

    @property
    def _asked(self) -> tuple[Statistic, list[str], Narrowed]:
        return self.one_rate, self._names, self._filters.narrowed

    def _by_local(self, part: Callable[[dt.datetime], Local]) -> list[Slice]:
        return self._warehouse.figures.by_local(*self._asked, part, self._filters.zone)

    def _month(self, month: str) -> dict[str, str]:
        """The bounds of a month at full hours, within those that are asked for already."""
        asked = self._filters.narrowed
        first = dt.datetime.fromisoformat(f"{month}-01").replace(tzinfo=self._filters.zone)
        following = (first + dt.timedelta(days=31)).replace(day=1)
        since, until = (_next_full_hour(at.astimezone(dt.UTC)) for at in (first, following))
        if asked.since is not None:
            since = max(since, asked.since)
        if asked.until is not None:
            until = min(until, asked.until)
        return {"from": in_utc(since), "until": in_utc(until)}

    def _sitting_url(self, sitting: Sitting) -> str:
        if sitting.session is not None:
            return self.hands_url(session=sitting.session)
        return self.hands_url(**_NO_SESSION, **_between(sitting.begun, sitting.ended))


_NO_SESSION: Final = {"in_session": "false"}


def _between(first: dt.datetime | None, last: dt.datetime | None) -> dict[str, str]:
    """What the list of hands is asked for those from a moment to another, both in UTC."""
    if first is None or last is None:
        return {"dated": "false"} if last is None else {}
    until = last + dt.timedelta(microseconds=1)
    return {
        "from": in_utc(first.replace(tzinfo=dt.UTC)),
        "until": in_utc(until.replace(tzinfo=dt.UTC)),
    }


def _next_full_hour(at: dt.datetime) -> dt.datetime:
    """A moment, or the next full hour after it: figures are kept by the hour."""
    return full_hour(at + dt.timedelta(hours=1) - dt.timedelta(microseconds=1))
