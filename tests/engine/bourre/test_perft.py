"""How many hands of Bourré can be played at small tables: by the plain rules and by the engine.

`perft.json` holds the size of each tree: nodes by depth, and ends by depth for each way in which
the tricks can fall. `docs/proofs.md` tells the numbers.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.bourre.options import BourreOptions
from engine.bourre.state import BourreState
from tests.engine.bourre.hands import table_options
from tests.engine.bourre.naive_count import Whole, play_count
from tests.engine.bourre.small_tables import dealt_table, engine_count, position
from tests.engine.bourre.test_naive import rules_of
from tests.engine.small_tables import Count

KEPT: list[dict[str, Any]] = json.loads(Path(__file__).with_name("perft.json").read_text())
NAMES = [kept["name"] for kept in KEPT]
PROOFS = Path(__file__).parents[3] / "docs" / "proofs.md"


def options_of(kept: dict[str, Any]) -> BourreOptions:
    return table_options(table=kept["options"])


def table_of(kept: dict[str, Any]) -> BourreState:
    """A whole hand from the declaring on where a card is turned; else the play of a few cards."""
    if kept["turned"]:
        return dealt_table(kept["hands"], kept["turned"], options_of(kept))
    return position(kept["hands"], options_of(kept), won=kept["won"])


def naive_count(kept: dict[str, Any]) -> Count:
    options = options_of(kept)
    rules = rules_of(options)
    if kept["turned"]:
        turned, most = kept["turned"], options.maximum_draw
        return Whole(kept["hands"], turned, rules, options.declare, most).count()
    hands = {seat: held.split() for seat, held in enumerate(kept["hands"])}
    return play_count(hands, 0, "s", rules, [], dict(enumerate(kept["won"])))


@pytest.mark.parametrize("kept", KEPT, ids=NAMES)
def test_the_engine_grows_the_kept_tree(kept: dict[str, Any]) -> None:
    assert engine_count(table_of(kept)) == Count(kept["nodes"], kept["ends"])


@pytest.mark.parametrize("kept", KEPT, ids=NAMES)
def test_the_plain_rules_grow_the_kept_tree(kept: dict[str, Any]) -> None:
    assert naive_count(kept) == Count(kept["nodes"], kept["ends"])


def test_the_page_tells_the_kept_numbers() -> None:
    rows = re.findall(r"^\| (.+) \|$", PROOFS.read_text(), re.MULTILINE)
    told = [[cell.strip() for cell in row.split("|")] for row in rows]
    for kept in KEPT:
        unplayed = sum(kept["ends"].get("unplayed", []))
        hands = sum(sum(by_depth) for by_depth in kept["ends"].values())
        falls = len(kept["ends"]) - ("unplayed" in kept["ends"])
        numbers = [len(kept["nodes"]) - 1, hands, unplayed, falls]
        assert [kept["name"], *(f"{number:,}" for number in numbers)] in told
