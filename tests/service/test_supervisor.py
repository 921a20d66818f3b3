import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Serve, ServedTree, Until, processes_below, start_tree, stop_tree
from workers import broker


@pytest.fixture(scope="module")
def battered_tree(
    tmp_path_factory: pytest.TempPathFactory,
    serve_command: list[str],
    serve_environment: dict[str, str],
) -> Iterator[ServedTree]:
    """A service whose parts the tests kill."""
    data = tmp_path_factory.mktemp("battered") / "data"
    tree = start_tree(serve_command, serve_environment, data)
    yield tree
    stop_tree(tree)


def of_part(tree: ServedTree, word: str) -> list[int]:
    return sorted(pid for pid, line in processes_below(tree.pid).items() if word in line)


@pytest.mark.parametrize(
    "how",
    [
        signal.SIGINT,
        signal.SIGKILL,
        pytest.param(signal.SIGTERM, marks=pytest.mark.proof),
        pytest.param(signal.SIGHUP, marks=pytest.mark.proof),
    ],
)
def test_no_process_is_left_behind(serve: Serve, until: Until, how: signal.Signals) -> None:
    tree = serve(None, "--workers", "2")
    until(lambda: len(of_part(tree, "celery")) == 3)  # its main process and two that audit
    assert of_part(tree, "valkey-server")
    assert of_part(tree, "workers.sweeper")
    assert len(of_part(tree, "gunicorn")) == 3
    left = list(processes_below(tree.pid))
    os.kill(tree.pid, how)
    code = tree.process.wait()
    assert code == (-signal.SIGKILL if how == signal.SIGKILL else 0)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))


@pytest.mark.parametrize("part", ["celery", "valkey-server", "workers.sweeper", "gunicorn"])
def test_a_killed_part_is_started_again(battered_tree: ServedTree, until: Until, part: str) -> None:
    until(lambda: of_part(battered_tree, part))
    before = of_part(battered_tree, part)
    said = battered_tree.log.read_text().count("part ended")
    os.kill(before[0], signal.SIGKILL)
    until(
        lambda: of_part(battered_tree, part) and not set(of_part(battered_tree, part)) & set(before)
    )
    assert battered_tree.log.read_text().count("part ended") == said + 1


def test_a_signal_reaches_no_thread_that_would_die_of_it(process_tree: ServedTree) -> None:
    threads = Path(f"/proc/{process_tree.pid}/task")
    others = [one for one in threads.iterdir() if one.name != str(process_tree.pid)]
    for thread in others:
        status = (thread / "status").read_text()
        blocked = int(status.partition("SigBlk:")[2].split()[0], 16)
        for awaited in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            assert blocked & 1 << awaited - 1, (thread / "comm").read_text()


def test_it_serves_again_what_it_served_before(serve: Serve) -> None:
    first = serve()
    first.process.send_signal(signal.SIGTERM)
    assert first.process.wait() == 0
    second = serve()
    assert second.data == first.data


def test_a_journal_that_the_broker_cannot_read_stops_nothing(serve: Serve, until: Until) -> None:
    first = serve()
    os.kill(first.pid, signal.SIGKILL)
    first.process.wait()
    until(lambda: not broker.answers(first.data))
    journal = first.data / "broker" / "appendonlydir"
    [part] = journal.glob("*.incr.aof")
    part.write_bytes(b"no command")
    serve()
    [kept] = (first.data / "broker" / "unreadable").glob("*.incr.aof")
    assert kept.read_bytes() == b"no command"


def refusal(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_folder_is_served_once(
    process_tree: ServedTree, serve_command: list[str], serve_environment: dict[str, str]
) -> None:
    command = [*serve_command, "--data", str(process_tree.data)]
    message = refusal(command, serve_environment)
    assert f"{process_tree.data} is being served by process {process_tree.pid}" in message


def test_a_busy_port_is_named(
    tmp_path: Path, serve_command: list[str], serve_environment: dict[str, str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [*serve_command, "--data", str(tmp_path), "--port", str(port)]
        message = refusal(command, serve_environment)
    assert f"Cannot listen on 127.0.0.1:{port}: something else is listening there" in message


def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path, serve_command: list[str], serve_environment: dict[str, str]
) -> None:
    (tmp_path / "file").touch()
    command = [*serve_command, "--data", str(tmp_path / "file" / "data")]
    message = refusal(command, serve_environment)
    assert f"{tmp_path}/file/data cannot be used: Not a directory" in message


def test_a_wrong_setting_is_named(
    tmp_path: Path, serve_command: list[str], serve_environment: dict[str, str]
) -> None:
    command = [*serve_command, "--data", str(tmp_path)]
    environment = {**serve_environment, "RETOURNE_MAX_RATIO": "many"}
    assert "RETOURNE_MAX_RATIO" in refusal(command, environment)
