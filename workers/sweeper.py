"""Sends again what the records know as not finished: uploads, sessions, what webhooks are due.

It deletes the files of what was deleted, too.

So a lost broker, a lost message or a lost worker costs time and no upload. Sending too often does
no harm: whoever comes second to an upload finds it taken or finished.
"""

import datetime as dt
import time

import structlog

from warehouse.clubs import Clubs
from warehouse.database import open_control
from warehouse.settings import read_settings
from warehouse.store import Store
from workers.logs import configure_logs
from workers.outbox import send_deliveries
from workers.renewals import sweep_files, sweep_renewals
from workers.sending import send_audit
from workers.sessions import sweep_sessions

QUIET = dt.timedelta(seconds=20)
"""How long an upload shows no sign of life before it is sent again; longer than a run's lease."""

_PERIOD = 5  # seconds between two looks at the records

_log = structlog.get_logger("sweeper")


def sweep(store: Store, quiet: dt.timedelta = QUIET) -> int:
    """Send every upload of a house that has been quiet for this long; return how many were sent.

    The first one that the broker does not take ends the sweep.
    """
    sent = 0
    for upload in store.records.unfinished(dt.datetime.now(dt.UTC) - quiet):
        if not send_audit(store, upload):
            _log.warning("broker cannot be reached", club=store.settings.club, upload=upload)
            break
        _log.info("upload sent again", club=store.settings.club, upload=upload)
        sent += 1
    return sent


def main() -> None:
    """Sweep every club's house, for ever."""
    configure_logs("sweeper")
    settings = read_settings()
    clubs = Clubs(open_control(settings))
    stores: dict[str, Store] = {}
    while True:
        for club in clubs.all():
            if club.id not in stores:
                stores[club.id] = Store(settings.of(club.id))
            sweep(stores[club.id])
            sweep_renewals(stores[club.id])
            sweep_sessions(stores[club.id])
            sweep_files(stores[club.id])
            send_deliveries(stores[club.id])
        time.sleep(_PERIOD)


if __name__ == "__main__":
    main()
