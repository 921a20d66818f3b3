import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from kombu import Connection

from tests.conftest import Until
from workers import broker
from workers.tether import tied


class Broker:
    """The broker of one data folder, started and stopped by the test."""

    def __init__(self, data: Path, until: Until) -> None:
        self.data = data
        self.until = until
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        self.process = subprocess.Popen(tied(broker.server_command(self.data)))
        self.until(lambda: broker.answers(self.data))
        return self.process

    def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait()

    def client(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(broker.socket_path(self.data)))


@pytest.fixture
def running(tmp_path: Path, until: Until) -> Iterator[Broker]:
    started = Broker(tmp_path, until)
    yield started
    started.end(signal.SIGKILL)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_it_took_is_there_after_a_restart(running: Broker, how: signal.Signals) -> None:
    running.client().lpush("queue", "first", "second")
    running.end(how)
    assert not broker.answers(running.data)
    running.start()
    assert running.client().lrange("queue", 0, -1) == [b"second", b"first"]


def test_it_listens_on_no_port(running: Broker) -> None:
    assert running.client().config_get("port") == {"port": "0"}


def test_its_socket_is_the_users_alone(running: Broker) -> None:
    assert broker.socket_path(running.data).stat().st_mode & 0o777 == 0o700


PARENT = """
import subprocess, sys
from pathlib import Path
from workers import broker, tether
subprocess.run(tether.tied(broker.server_command(Path(sys.argv[1]))))
"""


def test_it_dies_with_its_killed_parent(tmp_path: Path, until: Until) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)])
    until(lambda: broker.answers(tmp_path))
    client = redis.Redis(unix_socket_path=str(broker.socket_path(tmp_path)))
    pid = client.info("server")["process_id"]
    client.close()
    parent.kill()
    parent.wait()
    until(lambda: not Path(f"/proc/{pid}").exists())


@pytest.mark.parametrize("name", ["plain", "with space & 100% é", "n" * 150])
def test_kombu_reaches_it_by_its_address(tmp_path: Path, until: Until, name: str) -> None:
    started = Broker(tmp_path / name, until)
    try:
        with Connection(broker.broker_url(tmp_path / name)) as connection:
            connection.SimpleQueue("tasks").put({"upload": "1"})
        assert started.client().llen("tasks") == 1
    finally:
        started.end(signal.SIGKILL)


def test_a_long_folder_has_its_socket_in_a_private_one(tmp_path: Path) -> None:
    data = tmp_path / ("n" * 150)
    broker.server_command(data)
    path = broker.socket_path(data)
    assert len(os.fsencode(path)) <= 107
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path != broker.socket_path(tmp_path / ("m" * 150))


def test_a_socket_folder_open_to_others_is_refused(tmp_path: Path) -> None:
    data = tmp_path / ("n" * 150)
    broker.server_command(data)
    broker.socket_path(data).parent.chmod(0o777)
    with pytest.raises(PermissionError, match="is not private"):
        broker.server_command(data)
