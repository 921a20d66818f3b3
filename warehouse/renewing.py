"""Making chunks anew: an upload's bytes are read again, and every chunk that is due is replaced.

`renew_upload` may be killed anywhere and begun again: what was replaced stays so, and the next run
goes on with what is still due.
"""

import datetime as dt
import time
from collections.abc import Callable
from typing import Literal

import polars as pl
import structlog

from schemas.streams import LimitExceeded
from warehouse.bucket import StoreUnreachableError
from warehouse.publishing import Draft
from warehouse.records import Problem, Upload
from warehouse.renewals import NoRenewal, OldChunk, OldHand, Renewal
from warehouse.rows import HandRows
from warehouse.store import Store
from warehouse.uploaded import UploadedHands

Ending = Literal["done", "failed", "resting", "waiting", "lost", "unknown", "finished", "busy"]
"""How a run ended: ``resting`` wants another one, ``waiting`` wants one later, when the store of
objects answers again; ``lost`` and ``busy``: somebody else is at it."""

_log = structlog.get_logger("renewing")


def _never() -> bool:
    return False


def renew_upload(
    store: Store,
    upload: str,
    *,
    seconds: float | None = None,
    stopping: Callable[[], bool] = _never,
) -> Ending:
    """Make chunks of an upload anew until none is due, or to the end of one when it is enough.

    It is enough when `seconds` are over, or when `stopping` says so.

    Exceptions are those of the machine, as with the first audit.
    """
    renewal = store.renewals.begin(upload, _now())
    if isinstance(renewal, NoRenewal):
        return renewal.reason
    known = store.records.upload(upload)
    if known is None:
        return "lost"
    try:
        return _open(store, renewal, known, _Enough(seconds, stopping))
    except StoreUnreachableError:
        _log.exception("the store of objects cannot be reached")
        store.renewals.rest(renewal, _now())
        return "waiting"


class _Enough:
    """Whether a run should rest: its time is over, or its worker is to stop."""

    def __init__(self, seconds: float | None, stopping: Callable[[], bool]) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._stopping = stopping

    def __call__(self) -> bool:
        return (self._end is not None and time.monotonic() >= self._end) or self._stopping()


def _open(store: Store, renewal: Renewal, known: Upload, enough: _Enough) -> Ending:
    store.compaction.take_out_due(known.id, _now())
    due = store.renewals.due(known.id)
    if not due:
        return _finish(store, renewal)
    try:
        stored = store.blobs.open(known.blob)
    except FileNotFoundError:
        detail = "The bytes of this upload are not in the store."
        return _fail(store, renewal, "bytes-missing", detail)
    with stored:
        behind = due[0].first - 1
        hands = UploadedHands(stored, store.settings, known.dialect, behind=behind)
        try:
            return _work(store, renewal, hands, due, enough)
        except LimitExceeded as exceeded:
            detail = f"At most {exceeded.allowed} allowed, {exceeded.seen} seen."
            return _fail(store, renewal, exceeded.limit, detail)


def _work(
    store: Store,
    renewal: Renewal,
    hands: UploadedHands,
    due: list[OldChunk],
    enough: _Enough,
) -> Ending:
    gathered: list[HandRows | Problem] = []
    for ordinal, raw in hands:
        old = due[0]
        if ordinal < old.first:
            continue
        gathered.append(store.examiner.rows(raw, renewal.upload, ordinal))
        if ordinal < old.last:
            continue
        if not _replace(store, renewal, old, gathered):
            return "lost"
        gathered = []
        del due[0]
        if not due:
            return _finish(store, renewal)
        if enough():
            store.renewals.rest(renewal, _now())
            return "resting"
    detail = f"The bytes hold fewer hands than the {due[-1].last} that were read before."
    return _fail(store, renewal, "bytes-changed", detail)


def _finish(store: Store, renewal: Renewal) -> Ending:
    return "done" if store.renewals.finish(renewal, _now()) else "resting"


def _fail(store: Store, renewal: Renewal, code: str, detail: str) -> Ending:
    store.renewals.fail(renewal, code, detail, _now())
    return "failed"


def _replace(
    store: Store, renewal: Renewal, old: OldChunk, gathered: list[HandRows | Problem]
) -> bool:
    draft = Draft(
        old.first,
        old.last,
        [one for one in gathered if isinstance(one, HandRows)],
        [one for one in gathered if isinstance(one, Problem)],
        0,
    )
    before = _old_hands(store, old)
    replaced = store.renewals.replace(renewal, old, draft, before, _now())
    _log.info("chunk made anew", first=old.first, last=old.last, replaced=replaced)
    return replaced


def _old_hands(store: Store, old: OldChunk) -> list[OldHand]:
    if old.path is None:
        return []
    columns = list(OldHand.__struct_fields__)
    try:
        [path] = store.segments.locate_all([old.path])
        frame = pl.read_parquet(path, columns=columns)
    except FileNotFoundError:  # the upload is being deleted, or the file is lost and made again
        return []
    return [OldHand(*row) for row in frame.select(columns).iter_rows()]


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
