"""What is to be sent: read from the disk piece by piece, from its beginning as often as needed."""

import hashlib
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from service.client.errors import ChangedError

Content = str | os.PathLike[str] | bytes | BinaryIO
"""A path, the bytes themselves, or an open binary file."""

_STEP: Final = 1 << 18


class Body:
    """The bytes of a file from where it stands.

    ``size`` and ``digest`` (SHA-256, hexadecimal) are None for what can be read only once.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._start = 0
        self.size: int | None = None
        self.digest: str | None = None
        if file.seekable():
            self._start = file.tell()
            self.size, self.digest = self._measured()

    @property
    def repeatable(self) -> bool:
        """Whether the bytes can be read again from their beginning."""
        return self.digest is not None

    def chunks(self, sent: Callable[[int], None] | None) -> Iterator[bytes]:
        """The bytes, piece by piece; ``sent`` is told how many are out of hand.

        Raises:
            ChangedError: There are fewer than there were.
        """
        if self.repeatable:
            self._file.seek(self._start)
        done = 0
        while piece := self._file.read(_STEP if self.size is None else self._step(done)):
            yield piece
            done += len(piece)
            if sent is not None:
                sent(done)
        if self.size is not None and done < self.size:
            raise ChangedError("The file became shorter while it was sent.")

    def _step(self, done: int) -> int:
        """How much to read: never beyond the size that was announced."""
        return min(_STEP, (self.size or 0) - done)

    def _measured(self) -> tuple[int, str]:
        digest = hashlib.sha256()
        size = 0
        while piece := self._file.read(_STEP):
            digest.update(piece)
            size += len(piece)
        return size, digest.hexdigest()


@contextmanager
def opened(content: Content) -> Iterator[tuple[Body, str | None]]:
    """The content as a body, and the name of its file if it has one."""
    if isinstance(content, bytes):
        yield Body(io.BytesIO(content)), None
    elif isinstance(content, str | os.PathLike):
        path = Path(content)
        with path.open("rb") as file:
            yield Body(file), path.name
    else:
        yield Body(content), None
