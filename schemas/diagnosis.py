"""What is wrong with a tree that should be a document: the first error, and every unknown key.

The document types are the only source: this walks their description and the tree side by side, in
the order of the format.
"""

import datetime as dt
import difflib
import functools
from typing import Final

import msgspec
from msgspec import inspect

from schemas.document import Hand
from schemas.errors import UnknownKey, UnreadableHand, clip, step
from schemas.rawtree import RepeatedKeys, WrittenNumber, show

Place = tuple["Place", str | int] | None
"""A place in the tree: the place around it, and the last token of its pointer."""

_HAND: Final = inspect.type_info(Hand)
_SUGGESTIONS: Final = 100
"""So many unknown keys of one hand are compared with the known ones; the rest are only listed."""
_COMPARED: Final = 64

EARLIEST_YEAR: Final = 2
LATEST_YEAR: Final = 9998
"""Years whose every moment is a moment in every time zone."""


def _nearest(key: str, known: tuple[str, ...]) -> str | None:
    return _nearest_of_short(key[:_COMPARED].lower(), known)


@functools.lru_cache(maxsize=1024)
def _nearest_of_short(key: str, known: tuple[str, ...]) -> str | None:
    near = difflib.get_close_matches(key, known, n=1)
    return near[0] if near else None


def _names(values: list[str]) -> str:
    return "one of " + ", ".join(f"`{value}`" for value in values)


def _span(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return ""
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"{low} to {high}"


def _whole_bounds(kind: inspect.IntType) -> tuple[int | None, int | None]:
    low = kind.ge if kind.gt is None else kind.gt + 1
    high = kind.le if kind.lt is None else kind.lt - 1
    return low, high


def describe(kind: inspect.Type) -> str:
    """What a type admits, as a phrase such as ``a whole number, 0 to 7``."""
    phrase = "an object"
    match kind:
        case inspect.Metadata():
            phrase = describe(kind.type)
        case inspect.IntType():
            span = _span(*_whole_bounds(kind))
            phrase = f"a whole number, {span}" if span else "a whole number"
        case inspect.StrType():
            span = _span(kind.min_length, kind.max_length)
            phrase = f"text of {span} characters" if span else "text"
        case inspect.ListType():
            span = _span(kind.min_length, kind.max_length)
            phrase = f"a list of {span} elements" if span else "a list"
        case inspect.LiteralType():
            phrase = _names([str(value) for value in kind.values])
        case inspect.DateTimeType():
            phrase = "a date and time such as 2026-03-14T20:15:03Z"
        case inspect.BoolType():
            phrase = "true or false"
        case inspect.UnionType() if not _variants(kind):
            written = (one for one in kind.types if not isinstance(one, inspect.NoneType))
            phrase = " or ".join(describe(member) for member in written)
    return phrase


def _variants(kind: inspect.UnionType) -> dict[str, inspect.StructType]:
    """The members of a union of tagged structs by tag; empty for another union."""
    return {
        str(member.tag): member for member in kind.types if isinstance(member, inspect.StructType)
    }


class Diagnosis:
    """Walks one tree. Afterwards ``unknown`` lists its unknown keys, which are cut out of it."""

    def __init__(self, kind: inspect.Type = _HAND) -> None:
        self._kind = kind
        self.unknown: list[UnknownKey] = []
        self._variants: dict[int, dict[str, inspect.StructType]] = {}

    def examine(self, tree: dict[str, object]) -> UnreadableHand | None:
        """The first error of a document; changes the tree by cutting out unknown keys."""
        return self._value(tree, self._kind, None)

    def _value(self, node: object, kind: inspect.Type, at: Place) -> UnreadableHand | None:
        if isinstance(kind, inspect.Metadata):
            kind = kind.type
        match kind:
            case inspect.StructType():
                error = self._struct(node, kind, at)
            case inspect.UnionType():
                error = self._union(node, kind, at)
            case inspect.ListType():
                error = self._list(node, kind, at)
            case inspect.DictType():
                error = self._dict(node, kind, at)
            case inspect.RawType():
                error = None
            case _:
                error = _scalar(node, kind, at)
        return error

    def _struct(self, node: object, kind: inspect.StructType, at: Place) -> UnreadableHand | None:
        if not isinstance(node, dict):
            return UnreadableHand("wrong-type", _pointer(at), "an object", show(node))
        if isinstance(node, RepeatedKeys):
            return _repeated(node.repeated, at)
        known = [field.encode_name for field in kind.fields]
        if kind.tag_field is not None:
            known.append(kind.tag_field)
        strangers = [key for key in node if key not in known]
        for field in kind.fields:
            if field.required and field.encode_name not in node:
                return _missing(field.encode_name, describe(field.type), strangers, at)
        for key in strangers:
            compare = len(self.unknown) < _SUGGESTIONS
            suggestion = _nearest(key, tuple(known)) if compare else None
            self.unknown.append(UnknownKey(_pointer((at, key)), suggestion))
            del node[key]
        for field in kind.fields:
            if field.encode_name in node:
                value = node[field.encode_name]
                error = self._value(value, field.type, (at, field.encode_name))
                if error is not None:
                    return error
        return None

    def _union(self, node: object, kind: inspect.UnionType, at: Place) -> UnreadableHand | None:
        variants = self._variants.get(id(kind))
        if variants is None:
            variants = self._variants[id(kind)] = _variants(kind)
        if not variants:
            return self._alternatives(node, kind, at)
        if not isinstance(node, dict):
            return UnreadableHand("wrong-type", _pointer(at), "an object", show(node))
        if isinstance(node, RepeatedKeys):
            return _repeated(node.repeated, at)
        tag_field = next(iter(variants.values())).tag_field or ""
        if tag_field not in node:
            return _missing(tag_field, _names(list(variants)), list(node), at)
        tag = node[tag_field]
        if isinstance(tag, str) and tag in variants:
            return self._struct(node, variants[tag], at)
        code = "unknown-value" if isinstance(tag, str) else "wrong-type"
        return UnreadableHand(code, _pointer((at, tag_field)), _names(list(variants)), show(tag))

    def _alternatives(
        self, node: object, kind: inspect.UnionType, at: Place
    ) -> UnreadableHand | None:
        """A value of one of several scalar kinds: the nearest miss names the code."""
        codes = []
        for member in kind.types:
            error = self._value(node, member, at)
            if error is None:
                return None
            codes.append(error.code)
        code = next((code for code in codes if code != "wrong-type"), "wrong-type")
        return UnreadableHand(code, _pointer(at), describe(kind), show(node))

    def _list(self, node: object, kind: inspect.ListType, at: Place) -> UnreadableHand | None:
        if not isinstance(node, list):
            return UnreadableHand("wrong-type", _pointer(at), describe(kind), show(node))
        if not _within(len(node), kind.min_length, kind.max_length):
            return UnreadableHand(
                "out-of-range", _pointer(at), describe(kind), f"{len(node)} elements"
            )
        for index, element in enumerate(node):
            error = self._value(element, kind.item_type, (at, index))
            if error is not None:
                return error
        return None

    def _dict(self, node: object, kind: inspect.DictType, at: Place) -> UnreadableHand | None:
        if not isinstance(node, dict):
            return UnreadableHand("wrong-type", _pointer(at), "an object", show(node))
        if isinstance(node, RepeatedKeys):
            return _repeated(node.repeated, at)
        met: set[str] = set()
        for key, value in node.items():
            error = _key(key, kind.key_type, at) or self._value(value, kind.value_type, (at, key))
            if error is not None:
                return error
            if (same := "0" if key == "-0" else key) in met:
                return _repeated(key, at)
            met.add(same)
        return None


def _pointer(place: Place) -> str:
    """The place as a JSON pointer."""
    tokens: list[str | int] = []
    while place is not None:
        place, token = place
        tokens.append(token)
    return functools.reduce(step, reversed(tokens), "")


def _within(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _repeated(key: str, at: Place) -> UnreadableHand:
    return UnreadableHand("duplicate-key", _pointer((at, key)), "each key once", "the key twice")


def _missing(key: str, expected: str, strangers: list[str], at: Place) -> UnreadableHand:
    """A required key that is absent, with the stranger next to it that may be meant for it."""
    near = next(
        (name for name in strangers[:_SUGGESTIONS] if _nearest(name, (key,)) is not None), None
    )
    seen = "absent" if near is None else f"`{clip(near, 60)}`; did you mean `{key}`?"
    return UnreadableHand("missing-key", _pointer((at, key)), expected, seen)


def _key(key: str, kind: inspect.Type, at: Place) -> UnreadableHand | None:
    """A key of an object whose keys are data: a seat index as text, or any text."""
    plain = kind.type if isinstance(kind, inspect.Metadata) else kind
    if not isinstance(plain, inspect.IntType):
        return None
    expected = f"as key {describe(kind)}, as text"
    digits = key.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and digits != "0"):
        return UnreadableHand("wrong-type", _pointer((at, key)), expected, show(key))
    if len(digits) > 18 or not _within(int(key), *_whole_bounds(plain)):
        return UnreadableHand("out-of-range", _pointer((at, key)), expected, show(key))
    return None


def _scalar(node: object, kind: inspect.Type, at: Place) -> UnreadableHand | None:
    code = _scalar_fault(node, kind)
    return None if code is None else UnreadableHand(code, _pointer(at), describe(kind), show(node))


def _scalar_fault(node: object, kind: inspect.Type) -> str | None:
    """The code of what is wrong with a number, a text, a truth value or a date."""
    match kind:
        case inspect.IntType():
            fault = _whole_fault(node, kind)
        case inspect.StrType():
            fault = _text_fault(node, kind)
        case inspect.LiteralType():
            listed = isinstance(node, str) and node in kind.values
            fault = None if listed else "unknown-value" if isinstance(node, str) else "wrong-type"
        case inspect.DateTimeType():
            fault = _moment_fault(node)
        case inspect.NoneType():  # what may be absent is left out, not written as null
            fault = "wrong-type"
        case _:
            fault = None if isinstance(node, bool) else "wrong-type"
    return fault


def _text_fault(node: object, kind: inspect.StrType) -> str | None:
    if not isinstance(node, str):
        return "wrong-type"
    if "\0" in node or not _within(len(node), kind.min_length, kind.max_length):
        return "out-of-range"
    return None


def _whole_fault(node: object, kind: inspect.IntType) -> str | None:
    bounds = _whole_bounds(kind)
    if isinstance(node, WrittenNumber):
        if not node.text.removeprefix("-").isdigit():
            return "wrong-type"
        return None if bounds == (None, None) else "out-of-range"
    if isinstance(node, bool) or not isinstance(node, int):
        return "wrong-type"
    return None if _within(node, *bounds) else "out-of-range"


def _moment_fault(node: object) -> str | None:
    try:
        moment = msgspec.convert(node, dt.datetime)
    except msgspec.ValidationError:
        return "wrong-type"
    return None if EARLIEST_YEAR <= moment.year <= LATEST_YEAR else "out-of-range"
