"""What a player's hands come to apart: by position, hour and weekday, by session, by opponent.

Every part leads to exactly the hands that it is of.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, TypeVar
from zoneinfo import ZoneInfo

from flask import Response, url_for
from msgspec import Meta, Struct
from msgspec.structs import asdict

from service.api.answers import Cursor, Limit, bad_parameter, warehouse, written
from service.api.operations import operation
from service.api.players import FiguresQuery, PlayerKey, find_player
from warehouse.conditions import Zone
from warehouse.cursors import BadCursor, read_cursor, write_cursor
from warehouse.curves import Sitting, drawdown, sittings
from warehouse.local_time import zone_of
from warehouse.played import Opponent
from warehouse.totals import AverageFigure, Place, Rate, Totals

_INSTANT: Final = dt.timedelta(microseconds=1)

T = TypeVar("T")


class HandsPart(Struct, frozen=True, kw_only=True):
    """Some of a player's hands: their net in chips and in units, and how they were played."""

    hands: int
    net: int
    units: float
    per_100: float
    rates: list[Rate]
    averages: list[AverageFigure]
    links: dict[str, str]


class PositionPart(HandsPart, frozen=True, kw_only=True):
    """The hands of one seat of a table with so many, counted from the dealer's right."""

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
    """A player's hands by the local time of a zone; those of no known time are in none."""

    player: str
    tz: str
    hours: list[HourPart]
    weekdays: list[WeekdayPart]


class PlayedSession(Sitting, frozen=True, kw_only=True):
    """Hands that were played in one go, with where they are listed."""

    links: dict[str, str]


class Fall(Struct, frozen=True):
    """The deepest fall of the cumulative net, in chips, and the first and the last hand of it."""

    amount: int
    first: str
    last: str


class PlayerSessions(Struct, frozen=True):
    """A player's sessions in the order of play; ``drawdown`` is of all hands. ``next`` leads on."""

    player: str
    drawdown: Fall | None
    sessions: list[PlayedSession]
    next: str | None


class Met(Opponent, frozen=True, kw_only=True):
    """Somebody at the same table, with where the hands of both are listed."""

    links: dict[str, str]


class PlayerOpponents(Struct, frozen=True):
    """With whom a player played, the most often first; ``next`` leads on."""

    player: str
    opponents: list[Met]
    next: str | None


class HoursQuery(FiguresQuery, frozen=True, kw_only=True, omit_defaults=True):
    """Which hands the figures are of, and the zone of their local time."""

    tz: (
        Annotated[Zone, Meta(title="The time zone; else that of the player's hands, or UTC.")]
        | None
    ) = None

    def __post_init__(self) -> None:
        """Hold that the moments and the zone are some.

        Raises:
            ValueError: one of them is none.
        """
        super().__post_init__()
        if self.tz is not None:
            zone_of(self.tz)


class PartsQuery(FiguresQuery, frozen=True, kw_only=True, omit_defaults=True):
    """Which hands are meant, and where the list goes on."""

    limit: Limit = 50
    cursor: Cursor | None = None


@operation("GET", "/api/v1/players/<player>/positions", scope="read", problems=("not-found",))
def show_positions(player: PlayerKey, query: FiguresQuery) -> PlayerPositions | Response:
    """Show how a player does by position: net, rates with their intervals, averages.

    Position 1 is the seat right of the dealer, the last one the dealer, who speaks last.
    """
    who = _asked(player)
    if isinstance(who, Response):
        return who
    slices = warehouse().figures.apart(None, who.names, query.narrowed, "seats", "position")
    parts = []
    for one in slices:
        seats, position = one.key
        apart = {"seats": seats, "position": position}
        part = _part(who, query, one.totals, **apart)
        parts.append(PositionPart(**apart, place=_place(seats, position), **part))
    return PlayerPositions(who.player, parts)


@operation("GET", "/api/v1/players/<player>/hours", scope="read", problems=("not-found",))
def show_hours(player: PlayerKey, query: HoursQuery) -> PlayerHours | Response:
    """Show how a player does by the hour of the day and by the day of the week, in local time.

    Hands count by the UTC hour that they lie in, which matters in zones of half hours alone.
    """
    who = _asked(player)
    if isinstance(who, Response):
        return who
    zone = _usual_zone(who.names) if query.tz is None else zone_of(query.tz)
    by_hour = _by_local(who, query, zone, lambda local: local.hour)
    by_weekday = _by_local(who, query, zone, lambda local: local.isoweekday())
    return PlayerHours(
        who.player,
        zone.key,
        [
            HourPart(hour=hour, **_part(who, query, totals, hour=hour, tz=zone.key))
            for hour, totals in by_hour
        ],
        [
            WeekdayPart(weekday=day, **_part(who, query, totals, weekday=day, tz=zone.key))
            for day, totals in by_weekday
        ],
    )


@operation("GET", "/api/v1/players/<player>/sessions", scope="read", problems=("not-found",))
def list_sittings(player: PlayerKey, query: PartsQuery) -> PlayerSessions | Response:
    """List what each session of a player brought, and how long it took, in the order of play.

    A pause of more than 60 minutes parts the hands that name no session.
    """
    who = _asked(player)
    if isinstance(who, Response):
        return who
    hands = warehouse().played.of(who.names, query.narrowed)
    page = _page(sittings(hands), "list_sittings", player, query)
    if isinstance(page, Response):
        return page
    some, following = page
    fall = drawdown(hands)
    ids = hands["hand_id"]
    return PlayerSessions(
        who.player,
        None if fall is None else Fall(fall.amount, ids[fall.first], ids[fall.last]),
        [_session(who, query, one) for one in some],
        following,
    )


@operation("GET", "/api/v1/players/<player>/opponents", scope="read", problems=("not-found",))
def list_opponents(player: PlayerKey, query: PartsQuery) -> PlayerOpponents | Response:
    """List with whom a player played, and the chips that came from them or went to them.

    What a seat loses is shared out among those who win, by what each of them wins.
    """
    who = _asked(player)
    if isinstance(who, Response):
        return who
    opponents = warehouse().played.opponents(who.names, query.narrowed)
    page = _page(opponents, "list_opponents", player, query)
    if isinstance(page, Response):
        return page
    some, following = page
    met = [Met(**asdict(one), links=_links(who, query, opponent=one.player)) for one in some]
    return PlayerOpponents(who.player, met, following)


class _Who(Struct, frozen=True):
    """The player who is asked for, and all names of theirs."""

    player: str
    names: list[str]


def _asked(key: str) -> _Who | Response:
    found = find_player(key)
    if isinstance(found, Response):
        return found
    return _Who(found.player, warehouse().aliases.person(found.player).names)


def _by_local(
    who: _Who, query: FiguresQuery, zone: ZoneInfo, part: Callable[[dt.datetime], int]
) -> list[tuple[int, Totals]]:
    slices = warehouse().figures.by_local(None, who.names, query.narrowed, part, zone)
    return [(one.key[0], one.totals) for one in slices]


def _part(who: _Who, query: FiguresQuery, totals: Totals, **more: object) -> dict[str, Any]:
    """The members that every part has."""
    return {
        "hands": totals.hands,
        "net": totals.sums["net"],
        "units": totals.units,
        "per_100": 100 * totals.units / totals.hands,
        "rates": totals.rates(),
        "averages": totals.averages(),
        "links": _links(who, query, **more),
    }


def _links(who: _Who, query: FiguresQuery, **more: object) -> dict[str, str]:
    """Where the hands are listed that count, and meet more than was asked for."""
    narrowed = query.narrowed
    asked: dict[str, Any] = {
        "player": who.player,
        "verdict": "legal",
        "standing": "first",
        "preset": narrowed.preset,
        "session": narrowed.session,
        "place": narrowed.place,
        "from": _written(narrowed.since),
        "until": _written(narrowed.until),
        **more,
    }
    return {"hands": url_for("api.list_hands", **asked)}


def _session(who: _Who, query: FiguresQuery, one: Sitting) -> PlayedSession:
    begun, ended = (
        None if at is None else at.replace(tzinfo=dt.UTC) for at in (one.begun, one.ended)
    )
    where: dict[str, Any] = {"in_session": "false"}
    if one.session is not None:
        where = {"session": one.session}
    elif begun is None or ended is None:
        where["dated"] = "false"
    else:
        where |= {"from": _written(begun), "until": _written(ended + _INSTANT)}
    told = {**asdict(one), "begun": begun, "ended": ended}
    return PlayedSession(**told, links=_links(who, query, **where))


def _page(
    found: Sequence[T], operation_name: str, player: str, query: PartsQuery
) -> tuple[Sequence[T], str | None] | Response:
    """A page of what was found, and the link to the one behind it."""
    asked = {name: text for name, text in written(query).items() if name != "cursor"}
    listing = (operation_name, player, {**asked, "limit": None})
    first = 0
    if query.cursor is not None:
        place = read_cursor(query.cursor, listing, tuple[int])
        if isinstance(place, BadCursor):
            return bad_parameter("cursor", place.expected, place.seen)
        [first] = place
    end = first + query.limit
    if end >= len(found):
        return found[first:], None
    cursor = write_cursor(listing, (end,))
    following = url_for(f"api.{operation_name}", player=player, **{**asked, "cursor": cursor})
    return found[first:end], following


def _usual_zone(names: list[str]) -> ZoneInfo:
    """The zone that the player's hands name, or UTC."""
    try:
        return zone_of(warehouse().played.zone(names) or "UTC")
    except ValueError:
        return zone_of("UTC")


def _place(seats: int, position: int) -> Place:
    if position == seats:
        return "dealer"
    return "first" if position == 1 else "between"


def _written(at: dt.datetime | None) -> str | None:
    """A moment as the conditions on hands take it."""
    return None if at is None else at.isoformat().replace("+00:00", "Z")
