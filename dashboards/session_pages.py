"""Owns the routes of the pages of sessions: their list, one of them, and the hands behind it."""

import datetime as dt
from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask.blueprints import BlueprintSetupState

from dashboards import (
    assets,
    chips,
    links,
    session_fault,
    session_figure,
    session_filters,
    session_hands,
    session_story,
    session_tables,
    session_views,
    wording,
)
from dashboards.day_ranges import day_ranges
from dashboards.house import house
from dashboards.language import gettext
from warehouse.cursors import BadCursor
from warehouse.queries import Warehouse
from warehouse.sessions.records import UNSETTLED, Session
from warehouse.sessions.results import result_of
from warehouse.sessions.runs import AuditedSession

blueprint = Blueprint("sessions", __name__)
blueprint.after_request(assets.add_headers)

Page = str | Response | tuple[str, HTTPStatus]

_SESSIONS_SHOWN: Final = 50
_IN_A_TABLE: Final = 10_000


@blueprint.record_once
def _add_filters(state: BlueprintSetupState) -> None:
    state.app.jinja_env.filters["exact_signed"] = lambda text: wording.exact(text, signed=True)


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {
        "session_kinds": session_filters.KINDS,
        "session_results": session_filters.RESULTS,
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
    filters = session_filters.written_filters(request.args)
    search = _warehouse().session_search
    conditions = session_filters.conditions(filters)
    if conditions is None:
        return _missing(
            gettext("No such filter"),
            gettext("A kind, a verdict, a result or a day is none of those that there are."),
            HTTPStatus.BAD_REQUEST,
        )
    sort = session_filters.sort_of(request.args)
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
    labels = {name: gettext(text) for name, text in session_filters.LABELS.items()}
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
        chips=chips.chips("sessions.index", filters, labels, session_filters.said),
        ranges=day_ranges("sessions.index", filters, dt.datetime.now(dt.UTC).date()),
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
    versions = warehouse.sessions.declarations(session.key)
    if asked == "declared":
        return _csv(session_tables.version_table(versions), asked)
    if asked is not None:
        return _csv(None if stored is None else _table(asked, stored.audited), asked)
    shown = {
        "session": session,
        "versions": versions,
        "busy": session.state in UNSETTLED,
        "csv_url": lambda table: url_for("sessions.show", session_key=session.key, csv=table),
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
            gettext("An origin of chips or a verdict is none of those that there are."),
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
