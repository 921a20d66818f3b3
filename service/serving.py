"""How gunicorn serves the web: processes, threads, time limits and its part in the process tree.

gunicorn reads this module as its configuration (`--config python:service.serving`).
"""

import os
from typing import Any

from workers.logs import configure_logs, log_settings
from workers.tether import tie_to_parent

wsgi_app = "service.web:create_app()"
worker_class = "gthread"
workers = 2
threads = 8
graceful_timeout = 10  # seconds a stopping process gives its running requests
keepalive = 5  # seconds an idle connection stays open
control_socket_disable = True  # the supervisor controls the tree; there is no second way in
logconfig_dict = {
    **log_settings("web"),
    # gunicorn gives its logger a handler of its own; the root's is enough. That its processes come
    # and go is no news; that one died is a warning.
    "loggers": {"gunicorn.error": {"handlers": [], "propagate": True, "level": "WARNING"}},
}

_arbiter = os.getpid()

configure_logs("web")


def post_fork(_server: Any, _worker: Any) -> None:  # noqa: ANN401 - gunicorn has no types
    """Have a web process end with gunicorn's main process."""
    tie_to_parent(_arbiter)
