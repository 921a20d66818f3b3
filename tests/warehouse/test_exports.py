"""Exports hold what the search finds, in every form, and little of it in memory."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sqlalchemy import select

from tests.dashboards.evening import evening, named, with_players, worked
from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import ndjson, processed, some_hands
from warehouse.conditions import HandConditions
from warehouse.exports import Export, Format
from warehouse.queries import Warehouse
from warehouse.rows import Kind
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.tables import segments

ROOT = Path(__file__).parents[2]
ANY = HandConditions()


def exported(warehouse: Warehouse, export: Export) -> bytes:
    with warehouse.exporter.make(export) as file:
        return file.read()


def as_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def as_ndjson(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.splitlines()]


def test_hands_are_exported_alike_in_every_form(store: Store, warehouse: Warehouse) -> None:
    upload = processed(store, evening())
    rows = as_csv(exported(warehouse, Export("hands", "csv", ANY)))
    assert [row["hand"] for row in rows] == [
        *("plain", "brelans", "again", "low-raise", "wrong-stacks", "unseen", "hostile")
    ]  # as they came
    brelans = rows[1]
    assert brelans["played_at"] == "2026-03-14T20:02:00.000000Z"
    assert json.loads(brelans["players"]) == ["Anna", "Ben", "Carla", "Dan"]
    assert json.loads(brelans["codes"]) == ["opened-at-par"]
    assert (brelans["upload"], brelans["ordinal"], brelans["pot"]) == (upload, "2", "61")
    assert (brelans["verdict"], brelans["showdown"]) == ("legal", "true")
    assert rows[3]["pot"] == rows[3]["played_at"] == ""
    assert "document" not in brelans

    lines = as_ndjson(exported(warehouse, Export("hands", "ndjson", ANY)))
    assert [list(line) for line in lines] == [list(brelans)] * len(rows)
    assert lines[1]["players"] == ["Anna", "Ben", "Carla", "Dan"]
    assert lines[1]["played_at"] == "2026-03-14T20:02:00.000000Z"
    assert (lines[1]["options"], lines[3]["pot"]) == ({}, None)

    frame = pl.read_parquet(exported(warehouse, Export("hands", "parquet", ANY)))
    assert frame.columns == list(brelans)
    assert frame.schema["played_at"] == pl.Datetime("us", "UTC")
    assert frame["players"][1].to_list() == ["Anna", "Ben", "Carla", "Dan"]
    assert frame["pot"].to_list() == [line["pot"] for line in lines]


def test_seats_and_findings_are_those_of_the_hands_found(
    store: Store, warehouse: Warehouse
) -> None:
    processed(store, evening())
    found = HandConditions(from_="2026-03-14T20:02Z", until="2026-03-14T20:03Z")
    seats = as_csv(exported(warehouse, Export("seats", "csv", found)))
    assert [(seat["player"], seat["net"], seat["premium"]) for seat in seats] == [
        ("Anna", "-24", "-4"),
        ("Ben", "43", "2"),
        ("Carla", "0", "1"),
        ("Dan", "-19", "1"),
    ]
    findings = as_ndjson(exported(warehouse, Export("findings", "ndjson", found)))
    assert [(one["code"], one["severity"]) for one in findings] == [("opened-at-par", "warning")]
    nobody = HandConditions(player="nobody")
    for kind in ("hands", "seats", "findings"):
        assert exported(warehouse, Export(kind, "csv", nobody)).count(b"\n") == 1
        assert exported(warehouse, Export(kind, "ndjson", nobody)) == b""


@pytest.mark.parametrize("kind", ["hands", "seats", "findings"])
@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
def test_an_empty_house_exports_columns_without_rows(
    warehouse: Warehouse, kind: Kind, form: Format
) -> None:
    content = exported(warehouse, Export(kind, form, ANY, masked=True))
    if form == "csv":
        assert content.startswith(b"hand_id,")
        assert as_csv(content) == []
    elif form == "ndjson":
        assert content == b""
    else:
        assert pl.read_parquet(content).height == 0


@BOTH_FORMS
def test_a_mask_is_the_same_for_a_name_and_another_in_another_house(
    store: Store, warehouse: Warehouse, tmp_path: Path
) -> None:
    odd = 'Anna "the, queen"\n王'
    hand = with_players(named(worked("w1"), "odd"), [odd, "Ben", "Carla", "Dan"])
    hand["declared"]["Ben"] = 85  # an unknown key that is a name
    processed(store, evening() + b"\n" + json.dumps(hand).encode())

    seats = as_csv(exported(warehouse, Export("seats", "csv", ANY)))
    masked = as_csv(exported(warehouse, Export("seats", "csv", ANY, masked=True)))
    masks = {one["player"]: other["player"] for one, other in zip(seats, masked, strict=True)}
    assert odd in masks
    assert all(re.fullmatch("player-[0-9a-f]{12}", mask) for mask in masks.values())
    assert len(set(masks.values())) == len(masks)
    assert [one | {"player": masks[one["player"]]} for one in seats] == masked
    hands = as_ndjson(exported(warehouse, Export("hands", "ndjson", ANY, masked=True)))
    assert hands[-1]["players"] == [masks[name] for name in (odd, "Ben", "Carla", "Dan")]
    findings = exported(warehouse, Export("findings", "csv", ANY, masked=True))
    assert {row["player"] for row in as_csv(findings)} <= {"", *masks.values()}
    assert b"/declared/\xe2\x80\xa6" in findings
    assert b"Ben" not in findings
    again = Warehouse(store.settings)
    assert exported(again, Export("findings", "csv", ANY, masked=True)) == findings

    settings = Settings(data=tmp_path / "other")
    with Store(settings) as other_store:
        processed(other_store, evening())
    elsewhere = as_csv(exported(Warehouse(settings), Export("seats", "csv", ANY, masked=True)))
    assert not {row["player"] for row in elsewhere} & set(masks.values())


@BOTH_FORMS
def test_documents_come_back_as_duplicates(store: Store, warehouse: Warehouse) -> None:
    envelope = {
        "format": "retourne/1.0",
        "session": {"id": "march/9"},
        "hands": [named(worked("w3"), "in-envelope"), named(worked("w4"), "spread")],
    }
    processed(store, evening())
    processed(store, json.dumps(envelope, indent=1).encode())
    processed(store, ndjson(some_hands(25)))
    with warehouse.exporter.make_documents(ANY) as file:
        content = file.read()
    assert len(content.splitlines()) == 7 + 2 + 25

    again = store.records.upload(processed(store, content))
    assert again is not None
    assert (again.hands, again.duplicates, again.unreadable) == (34, 34, 0)
    with warehouse.exporter.make_documents(HandConditions(code="cards-missing")) as file:
        assert [json.loads(line)["id"]["hand"] for line in file] == ["unseen"]


def test_nothing_is_left_of_an_export(store: Store, warehouse: Warehouse) -> None:
    processed(store, evening())
    file = warehouse.exporter.make(Export("hands", "parquet", ANY))
    spilled = store.settings.home / "spill"
    assert [path for path in spilled.rglob("*") if path.is_file()] == []
    assert file.read(4) == b"PAR1"
    file.close()


PEAK = """
import sys
from pathlib import Path
from warehouse.conditions import HandConditions
from warehouse.exports import Export
from warehouse.queries import Warehouse
from warehouse.settings import Settings

exporter = Warehouse(Settings(data=Path(sys.argv[1]))).exporter
size = 0
for file in (
    exporter.make_documents(HandConditions()),
    exporter.make(Export("hands", "ndjson", HandConditions(min_pot=0), masked=True)),
):
    size += file.seek(0, 2)
    file.close()
status = Path("/proc/self/status").read_text().splitlines()
print(next(line for line in status if line.startswith("VmHWM")).split()[1], size >> 10)
"""


def test_ten_times_the_hands_take_no_more_memory(store: Store, tmp_path: Path) -> None:
    processed(store, ndjson(some_hands(10)))  # what is multiplied is one chunk
    script = tmp_path / "peak.py"
    script.write_text(PEAK)

    def peak(copies: int) -> tuple[int, int]:
        """The kibibytes at the most of a process that exports so many hands, and of its files."""
        multiply(store, copies)
        told = subprocess.run(
            [sys.executable, script, store.settings.data],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ).stdout.split()
        return int(told[0]), int(told[1])

    few, small = peak(10_000)
    many, large = peak(100_000)
    assert large > 9 * small
    assert large - small > 100 << 10
    assert many - few < (large - small) / 3


def multiply(store: Store, hands: int) -> None:
    """Have the rows of the one segment of hands so often that they are so many."""
    folder = store.settings.home / "segments"
    with store.database.write() as connection:
        row = connection.execute(select(segments).where(segments.c.kind == "hands")).one()
        frame = pl.read_parquet(folder / row.path)
        repeated = frame.select(pl.all().repeat_by(hands // frame.height).explode())
        repeated.write_parquet(folder / row.path, row_group_size=2_000)
