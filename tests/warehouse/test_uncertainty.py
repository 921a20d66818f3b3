"""Intervals against values of printed tables and of arithmetic by hand."""

from collections.abc import Callable
from math import comb, exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.uncertainty import (
    believable,
    beta_cdf,
    clustered_mean,
    exact_binomial,
    excess_p,
    ratio,
    shrunk,
    student_cdf,
    student_quantile,
    wilson,
)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_student_s_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, abs=5e-4)
    assert student_cdf(student_quantile(0.975, freedom), freedom) == pytest.approx(0.975)


def test_student_with_one_degree_is_cauchy() -> None:
    assert student_cdf(1.0, 1) == pytest.approx(0.75)
    assert student_cdf(-1.0, 1) == pytest.approx(0.25)
    assert student_cdf(0.0, 7) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (1, 10, 0.0025, 0.4450),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
        (0, 1, 0.0, 0.975),
    ],
)
def test_exact_intervals_are_those_of_the_tables(k: int, n: int, low: float, high: float) -> None:
    found = exact_binomial(k, n)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_an_excess_is_as_probable_as_the_deals_that_have_it(
    n: int, others: int, data: st.DataObject
) -> None:
    k, theirs = data.draw(st.integers(0, n)), data.draw(st.integers(0, others))
    done = k + theirs
    deals = [comb(done, i) * comb(n + others - done, n - i) for i in range(k, min(n, done) + 1)]
    tail = sum(deals) / comb(n + others, n)
    assert excess_p(k, n, theirs, others) == pytest.approx(tail, rel=1e-9, abs=1e-12)


def test_an_excess_over_nobody_s_few_chances_proves_nothing() -> None:
    # Once of one chance where one other had one and let it pass: it is either of two.
    assert excess_p(1, 1, 0, 1) == pytest.approx(1 / 2)
    assert excess_p(30, 30, 0, 10_000) < 1e-60


@given(st.integers(1, 5000), st.data())
def test_the_exact_interval_holds_the_rate_and_wilson_s_is_near(
    n: int, data: st.DataObject
) -> None:
    k = data.draw(st.integers(0, n))
    exact = exact_binomial(k, n)
    assert exact.low <= k / n <= exact.high
    low, high = wilson(k, n)
    assert abs(low - exact.low) < 1 / sqrt(n)
    assert abs(high - exact.high) < 1 / sqrt(n)


# By hand from Wilson's formula with z = 1.959964, z² = 3.841459:
# (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n) where p = k/n.
@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        # 0 … z²/(10 + z²) = 3.841459/13.841459
        (0, 10, 0.0, 0.277533),
        # n/(n + z²) = 10/13.841459 … 1
        (10, 10, 0.722467, 1.0),
        # 0.5 ± 1.959964·√(0.025 + 0.00960365)/1.3841459 = 0.5 ± 0.263407
        (5, 10, 0.236593, 0.763407),
        # 1/(1 + z²) = 1/4.841459 … 1
        (1, 1, 0.206549, 1.0),
        # centre 0.219207/1.03841459 = 0.211098, half 1.959964·√0.0016960365/1.03841459
        (20, 100, 0.133367, 0.288829),
    ],
)
def test_wilson_by_hand(k: int, n: int, low: float, high: float) -> None:
    assert wilson(k, n) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (3, 2), (-1, 2)])
@pytest.mark.parametrize("interval", [wilson, exact_binomial])
def test_what_is_no_rate_has_no_interval(
    interval: Callable[[int, int], object], k: int, n: int
) -> None:
    with pytest.raises(ValueError, match="no rate"):
        interval(k, n)


def test_large_numbers_are_no_trouble() -> None:
    found = exact_binomial(17_540, 1_000_000)
    assert found.low == pytest.approx(0.017284, abs=5e-6)
    assert found.high == pytest.approx(0.017799, abs=5e-6)
    assert beta_cdf(0.5, 1e6, 1e6) == pytest.approx(0.5)


def test_a_ratio_is_hidden_where_a_count_is_under_five() -> None:
    assert ratio(4, 100) is None
    assert ratio(100, 4) is None
    found = ratio(20, 10)
    assert found is not None
    assert found[0] == 2
    half = 1.959964 * sqrt(1 / 20 + 1 / 10)
    assert found[1].low == pytest.approx(exp(log(2) - half), rel=1e-6)
    assert found[1].high == pytest.approx(exp(log(2) + half), rel=1e-6)


def test_a_shrunk_rate_is_as_if_the_usual_had_been_seen_25_times() -> None:
    assert shrunk(5, 25, 0.4) == pytest.approx(0.3)
    assert shrunk(0, 0, 0.4) == 0.4


def test_the_mean_of_independent_clusters_is_student_s() -> None:
    # 40 clusters of one value each, half of them 1 and half of them 3: s² = 40/39.
    found = clustered_mean([1.0, 3.0] * 20, [1] * 40)
    error = sqrt(40 / 39) / sqrt(40)
    assert found.mean == 2
    assert found.interval is not None
    assert found.interval.high == pytest.approx(2 + 2.0227 * error, abs=1e-4)
    assert found.interval.low == pytest.approx(2 - 2.0227 * error, abs=1e-4)
    assert found.above_zero == pytest.approx(1.0)


def test_values_that_hang_together_tell_less() -> None:
    apart = clustered_mean([1.0, -1.0] * 200, [1] * 400)
    together = clustered_mean([10.0, -10.0] * 20, [10] * 40)
    assert apart.mean == together.mean == 0
    assert apart.interval is not None
    assert together.interval is not None
    # Ten times as much together: the error is √10 times as large.
    assert together.interval.high / apart.interval.high == pytest.approx(sqrt(10), rel=0.05)


def test_few_clusters_are_resampled_and_always_alike() -> None:
    sums, sizes = [30.0, -10.0, 5.0, 0.0, 12.0], [10, 8, 5, 4, 9]
    one, other = clustered_mean(sums, sizes), clustered_mean(sums, sizes)
    assert one == other
    assert one.mean == 37 / 36
    assert one.interval is not None
    assert -10 / 8 <= one.interval.low < one.mean < one.interval.high <= 3


def test_one_cluster_has_a_mean_and_no_spread() -> None:
    found = clustered_mean([6.0], [3])
    assert (found.mean, found.interval, found.above_zero) == (2, None, None)


def test_of_many_flags_those_stand_that_hold_against_their_number() -> None:
    # Benjamini and Hochberg's own example: 15 hypotheses, four rejected at 5 %.
    p_values = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
        *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
    ]
    assert believable(p_values) == [True] * 4 + [False] * 11
    assert believable(p_values[::-1]) == [False] * 11 + [True] * 4
    assert believable([]) == []


def test_a_later_one_below_its_share_lifts_those_before_it() -> None:
    assert believable([0.03, 0.04, 0.045]) == [True, True, True]
