"""What tests of several rooms share: a real browser, and the real service as its users start it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from tests.service.client import KEYS
from workers.tether import tied

_ROOT = Path(__file__).parent.parent
_PATIENCE = 60.0  # seconds until something that should happen counts as not happening


class ServedTree(Struct, frozen=True):
    """A running `retourne serve`."""

    base_url: str  # without a closing slash
    data: Path
    pid: int  # of the supervisor
    log: Path  # all that the tree's processes wrote
    process: subprocess.Popen[bytes]
    key: str  # of the local club, with every scope


Serve = Callable[..., ServedTree]
Until = Callable[[Callable[[], object]], None]


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser; without one the test is skipped, or fails where skipping is forbidden."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is not None:
        return path
    reason = "no chromium: `apt-get install chromium` as root, then run `make test` again"
    if os.environ.get("RETOURNE_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def until() -> Until:
    """Waits until a condition holds; fails when it does not come to hold."""
    return wait_until


@pytest.fixture(scope="session")
def serve_environment() -> dict[str, str]:
    """The environment without anything that would set the service, but for rates beyond reach."""
    plain = {
        name: value
        for name, value in os.environ.items()
        if name != "PORT" and not name.startswith("RETOURNE_")
    }
    return {
        **plain,
        "RETOURNE_REQUEST_RATE": "1000000/minute",
        "RETOURNE_UPLOAD_RATE": "1000000/minute",
    }


@pytest.fixture(scope="session")
def serve_command() -> list[str]:
    """The command of the service on any free port; `--data FOLDER` is to be added."""
    return [*(sys.executable, "-m", "service.cli", "serve"), *("--port", "0", "--no-sample")]


@pytest.fixture(scope="session")
def process_tree(
    tmp_path_factory: pytest.TempPathFactory,
    serve_command: list[str],
    serve_environment: dict[str, str],
) -> Iterator[ServedTree]:
    """One running service for every test that only adds to it."""
    data = tmp_path_factory.mktemp("served") / "data"
    tree = start_tree(serve_command, serve_environment, data)
    yield tree
    stop_tree(tree)


@pytest.fixture
def serve(
    tmp_path: Path, serve_command: list[str], serve_environment: dict[str, str]
) -> Iterator[Serve]:
    """Starts a service of the test's own, on a folder of its own unless one is given."""
    trees: list[ServedTree] = []

    def start(data: Path | None = None, *options: str) -> ServedTree:
        command = [*serve_command, *options]
        trees.append(start_tree(command, serve_environment, data or tmp_path / "data"))
        return trees[-1]

    yield start
    for tree in trees:
        stop_tree(tree)


def start_tree(command: list[str], environment: dict[str, str], data: Path) -> ServedTree:
    """Start the service on a data folder and wait until it has said where it is."""
    log = data.with_suffix(".log")
    with log.open("ab") as output:
        before = output.tell()
        process = subprocess.Popen(
            tied([*command, "--data", str(data)]),
            cwd=_ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )

    def said() -> re.Match[str] | None:
        text = log.read_bytes()[before:].decode()
        assert process.poll() is None, text
        return re.search(r"Retourne is at (\S+)", text)

    wait_until(said)
    found = said()
    assert found is not None
    key = KEYS[found[1]] = (data / "local.key").read_text().strip()
    return ServedTree(found[1], data, process.pid, log, process, key)


def processes_below(pid: int) -> dict[int, str]:
    """Return every descendant of a process with its command line."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended in between
            continue
        if fields[0] != "Z":
            parents[int(stat.parent.name)] = int(fields[1])
    found: dict[int, str] = {}
    above = {pid}
    while above:
        above = {child for child, parent in parents.items() if parent in above}
        for child in above:
            try:
                found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
    return found


def stop_tree(tree: ServedTree) -> None:
    """Stop a service that may have ended already."""
    if tree.process.poll() is None:
        tree.process.send_signal(signal.SIGTERM)
    try:
        tree.process.wait(_PATIENCE)
    finally:
        tree.process.kill()


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come to hold"
        time.sleep(0.05)
