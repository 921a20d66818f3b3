"""Owns what can be done to uploads on their pages: delete, take up again, audit anew."""

import datetime as dt
from http import HTTPStatus
from typing import Any, Final, cast

from flask import Blueprint, Response, g, redirect, render_template, url_for

from dashboards import assets
from dashboards.house import house, needs
from warehouse.store import Store
from workers.renewals import send_renewals, sweep_files
from workers.sending import send_audit
from workers.sessions import send_changed

blueprint = Blueprint("life", __name__)
blueprint.after_request(assets.add_headers)

Page = str | Response | tuple[str, HTTPStatus]

_SHOWN: Final = 200


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {"given_up": _given_up}


@blueprint.get("/dead-letters")
def dead_letters() -> Page:
    """The uploads that were given up, and why."""
    return render_template("dead_letters.html", letters=_store().dead_letters.page(_SHOWN))


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
    store = _store()
    work = store.dead_letters.retry(upload_id, _now())
    if work is None:
        return _missing()
    if "audit" in work:
        send_audit(store, upload_id)
    if "re-audit" in work:
        send_renewals(store, [upload_id])
    return _to_upload(upload_id)


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
    advice = "It may have been deleted, or ruled upon otherwise, since the page was loaded."
    return (
        render_template("missing.html", headline="Nothing to be done here", advice=advice),
        HTTPStatus.NOT_FOUND,
    )
