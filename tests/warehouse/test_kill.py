"""Workers are killed with SIGKILL anywhere; every hand is there exactly once afterwards."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.warehouse.uploads import all_hands, ndjson, received, some_hands
from warehouse.queries import Warehouse
from warehouse.settings import Settings
from warehouse.store import Store

_ROOT = Path(__file__).parents[2]

_WORKER = """
import datetime, pathlib, sys
import warehouse.records
from warehouse.intake import process_upload
from warehouse.settings import Settings
from warehouse.store import Store
warehouse.records.LEASE = datetime.timedelta(0)  # a killed run lets go at once,
warehouse.records.MAX_ATTEMPTS = 1_000  # and its death is not the upload's fault
store = Store(Settings(data=pathlib.Path(sys.argv[1]), chunk_hands=7))
print("ready", flush=True)
for upload in sys.argv[2:]:
    process_upload(store, upload)
"""


def _worker(settings: Settings, uploads: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _WORKER, str(settings.data), *uploads]
    return subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _work_until_killed(workers: list[subprocess.Popen[bytes]], seconds: float) -> None:
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"ready\n"
    time.sleep(seconds)
    for worker in workers:
        worker.kill()
        worker.communicate()


@pytest.mark.parametrize(
    "rounds", [3, pytest.param(40, marks=[pytest.mark.proof, pytest.mark.timeout(1800)])]
)
def test_every_hand_is_there_once_however_often_workers_are_killed(
    settings: Settings, store: Store, warehouse: Warehouse, rounds: int
) -> None:
    hands = some_hands(900)
    names = sorted(hand.id.hand for hand in hands)
    # The uploads share hands, so that workers claim the same identities at the same time.
    contents = [ndjson(hands[:600]), ndjson(hands[300:]), ndjson(reversed(hands))]
    uploads = [received(store, content) for content in contents]
    rng = random.Random(7)  # noqa: S311 -- moments of death
    for _ in range(rounds):
        # Two workers at one upload, the third begins with another.
        orders = [uploads, uploads, uploads[::-1]]
        _work_until_killed(
            [_worker(settings, order) for order in orders], seconds=rng.uniform(0.0, 0.5)
        )
        seen = [one.hand for one in all_hands(warehouse)]
        assert len(seen) == len(set(seen))
    last = _worker(settings, uploads)
    _, complaints = last.communicate()
    assert last.returncode == 0, complaints.decode()

    stands = [store.records.upload(upload) for upload in uploads]
    assert [one.status for one in stands if one] == ["done"] * 3
    assert [one.hands for one in stands if one] == [600, 600, 900]
    assert sum(one.legal for one in stands if one) == 900
    assert sum(one.duplicates for one in stands if one) == 1200
    assert sorted(one.hand for one in all_hands(warehouse)) == names
    assert sum(one.hands for one in warehouse.players()) == sum(len(h.seats) for h in hands)


def test_two_living_workers_share_uploads_without_a_hand_lost_or_doubled(
    settings: Settings, store: Store, warehouse: Warehouse
) -> None:
    hands = some_hands(400)
    uploads = [received(store, ndjson(hands)), received(store, ndjson(reversed(hands)))]
    workers = [_worker(settings, [upload]) for upload in uploads]
    for worker in workers:
        _, complaints = worker.communicate()
        assert worker.returncode == 0, complaints.decode()
    stands = [store.records.upload(upload) for upload in uploads]
    assert [(one.status, one.hands) for one in stands if one] == [("done", 400)] * 2
    assert sum(one.duplicates for one in stands if one) == 400
    assert sorted(one.hand for one in all_hands(warehouse)) == sorted(h.id.hand for h in hands)
