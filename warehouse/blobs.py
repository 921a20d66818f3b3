"""Raw uploads, kept for ever under the SHA-256 of their bytes. They are the evidence.

A blob is whole or absent: it is written under a temporary name, synced and only then renamed.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from warehouse.files import discard_older, sync_folder

_INCOMING: Final = "incoming"
_LEFTOVER_SECONDS: Final = 86_400
"""How long a body may pause before what came of it counts as left behind."""


class StoredBlob(Struct, frozen=True):
    """What was stored: its name, 64 hex digits, and its size in bytes."""

    sha256: str
    size: int


class BlobStore:
    """The blobs of one data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def store(self, chunks: Iterable[bytes]) -> StoredBlob:
        """Write the bytes as they come and return their name, once they are safe on the disk.

        What `chunks` raises passes through, and nothing is kept then.
        """
        incoming = self._folder / _INCOMING
        incoming.mkdir(parents=True, exist_ok=True)
        discard_older(incoming, _LEFTOVER_SECONDS)
        digest = hashlib.sha256()
        size = 0
        descriptor, name = tempfile.mkstemp(dir=incoming)
        try:
            with os.fdopen(descriptor, "wb") as file:
                for chunk in chunks:
                    digest.update(chunk)
                    size += len(chunk)
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            path = self._path(digest.hexdigest())
            path.parent.mkdir(parents=True, exist_ok=True)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        for folder in (path.parent, path.parent.parent, self._folder):
            sync_folder(folder)
        return StoredBlob(digest.hexdigest(), size)

    def open(self, sha256: str) -> BinaryIO:
        """Open a blob for reading.

        Raises:
            FileNotFoundError: no such blob.
        """
        return self._path(sha256).open("rb")

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256[2:4] / sha256
