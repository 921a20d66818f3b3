"""Warming up: what the first reader after a start would wait for is read before anybody asks."""

import threading
from typing import Final

import duckdb
import structlog
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from service.registry import Registry

_HOUSES: Final = 32
"""The houses of so many clubs at most are read; those of others when somebody comes to them."""

_log = structlog.get_logger("web")


def warm_up(app: Flask) -> threading.Thread:
    """Read what answers in the clubs' houses need, by a thread that is returned."""
    thread = threading.Thread(
        target=_read_houses, args=(app.extensions["registry"],), name="warming", daemon=True
    )
    thread.start()
    return thread


def _read_houses(known: Registry) -> None:
    try:
        for club in known.clubs.all()[:_HOUSES]:
            warehouse = known.houses.of(club.id).warehouse
            warehouse.count_players()
            warehouse.search_hands(limit=1)
    except (SQLAlchemyError, OSError, duckdb.Error):
        _log.exception("not warmed up")  # whoever comes first waits
