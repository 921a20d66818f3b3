"""A house that is older than some counters: read as it is, told so, and counted anew."""

import datetime as dt
from pathlib import Path

import msgspec
import polars as pl
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from schemas.audit import ExaminedHand, examine_hand
from schemas.errors import UnreadableHand
from service.cli import main
from tests.warehouse.rollup_sums import by_scan, reader_of, rolled_up
from tests.warehouse.uploads import NOON, all_hands, ndjson, processed, some_hands
from warehouse.clubs import Clubs
from warehouse.conditions import HandConditions
from warehouse.database import open_control
from warehouse.examining import Examiner
from warehouse.exports import Export
from warehouse.queries import Page, Warehouse
from warehouse.rebuilding import Recounted
from warehouse.settings import Settings
from warehouse.store import Store

NEW = ("showed_and_won", "solved", "cards_seen")


def _told(data: Path, *arguments: str) -> tuple[int, str]:
    run = CliRunner().invoke(main, ["rollups", *arguments], env={"RETOURNE_DATA": str(data)})
    return run.exit_code, run.output


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(data=tmp_path, chunk_hands=10)
    Clubs(open_control(settings)).add("local", "local", dt.datetime.now(dt.UTC))
    return settings


def _aged(settings: Settings, chunk_of: str) -> None:
    """Have segments as they were before there were some counters."""
    for kind in ("seats", "rollups"):
        for path in (settings.home / "segments" / kind).glob(chunk_of):
            frame = pl.read_parquet(path)
            frame.drop(NEW).write_parquet(path)


def test_a_house_of_before_is_read_and_counted_anew_while_it_is_read(settings: Settings) -> None:
    with Store(settings) as store:
        processed(store, ndjson(some_hands(40)))
        expected = rolled_up(reader_of(store, settings))
        assert _told(settings.data, "check")[0] == 0
        _aged(settings, "*-1-10-*")
        _aged(settings, "*-21-30-*")

        warehouse = Warehouse(settings)  # one that goes on, as the service does
        won = HandConditions(chance="by-point")
        before = warehouse.search_hands(won, limit=100)
        assert isinstance(before, Page)
        assert 0 < len(before.hands) < 20
        assert len(all_hands(warehouse)) == 40
        with warehouse.exporter.make(Export("seats", "ndjson", HandConditions())) as file:
            assert b'"cards_seen":null' in file.read()
        older = warehouse.grid.rows()

        code, said = _told(settings.data, "check")
        assert code == 1
        assert "hands 1 to 10 of upload" in said
        assert "hands 21 to 30 of upload" in said
        assert "written before there was showed_and_won, solved, cards_seen" in said
        assert said.count("Chunk ") == 2

        assert _told(settings.data, "rebuild", "--faulty") == (
            0,
            "20 hands in 2 chunks are counted anew.\n",
        )
        assert _told(settings.data, "check") == (
            0,
            "The sums of 4 chunks are what their seats give.\n",
        )
        after = warehouse.search_hands(won, limit=100)
        assert isinstance(after, Page)
        assert len(after.hands) > len(before.hands)
        assert warehouse.grid.rows() == older
        assert warehouse.rollup_check.players() == []
        assert rolled_up(warehouse.rollups) == expected == by_scan(store, settings)
        kept = list((settings.home / "segments" / "rollups").iterdir())
        assert len(kept) == 4  # the old ones are deleted


def test_sums_that_are_wrong_are_found_and_put_right(settings: Settings) -> None:
    with Store(settings) as store:
        processed(store, ndjson(some_hands(20)))
        warehouse = Warehouse(settings)
        expected = rolled_up(warehouse.rollups)
        path = next((settings.home / "segments" / "rollups").glob("*-1-10-*"))
        frame = pl.read_parquet(path)
        one = pl.int_range(pl.len()) == 0
        frame.with_columns(net=pl.when(one).then(pl.col("net") + 1).otherwise("net")).write_parquet(
            path
        )
        code, said = _told(settings.data, "check")
        assert code == 1
        assert "2 rows of sums are others than the seats give" in said  # that one, as it is and was
        player = frame["player"][0]
        assert f"Other sums are answered than the seats give for {player!r}." in said
        assert _told(settings.data, "rebuild")[0] == 0
        assert _told(settings.data, "check")[0] == 0
        assert rolled_up(warehouse.rollups) == expected


def test_hands_that_are_judged_otherwise_are_counted_as_they_were(settings: Settings) -> None:
    hands = some_hands(10)
    unread = msgspec.json.encode(hands[3])

    def examine(raw: bytes) -> ExaminedHand | UnreadableHand:
        if raw == unread:
            return UnreadableHand("unknown-value", "/id/table", "another table", "unread")
        return examine_hand(raw, want_turns=True)

    with Store(settings, Examiner("2.0.0", examine)) as later, Store(settings) as store:
        processed(store, ndjson(hands))
        expected = rolled_up(reader_of(store, settings))
        [chunk] = later.rebuilder.chunks()
        assert later.rebuilder.rebuild(chunk, NOON) == Recounted(hands=10, otherwise=1)
        assert rolled_up(reader_of(store, settings)) == expected == by_scan(store, settings)
        assert {one.engine for one in all_hands(Warehouse(settings))} == {store.examiner.version}
        assert later.rebuilder.rebuild(replace(chunk, id=chunk.id + 1), NOON) is None


def test_a_club_that_is_none_has_no_sums(settings: Settings) -> None:
    assert _told(settings.data, "check", "--club", "nobody") == (
        1,
        "Error: There is no club nobody.\n",
    )
