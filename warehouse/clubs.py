"""The clubs of an installation. Each has a house of its own: records, raw uploads and segments.

Nothing inside a house knows of clubs, and no house leads to another: who may see what is decided
by whose house is opened.
"""

import datetime as dt
import secrets as randomness
from typing import Final

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from warehouse.control_tables import clubs, secrets
from warehouse.database import Database
from warehouse.settings import ClubId

_SECRET_BYTES: Final = 32


class Club(Struct, frozen=True):
    """A club: its id, which is its house's, and what people call it."""

    id: ClubId
    name: str
    created_at: dt.datetime


class Clubs:
    """The clubs that the installation's records know."""

    def __init__(self, control: Database) -> None:
        self._control = control

    def add(self, club: ClubId, name: str, now: dt.datetime) -> Club | None:
        """Add a club and return it; None where its id is taken."""
        made = Club(club, name, now)
        try:
            with self._control.write() as connection:
                row = {"id": made.id, "name": made.name, "created_at": made.created_at}
                connection.execute(clubs.insert().values(row))
        except IntegrityError:
            return None
        return made

    def find(self, club: str) -> Club | None:
        """Return a club, or None where there is none of this id."""
        with self._control.read() as connection:
            row = connection.execute(select(clubs).where(clubs.c.id == club)).first()
        return None if row is None else Club(*row)

    def all(self) -> list[Club]:
        """Return every club, in the order of their ids."""
        with self._control.read() as connection:
            return [Club(*row) for row in connection.execute(select(clubs).order_by(clubs.c.id))]


def shared_secret(control: Database, name: str) -> bytes:
    """Return the secret of this name that all processes of the installation share.

    It is made up the first time that it is asked for.
    """
    query = select(secrets.c.value).where(secrets.c.name == name)
    try:
        with control.write() as connection:
            known: bytes | None = connection.scalar(query)
            if known is None:
                known = randomness.token_bytes(_SECRET_BYTES)
                connection.execute(secrets.insert().values(name=name, value=known))
            return known
    except IntegrityError:  # another process made it up in between
        with control.read() as connection:
            return bytes(connection.execute(query).scalar_one())
