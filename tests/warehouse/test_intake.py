import gzip
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.warehouse.uploads import (
    all_hands,
    contradicted,
    ndjson,
    processed,
    received,
    some_hands,
)
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.records import Upload
from warehouse.settings import Settings
from warehouse.store import Store


def _stands(store: Store, upload: str) -> Upload:
    found = store.records.upload(upload)
    assert found is not None
    return found


def test_every_hand_of_an_upload_can_be_found_as_it_came(
    store: Store, warehouse: Warehouse
) -> None:
    hands = some_hands(25)
    content = ndjson(hands)
    upload = processed(store, content)
    stands = _stands(store, upload)
    assert (stands.status, stands.hands, stands.legal) == ("done", 25, 25)
    assert stands.bytes_read == stands.size == len(content)
    found = all_hands(warehouse)
    assert sorted(one.ordinal for one in found) == list(range(1, 26))
    for one in found:
        stored = warehouse.find_hand(one.hand_id)
        assert stored is not None
        assert stored.summary == one
        assert stored.document == content.split(b"\n")[one.line - 1]


@pytest.mark.parametrize("form", ["ndjson", "array", "envelope", "gzip"])
def test_the_form_of_an_upload_makes_no_difference(
    store: Store, warehouse: Warehouse, form: str
) -> None:
    hands = some_hands(12)
    plain = ndjson(hands)
    listed = b"[" + b",".join(plain.split()) + b"]"
    contents = {
        "ndjson": plain,
        "array": listed,
        "envelope": b'{"format":"retourne/1.0","hands":' + listed + b"}",
        "gzip": gzip.compress(plain),
    }
    processed(store, contents[form])
    assert {one.hand for one in all_hands(warehouse)} == {hand.id.hand for hand in hands}


def test_one_bad_hand_is_reported_and_costs_no_other(store: Store, warehouse: Warehouse) -> None:
    good = some_hands(2)
    lines = ndjson(good).split(b"\n")
    bad = msgspec.json.decode(lines[0])
    bad["seats"][1]["stack"] = "many"
    content = b"\n".join([lines[0], b"{broken", msgspec.json.encode(bad), lines[1]])
    upload = processed(store, content)
    stands = _stands(store, upload)
    assert (stands.hands, stands.legal, stands.unreadable) == (4, 2, 2)
    assert len(all_hands(warehouse)) == 2
    broken, wrong = store.records.problems(upload, 10)
    assert (broken.ordinal, broken.line, broken.code) == (2, 2, "not-json")
    assert broken.offset == len(lines[0]) + 1
    assert (wrong.line, wrong.code, wrong.pointer) == (3, "wrong-type", "/seats/1/stack")
    assert wrong.offset == len(lines[0]) + 1 + len(b"{broken") + 1
    assert wrong.expected
    assert "many" in wrong.seen


def test_an_upload_without_a_hand_says_so(store: Store) -> None:
    upload = processed(store, b"")
    assert _stands(store, upload).unreadable == 1
    assert [problem.code for problem in store.records.problems(upload, 10)] == ["empty"]


def test_a_second_run_finds_nothing_to_do(store: Store, warehouse: Warehouse) -> None:
    upload = processed(store, ndjson(some_hands(12)))
    before = (_stands(store, upload), all_hands(warehouse))
    assert process_upload(store, upload) == "finished"
    assert (_stands(store, upload), all_hands(warehouse)) == before
    assert process_upload(store, "0" * 64) == "unknown"


def test_a_run_rests_when_its_time_is_over_and_the_next_goes_on(
    store: Store, warehouse: Warehouse
) -> None:
    upload = received(store, ndjson(some_hands(25)))
    for so_far in (10, 20):
        assert process_upload(store, upload, seconds=0) == "resting"
        stands = _stands(store, upload)
        assert (stands.status, stands.hands, stands.attempts) == ("processing", so_far, 0)
        assert 0 < stands.bytes_read <= stands.size
    assert process_upload(store, upload, seconds=0) == "done"
    assert len(all_hands(warehouse)) == _stands(store, upload).hands == 25


def test_another_size_of_chunks_goes_on_where_the_first_ended(
    store: Store, settings: Settings, warehouse: Warehouse
) -> None:
    upload = received(store, ndjson(some_hands(25)))
    assert process_upload(store, upload, seconds=0) == "resting"
    with Store(replace(settings, chunk_hands=4)) as smaller:
        assert process_upload(smaller, upload, seconds=0) == "resting"
    assert _stands(store, upload).hands == 14
    assert process_upload(store, upload) == "done"
    assert sorted(one.ordinal for one in all_hands(warehouse)) == list(range(1, 26))


def test_a_chunk_ends_at_its_bytes_too(store: Store, settings: Settings) -> None:
    content = ndjson(some_hands(10))
    upload = received(store, content)
    with Store(replace(settings, chunk_bytes=len(content) // 5)) as small:
        assert process_upload(small, upload, seconds=0) == "resting"
    assert 0 < _stands(store, upload).hands < 5


def test_the_limit_that_an_upload_exceeds_is_its_failure(
    store: Store, settings: Settings, warehouse: Warehouse
) -> None:
    hands = some_hands(15)
    upload = received(store, gzip.compress(ndjson(hands) + b" " * 50_000_000))
    with Store(replace(settings, max_expanded_bytes=1_000_000)) as limited:
        assert process_upload(limited, upload) == "failed"
    stands = _stands(store, upload)
    assert stands.status == "failed"
    assert stands.failure_code in {"max_expanded_bytes", "max_ratio"}
    assert stands.finished_at is not None
    assert len(all_hands(warehouse)) == stands.hands
    assert process_upload(store, upload) == "finished"


def test_lost_bytes_are_a_failure(store: Store, settings: Settings) -> None:
    upload = received(store, b"{}")
    [blob] = [path for path in (settings.home / "blobs").rglob("*") if path.is_file()]
    Path(blob).unlink()
    assert process_upload(store, upload) == "failed"
    assert _stands(store, upload).failure_code == "bytes-missing"


def test_findings_and_hints_are_codes_of_the_hand(store: Store, warehouse: Warehouse) -> None:
    document = msgspec.json.decode(ndjson(some_hands(1)))
    document["declared"]["carried"] += 1
    document["seats"][0]["playr"] = "x"
    upload = processed(store, msgspec.json.encode(document))
    [hand] = all_hands(warehouse)
    assert hand.verdict == "illegal"
    assert hand.codes == ["declared-carried", "unknown-key"]
    assert _stands(store, upload).illegal == 1


def test_a_conflict_between_uploads_counts_once(store: Store, warehouse: Warehouse) -> None:
    hands = some_hands(20)
    processed(store, ndjson(hands))
    told_otherwise = [*hands[:10], *(contradicted(hand) for hand in hands[10:])]
    second = processed(store, ndjson(told_otherwise))
    stands = _stands(store, second)
    assert (stands.hands, stands.duplicates, stands.conflicts, stands.legal) == (20, 10, 10, 10)
    assert len(store.records.conflicts(second, 100)) == 10
    seats = sum(len(hand.seats) for hand in hands)
    assert sum(player.hands for player in warehouse.players()) == seats
