"""The one form of every process's log: events with named values, JSON or readable lines.

Celery's and gunicorn's records take the same way, so a line of any process reads alike.
"""

import logging
import logging.config
import os
import re
import sys
from typing import Any, Final

import structlog

from warehouse.settings import read_settings

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_TOO_TALKATIVE: Final = (
    # Their lines of every task repeat, longer, what the tasks say themselves.
    *("celery.worker.strategy", "celery.app.trace"),
    # Theirs of every delivery give away the receiver's whole address.
    *("httpx", "httpcore"),
)


def log_settings(process: str) -> dict[str, Any]:
    """Return the `logging.config` dictionary for one process of the tree.

    Lines go to standard error: readable ones at a terminal, JSON elsewhere. `RETOURNE_LOG` set to
    `console` or `json` decides it. `RETOURNE_LOG_LEVEL` says from which level on.

    Args:
        process: what every line names as its origin, e.g. "worker".
    """

    def name_process(_logger: object, _method: str, event: Any) -> Any:  # noqa: ANN401 - structlog's own type
        event["process"] = process
        return event

    readable = os.environ.get("RETOURNE_LOG", "console" if sys.stderr.isatty() else "json")
    ending: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if readable == "console":
        # Without the values of a traceback's variables, among which there are secrets.
        plain = structlog.dev.plain_traceback
        colors = sys.stderr.isatty()
        ending += [structlog.processors.format_exc_info, _show_controls]
        ending.append(structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain))
    else:
        ending += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "events": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [name_process, *ending],
            }
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stderr",
                "formatter": "events",
            }
        },
        "root": {"handlers": ["stderr"], "level": read_settings().log_level.upper()},
        "loggers": {name: {"level": "WARNING"} for name in _TOO_TALKATIVE},
    }


def _show_controls(_logger: object, _method: str, event: Any) -> Any:  # noqa: ANN401 - structlog's own type
    """Write out control characters, which give orders to terminals; JSON does so by itself."""
    return {name: _written_out(value) for name, value in event.items()}


def _written_out(value: object) -> object:
    if not isinstance(value, str):
        return value
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", value)


def configure_logs(process: str) -> None:
    """Send this process's events and log records to standard error in the one form."""
    logging.config.dictConfig(log_settings(process))
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
