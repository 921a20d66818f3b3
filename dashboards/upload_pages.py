"""Owns the pages of uploads: their list, one of them as it is audited, its report line by line."""

import datetime as dt
import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template, request, url_for
from msgspec.structs import asdict

from dashboards import assets, chips, glance, unreadable, upload_filters
from dashboards.day_ranges import day_ranges
from dashboards.downloads import csv_file
from dashboards.example import NAME, example
from dashboards.figures import Cell
from dashboards.house import house
from dashboards.language import gettext, later
from warehouse.cursors import BadCursor
from warehouse.queries import Warehouse
from warehouse.records import UNFINISHED, Upload
from warehouse.sessions.search import SessionConditions
from warehouse.source_lines import source_line
from warehouse.upload_report import WANTED, Outcome, ReportLine, Wanted
from warehouse.uploaded import read_reading

blueprint = Blueprint("uploads", __name__)
blueprint.after_request(assets.add_headers)

Page = str | Response | tuple[str, HTTPStatus]

OUTCOMES: Final[dict[Outcome | Wanted, str]] = {
    "legal": later("Legal"),
    "illegal": later("Illegal"),
    "unverifiable": later("Unverifiable"),
    "unreadable": later("Unreadable"),
    "duplicate": later("Duplicate"),
    "conflict": later("In conflict"),
    "untold": later("Not written down"),
}

_UPLOADS_SHOWN: Final = 50
_LINES_SHOWN: Final = 100
_PROBLEMS_SHOWN: Final = 10
_CONFLICTS_SHOWN: Final = 10
_SESSIONS_SHOWN: Final = 10
_HANDS_SHOWN: Final = 20
_ROWS_AT_ONCE: Final = 1_000
_PLACE: Final = re.compile("[0-9]{1,18}")

_LIST_COLUMNS: Final = (
    *("id", "name", "status", "received_at", "finished_at", "size", "dialect"),
    *("hands", "legal", "illegal", "unverifiable", "duplicates", "unreadable", "conflicts"),
    *("failure_code", "failure_detail"),
)
_REPORT_COLUMNS: Final = (
    *("place", "line", "file", "outcome", "in_conflict", "source", "table", "hand", "hand_id"),
    *("findings", "problem", "pointer", "expected", "seen"),
)


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {"outcomes": OUTCOMES, "title_of": unreadable.title}


@blueprint.get("/uploads")
def index() -> Page:
    """All uploads by the filters of the query, a page at a time."""
    asked = upload_filters.upload_filters(request.args)
    if asked.fault is not None:
        return _list(asked, [], None), HTTPStatus.BAD_REQUEST
    if "csv" in request.args:
        return csv_file("uploads", _LIST_COLUMNS, _list_rows(_warehouse(), asked))
    found = _warehouse().search_uploads(
        asked.conditions,
        sort=asked.sort,
        limit=_UPLOADS_SHOWN,
        cursor=request.args.get("cursor") or None,
    )
    if isinstance(found, BadCursor):
        return _missing(
            gettext("No such page of uploads"),
            gettext("The cursor is not one of this list; please start from the first page."),
            HTTPStatus.BAD_REQUEST,
        )
    return _list(asked, found.uploads, found.next_cursor)


@blueprint.get(f"/uploads/{NAME}")
def example_file() -> Response:
    """The example that an empty house offers."""
    response = Response(example(), mimetype="application/x-ndjson")
    response.headers.set("Content-Disposition", "attachment", filename=NAME)
    return response


@blueprint.get("/uploads/<upload_id>")
def show(upload_id: str) -> Page:
    """An upload: how far its audit is, what was found, what cannot be read, conflicts, hands."""
    return _upload_page("upload.html", upload_id)


@blueprint.get("/uploads/<upload_id>/state")
def state(upload_id: str) -> Page:
    """The part of an upload's page that changes while it is audited."""
    return _upload_page("parts/upload.html", upload_id)


@blueprint.get("/uploads/<upload_id>/found")
def found(upload_id: str) -> Page:
    """What was found of an upload so far, which its page looks at while it is audited."""
    upload = _warehouse().records.upload(upload_id)
    if upload is None:
        return _no_upload()
    return render_template("parts/upload_found.html", **_found(_warehouse(), upload))


@blueprint.get("/uploads/<upload_id>/report")
def report(upload_id: str) -> Page:
    """What became of every line of an upload, a page at a time."""
    upload = _warehouse().records.upload(upload_id)
    wanted, code = _wanted(), request.args.get("code") or None
    after = request.args.get("after", 0, int)
    if upload is None or not 0 <= after <= upload.hands:
        return _no_upload() if upload is None else _no_lines()
    if "csv" in request.args:
        rows = _report_rows(_warehouse(), upload, wanted, code)
        return csv_file(f"report-{upload.id[:12]}", _REPORT_COLUMNS, rows)
    reports = _warehouse().reports
    lines = reports.lines(upload, wanted=wanted, code=code, after=after, limit=_LINES_SHOWN + 1)
    shown = lines[:_LINES_SHOWN]
    return render_template(
        "report.html",
        upload=asdict(upload),
        lines=shown,
        wanted=wanted,
        code=code if wanted == "unreadable" else None,
        after=after,
        choices=WANTED,
        next_after=shown[-1].ordinal if len(lines) > len(shown) else None,
    )


@blueprint.get("/uploads/<upload_id>/lines/<place>")
def line(upload_id: str, place: str) -> Page:
    """The text of one line of an upload, for whoever unfolds it."""
    upload = _warehouse().records.upload(upload_id)
    if upload is None or not _PLACE.fullmatch(place):
        abort(HTTPStatus.NOT_FOUND)
    store = house().store
    source = source_line(store.blobs, store.settings, upload, int(place))
    called = None if source is None else source.hand_id
    known = called is not None and _warehouse().find_hand(called) is not None
    return render_template(
        "parts/source.html", upload=upload, source=source, hand_id=called if known else None
    )


def _list(
    asked: upload_filters.UploadFilters, uploads: list[Upload], next_cursor: str | None
) -> str:
    written: dict[str, Any] = {**asked.written}
    labels = {name: gettext(label) for name, label in upload_filters.LABELS.items()}
    return render_template(
        "uploads.html",
        uploads=uploads,
        filters=written,
        fault=asked.fault,
        sorts=upload_filters.SORTS,
        held=upload_filters.HELD,
        sort=asked.sort,
        chips=chips.chips("uploads.index", asked.written, labels, upload_filters.said),
        ranges=day_ranges("uploads.index", asked.written, dt.datetime.now(dt.UTC).date()),
        csv_url=url_for("uploads.index", **written, csv="uploads"),
        first_page=url_for("uploads.index", **written) if "cursor" in request.args else None,
        next_page=url_for("uploads.index", **written, cursor=next_cursor) if next_cursor else None,
    )


def _list_rows(
    warehouse: Warehouse, asked: upload_filters.UploadFilters
) -> Iterator[list[list[Cell]]]:
    cursor = None
    while True:
        found = warehouse.search_uploads(
            asked.conditions, sort=asked.sort, limit=_ROWS_AT_ONCE, cursor=cursor
        )
        if isinstance(found, BadCursor):
            return
        yield [[_cell(getattr(one, name)) for name in _LIST_COLUMNS] for one in found.uploads]
        cursor = found.next_cursor
        if cursor is None:
            return


def _cell(value: Any) -> Cell:  # noqa: ANN401 -- any of an upload's
    return value.isoformat() if isinstance(value, dt.datetime) else value


def _upload_page(template: str, upload_id: str) -> Page:
    warehouse, store = _warehouse(), house().store
    found = warehouse.records.upload(upload_id)
    if found is None:
        return _no_upload()
    sessions = warehouse.session_search.find(
        SessionConditions(upload=found.id), limit=_SESSIONS_SHOWN
    )
    conflicts = store.rulings.conflicts(_CONFLICTS_SHOWN + 1, upload=found.id)
    return render_template(
        template,
        sessions=None if isinstance(sessions, BadCursor) else sessions,
        **_found(warehouse, found),
        reading=read_reading(found.reading),
        problems=warehouse.records.problems(found.id, _PROBLEMS_SHOWN),
        problem_codes=warehouse.reports.problem_codes(found.id),
        conflicts=conflicts[:_CONFLICTS_SHOWN],
        more_conflicts=len(conflicts) > _CONFLICTS_SHOWN,
        renewal=store.renewals.state(found.id),
        outdated=store.reaudits.outdated(found.id),
        hands=glance.hands_of(warehouse, found.id, _HANDS_SHOWN),
    )


def _found(warehouse: Warehouse, upload: Upload) -> dict[str, Any]:
    codes = glance.found_codes(warehouse, upload.id)
    return {
        "upload": asdict(upload),
        "busy": upload.status in UNFINISHED,
        "found": codes,
        "most": max((one.hands for one in codes), default=0),
    }


def _wanted() -> Wanted | None:
    asked = request.args.get("outcome")
    return next((one for one in WANTED if one == asked), None)


def _report_rows(
    warehouse: Warehouse, upload: Upload, wanted: Wanted | None, code: str | None
) -> Iterator[list[list[Cell]]]:
    after = 0
    while lines := warehouse.reports.lines(
        upload, wanted=wanted, code=code, after=after, limit=_ROWS_AT_ONCE
    ):
        yield [_report_row(one) for one in lines]
        after = lines[-1].ordinal


def _report_row(told: ReportLine) -> list[Cell]:
    place: list[Cell] = [told.ordinal, told.line, told.file, told.outcome]
    hand, problem = told.hand, told.problem
    if hand is None:
        named: list[Cell] = [None] * 6
    else:
        conflict = "yes" if hand.standing == "conflict" else "no"
        named = [conflict, hand.source, hand.table, hand.hand, hand.hand_id, " ".join(hand.codes)]
    if problem is None:
        return [*place, *named, None, None, None, None]
    return [*place, *named, problem.code, problem.pointer, problem.expected, problem.seen]


def _warehouse() -> Warehouse:
    return house().warehouse


def _no_upload() -> Page:
    return _missing(
        gettext("No such upload"),
        gettext("It may have been deleted, or the address is mistyped."),
    )


def _no_lines() -> Page:
    return _missing(
        gettext("No such lines"),
        gettext("The upload has fewer hands than that."),
        HTTPStatus.BAD_REQUEST,
    )


def _missing(headline: str, advice: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> Page:
    return render_template("missing.html", headline=headline, advice=advice), status
