"""The task that makes chunks of an upload anew, and what is sent or swept for what is deleted.

It rests and fails as the first audit does, but what it has not come to is as it was before.
"""

import datetime as dt
from collections.abc import Iterable
from functools import partial
from typing import Final

import structlog
from kombu.exceptions import OperationalError

from warehouse.renewals import WORKED_ON
from warehouse.renewing import renew_upload
from warehouse.store import Store
from workers.app import app
from workers.attempts import Failure, attempt, pause_before
from workers.names import RENEW_UPLOAD
from workers.outbox import send_deliveries
from workers.sessions import send_changed
from workers.stopping import stopping
from workers.stores import store_of

RUN_SECONDS: Final = 45.0
"""How long a task works before it hands over to the next one; half of the soft time limit."""

QUIET: Final = dt.timedelta(seconds=20)
"""How long a renewal shows no sign of life before it is sent again; longer than a run's lease."""

_TOO_SLOW: Final = "Nothing more was made anew before the task's time limit."

_log = structlog.get_logger("tasks")


@app.task(name=RENEW_UPLOAD)
def renew(club: str, upload: str) -> None:
    """Make chunks of an upload anew for a while, and have somebody go on where that is needed."""
    store = store_of(club)
    with structlog.contextvars.bound_contextvars(club=club, upload=upload):
        work = partial(renew_upload, store, upload, seconds=RUN_SECONDS, stopping=stopping)
        ended = attempt(work, _TOO_SLOW)
        if isinstance(ended, Failure):
            _give_way(store, upload, ended)
        else:
            _log.info("renewal ended", ending=ended)
        if ended in ("resting", "done"):  # others may have become due by this one
            send_renewals(store, store.renewals.unsent())
        if ended != "resting":
            send_changed(store)
        send_deliveries(store)


def send_renewals(store: Store, uploads: Iterable[str]) -> bool:
    """Send the task of every one of these uploads of a house and note it in the records.

    Returns:
        False when the broker cannot be reached; the sweeper sends them later.
    """
    for upload in uploads:
        try:
            app.send_task(RENEW_UPLOAD, args=[store.settings.club, upload])
        except OperationalError:
            return False
        store.renewals.mark_sent(upload, dt.datetime.now(dt.UTC))
    return True


def sweep_renewals(store: Store, quiet: dt.timedelta = QUIET) -> bool:
    """Send the uploads that are to be renewed and have been quiet; see `send_renewals`."""
    due = store.renewals.unfinished(dt.datetime.now(dt.UTC) - quiet)
    if due:
        _log.info("renewals sent", club=store.settings.club, uploads=len(due))
    return send_renewals(store, due)


def sweep_files(store: Store) -> bool:
    """Delete the files of what was deleted; False when that was not possible now."""
    try:
        swept = store.deletions.sweep()
    except OSError:
        _log.exception("files cannot be deleted", club=store.settings.club)
        return False
    if swept:
        _log.info("files deleted", club=store.settings.club, files=swept)
    return True


def _give_way(store: Store, upload: str, failure: Failure) -> None:
    """Write down why the attempt failed and, unless it was the last one, have it made again."""
    now = dt.datetime.now(dt.UTC)
    after = store.renewals.fail_attempt(upload, failure.code, failure.detail, now)
    if after is None:
        return
    _log.warning("renewal failed", code=failure.code, attempts=after.attempts, status=after.status)
    if after.status not in WORKED_ON:
        return
    pause = pause_before(after.attempts)
    try:
        app.send_task(RENEW_UPLOAD, args=[store.settings.club, upload], countdown=pause)
    except OperationalError:
        _log.warning("broker cannot be reached")  # the sweeper sends it
