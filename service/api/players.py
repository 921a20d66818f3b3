"""Players: who played, what it brought them, how they play; and which names are one person's."""

import base64
import datetime as dt
from typing import Annotated, Final

from flask import Response, url_for
from msgspec import Meta, Struct, field
from msgspec.structs import asdict

from dashboards.links import player_url
from dashboards.player_filters import full_hour
from engine.presets import PRESETS
from service.api.answers import (
    Cursor,
    Limit,
    PageQuery,
    bad_parameter,
    warehouse,
    written,
)
from service.api.operations import operation
from service.problems import problem
from warehouse.aliases import NotMerged, Person
from warehouse.conditions import Moment, hold_moments, moment
from warehouse.cursors import BadCursor
from warehouse.figures import Figures
from warehouse.queries import PlayerSummary, ProfitPoint
from warehouse.search import PlayerSort
from warehouse.totals import Narrowed, Place, Rate

_ENCODED: Final = "~"

_Name = Meta(min_length=1, max_length=200)
_KEY = Meta(
    description=(
        "a name; one with a /, and one that is . or .. or begins with ~, as ~ and its UTF-8 in"
        " Base64 (with - and _ and without =)"
    ),
    min_length=1,
    max_length=1_200,
)
PlayerKey = Annotated[str, Meta(title="The player, by any of their names."), _KEY]
AliasKey = Annotated[str, Meta(title="The alias, as a player is named in a path."), _KEY]


class PlayerItem(PlayerSummary, frozen=True, kw_only=True):
    """A player in a list, with where they lead to."""

    links: dict[str, str]


class PlayerPage(Struct, frozen=True):
    """Players, in the order asked for; ``next`` leads on."""

    players: list[PlayerItem]
    next: str | None


class PlayerProfile(PlayerItem, frozen=True, kw_only=True):
    """A player with the other names of theirs and their statistics."""

    aliases: list[str]
    statistics: list[Rate]


class ProfitPage(Struct, frozen=True):
    """What each counted hand brought a player, in the order of play; ``next`` leads on."""

    points: list[ProfitPoint]
    next: str | None


class PlayerNames(Struct, frozen=True):
    """A player and the other names of theirs."""

    player: str
    aliases: list[str]
    links: dict[str, str]


class AliasWish(Struct, frozen=True, forbid_unknown_fields=True):
    """The name that is one of the player's as well."""

    alias: Annotated[str, _Name]


class PlayersQuery(Struct, omit_defaults=True):
    """Which players, and the order of the list."""

    name: (
        Annotated[str, _Name, Meta(title="What one of their names holds, in whatever case.")] | None
    ) = None
    sort: Annotated[
        PlayerSort, Meta(title="By what the list is ordered, and whether downwards (`-`).")
    ] = "-hands"
    limit: Limit = 50
    cursor: Cursor | None = None


class PlayerFigures(Figures, frozen=True, kw_only=True):
    """All figures of a player over the hands that were asked for, each with how sure it is."""

    player: str
    links: dict[str, str]


class FiguresQuery(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which hands the figures are of, as conditions to be met all together.

    Figures are kept by the hour: ``from_`` and ``until`` are taken back to the hour they lie in.
    """

    preset: (
        Annotated[
            str,
            Meta(
                title="The preset of the hands' rules.",
                extra_json_schema={"enum": sorted(PRESETS)},
            ),
        ]
        | None
    ) = None
    place: (
        Annotated[
            Place, Meta(title="Where the player sat: first to speak, the dealer, or between.")
        ]
        | None
    ) = None
    session: Annotated[str, _Name, Meta(title="The hands' session, by its id.")] | None = None
    from_: Annotated[Moment, Meta(title="Played in that hour or later.")] | None = field(
        default=None, name="from"
    )
    until: Annotated[Moment, Meta(title="Played before that hour.")] | None = None

    def __post_init__(self) -> None:
        """Hold that the moments are some.

        Raises:
            ValueError: one of them is none.
        """
        hold_moments(self.from_, self.until)

    @property
    def narrowed(self) -> Narrowed:
        """The same as the figures have it."""
        return Narrowed(
            preset=self.preset,
            place=self.place,
            session=self.session,
            since=None if self.from_ is None else full_hour(moment(self.from_)),
            until=None if self.until is None else full_hour(moment(self.until)),
        )


@operation("GET", "/api/v1/players", scope="read")
def list_players(query: PlayersQuery) -> PlayerPage | Response:
    """List the players who have a hand that counts, unless asked otherwise by how many.

    Hands count that are complete and legal, and of an identity the one that stands.
    """
    found = warehouse().search_players(
        query.name, sort=query.sort, limit=query.limit, cursor=query.cursor
    )
    if isinstance(found, BadCursor):
        return bad_parameter("cursor", found.expected, found.seen)
    following = None
    if found.next_cursor is not None:
        following = url_for("api.list_players", **{**written(query), "cursor": found.next_cursor})
    items = [PlayerItem(**asdict(one), links=_links(one.player)) for one in found.players]
    return PlayerPage(items, following)


@operation("GET", "/api/v1/players/<player>", scope="read", problems=("not-found",))
def show_player(player: PlayerKey) -> PlayerProfile | Response:
    """Show a player: totals, the other names of theirs, statistics with their intervals."""
    found = find_player(player)
    if isinstance(found, Response):
        return found
    return PlayerProfile(
        **asdict(found),
        aliases=warehouse().aliases.person(found.player).aliases,
        statistics=warehouse().rates(found.player),
        links=_links(found.player),
    )


@operation("GET", "/api/v1/players/<player>/figures", scope="read", problems=("not-found",))
def show_figures(player: PlayerKey, query: FiguresQuery) -> PlayerFigures | Response:
    """Show all figures of a player over some of their hands, each with how sure it is.

    Totals, net per 100 hands, rates, averages, aggression, luck of the deal, and flags: what is
    done more often than by the others, and costs; of these only those that stand are to be
    believed.
    """
    found = find_player(player)
    if isinstance(found, Response):
        return found
    names = warehouse().aliases.person(found.player).names
    figures = warehouse().figures.of(names, query.narrowed)
    shown = {name: getattr(figures, name) for name in Figures.__struct_fields__}
    return PlayerFigures(**shown, player=found.player, links=_links(found.player))


@operation("GET", "/api/v1/players/<player>/profit", scope="read", problems=("not-found",))
def list_profit(player: PlayerKey, query: PageQuery) -> ProfitPage | Response:
    """List what each hand that counts brought a player, in the order of play."""
    found = find_player(player)
    if isinstance(found, Response):
        return found
    page = warehouse().profit_page(found.player, limit=query.limit, cursor=query.cursor)
    if isinstance(page, BadCursor):
        return bad_parameter("cursor", page.expected, page.seen)
    following = None
    if page.next_cursor is not None:
        asked = {**written(query), "cursor": page.next_cursor}
        following = url_for("api.list_profit", player=player_key(found.player), **asked)
    return ProfitPage(page.points, following)


@operation(
    "POST",
    "/api/v1/players/<player>/aliases",
    scope="audit",
    problems=("not-found", "unknown-player", "alias-conflict"),
)
def merge_alias(player: PlayerKey, document: AliasWish) -> PlayerNames | Response:
    """Make a name one of a player's as well.

    Whoever asks of the player from now on asks of both names; what was written stays as it is. The
    name's own aliases come along. To merge what is merged changes nothing.
    """
    name = player_name(player)
    if name is None or warehouse().player(name) is None:
        return _unknown(player)
    if warehouse().player(document.alias) is None:
        detail = f"Nobody called {document.alias!r} has played a hand that came in."
        return problem("unknown-player", detail, alias=document.alias)
    return _names(
        warehouse().aliases.merge(name, document.alias, dt.datetime.now(dt.UTC)),
        name,
        document.alias,
    )


@operation(
    "DELETE",
    "/api/v1/players/<player>/aliases/<alias>",
    scope="audit",
    problems=("not-found",),
)
def split_alias(player: PlayerKey, alias: AliasKey) -> PlayerNames | Response:
    """Make an alias of a player a name on its own again."""
    name, other = player_name(player), player_name(alias)
    if name is None or other is None:
        return _unknown(player)
    return _names(warehouse().aliases.split(name, other, dt.datetime.now(dt.UTC)), name, other)


def player_key(name: str) -> str:
    """How a player is named in a path."""
    plain = name not in ("", ".", "..") and not name.startswith(_ENCODED)
    if plain and "/" not in name and name.isprintable():
        return name
    packed = base64.urlsafe_b64encode(name.encode()).rstrip(b"=").decode()
    return f"{_ENCODED}{packed}"


def player_name(key: str) -> str | None:
    """The name that a path gives a player, or None where it gives none."""
    if not key.startswith(_ENCODED):
        return key
    packed = key.removeprefix(_ENCODED)
    try:
        padded = packed + "=" * (-len(packed) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True).decode()
    except ValueError:
        return None


def find_player(key: str) -> PlayerSummary | Response:
    """The player whom a path names, or the problem that nobody is called so."""
    name = player_name(key)
    found = None if name is None else warehouse().player(name)
    return _unknown(key) if found is None else found


def _unknown(key: str) -> Response:
    return problem("not-found", "Nobody of this name has played a hand.", player=key[:200])


def _names(done: Person | NotMerged, player: str, alias: str) -> PlayerNames | Response:
    if isinstance(done, Person):
        return PlayerNames(done.player, done.aliases, _links(done.player))
    if done.reason == "no-alias":
        return problem(
            "not-found", f"{alias!r} is no alias of {player!r}.", player=player, alias=alias
        )
    why = {
        "itself": f"{player!r} cannot be an alias of itself.",
        "player-is-alias": f"{player!r} is an alias of {done.of!r}: merge into that one.",
        "alias-taken": f"{alias!r} is an alias of {done.of!r} already: split it there first.",
        "unkept": "A name with U+0000 cannot be merged.",
    }[done.reason]
    return problem("alias-conflict", why, player=player, alias=alias, of=done.of)


def _links(player: str) -> dict[str, str]:
    key = player_key(player)
    return {
        "self": url_for("api.show_player", player=key),
        "figures": url_for("api.show_figures", player=key),
        "positions": url_for("api.show_positions", player=key),
        "hours": url_for("api.show_hours", player=key),
        "sessions": url_for("api.list_sittings", player=key),
        "opponents": url_for("api.list_opponents", player=key),
        "profit": url_for("api.list_profit", player=key),
        "hands": url_for("api.list_hands", player=player),
        "page": player_url(player),
    }
