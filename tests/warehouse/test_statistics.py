import pytest

from warehouse.counters import COUNTERS
from warehouse.statistics import STATISTICS, wilson


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
def test_what_is_no_rate_has_no_interval(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="no rate"):
        wilson(k, n)


def test_every_statistic_is_made_of_counters() -> None:
    assert {one.made for one in STATISTICS} | {one.chances for one in STATISTICS} == set(COUNTERS)
