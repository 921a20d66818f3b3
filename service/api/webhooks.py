"""Webhooks of the caller's club: made, listed, changed, tested, deleted; what was sent to them."""

import datetime as dt
from http import HTTPStatus
from typing import Annotated, Any, Final

from flask import Response, url_for
from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.structs import asdict

from service.api.answers import CURSOR, PageQuery, bad_parameter, store
from service.api.operations import Reply, operation
from service.problems import problem
from warehouse.events import EVENTS, Event
from warehouse.webhooks import MOST, Delivery, State, Webhook
from workers.addresses import MAX_URL, Refusal, resolve
from workers.outbox import send_deliveries

_DELIVERY: Final = "^dlv_[0-9a-f]{24}$"

WebhookId = Annotated[
    str,
    Meta(
        title="The webhook's id.",
        description="whk_ and 16 hex digits",
        pattern="^whk_[0-9a-f]{16}$",
    ),
]
DeliveryId = Annotated[
    str,
    Meta(
        title="The delivery's id, which its receiver gets as webhook-id.",
        description="dlv_ and 24 hex digits",
        pattern=_DELIVERY,
    ),
]
Url = Annotated[str, Meta(min_length=1, max_length=MAX_URL)]
Events = Annotated[list[Event], Meta(min_length=1, max_length=len(EVENTS))]
Payload = Annotated[
    Raw, Meta(description="The message's body.", extra_json_schema={"type": "object"})
]


class LastAttempt(Struct, frozen=True):
    """What came of the last attempt to reach a receiver: its status, or why there was none."""

    at: dt.datetime
    status: int | None
    error: str | None


class WebhookDocument(Struct, frozen=True, kw_only=True):
    """A webhook without its secret. ``failures`` are those since the last success.

    Until ``old_secret_until``, the secret before the last renewal signs as well.
    """

    id: str
    url: str
    events: tuple[Event, ...]
    active: bool
    created_at: dt.datetime
    old_secret_until: dt.datetime | None
    failures: int
    last: LastAttempt | None
    links: dict[str, str]


class NewWebhook(WebhookDocument, frozen=True, kw_only=True):
    """A webhook with a secret that was just made, and is never shown again."""

    secret: str


class WebhookList(Struct, frozen=True):
    """A club's webhooks, the newest first."""

    webhooks: list[WebhookDocument]


class WebhookWish(Struct, frozen=True):
    """The webhook that is wanted; without ``events``, one that is told of all of them."""

    url: Url
    events: Events | UnsetType = UNSET


class WebhookChange(Struct, frozen=True):
    """What is to become of a webhook; what is absent stays as it is."""

    url: Url | UnsetType = UNSET
    events: Events | UnsetType = UNSET
    active: bool | UnsetType = UNSET


class DeliveryDocument(Struct, frozen=True, kw_only=True):
    """A message to a webhook. ``status`` and ``error`` are those of its last attempt.

    ``next_at`` is when it is tried again; null once it is delivered or dead.
    """

    id: str
    webhook: str
    event: str
    state: State
    attempts: int
    created_at: dt.datetime
    next_at: dt.datetime | None
    finished_at: dt.datetime | None
    status: int | None
    error: str | None
    payload: Payload
    links: dict[str, str]


class DeliveryPage(Struct, frozen=True):
    """Deliveries to a webhook, the newest first; ``next`` leads to older ones."""

    deliveries: list[DeliveryDocument]
    next: str | None


class DeliveriesQuery(PageQuery):
    """Where to go on in the list of a webhook's deliveries."""

    cursor: Annotated[str, CURSOR, Meta(pattern=_DELIVERY)] | None = None


_MADE = {HTTPStatus.CREATED: "The webhook, with its secret, which is shown this once."}
_SENT = {HTTPStatus.ACCEPTED: "The delivery, which is sent at once."}
_LOCATION = {"Location": "The address of the webhook."}
_OF_DELIVERY = {"Location": "The address of the delivery."}


@operation("GET", "/api/v1/webhooks", scope="admin")
def list_webhooks() -> WebhookList:
    """List the club's webhooks."""
    return WebhookList([_document(webhook) for webhook in store().webhooks.all()])


@operation(
    "POST",
    "/api/v1/webhooks",
    scope="admin",
    statuses=_MADE,
    headers=_LOCATION,
    problems=("bad-webhook", "too-many-webhooks"),
)
def make_webhook(document: WebhookWish) -> Reply[NewWebhook] | Response:
    """Make a webhook: an address that is told of events.

    What is sent to it is signed by its secret, as Standard Webhooks has it.
    """
    refused = _refused(document.url)
    if refused is not None:
        return refused
    if store().webhooks.full():
        detail = f"A club may have {MOST} webhooks; delete one before you make another."
        return problem("too-many-webhooks", detail, allowed=MOST)
    events = EVENTS if document.events is UNSET else _events(document.events)
    webhook, secret = store().webhooks.add(document.url, events, _now())
    return _with_secret(webhook, secret, HTTPStatus.CREATED)


@operation("GET", "/api/v1/webhooks/<webhook_id>", scope="admin", problems=("not-found",))
def show_webhook(webhook_id: WebhookId) -> WebhookDocument | Response:
    """Show a webhook, without its secret."""
    found = store().webhooks.find(webhook_id)
    return _unknown(webhook_id) if found is None else _document(found)


@operation(
    "PATCH",
    "/api/v1/webhooks/<webhook_id>",
    scope="admin",
    problems=("bad-webhook", "not-found"),
)
def change_webhook(webhook_id: WebhookId, document: WebhookChange) -> WebhookDocument | Response:
    """Give a webhook another address or other events, or make it active or not.

    One that is not active is told nothing, and of what happens meanwhile it is not told later.
    """
    refused = None if document.url is UNSET else _refused(document.url)
    if refused is not None:
        return refused
    values = {name: value for name, value in asdict(document).items() if value is not UNSET}
    if document.events is not UNSET:
        values["events"] = _events(document.events)
    changed = store().webhooks.change(webhook_id, **values)
    if changed is None:
        return _unknown(webhook_id)
    send_deliveries(store())
    return _document(changed)


@operation("DELETE", "/api/v1/webhooks/<webhook_id>", scope="admin", problems=("not-found",))
def delete_webhook(webhook_id: WebhookId) -> WebhookDocument | Response:
    """Delete a webhook, and all of its deliveries, sent or not; its last state is the answer."""
    found = store().webhooks.find(webhook_id)
    if found is None or not store().webhooks.remove(webhook_id):
        return _unknown(webhook_id)
    return _document(found)


@operation(
    "POST",
    "/api/v1/webhooks/<webhook_id>/secret",
    scope="admin",
    statuses=_MADE,
    headers=_LOCATION,
    problems=("not-found",),
)
def renew_secret(webhook_id: WebhookId) -> Reply[NewWebhook] | Response:
    """Give a webhook another secret. For 24 hours the old one signs as well."""
    renewed = store().webhooks.renew_secret(webhook_id, _now())
    if renewed is None:
        return _unknown(webhook_id)
    return _with_secret(*renewed, HTTPStatus.CREATED)


@operation(
    "POST",
    "/api/v1/webhooks/<webhook_id>/test",
    scope="admin",
    statuses=_SENT,
    headers=_OF_DELIVERY,
    problems=("not-found",),
)
def test_webhook(webhook_id: WebhookId) -> Reply[DeliveryDocument] | Response:
    """Send a ping to a webhook."""
    if store().webhooks.find(webhook_id) is None:
        return _unknown(webhook_id)
    return _sent(store().webhooks.ping(webhook_id, _now()))


@operation(
    "GET", "/api/v1/webhooks/<webhook_id>/deliveries", scope="admin", problems=("not-found",)
)
def list_deliveries(webhook_id: WebhookId, query: DeliveriesQuery) -> DeliveryPage | Response:
    """List the deliveries to a webhook, the newest first; ended ones stay for 30 days."""
    if store().webhooks.find(webhook_id) is None:
        return _unknown(webhook_id)
    before = None
    if query.cursor is not None:
        before = store().webhooks.delivery(webhook_id, query.cursor)
        if before is None:
            return bad_parameter("cursor", "the cursor of a link next", query.cursor)
    found = store().webhooks.deliveries(webhook_id, query.limit + 1, before)
    shown = found[: query.limit]
    following = None
    if len(found) > len(shown):
        following = url_for(
            "api.list_deliveries", webhook_id=webhook_id, limit=query.limit, cursor=shown[-1].id
        )
    return DeliveryPage([_delivery(delivery) for delivery in shown], following)


@operation(
    "GET",
    "/api/v1/webhooks/<webhook_id>/deliveries/<delivery_id>",
    scope="admin",
    problems=("not-found",),
)
def show_delivery(webhook_id: WebhookId, delivery_id: DeliveryId) -> DeliveryDocument | Response:
    """Show one delivery: what was sent, and what came of it."""
    found = store().webhooks.delivery(webhook_id, delivery_id)
    return _unknown_delivery(delivery_id) if found is None else _delivery(found)


@operation(
    "POST",
    "/api/v1/webhooks/<webhook_id>/deliveries/<delivery_id>/redelivery",
    scope="admin",
    statuses=_SENT,
    headers=_OF_DELIVERY,
    problems=("not-found",),
)
def redeliver(webhook_id: WebhookId, delivery_id: DeliveryId) -> Reply[DeliveryDocument] | Response:
    """Send a message once more, whatever came of it, as if it had not been tried yet.

    Its id stays, so that a receiver can tell that it has had it.
    """
    again = store().webhooks.redeliver(webhook_id, delivery_id, _now())
    return _unknown_delivery(delivery_id) if again is None else _sent(again)


def _refused(url: str) -> Response | None:
    target = resolve(url, private=store().settings.webhook_private)
    if not isinstance(target, Refusal):
        return None
    return problem("bad-webhook", target.reason, seen=url[:200])


def _unknown(webhook_id: str) -> Response:
    return problem("not-found", "There is no such webhook.", webhook=webhook_id[:100])


def _unknown_delivery(delivery_id: str) -> Response:
    detail = "There is no such delivery to this webhook, or it ended long ago."
    return problem("not-found", detail, delivery=delivery_id[:100])


def _events(wanted: list[Event]) -> tuple[Event, ...]:
    return tuple(event for event in EVENTS if event in wanted)


def _with_secret(webhook: Webhook, secret: str, status: HTTPStatus) -> Reply[NewWebhook]:
    shown = NewWebhook(secret=secret, **_members(webhook))
    return Reply(shown, status, {"Location": shown.links["self"]})


def _document(webhook: Webhook) -> WebhookDocument:
    return WebhookDocument(**_members(webhook))


def _members(webhook: Webhook) -> dict[str, Any]:
    last = None
    if webhook.last_at is not None:
        last = LastAttempt(webhook.last_at, webhook.last_status, webhook.last_error)
    return {
        "id": webhook.id,
        "url": webhook.url,
        "events": webhook.events,
        "active": webhook.active,
        "created_at": webhook.created_at,
        "old_secret_until": webhook.old_secret_until,
        "failures": webhook.failures,
        "last": last,
        "links": {
            "self": url_for("api.show_webhook", webhook_id=webhook.id),
            "deliveries": url_for("api.list_deliveries", webhook_id=webhook.id),
        },
    }


def _sent(delivery: Delivery) -> Reply[DeliveryDocument]:
    """The answer that a delivery is on its way. Without the broker the sweeper sends it."""
    send_deliveries(store())
    shown = _delivery(delivery)
    return Reply(shown, HTTPStatus.ACCEPTED, {"Location": shown.links["self"]})


def _delivery(delivery: Delivery) -> DeliveryDocument:
    webhook = delivery.webhook
    links = {
        "self": url_for("api.show_delivery", webhook_id=webhook, delivery_id=delivery.id),
        "webhook": url_for("api.show_webhook", webhook_id=webhook),
    }
    members = {**asdict(delivery), "payload": Raw(delivery.payload.encode())}
    return DeliveryDocument(**members, links=links)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
