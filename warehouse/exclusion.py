"""Who may change a house's records beside whom: many publish at a time, who moves hands is alone.

On SQLite every writer is alone anyway. On PostgreSQL these locks are taken first in a transaction
and are held to its end, so that what it reads afterwards stays as it is.
"""

import zlib
from typing import Final

from sqlalchemy import Connection

_CLASS: Final = 726_575  # of the advisory locks of this module, among those of the database


def beside_others(connection: Connection) -> None:
    """Have nobody move or delete hands until the transaction ends."""
    _lock(connection, "pg_advisory_xact_lock_shared")


def alone(connection: Connection) -> None:
    """Have nobody else publish, move or delete hands until the transaction ends."""
    _lock(connection, "pg_advisory_xact_lock")


def _lock(connection: Connection, function: str) -> None:
    if connection.dialect.name != "postgresql":
        return
    schemas = connection.get_execution_options().get("schema_translate_map") or {}
    house = zlib.crc32(str(schemas.get(None)).encode()) - 2**31  # a signed integer of 32 bits
    connection.exec_driver_sql(f"SELECT {function}({_CLASS}, {house})")
