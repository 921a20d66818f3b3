"""The hands of a JSON list, one after the other, with their exact places.

A list that is good JSON is cut by msgspec, a part of it at a time. In a damaged one the brackets
and quotes are followed, so that a bad element costs only itself, and a bad list only what comes
after the damage.
"""

import re
from collections.abc import Container, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from schemas.errors import UnreadableHand, clip

_LIST: Final = msgspec.json.Decoder(list[msgspec.Raw])
_ANY: Final = msgspec.json.Decoder(msgspec.Raw)
_GAP: Final = re.compile(rb"[ \t\r\n,]*")
_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\],:]', re.DOTALL)
_BLANK: Final = b" \t\r\n"
_BLANKS: Final = re.compile(rb"[ \t\r\n]*")
_PART: Final = 1 << 19
"""So many bytes of a list are cut at a time, and up to three times as many where its elements are
long: a list of single digits has half as many elements as bytes."""
_BEGINNING: Final = 8
_WANTED: Final = {b'"': "the end of this text", b"}": "the bracket that closes the open one"}
_CLOSES: Final = {b"}": b"{", b"]": b"["}


class Element(Struct, frozen=True):
    """One element of a list: its bytes without the space around them, and their offset."""

    offset: int
    raw: bytes


class Damage(Struct, frozen=True):
    """Where a list cannot be read on, and why."""

    offset: int
    error: UnreadableHand


def cut_list(text: bytes, start: int, end: int, frame: bytes) -> Iterator[Element | Damage]:
    """The elements of the list that begins at ``start``; at the last a `Damage` if it is broken.

    Args:
        text: A document.
        start: The offset of the list's opening bracket.
        end: Where the list, or for a damaged document all that follows it, ends.
        frame: What would make whole JSON of everything that follows the list.
    """
    at = start + 1
    while end - at > _PART:
        part = _part_end(text, start, at)
        raws = None if part is None else _cut(b"[" + text[at:part] + b"]")
        if part is None or raws is None:
            break
        yield from _elements(raws, text, at)
        at = part + 1
    raws = None if end - at > _PART else _cut(b"[" + text[at:end])
    if raws is None:
        yield from _follow(text, at - 1, end, frame)
    else:
        yield from _elements(raws, text, at)


def _part_end(text: bytes, start: int, at: int) -> int | None:
    """Where a comma of the list may be, a part behind ``at``.

    What follows it begins as the list's first element does; `_cut` shows whether it is one.
    """
    gap = _GAP.match(text, start + 1)
    begun = start + 1 if gap is None else gap.end()
    beginning = re.escape(text[begun : begun + _BEGINNING])
    comma = re.compile(rb",(?=[ \t\r\n]*" + beginning + rb")")
    found = comma.search(text, at + _PART, at + 3 * _PART)
    return None if found is None else found.start()


def _cut(text: bytes) -> list[msgspec.Raw] | None:
    """The elements of a whole list; None where it is none."""
    try:
        return _LIST.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _elements(raws: list[msgspec.Raw], text: bytes, at: int) -> Iterator[Element]:
    """The elements that follow one another from ``at``."""
    for raw in raws:
        gap = _GAP.match(text, at)
        at = at if gap is None else gap.end()
        yield Element(at, bytes(raw))
        at += len(raw)


def _follow(text: bytes, start: int, end: int, frame: bytes) -> Iterator[Element | Damage]:
    begun = start + 1
    for token, at in _separators(text, begun, end):
        if token not in (b",", b"]"):
            yield _damage(at, _WANTED[token], text)
            return
        element = _element(text, begun, at)
        if element.raw or token == b",":
            yield element
        begun = at + 1
        if token == b"]":
            if not _is_json(frame + text[begun:end]):
                yield _damage(begun, "the end of the document after the list", text)
            return
    last = _element(text, begun, end)
    yield _damage(last.offset, "a whole element, and the end of the list", text)


def _separators(text: bytes, begun: int, end: int) -> Iterator[tuple[bytes, int]]:
    """The list's own commas and its closing bracket; last any token that breaks it."""
    opened = bytearray()
    for match in _TOKEN.finditer(text, begun, end):
        token, at = match.group(), match.start()
        if token in (b"{", b"["):
            opened += token
        elif token in _CLOSES and opened:
            if opened.pop() != ord(_CLOSES[token]):
                yield b"}", at
                return
        elif token == b'"' or ((token in _CLOSES or token == b",") and not opened):
            yield token, at
            if token != b",":
                return


def _is_json(text: bytes) -> bool:
    try:
        _ANY.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _element(text: bytes, begun: int, end: int) -> Element:
    raw = text[begun:end]
    return Element(begun + len(raw) - len(raw.lstrip(_BLANK)), raw.strip(_BLANK))


def _damage(at: int, expected: str, text: bytes) -> Damage:
    seen = text[at : at + 60].decode(errors="replace")
    error = UnreadableHand("broken-array", "", expected, clip(seen) if seen else "the end")
    return Damage(at, error)


def members_before(text: bytes, last: str, wanted: Container[str]) -> dict[str, tuple[int, int]]:
    """Where the values of an object's own keys lie, as start and end, up to the key ``last``.

    The value of ``last`` is taken to reach to the end of the text. Damaged text gives what lies
    before the damage. Keys that are not ``wanted`` are left out.
    """
    places: dict[str, tuple[int, int]] = {}
    depth = 0
    key: str | None = None
    begun = 0
    previous = b""
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == b'"':
            break
        if token in (b"{", b"["):
            depth += 1
        elif token == b":" and depth == 1:
            key = previous[1:-1].decode(errors="replace")
            gap = _BLANKS.match(text, match.end())
            begun = match.end() if gap is None else gap.end()
            if key == last:
                places[key] = (begun, len(text))
                break
        elif (token == b"," and depth == 1) or token in _CLOSES:
            if depth == 1 and key in wanted and key is not None:
                places[key] = (begun, match.start())
            if depth == 1:
                key = None
            if token in _CLOSES:
                depth -= 1
        previous = token
    return places
