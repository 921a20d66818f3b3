"""Raw uploads, kept under the SHA-256 of their bytes. They are the evidence.

A blob is whole or absent: its bytes are gathered and synced aside, and only then put in place.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from warehouse.files import discard_older
from warehouse.places import Place, house_place
from warehouse.settings import Settings

_PART: Final = "blobs"
_INCOMING: Final = "incoming"
_LEFTOVER_SECONDS: Final = 86_400
"""How long a body may pause before what came of it counts as left behind."""


class StoredBlob(Struct, frozen=True):
    """What was stored: its name, 64 hex digits, and its size in bytes."""

    sha256: str
    size: int


class BlobStore:
    """The blobs of one house, whether they stay in its folder or in the bucket."""

    def __init__(self, settings: Settings) -> None:
        self._incoming = settings.home / _PART / _INCOMING
        self._place = house_place(settings, _PART)

    def store(self, chunks: Iterable[bytes]) -> StoredBlob:
        """Gather the bytes as they come and return their name, once they are safe in place.

        What `chunks` raises passes through, and nothing is kept then.

        Raises:
            OSError: there is no room, or the place cannot be reached.
        """
        with self.gathering() as gathering:
            blob = gathering.gather(chunks)
            gathering.keep()
        return blob

    @contextmanager
    def gathering(self) -> Iterator["Gathering"]:
        """Gather blobs that are kept together, or are gone at the end."""
        self._incoming.mkdir(parents=True, exist_ok=True)
        discard_older(self._incoming, _LEFTOVER_SECONDS)
        gathering = Gathering(self._incoming, self._place)
        try:
            yield gathering
        finally:
            gathering.discard()

    def open(self, sha256: str) -> BinaryIO:
        """Open a blob for reading, from a file of this machine.

        Raises:
            FileNotFoundError: no such blob.
            OSError: the place cannot be reached.
        """
        return self._place.open(_name(sha256))

    def has(self, sha256: str) -> bool:
        """Tell whether a blob is there.

        Raises:
            OSError: the place cannot be reached.
        """
        return self._place.has(_name(sha256))

    def delete(self, sha256: str) -> None:
        """Delete a blob, if it is there."""
        self._place.delete([_name(sha256)])


class Gathering:
    """Blobs on their way in: gathered and synced aside, then put in place together."""

    def __init__(self, aside: Path, place: Place) -> None:
        self._folder = aside
        self._place = place
        self._aside: list[Path] = []
        self._named: dict[str, Path] = {}

    def gather(self, chunks: Iterable[bytes]) -> StoredBlob:
        """Gather the bytes of one blob as they come; they are not in place yet.

        Raises:
            OSError: there is no room.
        """
        digest = hashlib.sha256()
        size = 0
        descriptor, name = tempfile.mkstemp(dir=self._folder)
        self._aside.append(Path(name))
        with os.fdopen(descriptor, "wb") as file:
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        self._named[_name(digest.hexdigest())] = self._aside[-1]
        return StoredBlob(digest.hexdigest(), size)

    def keep(self) -> None:
        """Put what was gathered in place; when this returns, it lasts.

        Raises:
            OSError: the place cannot be reached.
        """
        self._place.take(self._named)

    def discard(self) -> None:
        """Delete what is still aside."""
        for path in self._aside:
            path.unlink(missing_ok=True)


def _name(sha256: str) -> str:
    return f"{sha256[:2]}/{sha256[2:4]}/{sha256}"
