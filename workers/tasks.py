"""The task that audits an upload: one attempt, its limits, and what becomes of a failed one.

An attempt rests well before the task's time limits, or when its worker is to stop, and sends
itself again; a failed one comes again later and later, until the records say that it was tried
often enough.
"""

import datetime as dt
from functools import partial
from typing import Final

import structlog
from kombu.exceptions import OperationalError

from warehouse.intake import process_upload
from warehouse.records import UNFINISHED
from warehouse.store import Store
from workers.app import app
from workers.attempts import Failure, attempt, pause_before
from workers.names import AUDIT_UPLOAD
from workers.outbox import send_deliveries
from workers.sending import send_audit
from workers.sessions import send_changed
from workers.stopping import stopping
from workers.stores import store_of

RUN_SECONDS: Final = 45.0
"""How long a task works before it hands over to the next one; half of the soft time limit."""

_TOO_SLOW: Final = "Nothing more was published before the task's time limit."

_log = structlog.get_logger("tasks")


@app.task(name=AUDIT_UPLOAD)
def audit_upload(club: str, upload: str) -> None:
    """Work on an upload of a club for a while, and have somebody go on where that is needed."""
    store = store_of(club)
    known = store.records.upload(upload)
    request_id = None if known is None else known.request_id
    with structlog.contextvars.bound_contextvars(club=club, upload=upload, request_id=request_id):
        work = partial(process_upload, store, upload, seconds=RUN_SECONDS, stopping=stopping)
        ended = attempt(work, _TOO_SLOW)
        if isinstance(ended, Failure):
            _give_way(store, upload, ended)
        else:
            _log.info("run ended", ending=ended)
        if ended == "resting":
            send_audit(store, upload)
        else:
            send_changed(store)
        send_deliveries(store)


def _give_way(store: Store, upload: str, failure: Failure) -> None:
    """Write down why the attempt failed and, unless it was the last one, have it made again."""
    now = dt.datetime.now(dt.UTC)
    after = store.records.fail_attempt(upload, failure.code, failure.detail, now)
    if after is None:
        _log.info("upload deleted meanwhile")
        return
    _log.warning("run failed", code=failure.code, attempts=after.attempts, status=after.status)
    if after.status in UNFINISHED:
        _send_later(store, upload, pause_before(after.attempts))


def _send_later(store: Store, upload: str, seconds: int) -> None:
    try:
        app.send_task(AUDIT_UPLOAD, args=[store.settings.club, upload], countdown=seconds)
    except OperationalError:
        _log.warning("broker cannot be reached")  # the sweeper sends it
