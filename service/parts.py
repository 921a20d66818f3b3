"""What the embedded form is made of: broker, worker, sweeper and web over one data folder."""

import fcntl
import http.client
import os
import socket
import sys
from pathlib import Path
from typing import TextIO

import structlog

from service.supervisor import Part
from workers import broker

_log = structlog.get_logger("supervisor")

_SAMPLE_MARK = "sample-loaded"


class FolderInUseError(Exception):
    """Another `retourne serve` holds the data folder."""


def claim_folder(data: Path) -> TextIO:
    """Make a data folder of our own if need be and hold it while the returned file is open.

    Raises:
        FolderInUseError: somebody else holds it.
        OSError: the folder cannot be made or written.
    """
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    claim = (data / "serve.lock").open("a+")
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        claim.seek(0)
        holder = claim.read().strip()
        claim.close()
        raise FolderInUseError(f"process {holder}" if holder else "another process") from None
    claim.truncate(0)
    claim.write(f"{os.getpid()}\n")
    claim.flush()
    return claim


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free one.

    The supervisor holds it while web processes come and go, so no connection is refused meanwhile.

    Raises:
        OSError: the address is taken, not this machine's, or not allowed.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=2048)


def address(listener: socket.socket) -> str:
    """Return the base URL at which this machine reaches a listening socket."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def worker_command(concurrency: int) -> list[str]:
    """Return the command of one worker that audits `concurrency` uploads side by side."""
    return [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "workers.app", "worker"),
        *("--concurrency", str(concurrency)),
        # Workers do not depend on one another; the broker is spared their small talk.
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def sweeper_command() -> list[str]:
    """Return the sweeper's command."""
    return [sys.executable, "-m", "workers.sweeper"]


def web_command(bind: str) -> list[str]:
    """Return the web's command; `bind` is `host:port`, or `fd://n` for an inherited socket."""
    return [
        *(sys.executable, "-m", "gunicorn", "--config", "python:service.serving"),
        *("--bind", bind),
    ]


def embedded_parts(
    data: Path,
    listener: socket.socket,
    *,
    key: str,
    concurrency: int,
    own_broker: bool,
    sample: bool,
) -> list[Part]:
    """Return the parts of one process tree, in the order in which they start.

    Args:
        data: the claimed data folder.
        listener: where the web listens.
        key: that of this machine.
        concurrency: how many uploads are audited side by side.
        own_broker: whether the tree has a broker, or another one is set.
        sample: whether the sample data is loaded, if this folder has not had it yet.
    """
    url = address(listener)
    parts = [
        Part(
            name="broker",
            argv=broker.server_command(data),
            stop_within=10,
            ready=lambda: broker.answers(data),
            mend=lambda: _mend_broker(data),
        )
    ]
    parts += [
        # A task that stop_within cuts off is sent again by the sweeper.
        Part(name="worker", argv=worker_command(concurrency), stop_within=20),
        Part(name="sweeper", argv=sweeper_command(), stop_within=5),
        Part(
            name="web",
            argv=web_command(f"fd://{listener.fileno()}"),
            stop_within=15,
            ready=lambda: _web_answers(listener),
            says=f"Retourne is at {url} (Ctrl-C stops it)\n"
            f"Key of this machine, kept in {data / 'local.key'}: {key}",
            fds=(listener.fileno(),),
        ),
    ]
    if sample and not (data / _SAMPLE_MARK).exists():
        parts.append(
            Part(
                name="sample",
                argv=[sys.executable, "-m", "service.cli", "load-sample", url],
                stop_within=5,
                once=True,
            )
        )
    return parts if own_broker else parts[1:]


def mark_sample_loaded(data: Path) -> None:
    """Note that a data folder has had the sample data."""
    (data / _SAMPLE_MARK).touch()


def _mend_broker(data: Path) -> None:
    _log.warning("the broker could not start and gets a new journal")
    broker.set_journal_aside(data)


def _web_answers(listener: socket.socket) -> bool:
    host, port = listener.getsockname()[:2]
    connection = http.client.HTTPConnection(host, port, timeout=1)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
