import pytest

from dashboards.profile import certainty
from warehouse.totals import Rate
from warehouse.uncertainty import wilson


def rate(k: int, n: int) -> Rate:
    low, high = wilson(k, n) if n else (None, None)
    return Rate("entry", "vying", "Enters", "", k, n, low, high)


@pytest.mark.parametrize(
    ("k", "n", "expected"),
    [
        (0, 0, "none"),
        (5, 10, "faded"),  # half width 26.3 points
        (19, 38, "faded"),  # 15.15
        (20, 40, "plain"),  # 14.8
        (82, 164, "plain"),  # 7.56
        (86, 172, "strong"),  # 7.38
    ],
)
def test_a_rate_stands_as_firmly_as_its_interval_is_narrow(k: int, n: int, expected: str) -> None:
    assert certainty(rate(k, n)) == expected
