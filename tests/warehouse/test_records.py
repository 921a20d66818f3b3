import datetime as dt

from tests.warehouse.forms import ALWAYS_BOTH
from tests.warehouse.uploads import NOON, received
from warehouse.blobs import StoredBlob
from warehouse.records import LEASE, MAX_ATTEMPTS, NoRun, Run, Upload
from warehouse.store import Store

pytestmark = ALWAYS_BOTH
SECOND = dt.timedelta(seconds=1)


def _begun(store: Store, upload: str, now: dt.datetime) -> Run:
    run = store.records.begin(upload, now)
    assert isinstance(run, Run)
    return run


def _stands(store: Store, upload: str) -> Upload:
    found = store.records.upload(upload)
    assert found is not None
    return found


def test_the_same_bytes_are_the_same_upload(store: Store) -> None:
    blob = StoredBlob("a" * 64, 12)
    first = store.records.receive(blob, "night.ndjson", NOON)
    again = store.records.receive(blob, "other.ndjson", NOON + SECOND)
    assert again == first
    assert first.name == "night.ndjson"
    assert first.status == "received"
    assert first.received_at == NOON


def test_there_is_nothing_to_do_for_an_unknown_upload(store: Store) -> None:
    assert store.records.upload("b" * 64) is None
    assert store.records.begin("b" * 64, NOON) == NoRun("unknown")


def test_the_newest_uploads_come_first_and_page_by_page(store: Store) -> None:
    for number in range(5):
        # Two of them at each moment, so that the id has to part them.
        moment = NOON + SECOND * (number // 2)
        store.records.receive(StoredBlob(str(number) * 64, 1), None, moment)
    seen: list[str] = []
    last = None
    while page := store.records.recent_uploads(2, last):
        seen += [upload.id[0] for upload in page]
        last = page[-1]
    assert seen == ["4", "3", "2", "1", "0"]


def test_one_run_at_a_time_holds_an_upload(store: Store) -> None:
    upload = received(store, b"{}")
    _begun(store, upload, NOON)
    assert store.records.begin(upload, NOON + LEASE - SECOND) == NoRun("busy")


def test_a_silent_run_loses_its_hold_and_changes_nothing_any_more(store: Store) -> None:
    upload = received(store, b"{}")
    lost = _begun(store, upload, NOON)
    taken = _begun(store, upload, NOON + LEASE)
    store.records.finish(lost, NOON + LEASE + SECOND)
    store.records.fail(lost, "bytes-missing", "", NOON + LEASE + SECOND)
    assert _stands(store, upload).status == "processing"
    store.records.finish(taken, NOON + LEASE + SECOND)
    assert _stands(store, upload).status == "done"
    assert store.records.begin(upload, NOON + LEASE * 9) == NoRun("finished")


def test_a_resting_upload_is_free_at_once_and_has_used_no_attempt(store: Store) -> None:
    upload = received(store, b"{}")
    store.records.rest(_begun(store, upload, NOON), NOON)
    assert _stands(store, upload).attempts == 0
    assert _begun(store, upload, NOON).upload.attempts == 1


def test_an_upload_that_kills_its_workers_is_quarantined(store: Store) -> None:
    upload = received(store, b"{}")
    for attempt in range(MAX_ATTEMPTS):
        _begun(store, upload, NOON + LEASE * attempt)
    assert store.records.begin(upload, NOON + LEASE * MAX_ATTEMPTS) == NoRun("finished")
    stands = _stands(store, upload)
    assert stands.status == "quarantined"
    assert stands.failure_code == "worker-lost"
    assert stands.finished_at == NOON + LEASE * MAX_ATTEMPTS


def test_an_upload_that_fails_every_attempt_is_quarantined_with_the_last_reason(
    store: Store,
) -> None:
    upload = received(store, b"{}")
    for attempt in range(MAX_ATTEMPTS):
        assert _stands(store, upload).status != "quarantined"
        _begun(store, upload, NOON)
        store.records.fail_attempt(upload, "internal-error", f"number {attempt}", NOON)
    stands = _stands(store, upload)
    assert stands.status == "quarantined"
    assert (stands.failure_code, stands.failure_detail) == ("internal-error", "number 4")


def test_a_finished_upload_fails_no_more(store: Store) -> None:
    upload = received(store, b"{}")
    store.records.finish(_begun(store, upload, NOON), NOON)
    after = store.records.fail_attempt(upload, "internal-error", "", NOON)
    assert after is not None
    assert (after.status, after.failure_code) == ("done", None)


def test_only_what_is_quiet_and_unfinished_is_sent_again(store: Store) -> None:
    upload = received(store, b"{}")
    assert store.records.unfinished(NOON) == []
    assert store.records.unfinished(NOON + SECOND) == [upload]
    store.records.mark_sent(upload, NOON + SECOND)
    assert store.records.unfinished(NOON + SECOND) == []
    run = _begun(store, upload, NOON + 2 * SECOND)
    assert store.records.unfinished(NOON + 2 * SECOND) == []
    assert store.records.unfinished(NOON + 3 * SECOND) == [upload]
    store.records.finish(run, NOON)
    assert store.records.unfinished(NOON + 3 * SECOND) == []
