"""Owns the pages of conflicts: their list, two versions of a hand side by side, and the ruling."""

import datetime as dt
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final, cast

from flask import Blueprint, Response, g, redirect, render_template, request, url_for

from dashboards import assets
from dashboards.downloads import csv_file
from dashboards.figures import Cell
from dashboards.house import house, needs
from dashboards.language import gettext
from dashboards.versions import side_by_side
from warehouse.queries import StoredHand
from warehouse.rulings import Conflict, Rulings
from workers.sessions import send_changed

blueprint = Blueprint("conflicts", __name__, url_prefix="/conflicts")
blueprint.after_request(assets.add_headers)

Page = str | Response | tuple[str, HTTPStatus]

_SHOWN: Final = 50
_ROWS_AT_ONCE: Final = 500
_NONE: Final = "none"
_RULED: Final = {"yes": True, "no": False}
_COLUMNS: Final = (
    *("source", "table", "hand", "hand_id", "upload", "counts", "ruled_at", "ruled_by"),
)


@blueprint.get("")
def index() -> Page:
    """The hands that came in several versions, a page at a time."""
    upload = request.args.get("upload") or None
    ruled = request.args.get("ruled", "")
    asked: dict[str, Any] = {"upload": upload, "ruled": _RULED.get(ruled)}
    if "csv" in request.args:
        return csv_file("conflicts", _COLUMNS, _rows(_rulings(), asked))
    after = request.args.get("after", "")
    found = _rulings().conflicts(_SHOWN + 1, after=after, **asked)
    shown = found[:_SHOWN]
    return render_template(
        "conflicts.html",
        conflicts=shown,
        upload_id=upload,
        upload=None if upload is None else house().warehouse.records.upload(upload),
        ruled=ruled if ruled in _RULED else None,
        is_later_page=bool(after),
        next_after=shown[-1].hand_id if len(found) > len(shown) else None,
    )


@blueprint.get("/<hand_id>")
def show(hand_id: str) -> Page:
    """Two versions of a hand side by side: the first one, and another."""
    conflict = _rulings().conflict(hand_id)
    if conflict is None:
        return _missing()
    others = conflict.contestants[1:]
    asked = request.args.get("with", hand_id)
    other = next((one for one in others if one.hand_id == asked), others[0] if others else None)
    first = _stored(conflict.contestants[0].hand_id)
    second = None if other is None else _stored(other.hand_id)
    if first is None or second is None or other is None:
        return _missing()
    return render_template(
        "conflict.html",
        conflict=conflict,
        pair=[conflict.contestants[0], other],
        others=others,
        view=side_by_side(first, second),
    )


@blueprint.post("/<hand_id>/ruling")
@needs("audit")
def rule(hand_id: str) -> Page:
    """Rule which of the versions of a hand counts; the form names it, or none of them."""
    stands = request.form.get("stands", "")
    chosen = None if stands == _NONE else stands
    by = cast("str", g.access.key.id)
    ruled = _rulings().rule(hand_id, chosen, by, dt.datetime.now(dt.UTC))
    if not isinstance(ruled, Conflict):
        return _missing()
    send_changed(house().store)
    upload = request.form.get("upload")
    back = (
        url_for("uploads.show", upload_id=upload)
        if upload
        else url_for("conflicts.show", hand_id=hand_id)
    )
    return cast("Response", redirect(back, HTTPStatus.SEE_OTHER))


def _rows(rulings: Rulings, asked: dict[str, Any]) -> Iterator[list[list[Cell]]]:
    after = ""
    while found := rulings.conflicts(_ROWS_AT_ONCE, after=after, **asked):
        yield [row for conflict in found for row in _versions(conflict)]
        after = found[-1].hand_id


def _versions(conflict: Conflict) -> Iterator[list[Cell]]:
    ruling = conflict.ruling
    ruled: list[Cell] = [None, None]
    if ruling is not None:
        ruled = [ruling.ruled_at.isoformat(), ruling.ruled_by]
    for one in conflict.contestants:
        counts = "yes" if one.standing == "first" else "no"
        named = [conflict.source, conflict.table, conflict.hand, one.hand_id, one.upload]
        yield [*named, counts, *ruled]


def _rulings() -> Rulings:
    return house().store.rulings


def _stored(hand_id: str) -> StoredHand | None:
    return house().warehouse.find_hand(hand_id)


def _missing() -> Page:
    headline = gettext("Nothing to rule on here")
    advice = gettext("The hand is in no conflict, or one of its versions has been deleted since.")
    page = render_template("missing.html", headline=headline, advice=advice)
    return page, HTTPStatus.NOT_FOUND
