"""The task that audits a session, and waking workers up for sessions that have changed.

What has changed stands in the records, and an audit is a function of what is there: a run that is
lost is simply made again, and one too many finds nothing to do.
"""

import datetime as dt
from collections.abc import Sequence
from functools import partial
from typing import Final

import structlog
from kombu.exceptions import OperationalError

from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.sessions.records import UNSETTLED
from warehouse.store import Store
from workers.app import app
from workers.attempts import Failure, attempt, pause_before
from workers.names import AUDIT_SESSION
from workers.outbox import send_deliveries
from workers.stores import store_of, warehouse_of

QUIET: Final = dt.timedelta(seconds=20)
"""How long a session must rest before it is audited while its uploads may still be coming in."""
LOST: Final = dt.timedelta(seconds=120)
"""How long after it was sent a session is sent again; till then it may wait its turn."""

_AT_ONCE: Final = 500

_log = structlog.get_logger("tasks")


@app.task(name=AUDIT_SESSION)
def audit_session(club: str, session: str) -> None:
    """Audit a session of a club, by its key, as it stands now."""
    store, warehouse = store_of(club), warehouse_of(club)
    with structlog.contextvars.bound_contextvars(club=club, session=session):
        ended = attempt(partial(process_session, warehouse, session), _TOO_SLOW)
        if isinstance(ended, Failure):
            _give_way(store, warehouse, session, ended)
        else:
            _log.info("session run ended", ending=ended)
        if ended == "changed":
            send_sessions(store, [session])
        send_deliveries(store)


def send_sessions(store: Store, keys: Sequence[str]) -> bool:
    """Send the task of every one of these sessions of a house and note it in the records.

    Returns:
        False when the broker cannot be reached; the sweeper sends them later.
    """
    sent = []
    try:
        for key in keys:
            app.send_task(AUDIT_SESSION, args=[store.settings.club, key])
            sent.append(key)
    except OperationalError:
        return False
    finally:
        if sent:
            store.session_runs.mark_sent(sent, dt.datetime.now(dt.UTC))
    return True


def send_changed(store: Store) -> bool:
    """Send the sessions that have changed since they were sent; see `send_sessions`."""
    return send_sessions(store, store.session_runs.unsent(_AT_ONCE))


def sweep_sessions(store: Store, quiet: dt.timedelta = QUIET, lost: dt.timedelta = LOST) -> bool:
    """Send the sessions that wait for an audit and rest; see `send_sessions`."""
    now = dt.datetime.now(dt.UTC)
    store.session_runs.renew_untold(now, _AT_ONCE)
    due = store.session_runs.due(now - quiet, now - lost, _AT_ONCE)
    if due:
        _log.info("sessions sent", club=store.settings.club, sessions=len(due))
    return send_sessions(store, due)


_TOO_SLOW: Final = "The session was not audited before the task's time limit."


def _give_way(store: Store, warehouse: Warehouse, session: str, failure: Failure) -> None:
    """Write down why the attempt failed and, unless it was the last one, have it made again."""
    now = dt.datetime.now(dt.UTC)
    after = warehouse.session_runs.fail_attempt(session, failure.code, failure.detail, now)
    if after is None:
        return
    _log.warning("session run failed", code=failure.code, attempts=after.attempts)
    if after.state not in UNSETTLED:
        return
    pause = pause_before(after.attempts)
    try:
        app.send_task(AUDIT_SESSION, args=[store.settings.club, session], countdown=pause)
    except OperationalError:
        _log.warning("broker cannot be reached")  # the sweeper sends it
