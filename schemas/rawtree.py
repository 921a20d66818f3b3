"""A hand's bytes as a tree of plain JSON values, read strictly and for the sake of error messages.

Keeps what typed decoding loses: keys given twice, and numbers exactly as they were written. Slow;
`schemas.decode` comes here only when something is wrong or suspect.
"""

import json
from collections.abc import Iterator
from typing import Final

import msgspec

from schemas.errors import UnreadableHand, clip, step

MAX_DEPTH: Final = 64
"""How many objects and lists may lie inside one another."""

_WHOLE_DIGITS: Final = 18
BOM: Final = b"\xef\xbb\xbf"
UTF16_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")


class WrittenNumber:
    """A number that is no whole number of ordinary size, as it was written in ``text``."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class RepeatedKeys(dict[str, object]):
    """An object in which a key occurs twice; the first such key is ``repeated``."""

    repeated: str = ""


class _NoJsonError(ValueError):
    """A constant that Python's reader accepts and JSON does not have."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    repeats = RepeatedKeys(members)
    met: set[str] = set()
    for key, _ in pairs:
        if key in met:
            repeats.repeated = key
            break
        met.add(key)
    return repeats


def _whole(text: str) -> object:
    return int(text) if len(text) <= _WHOLE_DIGITS else WrittenNumber(text)


def _refuse(constant: str) -> object:
    raise _NoJsonError(constant)


_READER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_whole,
    parse_float=WrittenNumber,
    parse_constant=_refuse,
)


def _as_written(value: object) -> object:
    """Lets msgspec encode a `WrittenNumber` as the number it is."""
    if isinstance(value, WrittenNumber):
        return msgspec.Raw(value.text.encode())
    raise TypeError(f"no JSON value: {value!r}")


def encode(node: object) -> bytes:
    """The node as JSON, its numbers as they were written."""
    return msgspec.json.encode(node, enc_hook=_as_written)


def show(node: object) -> str:
    """The node as JSON for people, clipped."""
    return clip(encode(node).decode())


def nodes(tree: object) -> Iterator[tuple[str, int, object]]:
    """Every value of the tree with its JSON pointer and its depth, the whole first, in order."""
    pending: list[tuple[str, int, object]] = [("", 0, tree)]
    while pending:
        pointer, depth, node = pending.pop()
        yield pointer, depth, node
        children: list[tuple[str, int, object]] = []
        if isinstance(node, dict):
            children = [(step(pointer, key), depth + 1, value) for key, value in node.items()]
        elif isinstance(node, list):
            children = [(step(pointer, i), depth + 1, value) for i, value in enumerate(node)]
        pending.extend(reversed(children))


def _lone_surrogate(tree: object) -> object:
    """The tree, or the error of its first text in which half of a surrogate pair stands alone."""
    for pointer, _, node in nodes(tree):
        texts = [node] if isinstance(node, str) else node if isinstance(node, dict) else ()
        if any("\ud800" <= char <= "\udfff" for text in texts for char in text):
            seen = clip(json.dumps(node, default=str))
            return UnreadableHand("not-json", pointer, "a surrogate pair, whole", seen)
    return tree


def _text(raw: bytes) -> str | UnreadableHand:
    """The bytes as text without a byte order mark."""
    body = raw.removeprefix(BOM)
    if not body.strip():
        return UnreadableHand("empty", "", "a JSON object", "nothing")
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        if raw.startswith(UTF16_BOMS):
            return UnreadableHand("not-utf8", "", "text in UTF-8", "text in UTF-16")
        at = error.start + len(raw) - len(body)
        seen = f"byte 0x{body[error.start]:02x} at offset {at}"
        return UnreadableHand("not-utf8", "", "text in UTF-8", seen)


def _too_deep(pointer: str, most: int) -> UnreadableHand:
    return UnreadableHand("too-deep", pointer, f"at most {most} levels", "more levels")


def read_tree(raw: bytes, depth: int = 0, most: int = MAX_DEPTH) -> object | UnreadableHand:
    """The whole of ``raw`` as one JSON value, strictly: no NaN, no lone surrogate, not too deep.

    Args:
        raw: JSON in UTF-8, with or without a byte order mark.
        depth: How many objects and lists lie around it.
        most: How many may lie inside one another, those around it included.

    Returns:
        The tree, or why there is none. Objects are dicts, `RepeatedKeys` where a key occurs twice;
        numbers are ints where they are whole and of ordinary size, else `WrittenNumber`.
    """
    text = _text(raw)
    begun = len(raw) - len(raw.removeprefix(BOM))
    tree = _parse(text, begun, most) if isinstance(text, str) else text
    if isinstance(text, UnreadableHand) or isinstance(tree, UnreadableHand):
        return tree
    if depth + _levels(tree) > most:
        return _first_too_deep(tree, depth, most)
    return _lone_surrogate(tree) if "\\u" in text else tree


def _levels(node: object) -> int:
    """How many objects and lists lie inside one another."""
    if isinstance(node, dict):
        return 1 + max(map(_levels, node.values()), default=0)
    if isinstance(node, list):
        return 1 + max(map(_levels, node), default=0)
    return 0


def _first_too_deep(tree: object, depth: int, most: int) -> UnreadableHand:
    deep = (at for at, level, node in nodes(tree) if depth + level >= most and _levels(node))
    return _too_deep(next(deep), most)


def _parse(text: str, begun: int, most: int) -> object:
    try:
        return _READER.decode(text)
    except json.JSONDecodeError as error:
        at = begun + len(text[: error.pos].encode())
        near = clip(text[error.pos : error.pos + 40], 40)
        seen = f"{near!r} at offset {at}" if near else f"the end, at offset {at}"
        return UnreadableHand("not-json", "", f"JSON ({error.msg})", seen)
    except _NoJsonError as error:
        return UnreadableHand("not-json", "", "JSON, which knows finite numbers only", str(error))
    except RecursionError:
        return _too_deep("", most)
