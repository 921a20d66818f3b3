"""A bucket of an S3-compatible store as the place where files stay.

Everything is read by way of local files: a blob through one that nobody else sees, segments through
a cache, since DuckDB would need an extension to read them from a bucket itself.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from warehouse.cache import Cache

_PIECE: Final = 1 << 20
_PART: Final = 8 << 20
"""Larger files are sent in parts of so many bytes, a few at a time."""

_PARTS_AT_ONCE: Final = 4
_NOBODYS: Final = "nobodys"
"""A folder without files, so that to ask for them takes no time."""


class StoreUnreachableError(OSError):
    """The object store does not answer, or not as it should. Asking again later may help."""


class Bucket:
    """A bucket and the copies of its files on this machine.

    May be shared by threads, but not with a fork.
    """

    def __init__(self, client: S3Store, data: Path, cache_bytes: int) -> None:
        self._client = client
        self._aside = data / "fetched"
        self._cache = Cache(data / "cache", cache_bytes, self._fetch)

    def put(self, key: str, file: Path) -> None:
        """Send a file; when this returns, the bucket has it for good."""
        with _asking():
            try:
                obstore.put(
                    self._client, key, file, chunk_size=_PART, max_concurrency=_PARTS_AT_ONCE
                )
            except FileNotFoundError as error:  # it is the bucket that was not found
                raise StoreUnreachableError(_said(error)) from error

    def open(self, key: str) -> BinaryIO:
        """Open a copy of a file; it is gone when it is closed."""
        self._aside.mkdir(parents=True, exist_ok=True)
        copy = tempfile.TemporaryFile(dir=self._aside)  # noqa: SIM115 -- the caller's to close
        try:
            self._pour(key, copy)
            copy.seek(0)
        except BaseException:
            copy.close()
            raise
        return copy

    def locate(self, keys: Sequence[str]) -> list[str]:
        """Return where copies of files lie."""
        return self._cache.locate(keys)

    def has(self, key: str) -> bool:
        """Tell whether there is a file of this key."""
        with _asking():
            try:
                obstore.head(self._client, key)
            except FileNotFoundError:
                self._check()
                return False
        return True

    def keys(self, folder: str, beginning: str) -> list[str]:
        """Return the keys of the files of a folder that begin so, in their order."""
        first = f"{folder}/{beginning}"
        found: list[str] = []
        with _asking():
            for page in obstore.list(self._client, folder, offset=first):
                for one in page:
                    if not one["path"].startswith(first):
                        return found
                    found.append(one["path"])
        return found

    def delete(self, keys: Sequence[str]) -> None:
        """Delete files, and their copies on this machine."""
        with _asking():
            try:
                obstore.delete(self._client, keys)
            except FileNotFoundError:
                self._check()
        self._cache.forget(keys)

    def check(self) -> None:
        """Ask for anything at all.

        Raises:
            StoreUnreachableError: the store does not answer, or the bucket is not there.
        """
        with _asking():
            self._check()

    def _fetch(self, key: str, path: Path) -> None:
        with path.open("wb") as file:
            self._pour(key, file)
            file.flush()
            os.fsync(file.fileno())

    def _pour(self, key: str, file: BinaryIO) -> None:
        with _asking():
            try:
                found = obstore.get(self._client, key)
            except FileNotFoundError:
                self._check()
                raise
            file.writelines(found.stream(min_chunk_size=_PIECE))
        if file.tell() != found.meta["size"]:
            raise StoreUnreachableError(f"{key} came in part only")

    def _check(self) -> None:
        """Tell a bucket that is not there from a file that is not in it."""
        next(iter(obstore.list(self._client, _NOBODYS)), None)


class BucketPlace:
    """The files under a prefix of a bucket. What cannot be asked raises StoreUnreachableError."""

    def __init__(self, bucket: Bucket, prefix: str) -> None:
        self._bucket = bucket
        self._prefix = prefix

    def take(self, files: Mapping[str, Path]) -> None:
        """Send files to the bucket."""
        for name, aside in files.items():
            self._bucket.put(self._key(name), aside)
            aside.unlink()

    def open(self, name: str) -> BinaryIO:
        """Open a copy of a file on this machine.

        Raises:
            FileNotFoundError: the bucket has no such file.
        """
        return self._bucket.open(self._key(name))

    def locate(self, names: Sequence[str]) -> list[str]:
        """Return where copies of the files lie on this machine.

        Raises:
            FileNotFoundError: the bucket has no such file.
        """
        return self._bucket.locate([self._key(name) for name in names])

    def has(self, name: str) -> bool:
        """Tell whether the bucket has a file of this name."""
        return self._bucket.has(self._key(name))

    def names(self, part: str, beginning: str) -> list[str]:
        """Return the names of the files of a part that begin so, in their order."""
        found = self._bucket.keys(self._key(part), beginning)
        return [key.removeprefix(f"{self._prefix}/") for key in found]

    def delete(self, names: Iterable[str]) -> None:
        """Delete files. Copies on other machines are used no more, and go by their age."""
        keys = [self._key(name) for name in names]
        if keys:
            self._bucket.delete(keys)

    def _key(self, name: str) -> str:
        return f"{self._prefix}/{name}"


@cache
def open_bucket(address: str, endpoint: str | None, data: Path, cache_bytes: int) -> Bucket:
    """Return the process's one client of a bucket; credentials are those of the environment.

    Args:
        address: `s3://bucket`, or `s3://bucket/prefix`.
        endpoint: the URL of the store; None for the one that AWS has.
        data: where copies lie.
        cache_bytes: how large the cache of copies may grow.
    """
    place = urlsplit(address)
    client = S3Store(
        place.netloc,
        prefix=place.path.strip("/") or None,
        config={"endpoint": endpoint} if endpoint else {},
        client_options={
            "allow_http": bool(endpoint and endpoint.startswith("http://")),
            "connect_timeout": timedelta(seconds=3),
            "read_timeout": timedelta(seconds=20),
            "timeout": timedelta(minutes=5),
        },
        retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=20)},
    )
    return Bucket(client, data, cache_bytes)


@contextmanager
def _asking() -> Iterator[None]:
    """Turn what the client raises about the store into one error of ours."""
    try:
        yield
    except BaseError as error:
        raise StoreUnreachableError(_said(error)) from error


def _said(error: Exception) -> str:
    """What the client says, without its own inner state."""
    return " ".join(str(error).partition("Debug source")[0].split())[:500]
