"""The Celery application: how tasks are sent, held, retried and given up.

The broker only wakes workers up. What is to be done, and how often it was tried, stands in the
records; losing the broker costs time and no data.
"""

import os
import warnings
from typing import Any

from celery import Celery, signals
from celery.exceptions import SecurityWarning

from warehouse.settings import read_settings
from workers.broker import broker_url
from workers.logs import configure_logs
from workers.tether import tie_to_parent

SOFT_LIMIT = 90  # seconds of one task, after which it gets SoftTimeLimitExceeded and may put away
HARD_LIMIT = 120  # seconds of one task, after which its process is killed

_worker = os.getpid()  # the pool's processes inherit it when they are forked

# It warns whoever works as root. Messages are JSON here, none of them can run anything.
warnings.filterwarnings("ignore", category=SecurityWarning)

_settings = read_settings()

app = Celery(
    "retourne",
    include=[
        "workers.tasks",
        "workers.renewals",
        "workers.sessions",
        "workers.delivering",
        "workers.compaction",
    ],
)
app.conf.update(
    broker_url=_settings.broker_url or broker_url(_settings.data),
    # Nobody reads results, and with a backend that is down every send would block for seconds.
    result_backend=None,
    task_ignore_result=True,
    # A message stays with the broker until its task has ended, so a killed worker loses none.
    task_acks_late=True,
    # A task whose process died goes back to the queue,
    task_reject_on_worker_lost=True,
    # but as a counted retry (max_retries is 3), or a poisonous one would run without end.
    task_retry_on_worker_lost=True,
    # One message per process: what is waiting stays visible to every other worker.
    worker_prefetch_multiplier=1,
    # A task that meets the hard limit is not redelivered; the sweeper finds it in the records.
    task_soft_time_limit=SOFT_LIMIT,
    task_time_limit=HARD_LIMIT,
    broker_transport_options={
        # Longer than the hard limit, so that no running task is handed out twice.
        "visibility_timeout": 300,
        # Look for the messages of dead workers every 5 s, and do look at every one of those
        # occasions; with the defaults they came back only after 100 s.
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        # A broker that hangs is noticed, whether in a command, in connecting or when idle.
        "socket_timeout": 10,
        "socket_connect_timeout": 2,
        "health_check_interval": 30,
    },
    # A worker outlives its broker: it goes on trying until the broker is back.
    broker_connection_max_retries=None,
    broker_connection_retry_on_startup=True,
    # KiB of resident memory after which a process is replaced once its task has ended.
    worker_max_memory_per_child=1_048_576,
    # When asked to stop at once, a worker gives its running tasks this many seconds first.
    worker_soft_shutdown_timeout=30.0,
    # What a task prints is not a log line.
    worker_redirect_stdouts=False,
)


@signals.setup_logging.connect
def _log_like_every_process(**_: Any) -> None:  # noqa: ANN401 - Celery's signals pass anything
    configure_logs("worker")


@signals.worker_process_init.connect
def _end_with_the_worker(**_: Any) -> None:  # noqa: ANN401 - Celery's signals pass anything
    tie_to_parent(_worker)
