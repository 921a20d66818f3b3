"""One player, as the service knows them: what their hands come to, as a whole and apart."""

import base64
from collections.abc import Iterator
from typing import Unpack

from msgspec import Struct

from service.client.connection import Connection
from service.client.figures import (
    Fall,
    FigureConditions,
    Figures,
    Opponent,
    PlayedSession,
    PlayerHours,
    PlayerPositions,
)
from service.client.parameters import named
from service.client.reading import entries, get


class _Fallen(Struct, frozen=True):
    drawdown: Fall | None


class Player:
    """A player of a service, under any of their names.

    Whatever is asked for raises `MissingError` where nobody of this name has played.
    """

    def __init__(self, connection: Connection, link: str, name: str) -> None:
        packed = base64.urlsafe_b64encode(name.encode()).rstrip(b"=").decode()
        self._connection = connection
        self._link = f"{link}/~{packed}"
        self.name = name

    def figures(self, **conditions: Unpack[FigureConditions]) -> Figures:
        """All figures over the hands that meet the conditions, each with how sure it is."""
        return get(self._connection, f"{self._link}/figures", Figures, named(conditions))

    def positions(self, **conditions: Unpack[FigureConditions]) -> PlayerPositions:
        """The hands by the number of seats and the position."""
        return get(self._connection, f"{self._link}/positions", PlayerPositions, named(conditions))

    def hours(
        self, *, tz: str | None = None, **conditions: Unpack[FigureConditions]
    ) -> PlayerHours:
        """The hands by hour and weekday in a time zone, else in that of the player's hands."""
        zone = {} if tz is None else {"tz": tz}
        query = {**named(conditions), **zone}
        return get(self._connection, f"{self._link}/hours", PlayerHours, query)

    def sessions(self, **conditions: Unpack[FigureConditions]) -> Iterator[PlayedSession]:
        """What each session brought, in the order of play."""
        link = f"{self._link}/sessions"
        return entries(self._connection, link, "sessions", PlayedSession, named(conditions))

    def drawdown(self, **conditions: Unpack[FigureConditions]) -> Fall | None:
        """The deepest fall of the cumulative net; None where it never fell."""
        query = {**named(conditions), "limit": "1"}
        return get(self._connection, f"{self._link}/sessions", _Fallen, query).drawdown

    def opponents(self, **conditions: Unpack[FigureConditions]) -> Iterator[Opponent]:
        """With whom the player played, the most often first, and whose chips went where."""
        link = f"{self._link}/opponents"
        return entries(self._connection, link, "opponents", Opponent, named(conditions))
