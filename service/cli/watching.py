"""The files of a watched folder: sent in turn, tried again, and followed to their end."""

import hashlib
import heapq
import os
import random
import time
from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from msgspec import Struct
from rich.markup import escape

from service.cli.folder import Folder
from service.cli.ledger import Fingerprint, Ledger
from service.cli.sessions import CLEAN, UNREADABLE
from service.cli.terminal import Console
from service.cli.upload import counted, outcome, tell
from service.client import (
    AccessError,
    ChangedError,
    Client,
    MissingError,
    RefusedError,
    RetourneError,
    UnavailableError,
    Upload,
)

_AT_ONCE: Final = 50  # files sent, and uploads looked at, in one turn
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 300.0  # seconds until something that failed is tried again
_FIRST_LOOK, _LONGEST_LOOK = 0.2, 10.0  # seconds between two looks at an upload
_LONGEST_NAME: Final = 200
_FEW: Final = 10  # of many files with the same fate, those that are named


class _Pause(Struct):
    """How long something that failed waits, and until when."""

    seconds: float
    until: float


class _Look(Struct, order=True):
    """When to look at an upload again."""

    due: float
    pause: float
    upload: str
    name: str


class Watching:
    """What is done in turns, so that one slow upload keeps nobody waiting.

    ``status`` is the exit status that the worst of it asks for.

    Args:
        folder: Where the files are.
        ledger: What was sent before.
        client: The service.
        dialect: How the hands are written, where that is not to be told from them.
        once: Whether what fails is not tried again.
    """

    def __init__(
        self, folder: Folder, ledger: Ledger, client: Client, dialect: str | None, *, once: bool
    ) -> None:
        self.status = CLEAN
        self._folder = folder
        self._ledger = ledger
        self._client = client
        self._dialect = dialect
        self._once = once
        self._out = Console(highlight=False, soft_wrap=True)
        self._err = Console(stderr=True, highlight=False, soft_wrap=True)
        self._unsent: dict[str, None] = {}  # names, in the order in which they were noticed
        self._failed: dict[str, _Pause] = {}
        self._refused: dict[str, Fingerprint] = {}
        self._closed = _Pause(0.0, 0.0)
        self._looks: list[_Look] = []
        self._may_look = True
        self._counts = {"sent": 0, "known before": 0, "failed": 0}
        for upload, name in ledger.open_uploads().items():
            self._follow(upload, name)

    @property
    def idle(self) -> bool:
        """Whether there is nothing to send and nothing to wait for."""
        return not self._unsent and not self._looks

    @property
    def unsent(self) -> int:
        """How many files are to be sent."""
        return len(self._unsent)

    @property
    def closed(self) -> bool:
        """Whether the service is left alone for a while, because it failed."""
        return self._closed.seconds > 0

    def notice(self, names: Iterable[str]) -> None:
        """Takes note of files, which may be new or changed."""
        for name in names:
            seen = self._folder.look(name)
            if seen is None or self._ledger.has(_label(name), seen):
                continue
            if self._refused.get(name) != seen:
                self._unsent[name] = None

    def turn(self) -> bool:
        """Does some of what is due; returns whether anything was done.

        Raises:
            AccessError: The service does not let us send.
        """
        done = 0
        for name in list(self._unsent):
            if done >= _AT_ONCE or time.monotonic() < self._closed.until:
                break
            failed = self._failed.get(name)
            if failed is None or time.monotonic() >= failed.until:
                done += self._send(name)
        for _ in range(_AT_ONCE):
            now = time.monotonic()
            if not self._looks or self._looks[0].due > now or now < self._closed.until:
                break
            done += self._look(heapq.heappop(self._looks))
        return done > 0

    def leave_out(self) -> None:
        """Gives up what could not be sent, or is not known, so far."""
        left = [(name, "was not sent") for name in self._unsent]
        left += [(look.name, "was sent; what comes of it is not known yet") for look in self._looks]
        for name, why in left[:_FEW]:
            self._tell_failed(name, why)
        if left[_FEW:]:
            self._err.print(f"and {len(left) - _FEW:,} more, which are tried again the next time")
        self._counts["failed"] += len(left[_FEW:])

    def close(self) -> None:
        """Tells what was done."""
        self._out.print(", ".join(f"{number:,} {what}" for what, number in self._counts.items()))

    def _send(self, name: str) -> bool:
        """Sends a file if it is to be sent now; returns whether it was done with."""
        seen = self._folder.look(name)
        if seen is not None and not self._folder.settled(name, seen):
            return False
        if seen is not None and not self._ledger.has(_label(name), seen):
            try:
                self._hand_over(name, seen)
            except FileNotFoundError:
                pass  # it went away
            except AccessError:
                raise
            except RefusedError as error:
                self._refused[name] = seen
                self._tell_failed(name, str(error))
            except (RetourneError, OSError) as error:
                return self._put_off(name, error)
            self._closed = _Pause(0.0, 0.0)
        self._unsent.pop(name)
        self._failed.pop(name, None)
        return True

    def _hand_over(self, name: str, seen: Fingerprint) -> None:
        """Sends a file's bytes, unless they were sent before, and notes it."""
        label = _label(name)
        with self._folder.open(name) as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            known = self._ledger.upload_of(digest)
            if known is not None:
                self._ledger.add(label, seen, digest, known)
                self._counts["known before"] += 1
                return
            file.seek(0)
            upload = self._client.upload(file, name=label[-_LONGEST_NAME:], dialect=self._dialect)
        self._ledger.add(label, seen, upload.sha256, upload.id)
        self._counts["sent"] += 1
        self._follow(upload.id, label)

    def _put_off(self, name: str, error: RetourneError | OSError) -> bool:
        """Tries a file again later, or leaves the service alone for a while if that is at fault."""
        if not _is_its_own(error):
            self._leave_alone(error)
            return False
        if name not in self._failed:
            self._tell_failed(name, str(error))
        if self._once:
            self._unsent.pop(name)
            return True
        before = self._failed.get(name)
        self._failed[name] = _longer(before.seconds if before else 0.0)
        return False

    def _leave_alone(self, error: RetourneError | OSError) -> None:
        if not self.closed:
            self._err.print(f"[yellow]waiting[/] {escape(str(error))}")
        self._closed = _longer(self._closed.seconds)

    def _follow(self, upload: str, name: str) -> None:
        if self._may_look:
            heapq.heappush(self._looks, _Look(0.0, _FIRST_LOOK, upload, name))

    def _look(self, look: _Look) -> bool:
        """Looks how an upload stands; returns whether it is done with."""
        try:
            upload = self._client.state(look.upload)
            if upload.finished:
                self._tell(upload, look.name)
                self._ledger.end(upload.id, upload.status)
                return True
            self._closed = _Pause(0.0, 0.0)
        except AccessError as error:
            self._may_look = False
            self._looks.clear()
            self._err.print(f"What comes of uploads is not told: {escape(error.detail)}")
            return True
        except MissingError:
            self._ledger.end(look.upload, "gone")
            return True
        except RetourneError as error:
            self._leave_alone(error)
        pause = min(_LONGEST_LOOK, look.pause * 2)
        again = _Look(time.monotonic() + look.pause, pause, look.upload, look.name)
        heapq.heappush(self._looks, again)
        return False

    def _tell(self, upload: Upload, name: str) -> None:
        status = outcome(upload)
        if status == CLEAN:
            self._out.print(f"[bold]{escape(name)}[/] {counted(upload)}")
        else:
            tell(self._out, self._client, upload, name)
        self.status = max(self.status, status)

    def _tell_failed(self, name: str, why: str) -> None:
        self._err.print(f"[bold]{escape(_label(name))}[/] [red]failed[/] {escape(why)}")
        self._counts["failed"] += 1
        self.status = UNREADABLE


def _is_its_own(error: RetourneError | OSError) -> bool:
    """Whether a failure is the file's own, and others may fare better."""
    if isinstance(error, UnavailableError):
        return error.status == HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(error, ChangedError | OSError)


def _longer(seconds: float) -> _Pause:
    """A pause of twice as many seconds, and not the same for everybody."""
    seconds = min(_LONGEST_PAUSE, seconds * 2 or _FIRST_PAUSE)
    return _Pause(seconds, time.monotonic() + random.uniform(seconds / 2, seconds))  # noqa: S311 - no secret


def _label(name: str) -> str:
    """A file's name as text, whatever bytes it is made of."""
    return os.fsencode(name).decode(errors="replace")
