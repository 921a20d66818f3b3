"""Whether the worker was told to stop, for its processes to see: they rest at the next occasion.

Celery tells the main process alone; a byte of memory that was shared before they were forked tells
the others.
"""

import mmap
from typing import Any, Final

from celery import signals

_told: Final = mmap.mmap(-1, 1)


def stopping() -> bool:
    """Whether this worker has been told to stop."""
    return _told[0] == 1


@signals.worker_shutting_down.connect
def _note(**_: Any) -> None:  # noqa: ANN401 - Celery's signals pass anything
    _told[0] = 1
