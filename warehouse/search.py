"""The orders of lists, and where a page of one ended.

An order ends in what is different in all entries, so no two share a place, and what comes in
between two pages moves none. A page's rows carry their places behind what they show.
"""

import datetime as dt
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from warehouse.conditions import HandSort

PlayerSort = Literal[
    "-hands",
    "hands",
    "player",
    "-player",
    "-net",
    "net",
    "-per_100",
    "per_100",
    "-last_played",
    "last_played",
]

_Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
_Naive = Annotated[dt.datetime, Meta(tz=False)]  # as segments hold it: UTC without an offset


class Key(Struct, frozen=True):
    """A part of an order: its SQL and the type of its values."""

    sql: str
    kind: Any


class Order(Struct, frozen=True):
    """An order as SQL: to go ``by``, and to go on ``behind`` a place that is bound to its names.

    ``place`` are the columns of a row's place, which is of the type ``kind``.
    """

    by: str
    behind: str
    place: str
    kind: Any
    width: int


_PLAYED: Final = Key("coalesce(played_at, TIMESTAMP '0001-01-01')", _Naive)
_SESSION: Final = Key("coalesce(session, '')", str)
_NUMBER: Final = Key("coalesce(hand_no, 0)", _Whole)
_POT: Final = Key("coalesce(pot, -1)", _Whole)
_IN_UPLOAD: Final = (Key("upload", str), Key("ordinal", _Whole))
_PLAY: Final = (_PLAYED, _SESSION, _NUMBER, *_IN_UPLOAD)
_HANDS: Final = {
    "played_at": _PLAY,
    "pot": (_POT, *_PLAY),
    "hand_no": (_NUMBER, _SESSION, *_IN_UPLOAD),
}
_PLAYER: Final = Key("player", str)
_PLAYERS: Final = {
    "hands": (Key("hands", _Whole), _PLAYER),
    "player": (Key("lower(player)", str), _PLAYER),
    "net": (Key("net", _Whole), _PLAYER),
    "per_100": (Key("per_100", float), _PLAYER),
    "last_played": (Key("coalesce(last_played, TIMESTAMP '0001-01-01')", _Naive), _PLAYER),
}


def hand_order(sort: HandSort) -> Order:
    """Return one of the orders of hands; what is absent counts as the least."""
    return _order(_HANDS[sort.removeprefix("-")], descending=sort.startswith("-"))


def player_order(sort: PlayerSort) -> Order:
    """Return one of the orders of players."""
    return _order(_PLAYERS[sort.removeprefix("-")], descending=sort.startswith("-"))


def play_order() -> Order:
    """Return the order in which a player's hands were played."""
    return _order((*_PLAY, Key("seat", _Whole)), descending=False)


def bound_place(place: tuple[object, ...]) -> dict[str, object]:
    """Return the values of a place by the names that `Order.behind` gives them."""
    return {f"key_{number}": value for number, value in enumerate(place)}


def _order(keys: tuple[Key, ...], *, descending: bool) -> Order:
    way, side = ("DESC", "<") if descending else ("ASC", ">")
    columns = ", ".join(key.sql for key in keys)
    bound = ", ".join(f"$key_{number}" for number in range(len(keys)))
    return Order(
        by=", ".join(f"{key.sql} {way}" for key in keys),
        behind=f"({columns}) {side} ({bound})",
        place=columns,
        kind=tuple[tuple(key.kind for key in keys)],  # type: ignore[misc] # made at run time
        width=len(keys),
    )
