"""One attempt of a task's work: whatever goes wrong with it comes back as a value to record."""

import gc
import traceback
from collections.abc import Callable
from typing import Final, TypeVar

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from msgspec import Struct

FIRST_PAUSE: Final = 2  # seconds before the second attempt; doubled before every further one

_RESERVE_BYTES: Final = 8 << 20
_Ended = TypeVar("_Ended")

_log = structlog.get_logger("tasks")


class Failure(Struct, frozen=True):
    """Why an attempt came to nothing, as the records will say it."""

    code: str
    detail: str


def attempt(work: Callable[[], _Ended], too_slow: str) -> _Ended | Failure:
    """Work once. What filled the memory is free again when this returns.

    A little memory is held back all the while, so that a lack of it can be written down.

    Args:
        work: What is to be done; it takes nothing.
        too_slow: What to say where the task's time limit ends it.
    """
    try:
        return _once(work, too_slow)
    except MemoryError as error:  # left uncaught, it would end the whole worker
        _let_go(error)
        return Failure("out-of-memory", "The worker had too little memory.")


def pause_before(attempts: int) -> int:
    """Return how many seconds to wait when so many attempts have failed."""
    doubled: int = 2 ** max(0, attempts - 1)
    return FIRST_PAUSE * doubled


def _once(work: Callable[[], _Ended], too_slow: str) -> _Ended | Failure:
    reserve = bytearray(_RESERVE_BYTES)
    try:
        return work()
    except SoftTimeLimitExceeded:
        return Failure("too-slow", too_slow)
    except MemoryError:
        del reserve
        raise
    except Exception as error:  # noqa: BLE001 -- whatever it was, it is recorded and tried again
        del reserve
        _let_go(error)
        _log.exception("attempt failed")
        return Failure("internal-error", f"{type(error).__name__}: {error}"[:500])


def _let_go(error: BaseException) -> None:
    """Free what the work held when it failed; the traceback still names its lines.

    A lack of memory may show itself as another exception, and with the memory full nothing could
    be logged.
    """
    failed: BaseException | None = error
    while failed is not None:
        traceback.clear_frames(failed.__traceback__)
        failed = failed.__context__
    gc.collect()
