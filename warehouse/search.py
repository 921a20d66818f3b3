"""The orders in which hands are listed, and where a page of them ended.

An order ends in the hand's place in its upload, so no two hands share a place, and what comes in
between two pages moves none.
"""

import datetime as dt
from collections.abc import Callable
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from warehouse.conditions import HandSort

LONG_AGO: Final = dt.datetime(1, 1, 1)  # noqa: DTZ001 -- segments hold UTC without an offset

_Whole = Annotated[int, Meta(ge=-1, le=2**63 - 1)]
_Naive = Annotated[dt.datetime, Meta(tz=False)]


class Key(Struct, frozen=True):
    """A part of an order: its SQL, the type of its values, and its value in a hand."""

    sql: str
    kind: Any
    value: Callable[[Any], object]


_UPLOAD: Final = Key("upload", str, lambda hand: hand.upload)
_ORDINAL: Final = Key("ordinal", _Whole, lambda hand: hand.ordinal)
_SESSION: Final = Key("coalesce(session, '')", str, lambda hand: hand.session or "")
_NUMBER: Final = Key("coalesce(hand_no, 0)", _Whole, lambda hand: hand.hand_no or 0)
_POT: Final = Key("coalesce(pot, -1)", _Whole, lambda hand: -1 if hand.pot is None else hand.pot)
_PLAYED: Final = Key(
    "coalesce(played_at, TIMESTAMP '0001-01-01')",
    _Naive,
    lambda hand: LONG_AGO if hand.played_at is None else hand.played_at.replace(tzinfo=None),
)
_KEYS: Final = {
    "played_at": (_PLAYED, _SESSION, _NUMBER, _UPLOAD, _ORDINAL),
    "pot": (_POT, _PLAYED, _SESSION, _NUMBER, _UPLOAD, _ORDINAL),
    "hand_no": (_NUMBER, _SESSION, _UPLOAD, _ORDINAL),
}


class Order(Struct, frozen=True):
    """An order as SQL: to go ``by``, and to go on ``behind`` a place that is bound to its names."""

    keys: tuple[Key, ...]
    by: str
    behind: str

    @property
    def place_type(self) -> Any:  # noqa: ANN401 -- a type
        """The type of a place: the values of the keys, in their order."""
        return tuple[tuple(key.kind for key in self.keys)]  # type: ignore[misc] # made at run time

    def place(self, entry: object) -> tuple[object, ...]:
        """The place of an entry."""
        return tuple(key.value(entry) for key in self.keys)


def order_of(keys: tuple[Key, ...], *, descending: bool) -> Order:
    """Return the order by these keys, all of them up or all of them down."""
    way, side = ("DESC", "<") if descending else ("ASC", ">")
    by = ", ".join(f"{key.sql} {way}" for key in keys)
    found = ", ".join(key.sql for key in keys)
    place = ", ".join(f"$key_{number}" for number in range(len(keys)))
    return Order(keys, by, f"({found}) {side} ({place})")


def hand_order(sort: HandSort) -> Order:
    """Return one of the orders of hands; those whose value is absent count as the least."""
    return order_of(_KEYS[sort.removeprefix("-")], descending=sort.startswith("-"))


def bound_place(place: tuple[object, ...]) -> dict[str, object]:
    """Return the values of a place by the names that `Order.behind` gives them."""
    return {f"key_{number}": value for number, value in enumerate(place)}
