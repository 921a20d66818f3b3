"""Raw uploads, kept under the SHA-256 of their bytes. They are the evidence.

A blob is whole or absent: its bytes are gathered and synced aside, and only then put in place.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from warehouse.files import discard_older
from warehouse.places import house_place
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
        self._incoming.mkdir(parents=True, exist_ok=True)
        discard_older(self._incoming, _LEFTOVER_SECONDS)
        digest = hashlib.sha256()
        size = 0
        descriptor, name = tempfile.mkstemp(dir=self._incoming)
        aside = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                for chunk in chunks:
                    digest.update(chunk)
                    size += len(chunk)
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            self._place.take({_name(digest.hexdigest()): aside})
        finally:
            aside.unlink(missing_ok=True)
        return StoredBlob(digest.hexdigest(), size)

    def open(self, sha256: str) -> BinaryIO:
        """Open a blob for reading, from a file of this machine.

        Raises:
            FileNotFoundError: no such blob.
            OSError: the place cannot be reached.
        """
        return self._place.open(_name(sha256))

    def delete(self, sha256: str) -> None:
        """Delete a blob, if it is there."""
        self._place.delete([_name(sha256)])


def _name(sha256: str) -> str:
    return f"{sha256[:2]}/{sha256[2:4]}/{sha256}"
