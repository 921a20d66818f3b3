"""The outbox: what happened, written down for every webhook that wants to know of it.

An event is recorded in the transaction of the change that it tells of, so that there is neither one
without the other. Sending is another matter (`warehouse.webhooks`).
"""

import datetime as dt
import secrets
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from warehouse.tables import deliveries, webhooks

Event = Literal["upload.finished", "upload.failed", "session.audited"]
EVENTS: Final[tuple[Event, ...]] = get_args(Event)

PING: Final = "ping"
"""What a webhook is sent for a test, whichever events it wants."""


class Message(Struct, frozen=True):
    """What a receiver gets: the event, when it happened, and what is to be known of it."""

    type: str
    timestamp: dt.datetime
    data: Any


def record_event(
    connection: Connection,
    event: Event,
    data: object,
    now: dt.datetime,
    request_id: str | None = None,
) -> None:
    """Write an event down for every active webhook that wants it, within a writing transaction.

    Args:
        connection: the transaction of the change that the event tells of.
        event: what happened.
        data: what is to be known of it, in types that msgspec encodes.
        now: when it happened.
        request_id: the id of the request that led to it, for the log.
    """
    wanted = select(webhooks.c.id, webhooks.c.events).where(webhooks.c.active)
    wanting = [row.id for row in connection.execute(wanted) if event in row.events.split(",")]
    for webhook in wanting:
        write_delivery(connection, webhook, event, data, now, request_id)


def write_delivery(
    connection: Connection,
    webhook: str,
    event: str,
    data: object,
    now: dt.datetime,
    request_id: str | None = None,
) -> str:
    """Write down that a webhook is to be told something; return the delivery's id."""
    delivery = f"dlv_{secrets.token_hex(12)}"
    row = {
        "id": delivery,
        "webhook": webhook,
        "event": event,
        "payload": msgspec.json.encode(Message(event, now, data)).decode(),
        "request_id": request_id,
        "created_at": now,
        "state": "pending",
        "next_at": now,
    }
    connection.execute(deliveries.insert().values(row))
    return delivery
