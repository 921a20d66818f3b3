"""The clubs of the installation, their keys and their houses, and the key of this machine."""

import datetime as dt
import os
from pathlib import Path
from typing import Final, cast

from flask import current_app

from warehouse.clubs import Clubs, shared_secret
from warehouse.database import open_control
from warehouse.houses import Houses
from warehouse.keys import SCOPES, Key, Keys
from warehouse.settings import LOCAL_CLUB, Settings
from warehouse.shares import Shares

_LOCAL_NAME: Final = "Local"
_LOCAL_LABEL: Final = "this machine"


class Registry:
    """What the service knows beyond the houses. It may be shared by threads."""

    def __init__(self, settings: Settings) -> None:
        self._control = open_control(settings)
        self.settings = settings
        self._local = settings.data / "local.key"
        self.clubs = Clubs(self._control)
        self.keys = Keys(self._control)
        self.shares = Shares(self._control)
        self.houses = Houses(settings)

    def cookie_secret(self) -> bytes:
        """The secret that signs the pages' cookies, the same in every process."""
        return shared_secret(self._control, "cookies")

    def local_key(self, now: dt.datetime) -> Key | None:
        """The key of this machine; None where there is none or it opens nothing any more."""
        text = _read(self._local)
        found = None if text is None else self.keys.check(text, now)
        return found if isinstance(found, Key) else None

    def ensure_local_key(self, now: dt.datetime) -> str:
        """Return the text of this machine's key, which may do everything in the local club.

        It is made, with the club, where it is missing, and kept in a file for its owner alone.
        """
        self.clubs.add(LOCAL_CLUB, _LOCAL_NAME, now)
        known = _read(self._local)
        if known is not None and self.local_key(now) is not None:
            return known
        _, text = self.keys.make(LOCAL_CLUB, _LOCAL_LABEL, SCOPES, now)
        _write(self._local, text)
        return text


def registry() -> Registry:
    """The application's clubs, keys and houses."""
    return cast("Registry", current_app.extensions["registry"])


def _read(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return None


def _write(path: Path, text: str) -> None:
    aside = path.with_suffix(".new")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
