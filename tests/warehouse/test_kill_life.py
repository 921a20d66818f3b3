"""Deletions and renewals are killed with SIGKILL anywhere; nothing is lost or doubled."""

import datetime as dt
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from tests.warehouse.rollup_sums import by_scan, reader_of, rolled_up
from tests.warehouse.uploads import NOON, all_hands, ndjson, processed, renewed, some_hands
from warehouse.examining import Examiner
from warehouse.queries import Warehouse
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.tables import pack_segments, segments

_ROOT = Path(__file__).parents[2]

_BEGIN = """
import datetime, pathlib, sys
import warehouse.records, warehouse.renewals
from warehouse.compaction import Compaction
from warehouse.renewing import renew_upload
from warehouse.settings import Settings
from warehouse.store import Store
warehouse.renewals.LEASE = datetime.timedelta(0)  # a killed run lets go at once,
warehouse.renewals.MAX_ATTEMPTS = 1_000  # and its death is not the upload's fault
store = Store(Settings(data=pathlib.Path(sys.argv[1]), chunk_hands=10))
now = datetime.datetime.now(datetime.UTC)
print("ready", flush=True)
"""
_DELETE = """
store.deletions.delete(sys.argv[2], None, now)
store.deletions.sweep()
"""
_RENEW = """
while any([renew_upload(store, upload) for upload in store.renewals.unsent()]):
    pass
"""
_JOIN = """
compaction = Compaction(store.database, store.segments, 20, 1 << 24)
while True:
    while compaction.join(now, many=2) is not None:
        pass
    compaction.take_out(range(1, 100), now)
"""


def _killed(settings: Settings, script: str, *arguments: str, seconds: float) -> None:
    command = [sys.executable, "-c", _BEGIN + script, str(settings.data), *arguments]
    process = subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(seconds)
    process.kill()
    process.communicate()


def _files(settings: Settings, part: str) -> set[str]:
    folder = settings.home / part
    return {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}


def test_a_deletion_is_made_or_not_made(
    settings: Settings, store: Store, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warehouse.renewals.LEASE", dt.timedelta(0))
    hands = some_hands(120)
    first, second = ndjson(hands[:80]), ndjson(hands[40:])
    kept = processed(store, second)
    renewed(store)
    rng = random.Random(3)  # noqa: S311 -- moments of death
    for _ in range(2):
        upload = processed(store, first)
        _killed(settings, _DELETE + _RENEW, upload, seconds=rng.uniform(0.0, 0.2))
        seen = sorted(one.hand for one in all_hands(warehouse))
        assert len(seen) == len(set(seen))
        assert {hand.id.hand for hand in hands[80:]} <= set(seen)
        if store.records.upload(upload) is not None:
            assert len(seen) == 120
            store.deletions.delete(upload, None, NOON)
        renewed(store)
        store.deletions.sweep()
        assert sorted(one.hand for one in all_hands(warehouse)) == sorted(
            hand.id.hand for hand in hands[40:]
        )
        assert {Path(path).name for path in _files(settings, "blobs")} == {kept}
        with store.database.read() as connection:
            listed = set(connection.scalars(select(segments.c.path)))
        # What a killed renewal had put in place without publishing it, nobody names.
        assert listed <= _files(settings, "segments")


def test_a_renewal_goes_on_where_it_was_killed(
    settings: Settings, store: Store, warehouse: Warehouse
) -> None:
    hands = some_hands(150)
    with Store(settings, Examiner("0.9.0")) as old:
        upload = processed(old, ndjson(hands))
    made, _ = store.reaudits.ask(None, {}, None, NOON)
    rng = random.Random(4)  # noqa: S311 -- moments of death
    for _ in range(2):
        _killed(settings, _RENEW, seconds=rng.uniform(0.0, 0.3))
        assert sorted(one.hand for one in all_hands(warehouse)) == sorted(
            hand.id.hand for hand in hands
        )
    command = [sys.executable, "-c", _BEGIN + _RENEW, str(settings.data)]
    subprocess.run(command, cwd=_ROOT, check=True, capture_output=True)
    done = store.reaudits.reaudit(made.id)
    assert done is not None
    assert (done.status, done.hands_done, done.changed) == ("done", 150, 0)
    found = all_hands(warehouse)
    assert {one.engine for one in found} == {"1.0.0"}
    assert len(found) == 150
    counts = store.records.upload(upload)
    assert counts is not None
    assert (counts.hands, counts.legal, counts.duplicates) == (150, 150, 0)


@pytest.mark.parametrize("rounds", [2, pytest.param(40, marks=pytest.mark.proof)])
def test_who_joins_segments_is_killed_and_leaves_them_whole(
    settings: Settings,
    store: Store,
    warehouse: Warehouse,
    rounds: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("warehouse.deletion.GRACE", dt.timedelta(0))
    with Store(replace(settings, chunk_hands=1)) as single:
        processed(single, ndjson(some_hands(30)))
    before = all_hands(warehouse)
    expected = by_scan(store, settings)
    rng = random.Random(5)  # noqa: S311 -- moments of death
    for _ in range(rounds):
        _killed(settings, _JOIN, seconds=rng.uniform(0.1, 0.8))
        assert all_hands(warehouse) == before
        assert rolled_up(reader_of(store, settings)) == by_scan(store, settings) == expected
        store.deletions.sweep()
        with store.database.read() as connection:
            listed = {
                path
                for table in (segments, pack_segments)
                for path in connection.scalars(select(table.c.path))
            }
        left = {path for path in _files(settings, "segments") if not path.startswith("staged")}
        assert left == listed  # not one that nobody names
