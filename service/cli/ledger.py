"""What `retourne watch` has sent: a file of lines, one added for every event, so none is lost.

It is locked while it is used, and written anew as a whole when most of its lines are out of date.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Self

import click
import msgspec
from msgspec import Struct

from service.cli.sessions import UNREADABLE

_VERSION: Final = 1
_FEW: Final = 1_000  # lines that are not worth writing anew


class LedgerError(click.ClickException):
    """The file cannot be used: what was sent is not known, so nothing is."""

    exit_code = UNREADABLE


class Fingerprint(Struct, frozen=True):
    """A file as it stands, without a look into it. ``changed`` is in nanoseconds."""

    size: int
    changed: int


class _Head(Struct, tag_field="is", tag="watch"):
    version: int
    url: str


class _Seen(Struct, tag_field="is", tag="file"):
    """A file whose bytes were sent in a dialect, under this name or another."""

    name: str
    size: int
    changed: int
    sha256: str
    dialect: str | None
    upload: str


class _Ended(Struct, tag_field="is", tag="end"):
    """What came of an upload."""

    upload: str
    status: str


class Ledger:
    """What was sent to one service; what was sent in another dialect counts as not sent."""

    def __init__(self, file: BinaryIO, path: Path, url: str, dialect: str | None) -> None:
        self._file = file
        self._path = path
        self._dialect = dialect
        self._files: dict[str, _Seen] = {}
        self._uploads: dict[tuple[str, str | None], str] = {}
        self._ended: dict[str, str | None] = {}
        self._read(url)

    @classmethod
    @contextmanager
    def held(cls, path: Path, url: str, dialect: str | None) -> Iterator[Self]:
        """The ledger at a path, made if there is none, while the block runs.

        Raises:
            LedgerError: It cannot be used, is in use, or is of another service.
        """
        try:
            file = path.open("a+b")
        except OSError as error:
            raise LedgerError(
                f"{path} cannot be written: {error.strerror}. --state names another file."
            ) from None
        with file:
            _lock(file, path)
            ledger = cls(file, path, url, dialect)
            try:
                yield ledger
            finally:
                ledger._file.close()

    def has(self, name: str, fingerprint: Fingerprint) -> bool:
        """Whether a file, as it stands, was sent."""
        seen = self._files.get(name)
        return (
            seen is not None
            and seen.dialect == self._dialect
            and Fingerprint(seen.size, seen.changed) == fingerprint
        )

    def upload_of(self, sha256: str) -> str | None:
        """The upload that these bytes have become, whatever their file was called, if any."""
        return self._uploads.get((sha256, self._dialect))

    def add(self, name: str, fingerprint: Fingerprint, sha256: str, upload: str) -> None:
        """Notes that a file's bytes were sent."""
        changed = fingerprint.changed
        seen = _Seen(name, fingerprint.size, changed, sha256, self._dialect, upload)
        self._append(seen)
        self._take(seen)

    def end(self, upload: str, status: str) -> None:
        """Notes what came of an upload."""
        ended = _Ended(upload, status)
        self._append(ended)
        self._take(ended)

    def open_uploads(self) -> dict[str, str]:
        """The uploads of which nothing has come yet, with a name of their file."""
        return {
            seen.upload: seen.name
            for seen in self._files.values()
            if self._ended[seen.upload] is None
        }

    def _read(self, url: str) -> None:
        self._file.seek(0)
        whole = 0
        lines = 0
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break  # it was cut off while it was written: what it said was not yet said
            try:
                said = msgspec.json.decode(line, type=_Head | _Seen | _Ended)
            except msgspec.DecodeError:
                raise LedgerError(
                    f"Line {number + 1} of {self._path} cannot be read. "
                    "Remove the file to begin anew, or name another with --state."
                ) from None
            if isinstance(said, _Head):
                self._check(said, url)
            else:
                self._take(said)
            whole += len(line)
            lines += 1
        self._file.truncate(whole)
        if lines == 0:
            self._append(_Head(_VERSION, url))
        elif lines > _FEW and lines > 2 * (len(self._files) + len(self._ended)):
            self._write_anew(url)

    def _check(self, head: _Head, url: str) -> None:
        if head.version != _VERSION or head.url != url:
            raise LedgerError(
                f"{self._path} says what was sent to {head.url} (version {head.version}). "
                "--state names another file."
            )

    def _take(self, said: _Seen | _Ended) -> None:
        if isinstance(said, _Seen):
            self._files[said.name] = said
            self._uploads[said.sha256, said.dialect] = said.upload
            self._ended.setdefault(said.upload, None)
        else:
            self._ended[said.upload] = said.status

    def _append(self, said: Struct) -> None:
        self._file.write(msgspec.json.encode(said) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _write_anew(self, url: str) -> None:
        beside = self._path.with_name(self._path.name + ".new")
        file = beside.open("w+b")
        _lock(file, beside)
        said: list[Struct] = [_Head(_VERSION, url), *self._files.values()]
        said += [_Ended(one, status) for one, status in self._ended.items() if status is not None]
        file.writelines(msgspec.json.encode(one) + b"\n" for one in said)
        file.flush()
        os.fsync(file.fileno())
        beside.replace(self._path)
        self._file.close()
        self._file = file


def _lock(file: BinaryIO, path: Path) -> None:
    """Keeps others away from the file as long as it is open."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        replaced = os.fstat(file.fileno()).st_ino != path.stat().st_ino
    except BlockingIOError:
        replaced = True
    if replaced:
        raise LedgerError(f"Another `retourne watch` is using {path}.")
