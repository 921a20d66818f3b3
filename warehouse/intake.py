"""An upload's way into the warehouse: read, examine, publish, chunk after chunk.

`process_upload` is the one way in, for the task, the command line and the tests alike. It may be
killed anywhere and begun again: what was published stays, and the next run goes on behind it.
"""

import datetime as dt
import time
from collections.abc import Callable
from typing import BinaryIO, Literal

import structlog

from schemas.session_decode import ReadSession
from schemas.streams import LimitExceeded, RawHand
from warehouse.bucket import StoreUnreachableError
from warehouse.publishing import Draft
from warehouse.records import NoRun, Problem, Run
from warehouse.rows import HandRows
from warehouse.store import Store
from warehouse.uploaded import UploadedHands, read_reading, written_reading

Ending = Literal["done", "failed", "resting", "waiting", "lost", "unknown", "finished", "busy"]
"""How a run ended: ``resting`` wants another one, ``waiting`` wants one later, when the store of
objects answers again; ``lost`` and ``busy``: somebody else is at it."""

_log = structlog.get_logger("intake")


def _never() -> bool:
    return False


def process_upload(
    store: Store,
    upload: str,
    *,
    seconds: float | None = None,
    stopping: Callable[[], bool] = _never,
) -> Ending:
    """Work on an upload until it is done, or to the end of the chunk in which it is enough.

    It is enough when `seconds` are over, or when `stopping` says so.

    Exceptions are those of the machine (memory, disk, records); what they interrupt is not
    published, and the upload stays in this run's hold until its lease is over or
    `Records.fail_attempt` ends it.
    """
    run = store.records.begin(upload, _now())
    if isinstance(run, NoRun):
        return run.reason
    store.segments.discard_leftovers()
    try:
        return _work(store, run, seconds, stopping)
    except StoreUnreachableError:
        _log.exception("the store of objects cannot be reached")
        store.records.wait(run, _now())
        return "waiting"


def _work(store: Store, run: Run, seconds: float | None, stopping: Callable[[], bool]) -> Ending:
    try:
        stored = store.blobs.open(run.upload.blob)
    except FileNotFoundError:
        detail = "The bytes of this upload are not in the store."
        store.records.fail(run, "bytes-missing", detail, _now())
        return "failed"
    with stored:
        return _Intake(store, run, stored).work(seconds, stopping)


class _Intake:
    """One run over one upload: gathers hands into a chunk and publishes it when it is full."""

    def __init__(self, store: Store, run: Run, stored: BinaryIO) -> None:
        self._store = store
        self._run = run
        self._stored = stored
        self._uploaded = UploadedHands(
            stored,
            store.settings,
            run.upload.dialect,
            behind=run.upload.hands,
            reading=read_reading(run.upload.reading),
            met=self._declare,
        )
        self._published = run.upload.hands
        self._hands: list[HandRows] = []
        self._problems: list[Problem] = []
        self._bytes = 0

    def work(self, seconds: float | None, stopping: Callable[[], bool]) -> Ending:
        started = time.monotonic()
        try:
            for ordinal, raw in self._uploaded:
                self._take(ordinal, raw)
                if not self._full():
                    continue
                if not self._publish():
                    return "lost"
                over = seconds is not None and time.monotonic() - started >= seconds
                if over or stopping():
                    self._store.records.rest(self._run, _now())
                    return "resting"
        except LimitExceeded as exceeded:
            return self._refuse(exceeded)
        if self._gathered() and not self._publish():
            return "lost"
        self._store.records.finish(self._run, _now())
        return "done"

    def _declare(self, read: ReadSession) -> None:
        """Record what the upload says of a session; it may be known, from a run before this one."""
        self._store.sessions.declare(read, self._run.upload.id, _now())

    def _take(self, ordinal: int, raw: RawHand) -> None:
        self._bytes += len(raw.raw)
        read = self._store.examiner.rows(raw, self._run.upload.id, ordinal)
        if isinstance(read, Problem):
            self._problems.append(read)
        else:
            self._hands.append(read)

    def _gathered(self) -> int:
        return len(self._hands) + len(self._problems)

    def _full(self) -> bool:
        settings = self._store.settings
        return self._gathered() >= settings.chunk_hands or self._bytes >= settings.chunk_bytes

    def _publish(self) -> bool:
        """Publish what is gathered; False when somebody else holds the upload now."""
        first, last = self._published + 1, self._published + self._gathered()
        reading = written_reading(self._uploaded.reading)
        draft = Draft(first, last, self._hands, self._problems, self._stored.tell(), reading)
        if not self._store.publisher.publish(self._run, draft, _now()):
            return False
        self._published = last
        self._hands, self._problems, self._bytes = [], [], 0
        _log.info("chunk published", first=first, last=last)
        return True

    def _refuse(self, exceeded: LimitExceeded) -> Ending:
        """Give up an upload that is larger than allowed; the hands before that point are kept."""
        if self._gathered() and not self._publish():
            return "lost"
        detail = f"At most {exceeded.allowed} allowed, {exceeded.seen} seen."
        self._store.records.fail(self._run, exceeded.limit, detail, _now())
        return "failed"


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
