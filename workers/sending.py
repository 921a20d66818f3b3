"""Waking a worker up for an upload that stands in the records."""

import datetime as dt

from kombu.exceptions import OperationalError

from warehouse.records import Records
from workers.app import app
from workers.names import AUDIT_UPLOAD


def send_audit(records: Records, upload: str) -> bool:
    """Send the task that audits an upload and note it in the records.

    Returns:
        False when the broker cannot be reached; the sweeper sends the upload later.
    """
    try:
        app.send_task(AUDIT_UPLOAD, args=[upload])
    except OperationalError:
        return False
    records.mark_sent(upload, dt.datetime.now(dt.UTC))
    return True
