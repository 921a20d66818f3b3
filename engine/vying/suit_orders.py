"""What unseen cards of one suit can count, by how many of them are on the table.

A suit's cards are a mask of thirteen bits. Counts of cards are kept as bit masks themselves: bit n
is set where n cards can do it.
"""

from typing import Final

from engine.cards import POINTS

_LEAST: Final[dict[int, list[int]]] = {}
_MOST: Final[dict[int, list[int]]] = {}
_COUNTS: Final[dict[int, dict[int, int]]] = {}


def least_points(ranks: int) -> list[int]:
    """The fewest points of so many of these cards, from none to all of them."""
    sums = _LEAST.get(ranks)
    if sums is None:
        sums = _LEAST[ranks] = _sums(_points(ranks))
    return sums


def most_points(ranks: int) -> list[int]:
    """The most points of so many of these cards, from none to all of them."""
    sums = _MOST.get(ranks)
    if sums is None:
        points = _points(ranks)
        points.reverse()
        sums = _MOST[ranks] = _sums(points)
    return sums


def counts_by_points(ranks: int) -> dict[int, int]:
    """For each number of points that some of these cards make, how many cards can make it."""
    reached = _COUNTS.get(ranks)
    if reached is None:
        reached = {0: 1}
        for points in _points(ranks):
            for total, counts in list(reached.items()):
                reached[total + points] = reached.get(total + points, 0) | counts << 1
        _COUNTS[ranks] = reached
    return reached


def added(counts: int, more: int) -> int:
    """The counts that come of one of the first and one of the second together."""
    sums = 0
    while more:
        low = more & -more
        sums |= counts << (low.bit_length() - 1)
        more ^= low
    return sums


def _points(ranks: int) -> list[int]:
    """The points of the cards one by one, fewest first."""
    return [POINTS[rank] for rank in range(13) if ranks >> rank & 1]


def _sums(points: list[int]) -> list[int]:
    sums = [0]
    for more in points:
        sums.append(sums[-1] + more)
    return sums
