"""Aliases: which names are one person's. Merged by hand, and split again by hand.

Rows keep the name that was written; who asks of a person asks of all their names. An alias leads to
a name that is no alias itself, so there is never a chain to follow. Every change is a row of its
own, numbered without a gap, so of two changes at the same time one is done anew after the other.
"""

import datetime as dt
from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct
from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from warehouse.database import Database
from warehouse.exclusion import alone
from warehouse.tables import alias_changes, aliases

_ROUNDS: Final = 20
_NUL: Final = "\0"


class Person(Struct, frozen=True):
    """A player and the other names of theirs, in order."""

    player: str
    aliases: list[str]

    @property
    def names(self) -> list[str]:
        """All names, the player's own first."""
        return [self.player, *self.aliases]


class NotMerged(Struct, frozen=True):
    """Why two names were not merged, or not split.

    ``itself``: both are one name. ``player-is-alias``: the player to merge into is an alias, of
    ``of``. ``alias-taken``: the alias is one of ``of`` already. ``no-alias``: there is nothing to
    split. ``unkept``: a name holds U+0000, which not every records database can keep.
    """

    reason: Literal["itself", "player-is-alias", "alias-taken", "no-alias", "unkept"]
    of: str | None = None


class Aliases:
    """The aliases of one house."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, str]:
        """Return the player of every alias."""
        with self._database.read() as connection:
            rows = connection.execute(select(aliases.c.alias, aliases.c.player))
            return {alias: player for alias, player in rows}  # noqa: C416 -- rows are no pairs

    def person(self, name: str) -> Person:
        """Return whose name it is, with all the others; a name of nobody's is a person's own."""
        if _NUL in name:
            return Person(name, [])
        with self._database.read() as connection:
            return _person(connection, _player_of(connection, name) or name)

    def merge(self, player: str, alias: str, now: dt.datetime) -> Person | NotMerged:
        """Make a name, with all its own aliases, one of a player's; again changes nothing."""
        return self._change(_merge, player, alias, now)

    def split(self, player: str, alias: str, now: dt.datetime) -> Person | NotMerged:
        """Make an alias of a player a name on its own again."""
        return self._change(_split, player, alias, now)

    def _change(
        self, change: "_Change", player: str, alias: str, now: dt.datetime
    ) -> Person | NotMerged:
        for round_ in range(_ROUNDS):
            try:
                with self._database.write() as connection:
                    alone(connection)
                    return change(connection, player, alias, now)
            except IntegrityError:  # somebody else changed aliases at the same time
                if round_ == _ROUNDS - 1:
                    raise
        raise AssertionError("every round returns, raises or goes on")


_Change = Callable[[Connection, str, str, dt.datetime], Person | NotMerged]


def _merge(connection: Connection, player: str, alias: str, now: dt.datetime) -> Person | NotMerged:
    if player == alias:
        return NotMerged("itself")
    if _NUL in player + alias:
        return NotMerged("unkept")
    if (of := _player_of(connection, player)) is not None:
        return NotMerged("player-is-alias", of)
    of = _player_of(connection, alias)
    if of not in (None, player):
        return NotMerged("alias-taken", of)
    if of is None:
        connection.execute(update(aliases).where(aliases.c.player == alias).values(player=player))
        connection.execute(aliases.insert().values(alias=alias, player=player))
        _note(connection, alias, player, now)
    return _person(connection, player)


def _split(connection: Connection, player: str, alias: str, now: dt.datetime) -> Person | NotMerged:
    if _NUL in player + alias:
        return NotMerged("no-alias")
    it = (aliases.c.alias == alias, aliases.c.player == player)
    if not connection.execute(delete(aliases).where(*it)).rowcount:
        return NotMerged("no-alias")
    _note(connection, alias, None, now)
    return _person(connection, player)


def _note(connection: Connection, alias: str, player: str | None, now: dt.datetime) -> None:
    last = connection.scalar(select(func.max(alias_changes.c.number))) or 0
    row = {"number": last + 1, "changed_at": now, "alias": alias, "player": player}
    connection.execute(alias_changes.insert().values(**row))


def _player_of(connection: Connection, name: str) -> str | None:
    return connection.scalar(select(aliases.c.player).where(aliases.c.alias == name))


def _person(connection: Connection, player: str) -> Person:
    query = select(aliases.c.alias).where(aliases.c.player == player)
    return Person(player, sorted(connection.scalars(query)))
