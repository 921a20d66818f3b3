"""Statistics that clubs make up: what is taken, what is refused, and what comes of them."""

import datetime as dt
from pathlib import Path

import msgspec
import pytest

from tests.warehouse.uploads import NOON, processed
from warehouse.custom import CustomRate, CustomStatistic
from warehouse.expressions import BadExpression, read_expression
from warehouse.queries import Warehouse
from warehouse.store import Store
from warehouse.totals import Narrowed
from warehouse.uncertainty import wilson

_RULES = Path(__file__).parents[1] / "rules"


@pytest.mark.parametrize(
    "text",
    [
        "opened + raises",
        "opened > 0 AND position = seats",
        "CASE WHEN preset = 'bouillotte/salon' THEN calls ELSE 0 END",
        "calls BETWEEN 1 AND 2",
        "preset IN ('bourre/pagat', 'bourre/louisiana')",
        "NOT (net < 0) OR q IS NOT NULL",
        "-coalesce(premium, 0) * 2 -- a remark",
    ],
)
def test_these_are_taken(text: str) -> None:
    assert isinstance(read_expression(text), str)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" ", "empty"),
        ("opened +", "no expression"),
        ("opened; DROP TABLE seats", "no expression"),
        ("opened) FROM seats UNION SELECT (1", "not one expression"),
        ("opened), (raises", "not one expression"),
        ("(SELECT 1)", "subquery"),
        ("read_text('/etc/passwd')", "'read_text'"),
        ("getenv('HOME')", "'getenv'"),
        ("sum(opened)", "'sum'"),
        ("opened / 2", "'/'"),
        ("player LIKE 'a%'", "'~~'"),
        ("nothing", "no column 'nothing'"),
        ("seats.opened", "no column 'seats.opened'"),
        ("hand_id", "no column 'hand_id'"),
        ("opened::DOUBLE", "cast"),
        ("1.5", "neither a whole number"),
        ("*", "star"),
        ("$files_seats", "parameter"),
        ("[1, 2]", "'list_value'"),
        ("1 + " * 60 + "1", "nested too deeply"),
        ("1" * 1001, "1000 characters"),
        ("opened OVER ()", "no expression"),
    ],
)
def test_these_are_refused_and_told_why(text: str, reason: str) -> None:
    refused = read_expression(text)
    assert isinstance(refused, BadExpression)
    assert reason in refused.reason


@pytest.fixture
def played(store: Store, warehouse: Warehouse) -> Warehouse:
    hands = []
    for number in range(3):
        hand = msgspec.json.decode((_RULES / "w3.json").read_bytes())
        hand["id"]["hand"] = str(number)
        hand["played_at"] = f"2026-03-1{number + 1}T20:00:00Z"
        hands.append(hand)
    processed(store, b"\n".join(map(msgspec.json.encode, hands)))
    return warehouse


def test_one_is_added_up_over_the_seats_that_count(played: Warehouse) -> None:
    gives_way = CustomStatistic("gives-way", "Folds", "folds > 0", "decided")
    assert played.custom.put(gives_way, NOON) is None
    assert played.custom.all() == [gives_way]
    low, high = wilson(3, 3)
    assert played.custom.rate(gives_way, ["C"]) == CustomRate(None, 3, 3, low, high)
    assert played.custom.rate(gives_way, ["A"]).k == 0
    later = Narrowed(since=dt.datetime(2026, 3, 12, tzinfo=dt.UTC))
    assert played.custom.rate(gives_way, ["C"], later).n == 2
    nobody = CustomRate(None, 0, 0, None, None)
    assert played.custom.rate(gives_way, ["nobody"]) == nobody
    found = {one.player: (one.k, one.n) for one in played.custom.by_player(gives_way)}
    assert found == {"A": (0, 3), "B": (0, 3), "C": (3, 3), "D": (3, 3)}


def test_what_is_no_part_has_no_interval(played: Warehouse) -> None:
    profit = CustomStatistic("profit", "Net a hand", "net", "1")
    assert played.custom.put(profit, NOON) is None
    assert played.custom.rate(profit, ["A"]) == CustomRate(None, 36, 3, None, None)


def test_an_expression_that_means_nothing_is_refused(warehouse: Warehouse) -> None:
    refused = warehouse.custom.put(CustomStatistic("x", "x", "decided", "player * 2"), NOON)
    assert refused is not None
    assert refused[0] == "chances"
    assert warehouse.custom.all() == []


def test_braces_in_a_text_are_a_text(played: Warehouse) -> None:
    odd = CustomStatistic("odd", "Odd", "preset = '{seats}'", "1")
    assert played.custom.put(odd, NOON) is None
    assert played.custom.rate(odd, ["A"]).k == 0


def test_one_is_changed_and_removed(warehouse: Warehouse) -> None:
    for label in ("One", "Other"):
        assert warehouse.custom.put(CustomStatistic("x", label, "folds", "decided"), NOON) is None
    assert [one.label for one in warehouse.custom.all()] == ["Other"]
    assert warehouse.custom.remove("x")
    assert not warehouse.custom.remove("x")
