"""Rollups hold what a scan of all seats gives; what else may happen to them is in `test_life`."""

import datetime as dt
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.warehouse.rollup_sums import ROLLED_UP, by_scan, reader_of, rolled_up
from tests.warehouse.uploads import NOON, contradicted, ndjson, processed, some_hands
from warehouse.queries import Warehouse
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


def test_a_base_spares_a_start_the_reading_and_what_came_and_went_since_is_added(
    store: Store, settings: Settings, rollups: RollupReader
) -> None:
    hands = some_hands(40)
    gone = processed(store, ndjson(hands[:20]))
    rolled_up(rollups)
    rollups.renew_base()
    for path in (settings.home / "segments" / "rollups").iterdir():
        path.unlink()
    started = reader_of(store, settings)
    assert rolled_up(started) == by_scan(store, settings)
    hand = hands[0]
    processed(store, ndjson([*hands[20:], contradicted(hand)]))
    [conflict] = store.rulings.conflicts(1)
    store.rulings.rule(hand_id := conflict.contestants[1].hand_id, hand_id, "anna", NOON)
    for reader in (rollups, started):
        assert rolled_up(reader) == by_scan(store, settings)
        assert by_player(reader) == together(rolled_up(reader))
    store.deletions.delete(gone, None, NOON)
    for reader in (rollups, started):
        assert rolled_up(reader) == by_scan(store, settings)
        assert by_player(reader) == together(rolled_up(reader))


def test_nothing_of_what_is_deleted_is_left_in_a_base(
    store: Store, settings: Settings, rollups: RollupReader
) -> None:
    upload = processed(store, ndjson(some_hands(20)))
    rollups.renew_base()
    [base] = bases(settings)
    store.deletions.delete(upload, None, NOON)
    assert base.exists()
    store.deletions.sweep()
    assert not base.exists()
    assert rolled_up(rollups) == []


@pytest.mark.parametrize("spoiled", [b"", b"no database at all"])
def test_a_base_that_cannot_be_read_is_thrown_away(
    store: Store, settings: Settings, rollups: RollupReader, spoiled: bytes
) -> None:
    processed(store, ndjson(some_hands(20)))
    rollups.renew_base()
    [base] = bases(settings)
    base.write_bytes(spoiled)
    assert rolled_up(rollups) == by_scan(store, settings)
    assert not base.exists() or base.read_bytes() != spoiled  # another one is made at once


def bases(settings: Settings) -> list[Path]:
    return list((settings.home / "rollups").glob("*.duckdb"))


def by_player(rollups: RollupReader) -> dict[tuple[str, str], int]:
    sql = "SELECT player, preset, sum(net)::BIGINT FROM by_player GROUP BY player, preset"
    return {(player, preset): net for player, preset, net in rollups.rows(sql, {})}


def together(rows: list[tuple[Any, ...]]) -> dict[tuple[str, str], int]:
    nets: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        of = dict(zip(ROLLED_UP, row, strict=True))
        nets[of["player"], of["preset"]] += of["net"]
    return nets


def test_a_players_line_has_a_point_for_each_hour_or_for_as_many_as_it_takes(
    store: Store, warehouse: Warehouse
) -> None:
    hand = some_hands(1)[0]
    one = processed(store, ndjson([hand]))
    net = {row.player: row.net for row in warehouse.grid.rows()}
    store.deletions.delete(one, None, NOON)
    player = hand.seats[0].player
    later = [
        replace(
            hand,
            id=replace(hand.id, hand=f"{number}"),
            played_at=NOON + dt.timedelta(hours=number),
        )
        for number in range(70)
    ]
    processed(store, ndjson(later[:3]))
    assert warehouse.grid.lines([player]) == {player: [net[player] * n for n in range(4)]}
    processed(store, ndjson(later[3:]))
    assert warehouse.grid.lines([player]) == {player: [net[player] * n for n in range(0, 71, 2)]}
