"""Whether the process lives, and whether it can do its work."""

import os

import structlog
from flask import Response
from sqlalchemy.exc import SQLAlchemyError

from service.api.answers import answer, store
from service.problems import problem

_log = structlog.get_logger("web")


def healthz() -> Response:
    """Says that the process answers."""
    return answer({"status": "ok"})


def readyz() -> Response:
    """Says whether uploads can be taken in: the records answer and the data folder is writable.

    The broker is not asked: without it uploads are taken in all the same and audited later.
    """
    try:
        store().records.recent_uploads(1)
    except SQLAlchemyError:
        _log.exception("records do not answer")
        return problem("not-ready", "The records do not answer.", part="records")
    if not os.access(store().settings.data, os.W_OK):
        return problem("not-ready", "The data folder cannot be written.", part="data")
    return answer({"status": "ready"})
