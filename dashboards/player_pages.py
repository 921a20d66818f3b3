"""Owns the routes of the pages of players: their list, one of them, and some side by side."""

import datetime as dt
from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from dashboards import assets, comparison, links, player_filters, players_grid, wording
from dashboards.house import house, needs
from dashboards.language import gettext, later
from dashboards.player_panels import panel_of, panels
from dashboards.player_tables import FLAGS, table
from dashboards.profile import APART, Profile, certainty
from dashboards.profit_figure import MOST_BREAKS
from engine.presets import PRESETS
from warehouse.aliases import NotMerged
from warehouse.queries import Warehouse

blueprint = Blueprint("players", __name__)
blueprint.after_request(assets.add_headers)

Page = str | BaseResponse | tuple[str, HTTPStatus]

_SHOWN: Final = 100
_NOBODY: Final = later("Nobody of this name has played a hand that came in.")


def _warehouse() -> Warehouse:
    return house().warehouse


def _missing(headline: str, advice: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> Page:
    return render_template("missing.html", headline=headline, advice=advice), status


@blueprint.get("/players")
def index() -> Page:
    """All players, sorted by a column; or one of them, whose name cannot stand in a path."""
    if player := request.args.get("player"):
        return show(player)
    asked = players_grid.read_grid(request.args)
    grid, narrowed = _warehouse().grid, asked.filters.narrowed
    everybody = grid.rows(asked.name or None, narrowed, asked.least)
    rows = players_grid.in_order(everybody, asked)
    if "csv" in request.args and not asked.filters.fault:
        return _csv(players_grid.table(rows), "players")
    first = (asked.page - 1) * _SHOWN
    shown = rows[first : first + _SHOWN]
    lines = grid.lines([row.player for row in shown], narrowed)
    return render_template(
        "players.html",
        asked=asked,
        rows=[(row, players_grid.sparkline(lines.get(row.player, []))) for row in shown],
        count=len(rows),
        columns=players_grid.COLUMNS,
        questions=players_grid.QUESTIONS,
        presets=PRESETS,
        certainty=certainty,
        next_page=asked.page + 1 if len(rows) > first + _SHOWN else None,
    ), HTTPStatus.BAD_REQUEST if asked.filters.fault else HTTPStatus.OK


@blueprint.get("/players/compare")
def compare() -> Page:
    """Two to six players side by side, under the same filters."""
    warehouse = _warehouse()
    called = [name.strip() for name in request.args.getlist("player")]
    people = [warehouse.aliases.person(name) for name in called if name]
    players = list(dict.fromkeys(person.player for person in people))
    unknown = [player for player in players if warehouse.player(player) is None]
    zone = warehouse.played.zone(people[0].names) if people else None
    filters = player_filters.player_filters(request.args, zone)
    complaint = None
    if unknown:
        complaint = _nobody_called(unknown[0])
    elif not comparison.FEWEST <= len(players) <= comparison.MOST:
        complaint = gettext(
            "Name %(fewest)s to %(most)s players.",
            fewest=comparison.FEWEST,
            most=comparison.MOST,
        )
    shown = None
    if complaint is None:
        shown = comparison.Comparison(warehouse, players, filters)
        if wanted := request.args.get("csv"):
            return _csv(shown.table(wanted), wanted)
    wrong = filters.fault or (complaint and players)
    return render_template(
        "compare.html",
        players=players[: comparison.MOST],
        most=comparison.MOST,
        presets=PRESETS,
        places=player_filters.PLACES,
        filters=filters,
        complaint=complaint,
        comparison=shown,
        csv_url=lambda chart: url_for(
            "players.compare", player=players, csv=chart, **_query(filters)
        ),
    ), HTTPStatus.BAD_REQUEST if wrong else HTTPStatus.OK


def _query(filters: player_filters.PlayerFilters) -> dict[str, Any]:
    return {**filters.written}


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
        return _player(name, _nobody_called(alias))
    else:
        done = warehouse.aliases.merge(name, alias, now)
    if isinstance(done, NotMerged):
        return _player(name, wording.not_merged(done, name, alias))
    return redirect(links.player_url(name), HTTPStatus.SEE_OTHER)


def _nobody_called(name: str) -> str:
    return gettext(
        "Nobody called %(name)s has played a hand that came in.", name=wording.short(name)
    )


def _player(name: str, complaint: str | None = None) -> Page:
    warehouse, given = _warehouse(), request.args
    person = warehouse.aliases.person(name)
    filters = player_filters.player_filters(given, warehouse.played.zone(person.names))
    with_usual = "shrunk" in given
    profile = Profile(warehouse, name, filters, given.get("rate"), with_usual=with_usual)
    anything = profile.totals.hands > 0
    if not anything and warehouse.player(name) is None:
        return _missing(gettext("No such player"), gettext(_NOBODY))
    if wanted := given.get("csv"):
        return _csv(table(profile, wanted), wanted)
    query = {**filters.written, "rate": profile.one_rate.id}
    shown = panels(profile) if anything else []

    def address(**more: str) -> str:
        return links.player_url(name, **query, **more)

    context: dict[str, Any] = {
        "player": name,
        "filters": filters,
        "profile": profile,
        "apart": APART,
        "whole": "whole" in given,
        "csv_url": lambda chart: address(csv=chart),
        "part_url": lambda part: address(part=part),
        "whole_url": address(whole="yes", **({"shrunk": "yes"} if with_usual else {})),
        "usual_url": address(**({} if with_usual else {"shrunk": "yes"})),
    }
    if part := given.get("part"):
        if part not in shown:
            return _missing(
                gettext("No such part"),
                gettext("There is nothing to tell under these filters."),
            )
        panel = panel_of(part, profile, filters.zone.key)
        return render_template("parts/player_panel.html", panel=panel, **context)
    status = HTTPStatus.OK if complaint is None else HTTPStatus.CONFLICT
    return render_template(
        "player.html",
        aliases=person.aliases,
        complaint=complaint,
        anything=anything,
        places=player_filters.PLACES,
        panels=[panel_of(name, profile, filters.zone.key) for name in shown],
        flag_names=FLAGS,
        profit_note=_profit_note(profile) if anything else "",
        **context,
    ), HTTPStatus.BAD_REQUEST if filters.fault else status


def _profit_note(profile: Profile) -> str:
    if len(profile.sittings) > MOST_BREAKS:
        return gettext(
            "In chips. The band is where chance alone may take the line, in 95 of 100 cases."
            " Deal-adjusted is the same with the luck of the cards dealt taken out. Choose a point"
            " to open its hand."
        )
    return gettext(
        "In chips. Dotted lines mark the start of another session; the band is where chance alone"
        " may take the line, in 95 of 100 cases. Deal-adjusted is the same with the luck of the"
        " cards dealt taken out. Choose a point to open its hand."
    )


def _csv(text: str | None, name: str) -> Page:
    if text is None:
        return _missing(
            gettext("No such table"), gettext("There is nothing to tell under these filters.")
        )
    response = Response(text, mimetype="text/csv")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.csv")
    return response
