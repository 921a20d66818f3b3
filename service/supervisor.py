"""Keeps a tree of processes running: starts each in its turn, restarts what ends, stops in order.

Every process is tied to the supervisor (`workers.tether`) and has a process group of its own, so a
terminal's Ctrl-C reaches the supervisor alone and the order of stopping is the supervisor's.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

import click
import structlog
from msgspec import Struct

from workers.tether import tied

_STOP = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_AWAITED = {*_STOP, signal.SIGCHLD}
_TICK = 0.2  # seconds between looks at what is due
_FIRST_DELAY = 0.5  # seconds before a part is started again; doubles with every quick end
_LONGEST_DELAY = 30.0
_STEADY = 60.0  # seconds after which an end no longer counts as a quick one

_log = structlog.get_logger("supervisor")


def _always_ready() -> bool:
    return True


def _mend_nothing() -> None:
    pass


class Part(Struct, frozen=True, kw_only=True):
    """One process of the tree.

    `argv[0]` is an absolute path. `stop_within` is how many seconds it may take to end after
    SIGTERM before it and its process group are killed. The parts after it wait until `ready` is
    true; then `says`, if anything, is printed once. `mend` is called when the process ended
    without having been ready. `fds` are inherited. A part that runs `once` may end and is not
    started again.
    """

    name: str
    argv: list[str]
    stop_within: float
    ready: Callable[[], bool] = _always_ready
    says: str = ""
    mend: Callable[[], None] = _mend_nothing
    fds: tuple[int, ...] = ()
    once: bool = False


class _Child:
    """A part's process as it is now: running, waiting for its restart, or done."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.process: subprocess.Popen[bytes] | None = None
        self.started = 0.0
        self.due = 0.0
        self.delay = 0.0
        self.is_ready = False
        self.has_said = False
        self.is_done = False

    def start(self, environment: Mapping[str, str]) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 - the tree's own commands, no shell
            tied(self.part.argv),
            env=environment,
            pass_fds=self.part.fds,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,  # the supervisor's words alone are for standard output
            start_new_session=True,
        )

    def look(self) -> None:
        """Notice the process's end and set when it is started again."""
        if self.process is None or self.process.poll() is None:
            return
        code, self.process = self.process.returncode, None
        if self.part.once:
            self.is_done = True
            if code != 0:
                _log.error("part failed", part=self.part.name, code=code)
            return
        now = time.monotonic()
        quick = now - self.started < _STEADY
        self.delay = min(self.delay * 2, _LONGEST_DELAY) if quick and self.delay else _FIRST_DELAY
        self.due = now + self.delay
        _log.warning("part ended", part=self.part.name, code=code, again_in_seconds=self.delay)
        if not self.is_ready:
            self.part.mend()
        self.is_ready = False

    def advance(self, environment: Mapping[str, str]) -> bool:
        """Start the process if it is due; tell whether the parts after it may start."""
        if self.is_done:
            return True
        if self.process is None:
            if time.monotonic() < self.due:
                return False
            self.start(environment)
        self.is_ready = self.is_ready or self.part.ready()
        if self.is_ready and self.part.says and not self.has_said:
            self.has_said = True
            click.echo(self.part.says)
        return self.is_ready


def hold_signals() -> set[signal.Signals]:
    """Block the signals that a supervisor waits for, in this thread and in those that it starts.

    A thread that was started before does not block them: a signal that reaches it ends the process
    at once. So this comes before whatever starts threads.

    Returns:
        What was blocked before.
    """
    return {signal.Signals(one) for one in signal.pthread_sigmask(signal.SIG_BLOCK, _AWAITED)}


class Supervisor:
    """Runs parts, in their order, until a signal says stop."""

    def __init__(self, parts: Sequence[Part], environment: Mapping[str, str]) -> None:
        self._children = [_Child(part) for part in parts]
        self._environment = environment

    def run(self) -> None:
        """Start the parts and keep them running until SIGINT, SIGTERM or SIGHUP; then stop them.

        Runs in the main thread, with these signals blocked. A second signal while stopping kills
        what still runs.
        """
        before = hold_signals()
        try:
            while not _told_to_stop(_TICK):
                for child in self._children:
                    child.look()
                for child in self._children:
                    if not child.advance(self._environment):
                        break
        finally:
            self._stop()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _stop(self) -> None:
        hurry = False
        for child in reversed(self._children):
            if child.process is None:
                continue
            child.process.terminate()
            deadline = time.monotonic() + child.part.stop_within
            while child.process.poll() is None:
                if hurry or time.monotonic() > deadline:
                    _log.warning("part killed", part=child.part.name)
                    os.killpg(child.process.pid, signal.SIGKILL)
                    child.process.wait()
                else:
                    hurry = _told_to_stop(_TICK)


def _told_to_stop(within: float) -> bool:
    """Wait up to `within` seconds for a signal to stop; a child's end cuts the wait short."""
    arrived = signal.sigtimedwait(_AWAITED, within)
    return arrived is not None and arrived.si_signo in _STOP
