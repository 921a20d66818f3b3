"""Recording what one request brought, all of it or nothing, and once however often it is sent.

A request may have a key of its own. Sent again with it, it gets the uploads of the first time; the
key with another request is refused.
"""

import datetime as dt
from typing import Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, select
from sqlalchemy.exc import IntegrityError

from warehouse.blobs import BlobStore
from warehouse.database import Database
from warehouse.records import Arrived, Records, Upload, receive
from warehouse.tables import repeats

REMEMBERED: Final = dt.timedelta(hours=24)
"""How long a request's key belongs to it."""

Refusal = Literal["reused", "deleted", "vanished"]
"""Why nothing is recorded: the key is another request's; what it made was deleted since; or the
same bytes, of another upload, were deleted at this very moment, and are to be sent again."""

_ROUNDS: Final = 5


class Repeatable(Struct, frozen=True):
    """A request's own key, and a hash of all that it asks for."""

    key: str
    request: str


class _VanishedError(Exception):
    """Undoes the recording of an upload whose bytes are not there."""


class Arrivals:
    """What comes in at one house."""

    def __init__(self, database: Database, blobs: BlobStore) -> None:
        self._database = database
        self._blobs = blobs
        self._records = Records(database)

    def refusal(self, repeatable: Repeatable, now: dt.datetime) -> Refusal | None:
        """Say why a request is not to be taken, before anything of it is put in place."""
        with self._database.read() as connection:
            known = _known(connection, repeatable, now)
        if known is None or known == "reused":
            return known
        return "deleted" if self._uploads(known) is None else None

    def record(
        self, arrived: list[Arrived], repeatable: Repeatable | None, now: dt.datetime
    ) -> list[Upload] | Refusal:
        """Record uploads in their order, or return those that the same request made before."""
        for attempt in range(_ROUNDS):
            try:
                with self._database.write() as connection:
                    known = None
                    if repeatable is not None:
                        known = _known(connection, repeatable, now)
                    if known is None:
                        made = _record(connection, arrived, repeatable, now)
                        self._check(made)
                        return made
            except _VanishedError:
                return "vanished"
            except IntegrityError:  # somebody recorded the same in between
                if attempt == _ROUNDS - 1:
                    raise
                continue
            return known if known == "reused" else self._uploads(known) or "deleted"
        raise AssertionError("every round returns, raises or goes on")

    def _check(self, made: list[Upload]) -> None:
        """Hold that the bytes are there: whoever deletes some waits for this transaction."""
        if not all(self._blobs.has(one.blob) for one in made):
            raise _VanishedError

    def _uploads(self, ids: list[str]) -> list[Upload] | None:
        found = [self._records.upload(one) for one in ids]
        return [one for one in found if one is not None] if all(found) else None


def _known(
    connection: Connection, repeatable: Repeatable, now: dt.datetime
) -> list[str] | Literal["reused"] | None:
    """The ids of the uploads that the request made before."""
    row = connection.execute(
        select(repeats.c.request, repeats.c.uploads).where(
            repeats.c.key == repeatable.key, repeats.c.asked_at > now - REMEMBERED
        )
    ).first()
    if row is None:
        return None
    if row.request != repeatable.request:
        return "reused"
    return msgspec.json.decode(row.uploads, type=list[str])


def _record(
    connection: Connection, arrived: list[Arrived], repeatable: Repeatable | None, now: dt.datetime
) -> list[Upload]:
    made = [receive(connection, one, now) for one in arrived]
    if repeatable is not None:
        connection.execute(delete(repeats).where(repeats.c.asked_at <= now - REMEMBERED))
        row = {
            "key": repeatable.key,
            "request": repeatable.request,
            "uploads": msgspec.json.encode([one.id for one in made]).decode(),
            "asked_at": now,
        }
        connection.execute(repeats.insert().values(row))
    return made
