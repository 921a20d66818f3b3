"""Owns the routes of the pages of players: their list, one of them, and some side by side."""

import datetime as dt
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from dashboards import assets, links, player_filters, wording
from dashboards.house import house, needs
from dashboards.profile import APART, Profile
from warehouse.aliases import NotMerged
from warehouse.queries import PlayerSummary, Warehouse

blueprint = Blueprint("players", __name__)
blueprint.after_request(assets.add_headers)

Page = str | BaseResponse | tuple[str, HTTPStatus]

_COLUMNS: Final = {
    "player": "Player",
    "hands": "Hands",
    "net": "Net",
    "net_showdown": "At showdown",
    "net_uncontested": "Without showdown",
    "premium": "Premiums",
}
_NOBODY: Final = "Nobody of this name has played a hand that came in."


def _warehouse() -> Warehouse:
    return house().warehouse


def _missing(headline: str, advice: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> Page:
    return render_template("missing.html", headline=headline, advice=advice), status


@blueprint.get("/players")
def index() -> Page:
    """All players, sorted by a column; or one of them, whose name cannot stand in a path."""
    if name := request.args.get("player"):
        return show(name)
    column = request.args.get("sort", "hands")
    if column not in _COLUMNS:
        column = "hands"
    descending = request.args.get("order", "desc") != "asc"
    return render_template(
        "players.html",
        players=sorted(_warehouse().players(), key=_sort_key(column), reverse=descending),
        columns=_COLUMNS,
        sort=column,
        descending=descending,
    )


def _sort_key(column: str) -> Callable[[PlayerSummary], tuple[int, str]]:
    if column == "player":
        return lambda summary: (0, summary.player.casefold())
    return lambda summary: (getattr(summary, column), "")


@blueprint.get("/players/<path:player>", merge_slashes=False)
def show(player: str) -> Page:
    """A player: what their hands came to, how they play, against whom; all under filters."""
    person = _warehouse().aliases.person(player)
    if person.player != player:
        asked = {name: text for name, text in request.args.items() if name != "player"}
        return redirect(links.player_url(person.player, **asked), HTTPStatus.SEE_OTHER)
    return _player(player)


@blueprint.post("/players")
@needs("audit")
def change_names() -> Page:
    """Merge a name into a player or split one off, as the form on the player's page says."""
    name, alias = request.form.get("player", ""), request.form.get("alias", "").strip()
    warehouse, now = _warehouse(), dt.datetime.now(dt.UTC)
    if request.form.get("do") == "split":
        done = warehouse.aliases.split(name, alias, now)
    elif warehouse.player(alias) is None:
        return _player(name, f"Nobody called {alias} has played a hand that came in.")
    else:
        done = warehouse.aliases.merge(name, alias, now)
    if isinstance(done, NotMerged):
        return _player(name, wording.not_merged(done, name, alias))
    return redirect(links.player_url(name), HTTPStatus.SEE_OTHER)


def _player(name: str, complaint: str | None = None) -> Page:
    warehouse = _warehouse()
    person = warehouse.aliases.person(name)
    filters = player_filters.player_filters(request.args, warehouse.played.zone(person.names))
    profile = Profile(warehouse, name, filters, request.args.get("rate"))
    anything = profile.figures.totals.hands > 0
    if not anything and warehouse.player(name) is None:
        return _missing("No such player", _NOBODY)
    if table := request.args.get("csv"):
        return _csv(profile.table(table), table)
    query = {**filters.written, "rate": profile.one_rate.id}
    status = HTTPStatus.OK if complaint is None else HTTPStatus.CONFLICT
    return render_template(
        "player.html",
        player=name,
        aliases=person.aliases,
        complaint=complaint,
        filters=filters,
        profile=profile,
        anything=anything,
        apart=APART,
        places=player_filters.PLACES,
        csv_url=lambda chart: links.player_url(name, **query, csv=chart),
    ), HTTPStatus.BAD_REQUEST if filters.fault else status


def _csv(table: str | None, name: str) -> Page:
    if table is None:
        return _missing("No such table", "There is nothing to tell under these filters.")
    response = Response(table, mimetype="text/csv")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.csv")
    return response
