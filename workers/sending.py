"""Waking a worker up for an upload that stands in the records."""

import datetime as dt

from kombu.exceptions import OperationalError

from warehouse.store import Store
from workers.app import app
from workers.names import AUDIT_UPLOAD


def send_audit(store: Store, upload: str) -> bool:
    """Send the task that audits an upload of a house and note it in the records.

    Returns:
        False when the broker cannot be reached; the sweeper sends the upload later.
    """
    try:
        app.send_task(AUDIT_UPLOAD, args=[store.settings.club, upload])
    except OperationalError:
        return False
    store.records.mark_sent(upload, dt.datetime.now(dt.UTC))
    return True
