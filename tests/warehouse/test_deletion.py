import datetime as dt
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from sqlalchemy import delete, func, select

from schemas.errors import UnreadableHand
from schemas.session_decode import decode_session
from tests.warehouse.forms import BOTH_FORMS, kept
from tests.warehouse.sessions.material import COUPE, encoded, lines, tournament, with_hand_ids
from tests.warehouse.uploads import (
    NOON,
    all_hands,
    contradicted,
    ndjson,
    processed,
    received,
    renewed,
    some_hands,
)
from warehouse.exclusion import alone
from warehouse.intake import process_upload
from warehouse.publishing import Draft
from warehouse.queries import Warehouse
from warehouse.records import Arrived, Run
from warehouse.sessions.declarations import session_key
from warehouse.sessions.marks import begin_session
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.tables import metadata, sessions

pytestmark = BOTH_FORMS

SECOND = dt.timedelta(seconds=1)
_BLOCKED = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted"
    " AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
)
_WAITING = (
    "SELECT count(*) FROM pg_locks waiting JOIN pg_locks held"
    " USING (classid, objid, objsubid) WHERE NOT waiting.granted"
    " AND waiting.locktype = 'advisory' AND held.pid = pg_backend_pid()"
)
T = TypeVar("T")


def _names(warehouse: Warehouse) -> list[str]:
    return sorted(hand.hand for hand in all_hands(warehouse))


def _files(settings: Settings) -> list[str]:
    return [*kept(settings, "blobs"), *kept(settings, "segments")]


def _rows(store: Store) -> dict[str, int]:
    """How many rows there are in every table that has any."""
    with store.database.read() as connection:
        counted = {
            name: connection.scalar(select(func.count()).select_from(table)) or 0
            for name, table in metadata.tables.items()
        }
    del counted["sessions"]  # one that is known stays so
    return {name: count for name, count in counted.items() if count}


def test_of_a_deleted_upload_only_a_note_is_left(
    store: Store, settings: Settings, warehouse: Warehouse
) -> None:
    hand = some_hands(1)[0]
    content = ndjson([*some_hands(25), contradicted(hand)]) + b"{broken\n"
    upload = processed(store, content)
    [conflict] = store.rulings.conflicts(10)
    store.rulings.rule(conflict.hand_id, None, "anna", NOON)
    files = len(_files(settings))
    deleted = store.deletions.delete(upload, "anna", NOON + SECOND)
    assert deleted is not None
    assert deleted.renewed == []
    left = deleted.deletion
    assert (left.upload, left.name, left.size, left.hands) == (upload, None, len(content), 27)
    assert (left.received_at, left.deleted_at, left.deleted_by) == (NOON, NOON + SECOND, "anna")
    assert store.deletions.deletion(upload) == left
    assert store.deletions.deletions(10) == [left]
    assert all_hands(warehouse) == []
    assert warehouse.players() == []
    assert _rows(store) == {"deletions": 1, "discards": 2}
    assert store.deletions.sweep() == files
    assert _rows(store) == {"deletions": 1}
    assert _files(settings) == []
    assert store.deletions.sweep() == 0


def test_what_is_not_there_cannot_be_deleted_nor_can_it_be_twice(store: Store) -> None:
    assert store.deletions.delete("0" * 64, None, NOON) is None
    upload = processed(store, ndjson(some_hands(3)))
    assert store.deletions.delete(upload, None, NOON) is not None
    assert store.deletions.delete(upload, None, NOON) is None
    assert store.deletions.deletion("0" * 64) is None


def test_a_deleted_upload_may_come_again(
    store: Store, settings: Settings, warehouse: Warehouse
) -> None:
    content = ndjson(some_hands(12))
    upload = processed(store, content)
    before = all_hands(warehouse)
    files = len(_files(settings))
    store.deletions.delete(upload, None, NOON)
    assert processed(store, content) == upload  # before the files of the first time are deleted
    store.deletions.sweep()
    assert all_hands(warehouse) == before
    assert len(_files(settings)) == files


def test_a_hand_that_another_upload_holds_comes_back_from_there(
    store: Store, warehouse: Warehouse
) -> None:
    hands = some_hands(40)
    first = processed(store, ndjson(hands[:20]))
    second = processed(store, ndjson(hands[10:]))
    third = processed(store, ndjson([*hands[15:18], *some_hands(5, seed=9)]))
    everything = _names(warehouse)
    deleted = store.deletions.delete(first, None, NOON)
    assert deleted is not None
    assert sorted(deleted.renewed) == sorted([second, third])
    # What was theirs alone never left.
    assert {hand.id.hand for hand in hands[20:]} <= set(_names(warehouse))
    renewed(store)
    assert _names(warehouse) == sorted({*everything} - {hand.id.hand for hand in hands[:10]})
    counts = [store.records.upload(one) for one in (second, third)]
    assert sorted((one.legal, one.duplicates) for one in counts if one) == [(5, 3), (30, 0)]
    assert sum(one.hands for one in warehouse.players()) == sum(
        len(hand.seats) for hand in (*hands[10:], *some_hands(5, seed=9))
    )


def test_a_hand_in_conflict_takes_the_place_of_a_deleted_first(
    store: Store, warehouse: Warehouse
) -> None:
    hands = some_hands(3)
    first = processed(store, ndjson(hands))
    second = processed(store, ndjson([contradicted(hand) for hand in hands]))
    content = ndjson([contradicted(contradicted(hand)) for hand in hands[:1]])
    third = processed(store, content, NOON + SECOND)
    store.deletions.delete(first, None, NOON)
    standing = {(one.upload, one.standing) for one in all_hands(warehouse)}
    assert standing == {(second, "first"), (third, "conflict")}
    counted = {player.player: player.hands for player in warehouse.players()}
    assert sum(counted.values()) == sum(len(hand.seats) for hand in hands)
    assert all(name.endswith("?") for name in counted)
    stands = [store.records.upload(one) for one in (second, third)]
    assert sum(one.conflicts for one in stands if one) == 1
    [left] = store.rulings.conflicts(10)
    assert len(left.contestants) == 2


def test_whoever_works_on_a_deleted_upload_has_lost_it(store: Store, warehouse: Warehouse) -> None:
    upload = received(store, ndjson(some_hands(3)))
    run = store.records.begin(upload, NOON)
    assert isinstance(run, Run)
    store.deletions.delete(upload, None, NOON)
    assert not store.publisher.publish(run, Draft(1, 1, [], [], 1), NOON)
    assert store.records.fail_attempt(upload, "internal-error", "", NOON) is None
    store.records.finish(run, NOON)
    assert process_upload(store, upload) == "unknown"
    assert store.records.upload(upload) is None
    assert all_hands(warehouse) == []


def test_bytes_that_came_again_are_kept(store: Store) -> None:
    content = ndjson(some_hands(3))
    upload = processed(store, content)
    store.deletions.delete(upload, None, NOON)
    again = received(store, content)
    store.deletions.sweep()
    with store.blobs.open(again) as stored:
        assert stored.read() == content


def test_bytes_that_are_deleted_while_they_come_are_refused(store: Store) -> None:
    content = ndjson(some_hands(3))
    upload = processed(store, content)
    with store.blobs.gathering() as gathering:
        arrived = [Arrived(gathering.gather([content]), None)]
        gathering.keep()
    store.deletions.delete(upload, None, NOON)
    store.deletions.sweep()
    assert store.arrivals.record(arrived, None, NOON) == "vanished"
    assert store.records.upload(upload) is None
    with store.blobs.gathering() as gathering:
        arrived = [Arrived(gathering.gather([content]), None)]
        gathering.keep()
    recorded = store.arrivals.record(arrived, None, NOON)
    assert isinstance(recorded, list)
    assert [one.id for one in recorded] == [upload]
    assert process_upload(store, upload) == "done"


def test_a_declaration_waits_for_a_deletion_before_it_holds_its_session(store: Store) -> None:
    """A deletion changes sessions, too: neither may wait for what the other one holds."""
    upload = processed(store, encoded(with_hand_ids(tournament())))
    read = decode_session(encoded(with_hand_ids(tournament())))
    assert not isinstance(read, UnreadableHand)
    with ThreadPoolExecutor(1) as pool:
        with store.database.write() as connection:
            alone(connection)
            declaring = pool.submit(store.sessions.declare, read, upload, NOON)
            while connection.dialect.name == "postgresql" and not declaring.done():
                if connection.exec_driver_sql(_WAITING).scalar():
                    break
            assert not declaring.done()
        assert not declaring.result().is_new


def test_a_session_that_is_forgotten_while_hands_of_it_are_published_is_begun_again(
    store: Store,
) -> None:
    [hand] = lines(tournament()["hands"][:1]).splitlines()
    named = session_key(COUPE)
    with store.database.write() as connection:
        begin_session(connection, COUPE, "tournament", NOON)
    with ThreadPoolExecutor(1) as pool:
        with store.database.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.key == named))
            publishing = pool.submit(processed, store, hand)
            while connection.dialect.name == "postgresql" and not publishing.done():
                if connection.exec_driver_sql(_BLOCKED).scalar():
                    break
        publishing.result()
    assert store.sessions.session(named) is not None


def test_two_who_delete_an_upload_delete_it_once(store: Store) -> None:
    upload = processed(store, ndjson(some_hands(10)))
    made = _at_once(*([lambda: store.deletions.delete(upload, None, NOON)] * 4))
    assert sum(one is not None for one in made) == 1
    assert len(store.deletions.deletions(10)) == 1


@pytest.mark.parametrize("seed", range(2))
def test_a_deletion_beside_audits_and_questions_loses_no_hand(
    store: Store, warehouse: Warehouse, seed: int
) -> None:
    hands = some_hands(60, seed=seed + 20)
    first = processed(store, ndjson(hands[:40]))
    second = received(store, ndjson(hands[20:]))
    third = received(store, ndjson(reversed(hands[30:])))

    def ask() -> int:
        return sum(len(all_hands(warehouse)) + len(warehouse.players()) for _ in range(8))

    def delete() -> None:
        store.deletions.delete(first, None, NOON)
        store.deletions.sweep()

    _at_once(
        lambda: process_upload(store, second), lambda: process_upload(store, third), delete, ask
    )
    renewed(store)
    assert _names(warehouse) == sorted(hand.id.hand for hand in hands[20:])
    stands = [store.records.upload(one) for one in (second, third)]
    assert sum(one.duplicates for one in stands if one) == 30


def _at_once(*work: Callable[[], T]) -> list[T]:
    """Does all of it at the same time; what it raises passes through."""
    barrier = threading.Barrier(len(work))

    def begin(one: Callable[[], T]) -> T:
        barrier.wait()
        return one()

    with ThreadPoolExecutor(len(work)) as pool:
        return [one.result() for one in [pool.submit(begin, one) for one in work]]
