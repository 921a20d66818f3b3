"""Where finished files stay: under names that are given once, in a folder or in a bucket.

A file comes to its place whole and lasts from then on; nothing in place is ever changed.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from warehouse.bucket import Bucket, BucketPlace, open_bucket
from warehouse.files import sync_folder
from warehouse.settings import Settings


class Place(Protocol):
    """What blobs and segments ask of the place where they stay. Names are relative paths."""

    def take(self, files: Mapping[str, Path]) -> None:
        """Move files in from aside, by name; when this returns, they last."""

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading.

        Raises:
            FileNotFoundError: there is none of this name.
        """

    def locate(self, names: Sequence[str]) -> list[str]:
        """Return local paths at which the files can be read now, in the order of their names.

        Raises:
            FileNotFoundError: there is none of such a name; of a folder, opening may find that out.
        """

    def has(self, name: str) -> bool:
        """Tell whether there is a file of this name."""

    def names(self, part: str, beginning: str) -> list[str]:
        """Return the names of the files of a part that begin so, in their order."""

    def delete(self, names: Iterable[str]) -> None:
        """Delete files; names that are not there are no matter."""


class FolderPlace:
    """A folder of this machine, or one that machines share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take(self, files: Mapping[str, Path]) -> None:
        """Rename files to where they stay and wait until their folders are on the disk."""
        for name, aside in files.items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            aside.replace(path)
        self._sync(files)

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""
        return (self._folder / name).open("rb")

    def locate(self, names: Sequence[str]) -> list[str]:
        """Return where the files lie."""
        return [str(self._folder / name) for name in names]

    def has(self, name: str) -> bool:
        """Tell whether there is a file of this name."""
        return (self._folder / name).is_file()

    def names(self, part: str, beginning: str) -> list[str]:
        """Return the names of the files of a folder that begin so, in their order."""
        found = (self._folder / part).glob(f"{beginning}*")
        return sorted(f"{part}/{path.name}" for path in found)

    def delete(self, names: Iterable[str]) -> None:
        """Delete files, and wait until that is on the disk."""
        gone = [name for name in names if (self._folder / name).exists()]
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)
        self._sync(gone)

    def _sync(self, names: Iterable[str]) -> None:
        """Sync every folder between these files and the place itself, the deepest first."""
        inner = {parent for name in names for parent in Path(name).parents}
        for folder in sorted(inner, key=lambda path: len(path.parts), reverse=True):
            sync_folder(self._folder / folder)


def house_place(settings: Settings, part: str) -> Place:
    """Return where a part of a club's house stays: in the bucket, or else in the data folder."""
    bucket = _bucket(settings)
    if bucket is None:
        return FolderPlace(settings.home / part)
    return BucketPlace(bucket, f"clubs/{settings.club}/{part}")


def check_place(settings: Settings) -> None:
    """See whether files can be put where they stay.

    Raises:
        OSError: the data folder cannot be written, or the bucket cannot be reached.
    """
    if not os.access(settings.data, os.W_OK):
        raise PermissionError("The data folder cannot be written.")
    bucket = _bucket(settings)
    if bucket is not None:
        bucket.check()


def _bucket(settings: Settings) -> Bucket | None:
    if settings.objects is None:
        return None
    shared = (settings.objects, settings.s3_endpoint, settings.data, settings.cache_bytes)
    return open_bucket(*shared)
