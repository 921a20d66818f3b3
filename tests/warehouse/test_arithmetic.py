"""What holds of every hand that the generator deals: lines, chances, and sums over chunks."""

from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given, settings

from schemas.audit import ExaminedHand, examine_hand
from schemas.generate import generate_hands
from schemas.streams import RawHand
from warehouse.rows import COLUMNS, hand_rows
from warehouse.statistics import AVERAGES, STATISTICS

_SEATS = [column for column in COLUMNS["seats"] if column != "standing"]
_PRESETS = [
    "bouillotte/salon",
    "bouillotte/historico",
    "brelan/classique",
    "bourre/louisiana",
    "bourre/pagat",
]


def _seats(raw: bytes) -> list[dict[str, Any]]:
    examined = examine_hand(raw, want_turns=True)
    assert isinstance(examined, ExaminedHand)
    assert examined.replay.verdict == "legal"
    rows = hand_rows(examined, RawHand(1, 0, raw), "u" * 64, 1)
    return [dict(zip(_SEATS, row, strict=True)) for row in rows.rows["seats"]]


@pytest.mark.parametrize("preset", _PRESETS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_every_line_and_every_rate_of_a_generated_hand_adds_up(preset: str, seed: int) -> None:
    for hand in generate_hands(25, seed, (preset,)):
        for seat in _seats(msgspec.json.encode(hand)):
            assert seat["net"] == seat["net_showdown"] + seat["net_uncontested"] + seat["premium"]
            if preset.startswith("bourre"):
                paid = seat["ante_chips"] + seat["bourre_chips"] + seat["renege_chips"]
                assert seat["net"] == seat["pot_chips"] - paid
            for rate in STATISTICS:
                k = sum(seat[name] for name in rate.made)
                n = sum(seat[name] for name in rate.chances)
                assert 0 <= k <= n, (rate.id, k, n)
            for one in AVERAGES:
                total = sum(seat[name] for name in one.total if not name.startswith("-"))
                times = sum(1 if name == "hands" else seat[name] for name in one.times)
                assert times or not total, one.id
