"""Sends again what the records know as received and never finished.

So a lost broker, a lost message or a lost worker costs time and no upload. Sending too often does
no harm: whoever comes second to an upload finds it taken or finished.
"""

import datetime as dt
import time

import structlog

from warehouse.database import Database
from warehouse.records import Records
from warehouse.settings import read_settings
from workers.logs import configure_logs
from workers.sending import send_audit

QUIET = dt.timedelta(seconds=20)
"""How long an upload shows no sign of life before it is sent again; longer than a run's lease."""

_PERIOD = 5  # seconds between two looks at the records

_log = structlog.get_logger("sweeper")


def sweep(records: Records, quiet: dt.timedelta = QUIET) -> int:
    """Send every upload that has been quiet for this long; return how many were sent.

    The first one that the broker does not take ends the sweep.
    """
    sent = 0
    for upload in records.unfinished(dt.datetime.now(dt.UTC) - quiet):
        if not send_audit(records, upload):
            _log.warning("broker cannot be reached", upload=upload)
            break
        _log.info("upload sent again", upload=upload)
        sent += 1
    return sent


def main() -> None:
    """Sweep for ever."""
    configure_logs("sweeper")
    records = Records(Database(read_settings().records_url))
    while True:
        sweep(records)
        time.sleep(_PERIOD)


if __name__ == "__main__":
    main()
