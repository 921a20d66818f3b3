"""The task that joins small segments of a house, and the sweeper's look at which houses need it.

It is never urgent: a task that fails or gets lost is not sent again before the sweeper's next turn.
"""

import datetime as dt
import time
from collections.abc import Callable
from typing import Final, Literal

import structlog
from kombu.exceptions import OperationalError

from warehouse.store import Store
from workers.app import app
from workers.attempts import Failure, attempt
from workers.names import COMPACT
from workers.stopping import stopping
from workers.stores import store_of

RUN_SECONDS: Final = 30.0
"""How long a task begins to join more; what it is at then may take as long again."""

LOOK: Final = dt.timedelta(seconds=60)
"""How often the sweeper looks whether a house has many small segments."""

_TOO_SLOW: Final = "No more segments were joined before the task's time limit."

_log = structlog.get_logger("tasks")


@app.task(name=COMPACT)
def compact(club: str) -> None:
    """Join small segments of a club's house for a while."""
    store = store_of(club)
    with structlog.contextvars.bound_contextvars(club=club):
        ended = attempt(lambda: join_some(store, RUN_SECONDS, stopping), _TOO_SLOW)
        if isinstance(ended, Failure):
            _log.warning("segments not joined", code=ended.code, detail=ended.detail)
        elif ended == "resting" and not stopping():
            send_compaction(store)


def join_some(
    store: Store, seconds: float, stopping: Callable[[], bool]
) -> Literal["done", "resting"]:
    """Join small segments until there are none to be joined, or it is enough for now."""
    end = time.monotonic() + seconds
    while (joined := store.compaction.join(dt.datetime.now(dt.UTC))) is not None:
        _log.info("segments joined", units=joined.units, hands=joined.hands)
        if stopping() or time.monotonic() >= end:
            return "resting"
    return "done"


def send_compaction(store: Store) -> bool:
    """Send the task; False when the broker cannot be reached."""
    try:
        app.send_task(COMPACT, args=[store.settings.club])
    except OperationalError:
        return False
    return True


class CompactionSweep:
    """Sends the task for houses that have many small segments, each at most once in a while."""

    def __init__(self) -> None:
        self._looked: dict[str, float] = {}

    def sweep(self, store: Store) -> bool:
        """Look at a house when it is its turn; tell whether the task was sent."""
        club, now = store.settings.club, time.monotonic()
        if now < self._looked.get(club, 0.0) + LOOK.total_seconds():
            return False
        self._looked[club] = now
        return store.compaction.due() and send_compaction(store)
