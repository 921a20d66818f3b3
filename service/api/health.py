"""Whether the process lives, and whether it can do its work."""

from typing import Literal

import structlog
from flask import Response
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from service.api.operations import operation
from service.problems import problem
from service.registry import registry
from warehouse.bucket import StoreUnreachableError
from warehouse.places import check_place

_log = structlog.get_logger("web")


class Healthy(Struct, frozen=True):
    """The process lives."""

    status: Literal["ok"]


class Ready(Struct, frozen=True):
    """Uploads can be taken in."""

    status: Literal["ready"]


@operation("GET", "/healthz", scope=None)
def healthz() -> Healthy:
    """Say that the process answers."""
    return Healthy("ok")


@operation("GET", "/readyz", scope=None, problems=("not-ready",))
def readyz() -> Ready | Response:
    """Say whether uploads can be taken in.

    They can when the records answer, the data folder is writable and the store of objects, if
    there is one, answers. The broker is not asked: without it uploads are taken in all the same and
    audited later.
    """
    try:
        registry().clubs.all()
    except SQLAlchemyError:
        _log.exception("records do not answer")
        return problem("not-ready", "The records do not answer.", part="records")
    try:
        check_place(registry().settings)
    except StoreUnreachableError:
        _log.exception("the store of objects does not answer")
        return problem("not-ready", "The store of objects does not answer.", part="objects")
    except PermissionError:
        return problem("not-ready", "The data folder cannot be written.", part="data")
    return Ready("ready")
