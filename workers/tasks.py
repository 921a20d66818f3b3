"""The task that audits an upload: one attempt, its limits, and what becomes of a failed one.

An attempt rests well before the task's time limits and sends itself again; a failed one comes again
later and later, until the records say that it was tried often enough.
"""

import datetime as dt
from functools import cache
from typing import Final

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from kombu.exceptions import OperationalError

from warehouse.intake import Ending, process_upload
from warehouse.records import UNFINISHED
from warehouse.settings import read_settings
from warehouse.store import Store
from workers.app import app
from workers.names import AUDIT_UPLOAD
from workers.sending import send_audit

RUN_SECONDS: Final = 45.0
"""How long a task works before it hands over to the next one; half of the soft time limit."""

_FIRST_PAUSE: Final = 2  # seconds before the second attempt; doubled before every further one

_log = structlog.get_logger("tasks")


@app.task(name=AUDIT_UPLOAD)
def audit_upload(upload: str) -> None:
    """Work on an upload for a while, and see to it that somebody goes on where that is needed."""
    with structlog.contextvars.bound_contextvars(upload=upload):
        store = _store()
        ending = _attempt(store, upload)
        _log.info("run ended", ending=ending)
        if ending == "resting":
            send_audit(store.records, upload)


def _attempt(store: Store, upload: str) -> Ending | None:
    """Run once; None when the attempt failed, which is written down by then."""
    try:
        return process_upload(store, upload, seconds=RUN_SECONDS)
    except SoftTimeLimitExceeded:
        failure = (
            "too-slow",
            f"Nothing could be published within {app.conf.task_soft_time_limit} s.",
        )
    except MemoryError:  # uncaught, it would end the whole worker
        failure = ("out-of-memory", "The worker had too little memory.")
    except Exception as error:  # noqa: BLE001 -- whatever it was, it is logged, recorded and tried again
        _log.exception("attempt failed")
        failure = ("internal-error", f"{type(error).__name__}: {error}"[:500])
    _give_way(store, upload, *failure)
    return None


def _give_way(store: Store, upload: str, code: str, detail: str) -> None:
    """Write down why the attempt failed and, unless it was the last one, have it made again."""
    after = store.records.fail_attempt(upload, code, detail, dt.datetime.now(dt.UTC))
    _log.warning("attempt failed", code=code, attempts=after.attempts, status=after.status)
    if after.status in UNFINISHED:
        _send_later(upload, _FIRST_PAUSE * 2 ** max(0, after.attempts - 1))


def _send_later(upload: str, seconds: int) -> None:
    try:
        app.send_task(AUDIT_UPLOAD, args=[upload], countdown=seconds)
    except OperationalError:
        _log.warning("broker cannot be reached")  # the sweeper sends it


@cache
def _store() -> Store:
    return Store(read_settings())
