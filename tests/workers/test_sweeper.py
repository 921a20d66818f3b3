import datetime as dt
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from tests.conftest import Until
from tests.warehouse.uploads import ndjson, processed, some_hands
from warehouse.blobs import StoredBlob
from warehouse.clubs import Clubs
from warehouse.compaction import MANY
from warehouse.database import open_control, open_house
from warehouse.records import Records
from warehouse.settings import Settings
from warehouse.store import Store
from workers import broker
from workers.compaction import join_some
from workers.names import COMPACT
from workers.tether import tied

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def records(tmp_path: Path) -> Records:
    control = open_control(Settings(data=tmp_path))
    Clubs(control).add("local", "Local", dt.datetime.now(dt.UTC))
    return Records(open_house(Settings(data=tmp_path)))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[[list[str]], None]]:
    """Runs commands on the test's data folder until the test is over."""
    processes: list[subprocess.Popen[bytes]] = []
    environment = {**os.environ, "RETOURNE_DATA": str(tmp_path), "RETOURNE_BROKER": ""}

    def start(command: list[str]) -> None:
        processes.append(subprocess.Popen(tied(command), env=environment))

    yield start
    for process in processes:
        process.kill()
        process.wait()


def receive(records: Records, letter: str, ago: dt.timedelta) -> str:
    now = dt.datetime.now(dt.UTC)
    return records.receive(StoredBlob(letter * 64, 1), None, now - ago).id


def queued(data: Path) -> int:
    if not broker.answers(data):
        return 0
    client = redis.Redis(unix_socket_path=str(broker.socket_path(data)))
    try:
        return int(client.llen("celery"))
    finally:
        client.close()


def test_what_was_never_sent_or_got_lost_is_sent(
    tmp_path: Path, records: Records, run: Callable[[list[str]], None], until: Until
) -> None:
    now = dt.datetime.now(dt.UTC)
    never_sent = receive(records, "a", MINUTE)
    lost = receive(records, "b", MINUTE)
    records.mark_sent(lost, now - MINUTE)
    # Signs of life that stay fresh however slow the test's machine is.
    just_received = receive(records, "c", -60 * MINUTE)
    just_sent = receive(records, "d", MINUTE)
    records.mark_sent(just_sent, now + 60 * MINUTE)

    run([sys.executable, "-m", "workers.sweeper"])  # first without a broker
    run(broker.server_command(tmp_path))
    until(lambda: queued(tmp_path) >= 2)

    def sent_at(upload: str) -> dt.datetime:
        found = records.upload(upload)
        assert found is not None
        return found.sent_at or now - MINUTE

    until(lambda: sent_at(never_sent) >= now and sent_at(lost) >= now)
    assert sent_at(just_received) == now - MINUTE
    assert sent_at(just_sent) == now + 60 * MINUTE
    assert queued(tmp_path) == 2


def test_a_house_that_cannot_be_opened_keeps_no_other_club_waiting(
    tmp_path: Path, records: Records, run: Callable[[list[str]], None], until: Until
) -> None:
    Clubs(open_control(Settings(data=tmp_path))).add("broken", "Broken", dt.datetime.now(dt.UTC))
    house = Settings(data=tmp_path).of("broken").home
    house.mkdir(parents=True)
    (house / "records.db").write_bytes(b"no database" * 1_000)
    receive(records, "a", MINUTE)
    run(broker.server_command(tmp_path))
    run([sys.executable, "-m", "workers.sweeper"])
    until(lambda: queued(tmp_path) == 1)


def test_what_is_finished_is_left_alone(
    tmp_path: Path, records: Records, run: Callable[[list[str]], None], until: Until
) -> None:
    now = dt.datetime.now(dt.UTC)
    finished = receive(records, "a", MINUTE)
    held = records.begin(finished, now - MINUTE)
    records.finish(held, now - MINUTE)  # type: ignore[arg-type]  # nobody else holds it
    unfinished = receive(records, "b", MINUTE)
    run(broker.server_command(tmp_path))
    run([sys.executable, "-m", "workers.sweeper"])
    until(lambda: queued(tmp_path) == 1)
    client = redis.Redis(unix_socket_path=str(broker.socket_path(tmp_path)))
    [message] = client.lrange("celery", 0, -1)
    client.close()
    assert unfinished.encode() in message
    assert finished.encode() not in message


def test_a_house_of_many_small_segments_has_them_joined(
    tmp_path: Path, records: Records, run: Callable[[list[str]], None], until: Until
) -> None:
    del records  # whose club there is now
    with Store(Settings(data=tmp_path, chunk_hands=1)) as single:
        processed(single, ndjson(some_hands(MANY)))
    run(broker.server_command(tmp_path))
    run([sys.executable, "-m", "workers.sweeper"])
    until(lambda: queued(tmp_path) == 1)
    client = redis.Redis(unix_socket_path=str(broker.socket_path(tmp_path)))
    [message] = client.lrange("celery", 0, -1)
    client.close()
    assert COMPACT.encode() in message
    with Store(Settings(data=tmp_path)) as store:
        assert store.compaction.due()
        assert join_some(store, 10.0, lambda: False) == "done"
        assert not store.compaction.due()
