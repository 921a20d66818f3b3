"""Owns the URLs of players and sessions, whose names may hold anything."""

from flask import url_for

from warehouse.sessions.declarations import session_key


def player_url(name: str) -> str:
    """The page of a player.

    A name that a browser would take for a relative path, such as ``..``, goes into the query.
    """
    if any(part in ("", ".", "..") for part in name.split("/")):
        return url_for("pages.players", player=name)
    return url_for("pages.player", player=name)


def session_url(session: str) -> str:
    """The page of a session, by its id."""
    return url_for("sessions.show", session_key=session_key(session))
