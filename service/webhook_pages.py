"""The pages on which a club's webhooks are made and kept, and what was sent to each is seen."""

import datetime as dt
from http import HTTPStatus
from typing import Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboards import assets
from dashboards.downloads import csv_file
from dashboards.figures import Cell
from dashboards.house import house, needs
from dashboards.language import gettext, later
from dashboards.pages import unknown_page
from warehouse.events import EVENTS, Event
from warehouse.webhooks import MOST, Delivery, State, Webhook, Webhooks
from workers.addresses import Refusal, resolve
from workers.outbox import send_deliveries

blueprint: Final = Blueprint(
    "webhook_settings", __name__, url_prefix="/settings/webhooks", template_folder="templates"
)
blueprint.after_request(assets.add_headers)

_BAD: Final = HTTPStatus.BAD_REQUEST
_SHOWN: Final = 50

_ABOUT: Final[dict[Event, str]] = {
    "upload.finished": later("an upload is audited"),
    "upload.failed": later("an upload was given up"),
    "session.audited": later("a session was audited"),
}
_STATES: Final[dict[State, str]] = {
    "pending": later("waiting"),
    "delivered": later("delivered"),
    "dead": later("given up"),
}
_COLUMNS: Final = ("id", "url", "events", "active", "made", "failures", "last_at", "last_error")
_SENT_COLUMNS: Final = ("id", "event", "state", "attempts", "made", "finished", "status", "error")


@blueprint.get("")
@needs("admin")
def webhooks() -> ResponseReturnValue:
    """The club's webhooks, and the form that makes one."""
    if "csv" in request.args:
        return csv_file("webhooks", _COLUMNS, [[_row(one) for one in _kept().all()]])
    return _page()


@blueprint.post("")
@needs("admin")
def make() -> ResponseReturnValue:
    """Make a webhook and show its secret, this once."""
    url = request.form.get("url", "").strip()
    events = tuple(event for event in EVENTS if event in request.form.getlist("event"))
    if not events:
        return _page(url=url, fault=gettext("A webhook is told of one event at least.")), _BAD
    target = resolve(url, private=house().store.settings.webhook_private)
    if isinstance(target, Refusal):
        return _page(url=url, refused=target.reason), _BAD
    if _kept().full():
        fault = gettext("A club may have %(most)s webhooks; delete one first.", most=MOST)
        return _page(url=url, fault=fault), _BAD
    return _page(*_kept().add(url, events, _now())), HTTPStatus.CREATED


@blueprint.get("/<webhook_id>")
@needs("admin")
def webhook(webhook_id: str) -> ResponseReturnValue:
    """One webhook with what was last sent to it."""
    found = _kept().find(webhook_id)
    if found is None:
        return unknown_page()
    deliveries = _kept().deliveries(webhook_id, _SHOWN)
    if "csv" in request.args:
        return csv_file("messages", _SENT_COLUMNS, [[_sent_row(one) for one in deliveries]])
    return render_template("webhook.html", webhook=found, deliveries=deliveries, states=_STATES)


@blueprint.post("/<webhook_id>/test")
@needs("admin")
def test(webhook_id: str) -> ResponseReturnValue:
    """Send a ping."""
    if _kept().find(webhook_id) is None:
        return unknown_page()
    _kept().ping(webhook_id, _now())
    return _back(webhook_id)


@blueprint.post("/<webhook_id>/active")
@needs("admin")
def switch(webhook_id: str) -> ResponseReturnValue:
    """Silence a webhook, or have it told again."""
    active = request.form.get("active") == "yes"
    found = _kept().change(webhook_id, active=active)
    return unknown_page() if found is None else _back(webhook_id)


@blueprint.post("/<webhook_id>/secret")
@needs("admin")
def renew_secret(webhook_id: str) -> ResponseReturnValue:
    """Give a webhook another secret and show it, this once."""
    renewed = _kept().renew_secret(webhook_id, _now())
    return unknown_page() if renewed is None else (_page(*renewed), HTTPStatus.CREATED)


@blueprint.post("/<webhook_id>/deletion")
@needs("admin")
def delete(webhook_id: str) -> ResponseReturnValue:
    """Delete a webhook with its deliveries."""
    if not _kept().remove(webhook_id):
        return unknown_page()
    return redirect(url_for("webhook_settings.webhooks"), HTTPStatus.SEE_OTHER)


@blueprint.post("/<webhook_id>/deliveries/<delivery_id>/redelivery")
@needs("admin")
def redeliver(webhook_id: str, delivery_id: str) -> ResponseReturnValue:
    """Send a message once more."""
    again = _kept().redeliver(webhook_id, delivery_id, _now())
    return unknown_page() if again is None else _back(webhook_id)


def _page(
    made: Webhook | None = None,
    secret: str = "",
    *,
    url: str = "",
    fault: str = "",
    refused: str = "",
) -> str:
    return render_template(
        "webhooks.html",
        webhooks=_kept().all(),
        about=_ABOUT,
        made=made,
        secret=secret,
        url=url,
        fault=fault,
        refused=refused,
    )


def _row(one: Webhook) -> list[Cell]:
    active = "yes" if one.active else "no"
    named: list[Cell] = [one.id, one.url, " ".join(one.events), active]
    return [*named, _written(one.created_at), one.failures, _written(one.last_at), one.last_error]


def _sent_row(one: Delivery) -> list[Cell]:
    named: list[Cell] = [one.id, one.event, one.state, one.attempts]
    moments = (_written(one.created_at), _written(one.finished_at))
    return [*named, *moments, one.status, one.error]


def _written(moment: dt.datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _back(webhook_id: str) -> ResponseReturnValue:
    send_deliveries(house().store)  # without the broker the sweeper does
    return redirect(
        url_for("webhook_settings.webhook", webhook_id=webhook_id), HTTPStatus.SEE_OTHER
    )


def _kept() -> Webhooks:
    return house().store.webhooks


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
