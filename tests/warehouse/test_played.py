"""One person's hands, against whom and at what price: the worked hands, counted by hand."""

from pathlib import Path

import msgspec
import pytest

from tests.warehouse.uploads import processed
from warehouse.played import HAND_COLUMNS
from warehouse.queries import Warehouse
from warehouse.store import Store
from warehouse.totals import Narrowed

_RULES = Path(__file__).parents[1] / "rules"


@pytest.fixture
def played(store: Store, warehouse: Warehouse) -> Warehouse:
    names = ("w1", "w3", "w4")
    hands = [msgspec.json.decode((_RULES / f"{name}.json").read_bytes()) for name in names]
    for number, hand in enumerate(hands):
        hand["played_at"] = f"2026-03-14T2{number}:00:00Z"
    processed(store, b"\n".join(map(msgspec.json.encode, hands)))
    return warehouse


def test_hands_come_with_their_lines_and_strength(played: Warehouse) -> None:
    hands = played.played.of(["A"])
    assert dict(hands.schema) == HAND_COLUMNS
    [hand] = hands.iter_rows(named=True)
    assert (hand["net"], hand["net_showdown"], hand["premium"]) == (12, 7, 5)
    assert (hand["preset"], hand["seats"], hand["q"]) == ("bouillotte/historico", 4, 1_000_000)
    assert played.played.of(["A"], Narrowed(place="dealer")).is_empty()
    assert played.played.of(["A", "Anna"])["net"].to_list() == [-15, 12]


def test_what_somebody_loses_goes_to_those_who_win(played: Warehouse) -> None:
    # W3: A +12, B, C and D -4 each, all of it A's.
    assert [(one.player, one.hands, one.chips) for one in played.played.opponents(["A"])] == [
        ("B", 1, 4),
        ("C", 1, 4),
        ("D", 1, 4),
    ]
    assert [one.chips for one in played.played.opponents(["C"])] == [-4, 0, 0]
    # W1: Anna -15, Dan -30; Ben +9, Carla +36. Of Dan's 30, Ben has a fifth.
    found = {one.player: one.chips for one in played.played.opponents(["Dan"])}
    assert found == pytest.approx({"Anna": 0, "Ben": -6, "Carla": -24})


def test_a_carried_pot_comes_from_nobody(played: Warehouse) -> None:
    # W4: all lose to the next pot.
    assert {one.chips for one in played.played.opponents(["P1"])} == {0}


def test_calls_and_folds_are_held_against_their_prices(played: Warehouse) -> None:
    [call] = played.played.judged_turns(["A"], 10)
    assert (call.act, call.q) == ("call", 1)
    assert call.price == pytest.approx(1 / 3, abs=1e-6)
    assert [(one.act, round(one.price, 6)) for one in played.played.judged_turns(["C"], 10)] == [
        ("call", 0.25),
        ("fold", 0.333333),
    ]
    assert played.played.judged_turns(["P1"], 10) == []
