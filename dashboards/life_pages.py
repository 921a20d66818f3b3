"""Owns what can be done to uploads on their pages: delete, take up again, audit anew."""

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
from warehouse.store import Store
from workers.renewals import send_renewals, sweep_files
from workers.sending import send_audit
from workers.sessions import send_changed

blueprint = Blueprint("life", __name__)
blueprint.after_request(assets.add_headers)

Page = str | Response | tuple[str, HTTPStatus]

_SHOWN: Final = 100
_ROWS_AT_ONCE: Final = 500
_COLUMNS: Final = (*("upload", "name", "work", "status", "code", "detail", "attempts", "since"),)


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {"given_up": _given_up}


@blueprint.get("/dead-letters")
def dead_letters() -> Page:
    """The uploads that were given up, and why, a page at a time."""
    if "csv" in request.args:
        return csv_file("dead-letters", _COLUMNS, _rows(_store()))
    behind = (request.args.get("upload", ""), request.args.get("work", ""))
    found = _store().dead_letters.page(_SHOWN + 1, behind if behind[0] else None)
    shown = found[:_SHOWN]
    following = None
    if len(found) > len(shown):
        last = shown[-1]
        following = url_for("life.dead_letters", upload=last.upload, work=last.work)
    return render_template(
        "dead_letters.html",
        letters=shown,
        first_page=url_for("life.dead_letters") if behind[0] else None,
        next_page=following,
    )


@blueprint.post("/dead-letters/retry")
@needs("audit")
def retry_all() -> Page:
    """Take every upload up again that was given up."""
    store = _store()
    behind = None
    while letters := store.dead_letters.page(_ROWS_AT_ONCE, behind):
        for upload in dict.fromkeys(one.upload for one in letters):
            _take_up(store, upload)
        behind = (letters[-1].upload, letters[-1].work)
    return _to(url_for("life.dead_letters"))


@blueprint.post("/uploads/<upload_id>/delete")
@needs("admin")
def delete(upload_id: str) -> Page:
    """Delete an upload with all that came of it."""
    store = _store()
    deleted = store.deletions.delete(upload_id, _caller(), _now())
    if deleted is None:
        return _missing()
    send_renewals(store, deleted.renewed)
    send_changed(store)
    sweep_files(store)  # what it cannot delete now, the sweeper deletes
    return _to(url_for("pages.home"))


@blueprint.post("/uploads/<upload_id>/retry")
@needs("audit")
def retry(upload_id: str) -> Page:
    """Take an upload up again that was given up."""
    return _to_upload(upload_id) if _take_up(_store(), upload_id) else _missing()


@blueprint.post("/uploads/<upload_id>/reaudit")
@needs("audit")
def reaudit(upload_id: str) -> Page:
    """Have an upload audited anew by the engine of now."""
    store = _store()
    if store.records.upload(upload_id) is None:
        return _missing()
    _, uploads = store.reaudits.ask([upload_id], {"uploads": [upload_id]}, _caller(), _now())
    send_renewals(store, uploads)
    return _to_upload(upload_id)


def _take_up(store: Store, upload: str) -> bool:
    """Take an upload's work up again; False where there is no such upload."""
    work = store.dead_letters.retry(upload, _now())
    if work is None:
        return False
    if "audit" in work:
        send_audit(store, upload)
    if "re-audit" in work:
        send_renewals(store, [upload])
    return True


def _rows(store: Store) -> Iterator[list[list[Cell]]]:
    behind = None
    while letters := store.dead_letters.page(_ROWS_AT_ONCE, behind):
        yield [
            [*(getattr(one, name) for name in _COLUMNS[:-1]), one.since.isoformat()]
            for one in letters
        ]
        behind = (letters[-1].upload, letters[-1].work)


def _given_up() -> bool:
    """Whether any upload of the house was given up."""
    return "house" in g and bool(_store().dead_letters.page(1))


def _store() -> Store:
    return house().store


def _caller() -> str:
    return cast("str", g.access.key.id)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def _to_upload(upload_id: str) -> Page:
    return _to(url_for("uploads.show", upload_id=upload_id))


def _to(address: str) -> Page:
    return cast("Response", redirect(address, HTTPStatus.SEE_OTHER))


def _missing() -> Page:
    headline = gettext("Nothing to be done here")
    advice = gettext("It may have been deleted since the page was loaded.")
    page = render_template("missing.html", headline=headline, advice=advice)
    return page, HTTPStatus.NOT_FOUND
