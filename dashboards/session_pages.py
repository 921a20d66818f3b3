"""Owns the routes of the pages of sessions: their list, and one session audited as a whole."""

from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, make_response, render_template, request, url_for

from dashboards import assets, links, session_figure, session_views
from dashboards.house import house
from warehouse.conditions import moment
from warehouse.cursors import BadCursor
from warehouse.queries import Warehouse
from warehouse.sessions.records import UNSETTLED
from warehouse.sessions.search import SORTS, SessionConditions, SessionSort

blueprint = Blueprint("sessions", __name__)
blueprint.after_request(assets.add_headers)

Page = str | Response | tuple[str, HTTPStatus]

_SESSIONS_SHOWN: Final = 50
_FILTERS: Final = ("kind", "verdict", "from", "until", "upload")
_KINDS: Final = {"session": "Session", "tournament": "Tournament"}


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {
        "session_kinds": _KINDS,
        "session_states": session_views.STATES,
        "session_url": links.session_url,
    }


def _warehouse() -> Warehouse:
    return house().warehouse


def _missing(headline: str, advice: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> Page:
    return render_template("missing.html", headline=headline, advice=advice), status


@blueprint.get("/sessions")
def index() -> Page:
    """Sessions by the filters of the query, a page at a time, with their verdicts."""
    filters = {name: text for name in _FILTERS if (text := request.args.get(name, "").strip())}
    search = _warehouse().session_search
    conditions = _conditions(filters)
    if conditions is None:
        return _missing(
            "No such filter",
            "A kind, a verdict or a day is none of those that there are.",
            HTTPStatus.BAD_REQUEST,
        )
    sort = _sort()
    asked: dict[str, Any] = {**filters}
    page = search.find(conditions, sort, _SESSIONS_SHOWN, request.args.get("cursor") or None)
    if isinstance(page, BadCursor):
        return _missing(
            "No such page of sessions",
            "The list’s cursor is not one of ours; please start from the first page.",
            HTTPStatus.BAD_REQUEST,
        )
    return render_template(
        "sessions.html",
        sessions=page.sessions,
        counts=search.counts(),
        filters=filters,
        sort=sort,
        first_page=url_for("sessions.index", **asked) if "cursor" in request.args else None,
        next_page=url_for("sessions.index", **asked, sort=sort, cursor=page.next_cursor)
        if page.next_cursor
        else None,
    )


@blueprint.get("/sessions/<session_key>")
def show(session_key: str) -> Page:
    """A session: standings ours beside the declared, stacks over hands, what was found."""
    warehouse = _warehouse()
    session = warehouse.sessions.session(session_key)
    if session is None:
        return _missing("No such session", "It may have gone with the upload that named it.")
    stored = warehouse.session_runs.audit(session.key)
    versions = warehouse.sessions.declarations(session.key)
    shown = {"session": session, "versions": versions, "busy": session.state in UNSETTLED}
    if stored is None:
        return render_template("session.html", **shown)
    return render_template(
        "session.html",
        **shown,
        audit=stored.audited.audit,
        view=session_views.SessionView(stored.audited),
        figure=session_figure.stacks_figure(stored.audited),
    )


@blueprint.get("/sessions/<session_key>/state")
def state(session_key: str) -> Page:
    """Whether the audit is through, for the page that waits for it; then it loads itself anew."""
    session = _warehouse().sessions.session(session_key)
    if session is None or session.state not in UNSETTLED:
        response = make_response("")
        response.headers["HX-Refresh"] = "true"
        return response
    return render_template("parts/session_state.html", session=session, busy=True)


def _sort() -> SessionSort:
    asked = request.args.get("sort")
    return next((sort for sort in SORTS if sort == asked), "-played_at")


def _conditions(filters: dict[str, str]) -> SessionConditions | None:
    """The conditions that filters ask for; None where one of them is no such thing."""
    try:
        return session_views.conditions(
            kind=filters.get("kind"),
            verdict=filters.get("verdict"),
            begin=moment(filters["from"]) if "from" in filters else None,
            until=moment(filters["until"]) if "until" in filters else None,
            upload=filters.get("upload"),
        )
    except ValueError:
        return None
