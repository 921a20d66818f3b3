"""Copies of a bucket's files on this machine, for those who can read local files only.

Files never change under their names, so a copy is right for ever. Threads and processes share a
cache without asking one another: a copy appears whole, by a rename, and may be gone at any time
after it was not used for a while. Whoever then misses it asks again.
"""

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from warehouse.files import discard_older

_COMING: Final = "coming"
_AT_ONCE: Final = 8
_LEFTOVER_SECONDS: Final = 3_600
_TOUCH_SECONDS: Final = 10
"""A use is noted when the one before lies so far back."""

_SAFE_SECONDS: Final = 120
"""A copy that was used within this time stays, whatever the bound says: a query may be about to
open it."""

_IDLE_SECONDS: Final = 86_400
"""A copy that nobody used for so long goes, whether or not there is room: its file may have been
deleted."""

_LOOK_SECONDS: Final = 3_600
"""How often at least a process looks for copies to be removed, as long as it is asked for any."""


class Cache:
    """A folder of copies, bounded by `limit` bytes apart from what is in use.

    ``fetch`` gets a name and a path at which to put the file of that name.
    """

    def __init__(self, folder: Path, limit: int, fetch: Callable[[str, Path], None]) -> None:
        self._folder = folder
        self._limit = limit
        self._fetch = fetch
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._on_the_way: dict[str, Future[None]] = {}
        self._brought = 0
        self._next_look = 0.0

    def locate(self, names: Sequence[str]) -> list[str]:
        """Return the paths of copies that are here now, fetched as far as they were missing.

        What `fetch` raises passes through.
        """
        missing = [self._bring(name) for name in names if not self._touch(self._folder / name)]
        for one in missing:
            one.result()
        if time.monotonic() >= self._next_look or self._brought > self._limit // 16:
            self._make_room()
        return [str(self._folder / name) for name in names]

    def forget(self, names: Iterable[str]) -> None:
        """Remove the copies of files that are deleted."""
        for name in names:
            (self._folder / name).unlink(missing_ok=True)

    def _touch(self, path: Path) -> bool:
        """Note a use of a copy in its access time; False where there is none."""
        try:
            status = path.stat()
            now = time.time()
            if now - status.st_atime > _TOUCH_SECONDS:
                os.utime(path, (now, status.st_mtime))
        except FileNotFoundError:
            return False
        return True

    def _bring(self, name: str) -> Future[None]:
        """Have a file fetched, once for all threads that want it."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(_AT_ONCE, "cache")
            coming = self._on_the_way.get(name)
            if coming is None:
                coming = self._on_the_way[name] = self._pool.submit(self._copy, name)
            return coming

    def _copy(self, name: str) -> None:
        aside = self._folder / _COMING / secrets.token_hex(16)
        path = self._folder / name
        try:
            aside.parent.mkdir(parents=True, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fetch(name, aside)
            size = aside.stat().st_size
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
            with self._lock:
                del self._on_the_way[name]
        with self._lock:
            self._brought += size

    def _make_room(self) -> None:
        """Remove the copies that were not used for longest, until the rest is within the bound."""
        with self._lock:
            self._brought = 0
            self._next_look = time.monotonic() + _LOOK_SECONDS
        discard_older(self._folder / _COMING, _LEFTOVER_SECONDS)
        now = time.time()
        copies = sorted(self._copies())
        total = sum(size for _, size, _ in copies)
        for used, size, path in copies:
            idle = now - used
            if idle < _SAFE_SECONDS or (total <= self._limit and idle < _IDLE_SECONDS):
                break
            path.unlink(missing_ok=True)
            total -= size

    def _copies(self) -> list[tuple[float, int, Path]]:
        """Return every copy as when it was used, its bytes, and its path."""
        found = []
        for folder, folders, files in os.walk(self._folder):
            if folder == str(self._folder) and _COMING in folders:
                folders.remove(_COMING)
            for file in files:
                path = Path(folder, file)
                try:
                    status = path.stat()
                except FileNotFoundError:
                    continue  # another process made room
                found.append((status.st_atime, status.st_size, path))
        return found
