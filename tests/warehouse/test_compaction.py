"""Joined segments say what the many small ones said, and let go of what is deleted or made anew."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from tests.warehouse.forms import BOTH_FORMS, kept
from tests.warehouse.rollup_sums import by_scan, reader_of, rolled_up
from tests.warehouse.uploads import (
    NOON,
    all_hands,
    contradicted,
    ndjson,
    processed,
    renewed,
    some_hands,
)
from warehouse.compaction import MANY, Compaction, Joined
from warehouse.conditions import HandConditions
from warehouse.queries import Warehouse
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.tables import pack_segments, segments

pytestmark = BOTH_FORMS

_BROKEN = b"{broken\n"


@pytest.fixture
def compaction(store: Store) -> Compaction:
    """One for which eight hands are enough."""
    return Compaction(store.database, store.segments, 8, 1 << 24)


@pytest.fixture
def small(settings: Settings) -> list[str]:
    """Four uploads in chunks of two: six hands each, one of which contradicts the very first."""
    hands = some_hands(23)
    told = [*hands[:12], contradicted(hands[0]), *hands[12:]]
    with Store(replace(settings, chunk_hands=2)) as store:
        return [
            processed(store, _BROKEN * (first % 4) + ndjson(told[first : first + 6]))
            for first in range(0, 24, 6)
        ]


def _join_all(compaction: Compaction) -> int:
    """Join all that can be joined; return how many packs were made."""
    made = 0
    while compaction.join(dt.datetime.now(dt.UTC), many=2) is not None:
        made += 1
    return made


def _listed(store: Store) -> list[str]:
    """The segments that the records list."""
    with store.database.read() as connection:
        return [
            path
            for table in (segments, pack_segments)
            for path in connection.scalars(select(table.c.path))
        ]


def _hands(store: Store) -> int:
    """How many segments of hands there are."""
    return sum(path.startswith("hands/") for path in _listed(store))


def test_nothing_that_is_read_changes_but_the_number_of_segments(
    store: Store,
    settings: Settings,
    compaction: Compaction,
    small: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [conflict] = store.rulings.conflicts(10)
    first, other = (one.hand_id for one in conflict.contestants)
    store.rulings.rule(first, other, "anna", NOON)
    rollups = reader_of(store, settings)

    def said() -> list[object]:
        warehouse = Warehouse(settings)  # one that has not read anything before
        hands = all_hands(warehouse)
        uploads = [store.records.upload(one) for one in small]
        return [
            hands,
            [warehouse.find_hand(one.hand_id) for one in hands[::5]],
            [warehouse.history.verdicts(one.hand_id) for one in hands[::5]],
            [warehouse.search_hands(HandConditions(upload=one)) for one in small],
            [warehouse.reports.lines(one) for one in uploads if one],
            [warehouse.overview.found(one) for one in [None, *small]],
            warehouse.players(),
            rolled_up(warehouse.rollups),
        ]

    before = said()
    assert _hands(store) == 12
    assert _join_all(compaction) == 3
    assert _hands(store) == 3
    assert said() == before
    assert rolled_up(rollups) == by_scan(store, settings)
    store.rulings.rule(first, first, "anna", NOON)
    assert rolled_up(rollups) == by_scan(store, settings) != before[-1]

    files = kept(settings, "segments")
    store.deletions.sweep()
    assert kept(settings, "segments") == files  # those that were joined are still being read
    monkeypatch.setattr("warehouse.deletion.GRACE", dt.timedelta(0))
    store.deletions.sweep()
    assert sorted(kept(settings, "segments")) == sorted(_listed(store))


def test_what_is_deleted_or_made_anew_is_taken_out_of_what_it_shares(
    store: Store, settings: Settings, warehouse: Warehouse, compaction: Compaction, small: list[str]
) -> None:
    assert _join_all(compaction) == 3
    left = [one for one in all_hands(warehouse) if one.upload != small[1]]
    assert store.deletions.delete(small[1], None, NOON) is not None
    assert all_hands(warehouse) == left
    store.deletions.sweep()
    assert sorted(kept(settings, "segments")) == sorted(_listed(store))  # at once
    assert _hands(store) == 3

    again = store.reaudits.ask(small[:1], {}, None, NOON, force=True)[0]
    renewed(store)
    done = store.reaudits.reaudit(again.id)
    assert done is not None
    assert (done.status, done.hands_done, done.changed) == ("done", 6, 0)
    assert all_hands(warehouse) == left
    for one in left[::4]:
        said = [verdict.current for verdict in warehouse.history.verdicts(one.hand_id)]
        assert said == ([True, False] if one.upload == small[0] else [True])
    assert rolled_up(reader_of(store, settings)) == by_scan(store, settings)


def test_what_shares_a_lost_segment_is_made_of_its_bytes_again(
    store: Store, warehouse: Warehouse, compaction: Compaction, small: list[str]
) -> None:
    before = all_hands(warehouse)
    _join_all(compaction)
    store.segments.delete([path for path in _listed(store) if path.startswith("hands/")][:1])
    store.deletions.delete(small[-1], None, NOON)
    store.reaudits.ask(None, {}, None, NOON, force=True)
    renewed(store)
    assert all_hands(warehouse) == [one for one in before if one.upload != small[-1]]


def test_small_segments_wait_until_they_are_many(settings: Settings) -> None:
    hands = some_hands(MANY)
    with Store(replace(settings, chunk_hands=1)) as store:
        compaction = Compaction(store.database, store.segments, 12, 1 << 24)
        processed(store, ndjson(hands[1:]))
        assert not compaction.due()
        assert compaction.join(NOON) is None
        processed(store, ndjson(hands[:1]))
        assert compaction.due()
        assert compaction.join(NOON) == Joined(12, 12)
        assert not compaction.due()
        one = max(len(ndjson([hand])) for hand in hands)
        few = Compaction(store.database, store.segments, 12, one)
        assert [few.join(NOON, many=2) for _ in range(5)] == [Joined(2, 2)] * 4 + [None]


def test_those_who_join_and_delete_at_once_lose_and_double_nothing(
    store: Store, settings: Settings, warehouse: Warehouse, compaction: Compaction, small: list[str]
) -> None:
    left = {one.hand_id for one in all_hands(warehouse) if one.upload not in small[1:3]}

    def delete() -> None:
        for one in small[1:3]:
            assert store.deletions.delete(one, None, NOON) is not None
            store.deletions.sweep()

    def ask() -> None:
        for _ in range(3):
            assert {one.hand_id for one in all_hands(warehouse)} >= left
            assert rolled_up(reader_of(store, settings))

    def join() -> None:
        _join_all(compaction)

    with ThreadPoolExecutor(4) as pool:
        for one in [pool.submit(work) for work in (join, delete, join, ask)]:
            one.result()
    join()
    assert {one.hand_id for one in all_hands(warehouse)} == left
    assert rolled_up(reader_of(store, settings)) == by_scan(store, settings)
    assert _hands(store) == 2
