"""Owns the routes of the pages of sessions: their list, one of them, and the hands behind it."""

from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask.blueprints import BlueprintSetupState

from dashboards import (
    assets,
    links,
    session_fault,
    session_figure,
    session_hands,
    session_story,
    session_tables,
    session_views,
    wording,
)
from dashboards.house import house
from dashboards.language import gettext, later
from warehouse.conditions import moment
from warehouse.cursors import BadCursor
from warehouse.queries import Warehouse
from warehouse.sessions.records import UNSETTLED, Session
from warehouse.sessions.results import result_of
from warehouse.sessions.runs import AuditedSession
from warehouse.sessions.search import SORTS, SessionConditions, SessionSort

blueprint = Blueprint("sessions", __name__)
blueprint.after_request(assets.add_headers)

Page = str | Response | tuple[str, HTTPStatus]

_SESSIONS_SHOWN: Final = 50
_IN_A_TABLE: Final = 10_000
_FILTERS: Final = ("kind", "verdict", "result", "from", "until", "upload")
_KINDS: Final = {"session": later("Session"), "tournament": later("Tournament")}
_RESULTS: Final = {"wrong": later("Wrong"), "right": later("As declared")}


@blueprint.record_once
def _add_filters(state: BlueprintSetupState) -> None:
    state.app.jinja_env.filters["exact_signed"] = lambda text: wording.exact(text, signed=True)


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {
        "session_kinds": _KINDS,
        "session_results": _RESULTS,
        "session_states": session_views.STATES,
        "most_findings": session_views.MOST_FINDINGS,
        "most_rows": session_views.MOST_ROWS,
        "session_url": links.session_url,
    }


def _warehouse() -> Warehouse:
    return house().warehouse


def _missing(headline: str, advice: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> Page:
    return render_template("missing.html", headline=headline, advice=advice), status


@blueprint.get("/sessions")
def index() -> Page:
    """Sessions by the filters of the query, a page at a time, with verdicts and results."""
    filters = {name: text for name in _FILTERS if (text := request.args.get(name, "").strip())}
    search = _warehouse().session_search
    conditions = _conditions(filters)
    if conditions is None:
        return _missing(
            gettext("No such filter"),
            gettext("A kind, a verdict, a result or a day is none of those that there are."),
            HTTPStatus.BAD_REQUEST,
        )
    sort = _sort()
    asked: dict[str, Any] = {**filters}
    as_csv = "csv" in request.args
    limit = _IN_A_TABLE if as_csv else _SESSIONS_SHOWN
    page = search.find(conditions, sort, limit, request.args.get("cursor") or None)
    if isinstance(page, BadCursor):
        return _missing(
            gettext("No such page of sessions"),
            gettext("The list’s cursor is not one of ours; please start from the first page."),
            HTTPStatus.BAD_REQUEST,
        )
    results = search.results([one.key for one in page.sessions])
    if as_csv:
        return _csv(session_tables.list_table(page.sessions, results), "sessions")
    return render_template(
        "sessions.html",
        sessions=page.sessions,
        results=results,
        counts=search.counts(),
        wrong=search.count_wrong(),
        filters=filters,
        sort=sort,
        csv_url=url_for("sessions.index", **asked, sort=sort, csv="sessions"),
        first_page=url_for("sessions.index", **asked) if "cursor" in request.args else None,
        next_page=url_for("sessions.index", **asked, sort=sort, cursor=page.next_cursor)
        if page.next_cursor
        else None,
    )


@blueprint.get("/sessions/<session_key>")
def show(session_key: str) -> Page:
    """A session: what is wrong with it, who won and why, standings ours beside the declared."""
    warehouse = _warehouse()
    session = warehouse.sessions.session(session_key)
    if session is None:
        return _no_session()
    stored = warehouse.session_runs.audit(session.key)
    asked = request.args.get("csv")
    if asked is not None:
        return _csv(None if stored is None else _table(asked, stored.audited), asked)
    shown = {
        "session": session,
        "versions": warehouse.sessions.declarations(session.key),
        "busy": session.state in UNSETTLED,
    }
    if stored is None:
        return render_template("session.html", **shown)
    return render_template("session.html", **shown, **_audited(session, stored.audited))


def _audited(session: Session, audited: AuditedSession) -> dict[str, Any]:
    """What the page shows of an audit, by the names that its template uses."""
    wrong_from = result_of(audited.audit, audited.hand_ids).parts_at
    return {
        "audit": audited.audit,
        "fault": session_fault.fault_of(audited),
        "story": session_story.Story(audited),
        "view": session_views.SessionView(audited),
        "stacks": session_figure.stacks_chart(audited, wrong_from),
        "hands_url": lambda **query: url_for("sessions.hands", session_key=session.key, **query),
        "csv_url": lambda table: url_for("sessions.show", session_key=session.key, csv=table),
    }


@blueprint.get("/sessions/<session_key>/hands")
def hands(session_key: str) -> Page:
    """The hands behind a number of the session's page, with what each of them brought."""
    warehouse = _warehouse()
    session = warehouse.sessions.session(session_key)
    stored = None if session is None else warehouse.session_runs.audit(session.key)
    if session is None or stored is None:
        return _no_session()
    asked = session_hands.read_asked(request.args)
    if asked is None:
        return _missing(
            gettext("No such hands"),
            gettext("A line or a verdict is none of those that there are."),
            HTTPStatus.BAD_REQUEST,
        )
    found = session_hands.HandsBehind(stored.audited, asked)
    if "csv" in request.args:
        return _csv(session_tables.hand_table(found.nets), "hands")
    query: dict[str, Any] = {**asked.query}
    return render_template(
        "session_hands.html",
        session=session,
        found=found,
        asked=asked,
        lines=session_story.LINES,
        csv_url=url_for("sessions.hands", session_key=session.key, csv="hands", **query),
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


def _no_session() -> Page:
    return _missing(
        gettext("No such session"), gettext("It may have gone with the upload that named it.")
    )


def _table(name: str, audited: AuditedSession) -> str | None:
    if name == "stacks":
        chart = session_figure.stacks_chart(audited, None)
        return None if chart is None else chart.as_csv()
    return session_tables.table(name, audited)


def _csv(table: str | None, name: str) -> Page:
    if table is None:
        return _missing(gettext("No such table"), gettext("There is nothing to tell yet."))
    response = Response(table, mimetype="text/csv")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.csv")
    return response


def _sort() -> SessionSort:
    asked = request.args.get("sort")
    return next((sort for sort in SORTS if sort == asked), "-played_at")


def _conditions(filters: dict[str, str]) -> SessionConditions | None:
    """The conditions that filters ask for; None where one of them is no such thing."""
    if filters.get("result", "wrong") not in _RESULTS:
        return None
    try:
        return session_views.conditions(
            kind=filters.get("kind"),
            verdict=filters.get("verdict"),
            begin=moment(filters["from"]) if "from" in filters else None,
            until=moment(filters["until"]) if "until" in filters else None,
            upload=filters.get("upload"),
            agrees=filters["result"] == "right" if "result" in filters else None,
        )
    except ValueError:
        return None
