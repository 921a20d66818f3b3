"""Lines over hands whose every figure can be worked out on paper."""

import datetime as dt
from math import sqrt

import polars as pl
import pytest

from tests.warehouse.played_hands import hand, in_columns
from warehouse.curves import Drawdown, band, deal_adjusted, deal_luck, drawdown, sittings


def adjusted(hands: pl.DataFrame) -> list[float]:
    found = deal_adjusted(hands)
    assert found is not None
    return found.to_list()


def test_a_long_pause_parts_sessions_and_a_named_one_holds_together() -> None:
    hands = in_columns(
        hand(3, minutes=0),
        hand(-1, minutes=60),
        hand(2, minutes=121),
        hand(5, minutes=130, session="a"),
        hand(-4, minutes=300, session="a"),
        hand(1, session="b"),
        hand(1, session="b"),
    )
    found = sittings(hands)
    assert [(one.first, one.hands, one.net) for one in found] == [
        (0, 2, 2),
        (2, 1, 2),
        (3, 2, 1),
        (5, 2, 2),
    ]
    assert [one.hours for one in found] == [1, 0, pytest.approx(170 / 60), None]
    assert sittings(in_columns()) == []


def test_the_gap_may_be_another() -> None:
    hands = in_columns(hand(1, minutes=0), hand(1, minutes=20), hand(1, minutes=60))
    assert len(sittings(hands, dt.timedelta(minutes=30))) == 2


def test_the_luck_of_the_deal_is_taken_out() -> None:
    # Of four players, q is 1/4 by the average. Each ¼ more brings 10: β is 40.
    hands = in_columns(hand(10, q=500_000), hand(0, q=250_000), hand(-10, q=0), hand(0, q=250_000))
    assert deal_luck(hands) == pytest.approx(40)
    assert adjusted(hands) == pytest.approx([0, 0, 0, 0])


def test_what_play_adds_stays_and_unknown_cards_count_as_they_are() -> None:
    hands = in_columns(hand(12, q=500_000), hand(2, q=250_000), hand(-8, q=0), hand(7))
    assert deal_luck(hands) == pytest.approx(40)
    assert adjusted(hands) == pytest.approx([2, 4, 6, 13])


def test_units_make_hands_of_other_stakes_alike() -> None:
    hands = in_columns(hand(100, q=500_000, unit=10), hand(0, q=250_000), hand(-10, q=0))
    assert deal_luck(hands) == pytest.approx(40)
    assert adjusted(hands) == pytest.approx([0, 0, 0])


def test_without_hands_of_other_strength_there_is_no_luck_to_tell() -> None:
    assert deal_luck(in_columns(hand(1), hand(2))) is None
    assert deal_luck(in_columns(hand(1, q=5), hand(2, q=5))) is None
    assert deal_adjusted(in_columns()) is None


def test_the_band_widens_with_the_root_of_the_hands() -> None:
    # Nets 1, -1, 1, -1: the variance is 4/3.
    found = list(band(in_columns(hand(1), hand(-1), hand(1), hand(-1))))
    assert found == pytest.approx(
        [1.959964 * sqrt(4 / 3) * sqrt(n) for n in (1, 2, 3, 4)], rel=1e-6
    )
    assert list(band(in_columns(hand(1)))) == [0]


def test_the_deepest_fall_is_from_the_height_before_it() -> None:
    # 5, 3, 4, 9, 2, 6, 1: from 9 down to 1.
    nets = (5, -2, 1, 5, -7, 4, -5)
    assert drawdown(in_columns(*map(hand, nets))) == Drawdown(8, 4, 6)


def test_a_fall_may_begin_at_nothing() -> None:
    assert drawdown(in_columns(hand(-3), hand(1), hand(-2))) == Drawdown(4, 0, 2)
    assert drawdown(in_columns(hand(1), hand(2))) is None
