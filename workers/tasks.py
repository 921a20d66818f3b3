"""The task that audits an upload: one attempt, its limits, and what becomes of a failed one.

An attempt rests well before the task's time limits and sends itself again; a failed one comes again
later and later, until the records say that it was tried often enough.
"""

import datetime as dt
from typing import Final

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from kombu.exceptions import OperationalError
from msgspec import Struct

from warehouse.intake import Ending, process_upload
from warehouse.records import UNFINISHED
from warehouse.store import Store
from workers.app import app
from workers.names import AUDIT_UPLOAD
from workers.outbox import send_deliveries
from workers.sending import send_audit
from workers.stores import store_of

RUN_SECONDS: Final = 45.0
"""How long a task works before it hands over to the next one; half of the soft time limit."""

_FIRST_PAUSE: Final = 2  # seconds before the second attempt; doubled before every further one
_RESERVE_BYTES: Final = 8 << 20

_log = structlog.get_logger("tasks")


class _Failure(Struct, frozen=True):
    """Why an attempt came to nothing, as the records will say it."""

    code: str
    detail: str


@app.task(name=AUDIT_UPLOAD)
def audit_upload(club: str, upload: str) -> None:
    """Work on an upload of a club for a while, and have somebody go on where that is needed."""
    store = store_of(club)
    known = store.records.upload(upload)
    request_id = None if known is None else known.request_id
    with structlog.contextvars.bound_contextvars(club=club, upload=upload, request_id=request_id):
        ended = _attempt(store, upload)
        if isinstance(ended, _Failure):
            _give_way(store, upload, ended)
        else:
            _log.info("run ended", ending=ended)
        if ended == "resting":
            send_audit(store, upload)
        send_deliveries(store)


def _attempt(store: Store, upload: str) -> Ending | _Failure:
    """Run once. What filled the memory is free again when this returns.

    A little memory is held back all the while, so that a lack of it can be written down.
    """
    reserve = bytearray(_RESERVE_BYTES)
    try:
        return _run(store, upload)
    except MemoryError:  # left uncaught, it would end the whole worker
        del reserve
        return _Failure("out-of-memory", "The worker had too little memory.")


def _run(store: Store, upload: str) -> Ending | _Failure:
    try:
        return process_upload(store, upload, seconds=RUN_SECONDS)
    except SoftTimeLimitExceeded:
        return _Failure("too-slow", "Nothing more was published before the task's time limit.")
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 -- whatever it was, it is recorded and tried again
        _log.exception("attempt failed")
        return _Failure("internal-error", f"{type(error).__name__}: {error}"[:500])


def _give_way(store: Store, upload: str, failure: _Failure) -> None:
    """Write down why the attempt failed and, unless it was the last one, have it made again."""
    now = dt.datetime.now(dt.UTC)
    after = store.records.fail_attempt(upload, failure.code, failure.detail, now)
    if after is None:
        _log.info("upload deleted meanwhile")
        return
    _log.warning("run failed", code=failure.code, attempts=after.attempts, status=after.status)
    if after.status in UNFINISHED:
        _send_later(store, upload, _FIRST_PAUSE * 2 ** max(0, after.attempts - 1))


def _send_later(store: Store, upload: str, seconds: int) -> None:
    try:
        app.send_task(AUDIT_UPLOAD, args=[store.settings.club, upload], countdown=seconds)
    except OperationalError:
        _log.warning("broker cannot be reached")  # the sweeper sends it
