"""Sends again what the records know as not finished: uploads, sessions, what webhooks are due.

It deletes the files of what was deleted, too, and has small segments joined where they are many.

So a lost broker, a lost message or a lost worker costs time and no upload. Sending too often does
no harm: whoever comes second to an upload finds it taken or finished.
"""

import datetime as dt
import signal

import structlog
from sqlalchemy.exc import SQLAlchemyError

from warehouse.clubs import Clubs
from warehouse.database import open_control
from warehouse.settings import read_settings
from warehouse.store import Store
from workers.compaction import CompactionSweep
from workers.logs import configure_logs
from workers.outbox import send_deliveries
from workers.renewals import sweep_files, sweep_renewals
from workers.sending import send_audit
from workers.sessions import sweep_sessions

QUIET = dt.timedelta(seconds=20)
"""How long an upload shows no sign of life before it is sent again; longer than a run's lease."""

_PERIOD = 5  # seconds between two looks at the records
_STOP = {signal.SIGTERM, signal.SIGINT}

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
    """Sweep every club's house, again and again, until SIGTERM or SIGINT; a sweep is finished."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOP)
    configure_logs("sweeper")
    settings = read_settings()
    stores: dict[str, Store] = {}
    compaction = CompactionSweep()
    control = None
    while True:
        try:
            control = control or Clubs(open_control(settings))
            clubs = [club.id for club in control.all()]
        except (SQLAlchemyError, OSError):
            _log.exception("sweep broken off")  # what does not answer now may do so next time
            clubs = []
        for club in clubs:
            try:
                if club not in stores:
                    stores[club] = Store(settings.of(club))
                _sweep_house(stores[club])
                compaction.sweep(stores[club])
            except (SQLAlchemyError, OSError):
                _log.exception("sweep broken off", club=club)
        if signal.sigtimedwait(_STOP, _PERIOD) is not None:
            return


def _sweep_house(store: Store) -> None:
    sweep(store)
    sweep_renewals(store)
    sweep_sessions(store)
    sweep_files(store)
    send_deliveries(store)


if __name__ == "__main__":
    main()
