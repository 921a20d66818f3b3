"""The hands before and behind a hand in a list of hands."""

import datetime as dt
from typing import Any, Final, cast

import msgspec
from msgspec import Struct

from warehouse.conditions import HandConditions, HandSort
from warehouse.cursors import BadCursor, write_cursor
from warehouse.queries import HandSummary, Warehouse

_LONG_AGO: Final = dt.datetime(1, 1, 1)  # noqa: DTZ001 -- segments hold UTC without an offset


class Neighbours(Struct, frozen=True):
    """The hands before and behind one; None at an end of the list."""

    before: HandSummary | None
    behind: HandSummary | None


def neighbours(
    warehouse: Warehouse, hand: HandSummary, conditions: HandConditions, sort: HandSort
) -> Neighbours:
    """Return the neighbours of a hand in the list with these conditions, in this order.

    The hand itself need not meet them: then they are those between which it would stand.
    """
    return Neighbours(
        before=_next_to(warehouse, hand, conditions, _turned(sort)),
        behind=_next_to(warehouse, hand, conditions, sort),
    )


def _next_to(
    warehouse: Warehouse, hand: HandSummary, conditions: HandConditions, sort: HandSort
) -> HandSummary | None:
    cursor = write_cursor((sort, msgspec.to_builtins(conditions)), _place(hand, sort))
    page = warehouse.search_hands(conditions, sort=sort, limit=1, cursor=cursor)
    if isinstance(page, BadCursor):
        raise TypeError(f"The list by {sort} has other places: expected {page.expected}")
    return page.hands[0] if page.hands else None


def _turned(sort: HandSort) -> HandSort:
    """The same order from its end."""
    return cast("HandSort", sort[1:] if sort.startswith("-") else f"-{sort}")


def _place(hand: HandSummary, sort: HandSort) -> tuple[Any, ...]:
    """The hand's place in an order of hands, as `warehouse.search` has its columns."""
    in_upload = (hand.upload, hand.ordinal)
    played_at = _LONG_AGO if hand.played_at is None else hand.played_at.replace(tzinfo=None)
    play = (played_at, hand.session or "", hand.hand_no or 0, *in_upload)
    match sort.removeprefix("-"):
        case "pot":
            return (-1 if hand.pot is None else hand.pot, *play)
        case "hand_no":
            return (hand.hand_no or 0, hand.session or "", *in_upload)
        case _:
            return play
