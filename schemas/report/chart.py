"""The course of a session as lines: every player's balance after every hand, laid out for SVG."""

import itertools
from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 920
HEIGHT: Final = 280
_LEFT: Final = 52
_RIGHT: Final = 130
_TOP: Final = 14
_BOTTOM: Final = 26
_LABEL_GAP: Final = 17
_TICKS: Final = 4


class Line(NamedTuple):
    """A player's line: its points as SVG has them, where it ends, and where its name stands."""

    player: str
    points: str
    end_x: float
    end_y: float
    label_y: float
    balance: int


class Tick(NamedTuple):
    """A mark on an axis: where, and what it says."""

    at: float
    text: int


class Chart(NamedTuple):
    """Lines and marks in a box of `WIDTH` by `HEIGHT`."""

    lines: list[Line]
    across: list[Tick]
    down: list[Tick]
    zero: float
    left: int
    right: int
    bottom: int


def draw(balances: dict[str, list[tuple[int, int]]]) -> Chart | None:
    """The chart of balances by player, lists of hand number and chips; None for too little."""
    hands = sorted({number for line in balances.values() for number, _ in line})
    if len(hands) < 2:
        return None
    chips = [0, *(amount for line in balances.values() for _, amount in line)]
    step = _step(max(chips) - min(chips))
    low, high = min(chips) // step * step, -(-max(chips) // step) * step
    high = high if high > low else low + step

    def across(number: int) -> float:
        span = WIDTH - _LEFT - _RIGHT
        return round(_LEFT + span * (number - hands[0]) / (hands[-1] - hands[0]), 1)

    def down(amount: int) -> float:
        return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (high - amount) / (high - low), 1)

    ends = {player: line[-1][1] for player, line in balances.items() if line}
    places = _spread([down(ends[player]) for player in ends])
    lines = [
        Line(
            player=player,
            points=" ".join(f"{across(number)},{down(amount)}" for number, amount in line),
            end_x=across(line[-1][0]),
            end_y=down(line[-1][1]),
            label_y=places[index],
            balance=line[-1][1],
        )
        for index, (player, line) in enumerate(
            (player, line) for player, line in balances.items() if line
        )
    ]
    every = max(1, -(-len(hands) // 12))
    return Chart(
        lines=lines,
        across=[Tick(across(number), number) for number in hands[::every]],
        down=[Tick(down(amount), amount) for amount in range(low, high + 1, step)],
        zero=down(0),
        left=_LEFT,
        right=WIDTH - _RIGHT,
        bottom=HEIGHT - _BOTTOM,
    )


def _step(span: int) -> int:
    """A round distance between marks, so that there are about four."""
    rough = max(1, span // _TICKS)
    power: int = 10 ** (len(str(rough)) - 1)
    return next(power * times for times in (1, 2, 5, 10) if power * times >= rough)


def _spread(wanted: Sequence[float]) -> list[float]:
    """The places of labels, each near where it is wanted and none upon another."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    placed = list(wanted)
    for above, index in itertools.pairwise(order):
        placed[index] = max(placed[index], placed[above] + _LABEL_GAP)
    floor = float(HEIGHT - 8)
    for index in reversed(order):
        placed[index] = min(placed[index], floor)
        floor = placed[index] - _LABEL_GAP
    return [round(place, 1) for place in placed]
