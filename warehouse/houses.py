"""The houses that a process has opened, one a club, for as long as somebody comes to them."""

import functools
from typing import Final

from msgspec import Struct

from warehouse.queries import Warehouse
from warehouse.settings import ClubId, Settings
from warehouse.store import Store

_OPEN_AT_ONCE: Final = 256


class House(Struct, frozen=True):
    """What a club has: the write side and the read side of its own storage."""

    club: ClubId
    store: Store
    warehouse: Warehouse


class Houses:
    """Opens houses, and keeps those that were asked for last."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened = functools.lru_cache(_OPEN_AT_ONCE)(self._open)

    def of(self, club: ClubId) -> House:
        """Return the house of a club that exists."""
        return self._opened(club)

    def _open(self, club: ClubId) -> House:
        settings = self._settings.of(club)
        return House(club, Store(settings), Warehouse(settings))
