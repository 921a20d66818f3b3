"""A hand on its way into the hand document: its members so far, and where each came from."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from schemas.errors import UnreadableHand, step
from schemas.rawtree import WrittenNumber, show

Tree = dict[str, object]

_WHOLE: Final = 18


@dataclass
class Draft:
    """Members as the hand document has them, but for cards, amounts and the order of seats.

    Attributes:
        tree: The document as plain JSON values.
        origins: Pointer into the original by pointer into the tree as it was read; what lies
            deeper follows.
        moves: Pointer into the tree as it was read by pointer into ``tree``, where they differ.
        as_written: Whether a pointer that has no origin is good for the original too.
        notes: What was left out or taken for granted, for people.
    """

    tree: Tree
    origins: dict[str, str] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    as_written: bool = False
    notes: list[str] = field(default_factory=list)

    def origin(self, pointer: str) -> str:
        """Where in the original the part at ``pointer`` of the tree stands, or what holds it."""
        read = _follow(self.moves, pointer) or pointer
        found = _follow(self.origins, read)
        if found is not None:
            return found
        return read if self.as_written else self.origins.get("", "")

    def error(self, code: str, pointer: str, expected: str, seen: object) -> UnreadableHand:
        """An error at a part of the tree, told of the original."""
        return UnreadableHand(code, self.origin(pointer), expected, show(seen))

    def events(self) -> Iterator[tuple[str, Tree]]:
        """Every event that is an object, with its pointer."""
        events = self.tree.get("events")
        for index, event in enumerate(events if isinstance(events, list) else ()):
            if isinstance(event, dict):
                yield f"/events/{index}", event


def _follow(places: dict[str, str], pointer: str) -> str | None:
    """The pointer with its longest head that has another place put there."""
    head = pointer
    while head:
        if head in places:
            return places[head] + pointer[len(head) :]
        head = head.rpartition("/")[0]
    return None


def whole(value: object) -> int | None:
    """The whole number of ``15``, ``15.0`` or ``"15"``; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    text = value.text if isinstance(value, WrittenNumber) else value
    if not isinstance(text, str):
        return None
    digits, _, fraction = text.strip().partition(".")
    sign = -1 if digits.startswith("-") else 1
    digits = digits.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or fraction.strip("0"):
        return None
    return sign * int(digits) if len(digits) <= _WHOLE else None


def members(value: object) -> Tree:
    """The members of an object, none of anything else."""
    return value if isinstance(value, dict) else {}


def below(pointer: str, *tokens: str | int) -> str:
    """The pointer that many steps below another."""
    for token in tokens:
        pointer = step(pointer, token)
    return pointer
