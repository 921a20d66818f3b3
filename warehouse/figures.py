"""The figures of a player, of players side by side and of everybody, each with how sure it is."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct

from engine.chance.dealt import dealt_chances
from warehouse.hourly import NetPerHour, net_per_hour
from warehouse.rollup_reading import RollupReader
from warehouse.rollups import SUMS
from warehouse.statistics import STATISTICS, Statistic
from warehouse.totals import (
    EVERYTHING,
    Aggression,
    AverageFigure,
    Key,
    Narrowed,
    Rate,
    Totals,
    counters_of,
    totals_by,
)
from warehouse.uncertainty import (
    Interval,
    Mean,
    believable,
    clustered_mean,
    exact_binomial,
    excess_p,
)

Local = TypeVar("Local", str, int)

_SUITS: Final = 4


class BrelanLuck(Struct, frozen=True):
    """Brelans dealt beside those to be expected, from a pack of ``deck`` cards.

    ``over`` is how many more were dealt than ``expected``, ``interval`` where that may lie.
    """

    deck: int
    hands: int
    dealt: int
    expected: float
    over: float
    interval: Interval


class Flag(Struct, frozen=True):
    """Something that a player does more often than the others, and that costs.

    ``p`` is how probable so much would be if all that was done fell to them and the others at
    random; ``stands`` is whether it is to be believed beside all other flags of the page.
    """

    id: str
    label: str
    rate: Rate
    usual: float
    p: float
    stands: bool


class Figures(Struct, frozen=True):
    """All figures of one player over some hands. ``per_100`` is the net in units per 100 hands."""

    totals: Totals
    per_100: Mean | None
    per_hour: NetPerHour | None
    rates: list[Rate]
    averages: list[AverageFigure]
    aggression: Aggression
    luck: list[BrelanLuck]
    flags: list[Flag]


class Slice(Struct, frozen=True):
    """The hands of one value of a key, such as a position or an hour of the day."""

    key: tuple[Any, ...]
    totals: Totals


_FLAGS: Final = {
    "winner-folded": "Folds the best hand more often than the others",
    "fold-above-price": "Folds hands worth more than their price",
    "call-below-price": "Calls with hands worth less than the price",
    "fold-to-open": "Folds to openings more often than the others",
    "fold-to-raise": "Folds to raises more often than the others",
    "bourre": "Takes no trick more often than the others",
    "stay-with-0": "Stays without a trump more often than the others",
}


class FigureReader:
    """Answers what hands come to, from a house's rollups."""

    def __init__(self, rollups: RollupReader) -> None:
        self._rollups = rollups

    def of(self, names: list[str], narrowed: Narrowed = EVERYTHING) -> Figures:
        """Return all figures of the person of these names."""
        return self.of_totals(self.totals(names, narrowed), names, narrowed)

    def totals(self, names: list[str] | None, narrowed: Narrowed = EVERYTHING) -> Totals:
        """Return what the hands of the person of these names come to, or those of everybody."""
        [(_, totals)] = totals_by(self._rollups, names, narrowed)
        return totals

    def of_totals(self, totals: Totals, names: list[str], narrowed: Narrowed) -> Figures:
        """Return all figures of the person of these names, whose totals are known."""
        return Figures(
            totals,
            self.per_100(names, narrowed),
            net_per_hour(self._rollups, names, narrowed),
            totals.rates(),
            totals.averages(),
            totals.aggression(),
            self.luck(names, narrowed),
            self._flags(totals, narrowed),
        )

    def per_100(self, names: list[str], narrowed: Narrowed) -> Mean | None:
        """Return the net of 100 hands; hands of one session, or of one day, hang together."""
        sums: dict[object, float] = defaultdict(float)
        sizes: dict[object, int] = defaultdict(int)
        for (session, hour), totals in totals_by(
            self._rollups, names, narrowed, "session", "hour", counters=()
        ):
            cluster = session or (hour.date() if hour else None)
            sums[cluster] += 100 * totals.units
            sizes[cluster] += totals.hands
        if not sums:
            return None
        return clustered_mean(list(sums.values()), list(sizes.values()))

    def presets(self, names: list[str]) -> list[str]:
        """Return the rules that the person has played by."""
        found = totals_by(self._rollups, names, EVERYTHING, "preset", counters=())
        return [preset for (preset,), _ in found]

    def apart(
        self, one: Statistic | None, names: list[str], narrowed: Narrowed, *keys: Key
    ) -> list[Slice]:
        """Return the hands by keys, with the counters of one statistic alone, or of all."""
        counters = SUMS if one is None else counters_of(one)
        found = totals_by(self._rollups, names, narrowed, *keys, counters=counters)
        return [Slice(key, totals) for key, totals in found]

    def by_local(
        self,
        one: Statistic | None,
        names: list[str],
        narrowed: Narrowed,
        part: Callable[[dt.datetime], Local],
        zone: ZoneInfo,
    ) -> list[Slice]:
        """Return the hands by a part of their local time, such as its hour or its month.

        A rollup's hour lies where it begins; hands of no known time are left out.
        """
        added: dict[Local, Totals] = {}
        for slice_of_hour in self.apart(one, names, narrowed, "hour"):
            [hour] = slice_of_hour.key
            if hour is not None:
                local = part(hour.replace(tzinfo=dt.UTC).astimezone(zone))
                before = added.get(local)
                totals = slice_of_hour.totals
                added[local] = totals if before is None else before + totals
        return [Slice((local,), added[local]) for local in sorted(added)]

    def luck(self, names: list[str], narrowed: Narrowed) -> list[BrelanLuck]:
        """Return the brelans dealt to the person beside those to be expected, by pack."""
        lucks = []
        for (deck,), totals in totals_by(
            self._rollups, names, narrowed, "deck", counters=("dealt_known", "brelans_dealt")
        ):
            hands, dealt = totals.sums["dealt_known"], totals.sums["brelans_dealt"]
            if not hands:
                continue
            chance = float(dealt_chances("?" * (deck // _SUITS)).simple_or_better)
            found = exact_binomial(dealt, hands)
            expected = hands * chance
            interval = Interval(found.low * hands - expected, found.high * hands - expected)
            lucks.append(BrelanLuck(deck, hands, dealt, expected, dealt - expected, interval))
        return lucks

    def _flags(self, totals: Totals, narrowed: Narrowed) -> list[Flag]:
        """What the player does more often than the others, surest first."""
        flagged = [one for one in STATISTICS if one.id in _FLAGS]
        counters = dict.fromkeys(name for one in flagged for name in counters_of(one))
        [(_, everybody)] = totals_by(self._rollups, None, narrowed, counters=list(counters))
        found = []
        for one in flagged:
            mine, all_of = totals.rate(one), everybody.rate(one)
            others = all_of.n - mine.n
            if not mine.n or not others:
                continue
            others_k = all_of.k - mine.k
            usual = others_k / others
            if mine.k > usual * mine.n:
                p = excess_p(mine.k, mine.n, others_k, others)
                found.append((one.id, mine, usual, p))
        stand = believable([p for *_, p in found])
        flags = [
            Flag(name, _FLAGS[name], rate, usual, p, stands)
            for (name, rate, usual, p), stands in zip(found, stand, strict=True)
        ]
        return sorted(flags, key=lambda flag: flag.p)
