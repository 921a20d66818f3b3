"""How sure a figure is: intervals of rates, ratios and means, and which of many flags to believe.

All intervals are of 95 %. Nothing here knows what the figures are of.
"""

import random
from collections.abc import Callable, Sequence
from math import exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

LEVEL: Final = 0.95
FEW_CLUSTERS: Final = 30
"""Below so many clusters a mean's interval is drawn from resamples instead of Student's t."""

_Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
_FEWEST_FOR_RATIO: Final = 5
_RESAMPLES: Final = 2_000
_TERMS: Final = 500
_TINY: Final = 1e-300
_HALVINGS: Final = 80
_NEGLIGIBLE: Final = 1e-17


class Interval(Struct, frozen=True):
    """From ``low`` to ``high``."""

    low: float
    high: float


class Mean(Struct, frozen=True):
    """A mean with its interval, and how probable it is that the true one is above 0.

    Both are None where a single cluster tells nothing of the spread.
    """

    mean: float
    interval: Interval | None
    above_zero: float | None


def wilson(k: int, n: int) -> tuple[float, float]:
    """Return the Wilson score interval of the rate k/n, within 0 and 1.

    Raises:
        ValueError: there was no chance (n = 0), or k is not within 0 and n.
    """
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"{k} of {n} is no rate")
    rate = k / n
    square = _Z * _Z / n
    centre = (rate + square / 2) / (1 + square)
    half = _Z * sqrt(rate * (1 - rate) / n + square / (4 * n)) / (1 + square)
    return (0.0 if k == 0 else centre - half, 1.0 if k == n else centre + half)


def exact_binomial(k: int, n: int) -> Interval:
    """Return the exact (Clopper and Pearson's) interval of the rate k/n.

    Raises:
        ValueError: there was no chance (n = 0), or k is not within 0 and n.
    """
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"{k} of {n} is no rate")
    tail = (1 - LEVEL) / 2
    low = 0.0 if k == 0 else _solve(lambda p: beta_cdf(p, k, n - k + 1), tail)
    high = 1.0 if k == n else _solve(lambda p: beta_cdf(p, k + 1, n - k), 1 - tail)
    return Interval(low, high)


def excess_p(k: int, n: int, others_k: int, others_n: int) -> float:
    """Return how probable k or more of n are where all that was done is dealt out at random.

    That is Fisher's exact test, one-sided: few chances of the others prove as little as few of n.
    """
    done, chances = k + others_k, n + others_n
    total = 0.0
    for i in range(k, min(n, done) + 1):
        ways = _log_comb(done, i) + _log_comb(chances - done, n - i) - _log_comb(chances, n)
        term = exp(ways)
        total += term
        if term < _NEGLIGIBLE * total:
            break
    return min(1.0, total)


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def ratio(a: int, b: int) -> tuple[float, Interval] | None:
    """Return a ÷ b of two counts with its interval on the scale of logarithms.

    None where a count is under 5: it would say nothing.
    """
    if min(a, b) < _FEWEST_FOR_RATIO:
        return None
    half = _Z * sqrt(1 / a + 1 / b)
    middle = log(a / b)
    return a / b, Interval(exp(middle - half), exp(middle + half))


def shrunk(k: int, n: int, usual: float, weight: int = 25) -> float:
    """Return the rate k/n drawn to the usual one, as if that had been seen ``weight`` times."""
    return (k + weight * usual) / (n + weight)


def clustered_mean(sums: Sequence[float], sizes: Sequence[float]) -> Mean:
    """Return the mean of all values where those of one cluster hang together, such as a session's.

    Args:
        sums: of each cluster's values.
        sizes: how many each cluster has, or how long it took; none of them 0.

    Raises:
        ValueError: there is no cluster.
    """
    total, count, clusters = sum(sums), sum(sizes), len(sums)
    if clusters == 0:
        raise ValueError("no cluster has no mean")
    mean = total / count
    if clusters == 1:
        return Mean(mean, None, None)
    residuals = sum((s - mean * n) ** 2 for s, n in zip(sums, sizes, strict=True))
    error = sqrt(residuals * clusters / (clusters - 1)) / count
    freedom = clusters - 1
    above = float(mean > 0) if error == 0 else student_cdf(mean / error, freedom)
    if clusters < FEW_CLUSTERS:
        return Mean(mean, _bootstrapped(sums, sizes), above)
    half = student_quantile((1 + LEVEL) / 2, freedom) * error
    return Mean(mean, Interval(mean - half, mean + half), above)


def _bootstrapped(sums: Sequence[float], sizes: Sequence[float]) -> Interval:
    """The interval of the mean over resampled clusters; the same figures give the same one."""
    chance = random.Random(20_000)  # noqa: S311 -- a fixed sequence is meant
    places = range(len(sums))
    means = sorted(
        sum(sums[place] for place in drawn) / sum(sizes[place] for place in drawn)
        for drawn in (chance.choices(places, k=len(sums)) for _ in range(_RESAMPLES))
    )
    cut = round(_RESAMPLES * (1 - LEVEL) / 2)
    return Interval(means[cut], means[-1 - cut])


def believable(p_values: Sequence[float], rate: float = 0.05) -> list[bool]:
    """Tell which of many findings stand when so great a share of them may be false.

    Benjamini and Hochberg's way: those up to the last that is below its share.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    last = 0
    for place, index in enumerate(order, 1):
        if p_values[index] <= rate * place / len(p_values):
            last = place
    stands = [False] * len(p_values)
    for index in order[:last]:
        stands[index] = True
    return stands


def student_cdf(t: float, freedom: int) -> float:
    """Return the probability that Student's t is at most this."""
    tail = beta_cdf(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return 1 - tail if t > 0 else tail


def student_quantile(p: float, freedom: int) -> float:
    """Return the t below which Student's t lies with the probability p, above ½ and below 1."""
    # t = √(f(1 - x)/x) where x is the beta distribution's quantile of the other tail.
    x = _solve(lambda x: beta_cdf(x, freedom / 2, 0.5), 2 * (1 - p))
    return sqrt(freedom * (1 - x) / x)


def _solve(rising: Callable[[float], float], wanted: float) -> float:
    """Where a function that rises from 0 at 0 to 1 at 1 has this value."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if rising(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, the share of Beta(a, b) below x."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    scale = exp(a * log(x) + b * log(1 - x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / a
    return scale * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's way."""
    upper = 1.0
    lower = 1 / _kept(1 - (a + b) * x / (a + 1))
    value = lower
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for term in (even, odd):
            lower = 1 / _kept(1 + term * lower)
            upper = _kept(1 + term / upper)
            value *= lower * upper
        if abs(value - before) <= 1e-15 * abs(value):
            break
    return value


def _kept(value: float) -> float:
    """The value, kept away from 0."""
    return value if abs(value) > _TINY else _TINY
