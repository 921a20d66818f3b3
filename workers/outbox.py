"""Waking a worker up for every webhook to which something is due."""

import datetime as dt

from kombu.exceptions import OperationalError

from warehouse.store import Store
from workers.app import app
from workers.names import DELIVER


def send_deliveries(store: Store) -> bool:
    """Send the task of every webhook of a house to which something is due, and note it.

    Returns:
        False when the broker cannot be reached; the sweeper sends them later.
    """
    for webhook in store.webhooks.waiting(dt.datetime.now(dt.UTC)):
        try:
            app.send_task(DELIVER, args=[store.settings.club, webhook])
        except OperationalError:
            return False
        store.webhooks.mark_woken(webhook, dt.datetime.now(dt.UTC))
    return True
