"""What the service answers of players, as types. The names are those of the API."""

import datetime as dt
from typing import Literal, TypedDict

from msgspec import Struct

Place = Literal["first", "between", "dealer"]


class FigureConditions(TypedDict, total=False):
    """Which of a player's hands are meant; times as for hands, taken back to full hours."""

    preset: str
    place: Place
    session: str
    from_: str | dt.date
    until: str | dt.date


class Interval(Struct, frozen=True):
    """From ``low`` to ``high``, where a figure lies in 95 of 100 cases."""

    low: float
    high: float


class Mean(Struct, frozen=True):
    """A mean, and how probable it is that the true one is above 0; one session tells neither."""

    mean: float
    interval: Interval | None
    above_zero: float | None


class Rate(Struct, frozen=True):
    """How often something was done of how often it could be: k of n, and its 95 % interval."""

    id: str
    game: str
    label: str
    formula: str
    k: int
    n: int
    low: float | None
    high: float | None


class Average(Struct, frozen=True):
    """A quantity over ``n`` times."""

    id: str
    game: str
    label: str
    formula: str
    unit: str
    value: float | None
    n: int


class Aggression(Struct, frozen=True):
    """(Openings + raises) ÷ calls."""

    active: int
    calls: int
    value: float | None
    interval: Interval | None


class NetPerHour(Struct, frozen=True):
    """The net of an hour of play, in units, over all sittings that have a length."""

    hours: float
    sittings: int
    units: float
    mean: Mean


class BrelanLuck(Struct, frozen=True):
    """Brelans dealt beside those to be expected, from a pack of ``deck`` cards."""

    deck: int
    hands: int
    dealt: int
    expected: float
    over: float
    interval: Interval


class Flag(Struct, frozen=True):
    """Something that costs and is done more often than by others; believe what ``stands``."""

    id: str
    label: str
    rate: Rate
    usual: float
    p: float
    stands: bool


class Totals(Struct, frozen=True):
    """Sums over hands: their net in ``units``, and every counter by its name."""

    hands: int
    units: float
    sums: dict[str, int]


class Figures(Struct, frozen=True):
    """All figures of a player over some hands."""

    player: str
    totals: Totals
    per_100: Mean | None
    per_hour: NetPerHour | None
    rates: list[Rate]
    averages: list[Average]
    aggression: Aggression
    luck: list[BrelanLuck]
    flags: list[Flag]


class HandsPart(Struct, frozen=True, kw_only=True):
    """Some of a player's hands: their net in chips and in units, and how they were played."""

    hands: int
    net: int
    units: float
    per_100: float
    rates: list[Rate]
    averages: list[Average]
    links: dict[str, str]


class PositionPart(HandsPart, frozen=True, kw_only=True):
    """The hands of one seat: 1 right of the dealer, and on to the dealer, who speaks last."""

    seats: int
    position: int
    place: Place


class HourPart(HandsPart, frozen=True, kw_only=True):
    """The hands of one hour of the day."""

    hour: int


class WeekdayPart(HandsPart, frozen=True, kw_only=True):
    """The hands of one day of the week, 1 Monday to 7 Sunday."""

    weekday: int


class PlayerPositions(Struct, frozen=True):
    """A player's hands by the number of seats and the position."""

    player: str
    positions: list[PositionPart]


class PlayerHours(Struct, frozen=True):
    """A player's hands by the local time of a zone."""

    player: str
    tz: str
    hours: list[HourPart]
    weekdays: list[WeekdayPart]


class PlayedSession(Struct, frozen=True):
    """Hands that were played in one go; ``first`` is the first one's place, from 0."""

    session: str | None
    begun: dt.datetime | None
    ended: dt.datetime | None
    first: int
    hands: int
    net: int
    units: float
    hours: float | None
    links: dict[str, str]


class Fall(Struct, frozen=True):
    """The deepest fall of the cumulative net, in chips, and the first and the last hand of it."""

    amount: int
    first: str
    last: str


class Opponent(Struct, frozen=True):
    """Somebody at the same table: in how many hands, and the chips that came from them, or went."""

    player: str
    hands: int
    chips: float
    links: dict[str, str]
