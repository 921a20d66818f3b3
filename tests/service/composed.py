"""compose.yaml as processes of this machine: its own commands and settings, only addresses differ.

What a container would find under a name or at a path of its own (another service, /data) is put in
place of it here; images are the same programs from packages.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]
from msgspec import Struct

from tests.conftest import processes_below, wait_until
from tests.outside import ObjectStore, free_port, listens, object_store, postgres
from workers.broker import _binary as valkey_server
from workers.tether import tied

ROOT: Final = Path(__file__).parents[2]
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: Final[dict[str, dict[str, Any]]] = COMPOSE["services"]
OURS: Final = ("web", "worker", "sweeper")

_GIVEN: Final = {
    "RECORDS_PASSWORD": "not-a-secret",
    "OBJECTS_KEY": "test",
    "OBJECTS_SECRET": "not a secret",
}
_PORTS: Final = {"records": 5432, "broker": 6379, "objects": 8333, "web": 8000}
_PROGRAMS: Final = {
    "retourne": [sys.executable, "-m", "service.cli"],
    "python": [sys.executable],
    "redis-server": [str(valkey_server())],
}


class Container(Struct, frozen=True):
    """A service that runs, with the folder that is its /data and all that it wrote."""

    service: str
    process: subprocess.Popen[bytes]
    data: Path
    log: Path

    def kill(self) -> None:
        """What the kernel does to a container that is killed: all of it is gone at once."""
        for pid in [self.process.pid, *processes_below(self.process.pid)]:
            os.kill(pid, 9)
        self.process.wait()


class Composed:
    """The services of compose.yaml, each started on demand and as often as asked."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.folder = folder
        self.more = more
        self.ports = {name: free_port() for name in _PORTS}
        self.started: list[Container] = []
        self.objects: ObjectStore

    @property
    def base_url(self) -> str:
        """Where the web is."""
        return f"http://127.0.0.1:{self.ports['web']}"

    def start(self, service: str) -> Container:
        """Start a container of a service."""
        folder = self.folder / f"{service}-{len(self.started)}"
        data = folder / "data"
        data.mkdir(parents=True)
        command = self.command(SERVICES[service]["command"], data)
        if service == "broker":
            command += ["--port", str(self.ports["broker"]), "--bind", "127.0.0.1"]
            command += ["--dir", str(data)]
        log = folder / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                tied(command),
                cwd=ROOT,
                env=self.environment(service, data),
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.started.append(Container(service, process, data, log))
        return self.started[-1]

    def environment(self, service: str, data: Path) -> dict[str, str]:
        """What a container of a service has in its environment, and what this machine needs."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("RETOURNE_", "AWS_")) and name != "PORT"
        }
        said = _environment(service)
        if service in OURS:
            said = {**image_environment(), **said, **self.more}
        return {**kept, **{name: self.here(value, data) for name, value in said.items()}}

    def command(self, said: list[str], data: Path) -> list[str]:
        """A command of compose.yaml, as this machine runs it."""
        program, *rest = said
        return [*_PROGRAMS[program], *(self.here(one, data) for one in rest)]

    def here(self, text: str, data: Path) -> str:
        """A text with the names, ports and paths of this machine in the place of a container's."""
        text = re.sub(r"\$\{(\w+):\?[^}]*\}", lambda match: _GIVEN[match[1]], text)
        for name, port in _PORTS.items():
            text = text.replace(f"{name}:{port}", f"127.0.0.1:{self.ports[name]}")
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{self.ports['web']}")
        if text == "8000":
            return str(self.ports["web"])
        return str(data) if text == "/data" else text

    def healthy(self, service: str) -> bool:
        """What the health check of a service says."""
        kind, *command = SERVICES[service]["healthcheck"]["test"]
        assert kind == "CMD"
        done = subprocess.run(
            self.command(command, self.folder), cwd=ROOT, capture_output=True, check=False
        )
        return done.returncode == 0

    def wait_for_web(self) -> None:
        """Wait until the web's health check says that it serves."""
        web = next(one for one in reversed(self.started) if one.service == "web")

        def runs() -> bool:
            assert web.process.poll() is None, web.log.read_text()
            return True

        wait_until(lambda: runs() and listens(self.ports["web"]))
        wait_until(lambda: runs() and self.healthy("web"))

    def run(self, *arguments: str) -> str:
        """What `docker compose run --rm web retourne ARGUMENTS` prints."""
        command = self.command(["retourne", *arguments], self.folder)
        environment = self.environment("web", self.folder)
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@contextmanager
def composed(folder: Path, *, workers: int, **more: str) -> Iterator[Composed]:
    """All of compose.yaml, with so many workers; ends with everything killed that still runs.

    ``more`` is set for each of ours besides.
    """
    composed = Composed(folder, **more)
    with ExitStack() as stack:
        password, bucket = _GIVEN["RECORDS_PASSWORD"], _environment("objects")["S3_BUCKET"]
        stack.enter_context(postgres(composed.ports["records"], password))
        composed.objects = stack.enter_context(object_store(composed.ports["objects"], bucket))
        stack.callback(_end, composed.started)
        composed.start("broker")
        wait_until(lambda: listens(composed.ports["broker"]))
        composed.start("web")
        for _ in range(workers):
            composed.start("worker")
        composed.start("sweeper")
        composed.wait_for_web()
        yield composed


def image_environment() -> dict[str, str]:
    """What the Dockerfile sets for all of our containers, apart from where the image lies."""
    text = (ROOT / "Dockerfile").read_text().rpartition("\nFROM ")[2].replace("\\\n", " ")
    found: dict[str, str] = {}
    for line in re.findall(r"^ENV (.*)$", text, re.MULTILINE):
        found.update(pair.split("=", 1) for pair in line.split())
    return {name: value for name, value in found.items() if name.startswith("RETOURNE_")}


def _environment(service: str) -> dict[str, str]:
    said: dict[str, str] = SERVICES[service].get("environment", {})
    return said


def _end(containers: list[Container]) -> None:
    for container in containers:
        if container.process.poll() is None:
            container.kill()
