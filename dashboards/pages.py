"""Owns the pages' routes: what each URL reads from the warehouse and which template shows it."""

from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, make_response, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as BaseResponse

from dashboards import (
    acted,
    assets,
    filters,
    glance,
    hand_search,
    links,
    neighbours,
    replayer,
    wording,
)
from dashboards.house import house
from dashboards.language import gettext
from engine.presets import PRESETS
from engine.violations import CODES
from schemas.audit import replay_document
from schemas.errors import UnreadableHand
from warehouse.cursors import BadCursor
from warehouse.queries import Page as HandPage
from warehouse.queries import Warehouse
from warehouse.records import UNFINISHED, Upload

blueprint = Blueprint(
    "pages",
    __name__,
    template_folder="templates",
    static_folder="static",
    static_url_path="/assets",
)
blueprint.after_request(assets.add_headers)

Page = str | BaseResponse | tuple[str, HTTPStatus]

_UPLOADS_SHOWN: Final = 8
_HANDS_SHOWN: Final = 50


@blueprint.record_once
def _add_filters(state: BlueprintSetupState) -> None:
    state.app.jinja_env.filters.update(wording.FILTERS)


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {
        "asset": assets.asset,
        "player_url": links.player_url,
        "section": request.endpoint,
        "codes": sorted([*CODES, "unknown-key"]),
        "statuses": wording.STATUSES,
        "suits": wording.SUITS,
        "unfinished": UNFINISHED,
        "verdicts": wording.VERDICTS,
    }


def _warehouse() -> Warehouse:
    return house().warehouse


def unknown_page() -> Page:
    """The answer to an address that leads nowhere."""
    advice = gettext("The address may be mistyped, or the page may have moved.")
    return _missing(gettext("Nothing is here"), advice)


def _missing(headline: str, advice: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> Page:
    return render_template("missing.html", headline=headline, advice=advice), status


@blueprint.get("/")
def home() -> Page:
    """What came in, what was found, who plays."""
    uploads = _warehouse().records.recent_uploads(_UPLOADS_SHOWN)
    if not uploads:
        return render_template("home.html", uploads=[])
    return render_template("home.html", **_uploads(uploads), **glance.at_a_glance(_warehouse()))


@blueprint.get("/fragments/uploads")
def recent_uploads() -> Page:
    """The home page's list of uploads, which it polls; says when something new is through."""
    shown = _uploads(_warehouse().records.recent_uploads(_UPLOADS_SHOWN))
    response = make_response(render_template("parts/uploads.html", **shown))
    if shown["seen"] not in ("busy", request.args.get("seen")):
        response.headers["HX-Trigger"] = "uploads-settled"
    return response


@blueprint.get("/fragments/glance")
def glance_part() -> Page:
    """The home page's findings and players, asked for again when an upload is through."""
    return render_template("parts/glance.html", **glance.at_a_glance(_warehouse()))


def _uploads(uploads: list[Upload]) -> dict[str, Any]:
    busy = any(upload.status in UNFINISHED for upload in uploads)
    newest = uploads[0].id[:12] if uploads else ""
    return {"uploads": uploads, "busy": busy, "seen": "busy" if busy else newest}


@blueprint.get("/hands")
def hands() -> Page:
    """Hands by the filters of the query, a page at a time."""
    asked = filters.hand_filters(request.args)
    if asked.fault is not None:
        return _hands(asked, HandPage([], None)), HTTPStatus.BAD_REQUEST
    page = _warehouse().search_hands(
        asked.conditions,
        sort=asked.sort,
        limit=_HANDS_SHOWN,
        cursor=request.args.get("cursor") or None,
    )
    if isinstance(page, BadCursor):
        return _missing(
            gettext("No such page of hands"),
            gettext("The cursor is not one of this list; please start from the first page."),
            HTTPStatus.BAD_REQUEST,
        )
    return _hands(asked, page)


def _hands(asked: filters.HandFilters, page: HandPage) -> str:
    written: dict[str, Any] = {**asked.written}
    return render_template(
        "hands.html",
        **hand_search.around(asked),
        hands=page.hands,
        filters=written,
        fault=asked.fault,
        choices=filters,
        more=asked.more,
        presets=PRESETS,
        first_page=url_for("pages.hands", **written) if "cursor" in request.args else None,
        next_page=url_for("pages.hands", **written, cursor=page.next_cursor)
        if page.next_cursor
        else None,
    )


@blueprint.get("/hands/<hand_id>")
def hand(hand_id: str) -> Page:
    """The replayer of a hand."""
    stored = _warehouse().find_hand(hand_id)
    if stored is None:
        advice = gettext("It may have been named by another version of its upload.")
        return _missing(gettext("No such hand"), advice)
    replay = replay_document(stored.document)
    if isinstance(replay, UnreadableHand):
        return _missing(
            gettext("This hand can no longer be read"),
            gettext(
                "At %(place)s, expected %(expected)s.",
                place=replay.pointer or "/",
                expected=replay.expected,
            ),
        )
    view = replayer.hand_view(replay, request.args.get("finding"))
    rate = request.args.get("made") or request.args.get("chance")
    if view["initial"] is None and rate and "player" in request.args:
        person = _warehouse().aliases.person(request.args["player"])
        view["initial"] = acted.step_of(replay, person.names, rate)
    way = neighbours.way_on(stored.summary, request.args)
    return render_template("hand.html", stored=stored.summary, way=way, **view)
