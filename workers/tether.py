"""Ties the life of a process to its parent's: when the parent dies, the kernel kills the child.

Every process of the tree is tied, so that even a killed supervisor leaves nothing behind. The tie
is Linux's PR_SET_PDEATHSIG; it survives exec but not fork: whoever forks ties the fork again.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def tie_to_parent(parent: int) -> None:
    """Have the kernel kill this process as soon as `parent` is dead.

    Args:
        parent: process id of the parent, known before the fork. When it is no longer the parent, it
            died before the tie held, and this process ends at once.

    Raises:
        OSError: the kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def tied(argv: list[str]) -> list[str]:
    """Return the command that runs `argv` tied to the calling process.

    The calling thread must be the one that stays: the kernel counts the death of the thread that
    forked as the parent's. `argv[0]` is an absolute path.
    """
    return [sys.executable, "-m", "workers.tether", str(os.getpid()), *argv]


if __name__ == "__main__":
    tie_to_parent(int(sys.argv[1]))
    # A supervisor blocks the signals that it waits for; a blocked mask would survive the exec.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - the command comes from the supervisor, no shell wanted
