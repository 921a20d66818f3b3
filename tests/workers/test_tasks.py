import datetime as dt
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from celery import Celery

from schemas.document import Hand
from schemas.generate import generate_hands
from tests.conftest import Until
from warehouse.records import MAX_ATTEMPTS, Run, Upload
from warehouse.settings import Settings
from warehouse.store import Store
from workers import broker
from workers.names import AUDIT_UPLOAD
from workers.tether import tied

_ROOT = Path(__file__).parents[2]
_LINE = msgspec.json.encode(next(generate_hands(1, seed=3)))

_WORKER = """
import workers.tasks
options = ["--concurrency", "1", "--without-gossip", "--without-mingle"]
workers.tasks.app.worker_main(["--quiet", "worker", *options])
"""

Work = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(Settings(data=tmp_path)) as opened:
        yield opened


@pytest.fixture
def work(tmp_path: Path, until: Until) -> Iterator[Work]:
    """Starts a broker and a worker with one process, its environment as given."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(program: str = _WORKER, **variables: str) -> subprocess.Popen[bytes]:
        processes.append(subprocess.Popen(tied(broker.server_command(tmp_path))))
        until(lambda: broker.answers(tmp_path))
        command = [sys.executable, "-c", program]
        environment = _environment(tmp_path, **variables)
        processes.append(subprocess.Popen(tied(command), cwd=_ROOT, env=environment))
        return processes[-1]

    yield start
    for process in reversed(processes):
        process.kill()
        process.wait()


def _environment(data: Path, **variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RETOURNE_")}
    return {**kept, "RETOURNE_DATA": str(data), **variables}


def _upload(store: Store, hands: int) -> str:
    hand = msgspec.json.decode(_LINE, type=Hand)
    named = f'"{hand.id.hand}"'.encode()
    lines = (_LINE.replace(named, b'"%d"' % number) + b"\n" for number in range(hands))
    blob = store.blobs.store(lines)
    return store.records.receive(blob, None, dt.datetime.now(dt.UTC)).id


def _send(data: Path, upload: str, seconds: int | None = None) -> None:
    with Celery(broker=broker.broker_url(data)) as client:
        client.send_task(AUDIT_UPLOAD, args=["local", upload], soft_time_limit=seconds)


def _stands(store: Store, upload: str) -> Upload:
    found = store.records.upload(upload)
    assert found is not None
    return found


def test_a_task_is_sent_by_name_without_what_it_runs() -> None:
    heavy = "{'engine', 'schemas', 'warehouse', 'polars', 'celery'} & set(sys.modules)"
    script = f"import sys, workers.names; print({heavy})"
    said = subprocess.run(
        [sys.executable, "-c", script], cwd=_ROOT, capture_output=True, check=True
    )
    assert said.stdout == b"set()\n"


def test_an_upload_sent_is_an_upload_done(
    tmp_path: Path, store: Store, work: Work, until: Until
) -> None:
    upload = _upload(store, 50)
    work()
    _send(tmp_path, upload)
    until(lambda: _stands(store, upload).status == "done")
    assert _stands(store, upload).hands == 50


def test_a_long_upload_is_handed_from_task_to_task(
    tmp_path: Path, store: Store, work: Work, until: Until
) -> None:
    upload = _upload(store, 500)
    hurried = _WORKER.replace("options", "workers.tasks.RUN_SECONDS = 0.0\noptions", 1)
    work(hurried, RETOURNE_CHUNK_HANDS="50")  # no task publishes more than one chunk
    _send(tmp_path, upload)
    until(lambda: _stands(store, upload).status == "done")
    stands = _stands(store, upload)
    assert (stands.hands, stands.legal, stands.duplicates) == (500, 500, 0)


def test_the_death_of_the_process_costs_no_hand(
    tmp_path: Path, store: Store, work: Work, until: Until
) -> None:
    upload = _upload(store, 2_000)
    worker = work(RETOURNE_CHUNK_HANDS="50")
    _send(tmp_path, upload)
    until(lambda: _stands(store, upload).hands >= 100)
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    assert _stands(store, upload).status == "processing"
    # Redelivered at once, it finds the dead run's lease; the sweeper sends it when that is over.
    until(lambda: store.records.unfinished(dt.datetime.now(dt.UTC) - dt.timedelta(seconds=15)))
    _send(tmp_path, upload)
    until(lambda: _stands(store, upload).status == "done")
    stands = _stands(store, upload)
    assert (stands.hands, stands.legal, stands.duplicates) == (2_000, 2_000, 0)


def test_a_worker_that_is_to_stop_ends_its_chunk_and_leaves_the_rest_to_another(
    tmp_path: Path, store: Store, work: Work, until: Until
) -> None:
    upload = _upload(store, 2_000)
    worker = work(RETOURNE_CHUNK_HANDS="50")
    _send(tmp_path, upload)
    until(lambda: _stands(store, upload).hands >= 100)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait() == 0
    rested = _stands(store, upload)
    assert (rested.status, rested.attempts) == ("processing", 0)
    assert rested.hands < 2_000
    work()  # without another wake-up than the one that the first worker left
    until(lambda: _stands(store, upload).status == "done")
    stands = _stands(store, upload)
    assert (stands.hands, stands.legal, stands.duplicates) == (2_000, 2_000, 0)


def test_a_failed_attempt_is_recorded_and_made_again(
    tmp_path: Path, store: Store, work: Work, until: Until
) -> None:
    upload = _upload(store, 50)
    blob = next(path for path in (store.settings.home / "blobs").rglob(upload) if path.is_file())
    hidden = blob.rename(tmp_path / "hidden")
    blob.mkdir()
    work()
    _send(tmp_path, upload)
    until(lambda: _stands(store, upload).failure_code)
    failed = _stands(store, upload)
    assert (failed.failure_code, failed.status) == ("internal-error", "processing")
    assert failed.failure_detail is not None
    assert failed.failure_detail.startswith("IsADirectoryError")
    blob.rmdir()
    hidden.rename(blob)
    until(lambda: _stands(store, upload).status == "done")
    done = _stands(store, upload)
    assert (done.hands, done.failure_code, done.failure_detail) == (50, None, None)


def test_the_last_attempt_ends_in_quarantine(
    tmp_path: Path, store: Store, work: Work, until: Until
) -> None:
    upload = _upload(store, 50)
    for _ in range(MAX_ATTEMPTS - 1):
        assert isinstance(store.records.begin(upload, dt.datetime.now(dt.UTC)), Run)
        store.records.fail_attempt(upload, "out-of-memory", "", dt.datetime.now(dt.UTC))
    blob = next(path for path in (store.settings.home / "blobs").rglob(upload) if path.is_file())
    blob.unlink()
    blob.mkdir()
    work()
    _send(tmp_path, upload)
    until(lambda: _stands(store, upload).status == "quarantined")
    stands = _stands(store, upload)
    assert (stands.attempts, stands.failure_code) == (MAX_ATTEMPTS, "internal-error")


def test_a_chunk_that_meets_the_time_limit_is_recorded_as_too_slow(
    tmp_path: Path, store: Store, work: Work, until: Until
) -> None:
    upload = _upload(store, 20_000)
    work(RETOURNE_CHUNK_HANDS="1000000")
    _send(tmp_path, upload, seconds=1)
    until(lambda: _stands(store, upload).failure_code)
    stands = _stands(store, upload)
    assert (stands.failure_code, stands.hands) == ("too-slow", 0)


_SHORT_OF_MEMORY = """
import pathlib, resource, sys
from workers.logs import configure_logs
from workers.tasks import audit_upload
configure_logs("worker")
used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 20 * 2**20,) * 2)
audit_upload("local", sys.argv[1])
"""


def _audited_short_of_memory(store: Store, begin: str = "") -> tuple[Upload, str]:
    """The upload after one attempt at it, and what was logged."""
    upload = _upload(store, 20_000)
    environment = _environment(store.settings.data, RETOURNE_CHUNK_HANDS="1000000")
    command = [sys.executable, "-c", begin + _SHORT_OF_MEMORY, upload]
    done = subprocess.run(
        command, cwd=_ROOT, env=environment, check=True, stderr=subprocess.PIPE, text=True
    )
    return _stands(store, upload), done.stderr


def test_a_lack_of_memory_is_recorded_and_survived(store: Store) -> None:
    stands, _ = _audited_short_of_memory(store)
    # Compiled code may put it in words of its own; what counts is that it is caught and recorded.
    assert stands.failure_code in {"out-of-memory", "internal-error"}
    assert (stands.status, stands.hands) == ("processing", 0)


_IN_OTHER_WORDS = """
import gc
from warehouse.intake import _Intake
work = _Intake.work
def otherwise(intake, *how_long):
    try:
        return work(intake, *how_long)
    except MemoryError as error:
        raise SystemError("error return without exception set") from error
_Intake.work = otherwise
import workers.attempts
log = workers.attempts._log
class Log:
    def exception(self, event):
        log.exception(event, held=any(isinstance(one, _Intake) for one in gc.get_objects()))
workers.attempts._log = Log()
"""


def test_a_lack_of_memory_in_other_words_is_logged_with_the_memory_free(store: Store) -> None:
    stands, logged = _audited_short_of_memory(store, _IN_OTHER_WORDS)
    assert stands.failure_code == "internal-error"
    assert stands.failure_detail == "SystemError: error return without exception set"
    [failed] = [line for line in map(json.loads, logged.splitlines()) if "held" in line]
    assert failed["held"] is False
    assert "in process_upload" in failed["exception"]
    assert "MemoryError" in failed["exception"]
