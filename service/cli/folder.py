"""The files of a watched folder: which there are, and which have stopped growing."""

import os
import stat
import time
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Final

from service.cli.ledger import Fingerprint

_UNFINISHED: Final = (".part", ".partial", ".filepart", ".tmp", ".crdownload", ".download", "~")
"""How the names of files end that somebody else is still writing."""


class Folder:
    """The regular files below a folder, by their paths within it; links are not followed.

    Args:
        root: The folder.
        recursive: Whether its folders are meant as well.
        settle: For how many seconds a file must have stayed as it is to count as whole.
    """

    def __init__(self, root: Path, *, recursive: bool, settle: float) -> None:
        self.root = root
        self.recursive = recursive
        self._settle = settle
        self._stood: dict[str, tuple[Fingerprint, float]] = {}

    def names(self) -> Iterator[str]:
        """Every file that is meant, in the order of names, as far as the folders can be read."""
        folders = [""]
        while folders:
            within = folders.pop()
            try:
                with os.scandir(self.root / within) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                continue  # it is gone, or not for us
            for entry in found:
                name = f"{within}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    if self.recursive and not entry.name.startswith("."):
                        folders.append(f"{name}/")
                elif entry.is_file(follow_symlinks=False) and meant(name):
                    yield name

    def name(self, path: str) -> str | None:
        """The name of a file by its whole path; None where it is not one that is meant."""
        name = os.path.relpath(path, self.root)
        if not meant(name) or (os.sep in name and not self.recursive):
            return None
        return name

    def look(self, name: str) -> Fingerprint | None:
        """The file as it stands; None where there is none, or nothing in it yet."""
        try:
            seen = (self.root / name).lstat()
        except OSError:
            seen = None
        if seen is None or not stat.S_ISREG(seen.st_mode) or seen.st_size == 0:
            self._stood.pop(name, None)
            return None
        return Fingerprint(seen.st_size, seen.st_mtime_ns)

    def settled(self, name: str, fingerprint: Fingerprint) -> bool:
        """Whether a file that stands so has stopped growing: it did not change for long enough."""
        if time.time() - fingerprint.changed / 1e9 >= self._settle:
            self._stood.pop(name, None)
            return True
        stood, since = self._stood.get(name, (None, 0.0))
        if stood != fingerprint:
            self._stood[name] = (fingerprint, time.monotonic())
            return False
        if time.monotonic() - since < self._settle:
            return False
        del self._stood[name]
        return True

    def open(self, name: str) -> BufferedReader:
        """Opens a file for reading.

        Raises:
            OSError: It cannot be read, or became a link.
        """
        return os.fdopen(os.open(self.root / name, os.O_RDONLY | os.O_NOFOLLOW), "rb")


def meant(name: str) -> bool:
    """Whether a file of this name is to be sent: neither hidden nor on its way to here."""
    hidden = any(part.startswith(".") for part in name.split("/"))
    return not hidden and not name.lower().endswith(_UNFINISHED)
