"""The task that delivers what is due to a webhook, one message after the other.

What is due, how often it was tried and when it is due again stands in the records; a message of the
broker only says that somebody should look.
"""

import datetime as dt
import time
from typing import Final

import structlog

from warehouse.store import Store
from warehouse.webhooks import KEPT, Attempt
from workers.app import app
from workers.names import DELIVER
from workers.outbox import send_deliveries
from workers.posting import post
from workers.stores import store_of

RUN_SECONDS: Final = 30.0
"""How long a task goes on with a webhook before it makes way for others."""

_log = structlog.get_logger("deliveries")


@app.task(name=DELIVER)
def deliver(club: str, webhook: str) -> None:
    """Deliver what is due to a webhook of a club, until nothing is, it fails, or time is up."""
    with structlog.contextvars.bound_contextvars(club=club, webhook=webhook):
        store = store_of(club)
        started = time.monotonic()
        store.webhooks.forget(webhook, _now() - KEPT)
        while attempt := store.webhooks.take(webhook, _now()):
            _attempt(store, attempt)
            if time.monotonic() - started >= RUN_SECONDS:
                send_deliveries(store)
                break


def _attempt(store: Store, attempt: Attempt) -> None:
    delivery = attempt.delivery
    bound = {"delivery": delivery.id, "event": delivery.event, "request_id": attempt.request_id}
    with structlog.contextvars.bound_contextvars(**bound):
        outcome = post(attempt, private=store.settings.webhook_private)
        after = store.webhooks.settle(attempt, outcome, _now())
        said = {"attempts": delivery.attempts, "status": outcome.status}
        if outcome.error is None:
            _log.info("delivered", **said)
        else:
            state = "lost" if after is None else after.state
            _log.warning("not delivered", reason=outcome.error, state=state, **said)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
