"""Rollups hold what a scan of all seats gives; what else may happen to them is in `test_life`."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.warehouse.rollup_sums import by_scan, reader_of, rolled_up
from tests.warehouse.uploads import NOON, contradicted, ndjson, processed, some_hands
from warehouse.rollup_reading import RollupReader
from warehouse.rollups import KEYS
from warehouse.settings import Settings
from warehouse.store import Store


@pytest.fixture
def rollups(store: Store, settings: Settings) -> RollupReader:
    return reader_of(store, settings)


def test_an_empty_house_has_none(rollups: RollupReader) -> None:
    assert rolled_up(rollups) == []


def test_they_follow_what_is_written_and_repeated(
    store: Store, settings: Settings, rollups: RollupReader
) -> None:
    hands = some_hands(60)
    processed(store, ndjson(hands[:25]))
    first = rolled_up(rollups)
    assert first == by_scan(store, settings)
    processed(store, ndjson(hands[10:]))
    second = rolled_up(rollups)
    assert second == by_scan(store, settings)
    assert sum(row[len(KEYS)] for row in second) > sum(row[len(KEYS)] for row in first)


def test_who_waits_for_the_rollups_looks_only_then_at_what_is_published(
    store: Store, rollups: RollupReader
) -> None:
    """What they had seen before would take those back who had seen more in between."""
    hands = some_hands(20)
    processed(store, ndjson(hands[:10]))
    with ThreadPoolExecutor(1) as pool:
        with rollups._lock:  # noqa: SLF001 - somebody else is at the table
            asked = pool.submit(rolled_up, rollups)
            processed(store, ndjson(hands[10:]))
        assert asked.result() == rolled_up(rollups)


def test_a_ruling_moves_what_counts_and_back(
    store: Store, settings: Settings, rollups: RollupReader
) -> None:
    hand = some_hands(1)[0]
    processed(store, ndjson([hand, contradicted(hand)]))
    first = rolled_up(rollups)
    players = sorted(seat.player for seat in hand.seats)
    assert [row[0] for row in first] == players
    [conflict] = store.rulings.conflicts(1)
    ours, theirs = (one.hand_id for one in conflict.contestants)
    store.rulings.rule(ours, theirs, "anna", NOON)
    assert [row[0] for row in rolled_up(rollups)] == [f"{player}?" for player in players]
    assert rolled_up(rollups) == by_scan(store, settings)
    store.rulings.rule(ours, None, "anna", NOON)
    assert rolled_up(rollups) == []
    store.rulings.rule(ours, ours, "anna", NOON)
    assert rolled_up(rollups) == first
