"""How gunicorn serves the web: processes, threads, time limits and its part in the process tree.

gunicorn reads this module as its configuration (`--config python:service.serving`).
"""

import os
import shutil
import socket
from typing import Any

from warehouse.settings import read_settings
from workers.logs import configure_logs, log_settings
from workers.tether import tie_to_parent

_LOGS = log_settings("web")
_SETTINGS = read_settings()

wsgi_app = "service.web:create_app()"
worker_class = "gthread"
workers = 2
threads = 16 + _SETTINGS.max_streams  # a stream takes one as long as it lasts
graceful_timeout = 10  # seconds a stopping process gives its running requests
keepalive = 5  # seconds an idle connection stays open
control_socket_disable = True  # the supervisor controls the tree; there is no second way in
logconfig_dict = {
    **_LOGS,
    # gunicorn gives its logger a handler of its own; the root's is enough. That its processes come
    # and go is no news; that one died is a warning.
    "loggers": {
        **_LOGS["loggers"],
        "gunicorn.error": {"handlers": [], "propagate": True, "level": "WARNING"},
    },
}

# Where its processes add up what they count; one server a machine, whose counts begin anew.
_counts = _SETTINGS.data.absolute() / "metrics" / socket.gethostname()
shutil.rmtree(_counts, ignore_errors=True)
_counts.mkdir(parents=True, exist_ok=True)
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_counts)

_arbiter = os.getpid()

configure_logs("web")


def post_fork(_server: Any, worker: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Have a web process end with gunicorn's main process, and its streams with the process."""
    # Here, so that the main process does without the application.
    from service.streaming import end_streams_when  # noqa: PLC0415

    tie_to_parent(_arbiter)
    end_streams_when(lambda: not worker.alive)


def post_worker_init(worker: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Have a web process ready for its first reader."""
    from service.warming import warm_up  # noqa: PLC0415 - as above

    warm_up(worker.wsgi)
