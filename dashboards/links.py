"""Owns the URLs of players and sessions, whose names may hold anything."""

from typing import Any, Final

from flask import url_for

from warehouse.sessions.declarations import session_key

_TAKEN: Final = "compare"


def player_url(name: str, **query: str) -> str:
    """The page of a player, with this in the query.

    A name that a browser would take for a relative path, such as ``..``, goes into the query.
    """
    asked: dict[str, Any] = {**query}
    if name == _TAKEN or any(part in ("", ".", "..") for part in name.split("/")):
        return url_for("players.index", player=name, **asked)
    return url_for("players.show", player=name, **asked)


def session_url(session: str) -> str:
    """The page of a session, by its id."""
    return url_for("sessions.show", session_key=session_key(session))
