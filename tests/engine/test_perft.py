"""How many hands can be played at small tables: by derivation, by the naive betting, by the engine.

`perft.json` holds the size of each tree: nodes by depth, and ends by depth for each way of ending.
The engine has to grow exactly those trees. `docs/proofs.md` tells the numbers.
"""

import json
import re
from itertools import zip_longest
from math import comb
from pathlib import Path
from typing import Any

import pytest

from engine.options import OptionValue
from engine.vying.replay import replay_vying
from engine.vying.state import SHOWDOWN
from tests.engine.naive_count import naive_count
from tests.engine.small_tables import (
    Count,
    SmallTable,
    engine_count,
    every_line,
    record_of,
    small_table,
    way_it_ended,
)

KEPT: list[dict[str, Any]] = json.loads(Path(__file__).with_name("perft.json").read_text())
NAMES = [kept["name"] for kept in KEPT]
PROOFS = Path(__file__).parents[2] / "docs" / "proofs.md"
WAYS = ("showdown", "uncontested", "carrer", "carried")

LEVEL: dict[str, OptionValue] = {
    "ante": 1,
    "dealer-extra": 0,
    "carre": "none",
    "open-minimum": 1,
    "no-more": False,
    "heads-up-close": "state",
}
"""One chip from everybody: the seats are level and have all but one of their chips behind."""


def table_of(kept: dict[str, Any]) -> SmallTable:
    return small_table(kept["stacks"], carried=kept["carried"], table=kept["options"])


def kept_count(kept: dict[str, Any]) -> Count:
    return Count(kept["nodes"], kept["ends"])


@pytest.mark.parametrize("kept", KEPT, ids=NAMES)
def test_the_engine_grows_the_kept_tree(kept: dict[str, Any]) -> None:
    assert engine_count(table_of(kept)) == kept_count(kept)


@pytest.mark.parametrize("kept", KEPT, ids=NAMES)
def test_the_naive_betting_grows_the_kept_tree(kept: dict[str, Any]) -> None:
    assert naive_count(table_of(kept)) == kept_count(kept)


@pytest.mark.parametrize("kept", [kept for kept in KEPT if sum(kept["nodes"]) < 5_000])
def test_hand_by_hand_there_are_as_many(kept: dict[str, Any]) -> None:
    """Without the short cut that equal tables have equal trees; each hand is replayed."""
    table = table_of(kept)
    nodes = [0] * len(kept["nodes"])
    ends = {way: [0] * len(by_depth) for way, by_depth in kept["ends"].items()}
    for line, state in every_line(table):
        nodes[len(line)] += 1
        if state.stage >= SHOWDOWN:
            ends[way_it_ended(state)][len(line)] += 1
            assert replay_vying(record_of(table, line)).verdict == "legal"
    assert (nodes, ends) == (kept["nodes"], kept["ends"])


# Derivations by hand


@pytest.mark.parametrize("behind", range(1, 11))
def test_two_level_seats_with_chips_behind(behind: int) -> None:
    # A ladder: an opening and raises are rising levels out of 1 … s, so k of them are C(s, k) ways;
    # then a call or a fold ends it. A's ladder has k + 1 decisions; B's has A's pass before it.
    # Both may pass. In all 1 + 2 · 2 · (2^s - 1) = 2^(s+2) - 3.
    count = engine_count(small_table((behind + 1,) * 2, table=LEVEL))
    assert count.ending() == 2 ** (behind + 2) - 3

    ladders = [comb(behind, bets) if bets else 0 for bets in range(behind + 1)]
    by_depth = [
        mine + theirs for mine, theirs in zip_longest([0, *ladders], [0, 0, *ladders], fillvalue=0)
    ]
    assert count.ends == {
        "carried": [0, 0, 1],
        "showdown": by_depth,
        "uncontested": by_depth,
    }


@pytest.mark.parametrize("behind", range(1, 11))
def test_two_level_seats_that_may_open_at_par(behind: int) -> None:
    # An opening at par closes the betting of two who are level (V8): two hands more.
    par = {**LEVEL, "open-minimum": 0}
    assert engine_count(small_table((behind + 1,) * 2, table=par)).ending() == 2 ** (behind + 2) - 1

    # Where only a call closes, par is a level like the others: the ladders are those of s + 1.
    call = {**par, "heads-up-close": "call"}
    count = engine_count(small_table((behind + 1,) * 2, table=call))
    assert count.ending() == 2 ** (behind + 3) - 3


@pytest.mark.parametrize("seats", range(2, 6))
def test_all_or_nothing(seats: int) -> None:
    # One chip behind: whoever opens is all-in, and each of the others calls or folds. With the hand
    # that everybody passes, 1 + n · 2^(n-1); one opener in each has no caller.
    count = engine_count(small_table((2,) * seats, table=LEVEL))
    ends = {way: sum(by_depth) for way, by_depth in count.ends.items()}
    assert ends == {
        "carried": 1,
        "uncontested": seats,
        "showdown": seats * (2 ** (seats - 1) - 1),
    }


@pytest.mark.parametrize(
    ("no_more", "close", "expected"),
    [(False, "state", 46), (False, "call", 55), (True, "state", 70), (True, "call", 85)],
)
def test_three_level_seats_with_one_chip_behind(
    no_more: bool,  # noqa: FBT001 -- pytest's parameter
    close: str,
    expected: int,
) -> None:
    # X opens; Y and Z answer. Opening all-in, they call or fold: 4. Opening at par:
    # - Y raises all-in: Z and X call or fold, 4.
    # - Y folds, and two who are level are left: closed, 1. Where only a call closes: Z calls 1,
    #   folds 1, raises and X calls or folds 2: 4.
    # - Y calls. Z raises: 4. Z folds, two level ones are left: closed, 1; where only a call closes
    #   and there is a no-more round, Y says no more 1, or raises and X calls or folds 2: 3.
    #   Z calls, all three are level: shown, 1; in a no-more round Y raises 4; or says no more, and
    #   Z says so too 1 or raises 4: 9.
    y_folds = 4 if close == "call" else 1
    z_folds = 3 if close == "call" and no_more else 1
    all_level = 9 if no_more else 1
    opened = 4 + 4 + y_folds + 4 + z_folds + all_level
    # Each of three may be the opener, or all pass.
    assert 1 + 3 * opened == expected

    options = {**LEVEL, "open-minimum": 0, "no-more": no_more, "heads-up-close": close}
    assert engine_count(small_table((2, 2, 2), table=options)).ending() == expected


def test_two_seats_and_a_carre() -> None:
    # A refuses: level with 2 behind, 2^4 - 3 = 13. A's carre of 2 is all that A has; B cannot match
    # the pot of 4, so it passes and A wins, or opens level with A, who is all-in: 2.
    options = {**LEVEL, "carre": "chain"}
    assert engine_count(small_table((3, 3), table=options)).ending() == 13 + 2


# The page


def test_the_page_tells_the_kept_numbers() -> None:
    rows = re.findall(r"^\| (.+) \|$", PROOFS.read_text(), re.MULTILINE)
    told = [[cell.strip() for cell in row.split("|")] for row in rows]
    for kept in KEPT:
        ends = [sum(kept["ends"].get(way, [])) for way in WAYS]
        numbers = [len(kept["nodes"]) - 1, sum(ends), *ends]
        stacks = ", ".join(str(stack) for stack in kept["stacks"])
        assert [kept["name"], stacks, *(f"{number:,}" for number in numbers)] in told
