"""The houses in which a worker's process has worked, which it keeps open."""

from functools import cache

from warehouse.queries import Warehouse
from warehouse.settings import read_settings
from warehouse.store import Store


@cache
def store_of(club: str) -> Store:
    """Return the storage of a club that exists."""
    return Store(read_settings().of(club))


@cache
def warehouse_of(club: str) -> Warehouse:
    """Return the read side of a club that exists."""
    return Warehouse(read_settings().of(club))
