"""A stored upload's bytes to raw hands, one at a time, in bounded memory.

An upload is one document, a JSON list, an envelope with a list ``hands``, or NDJSON; plain, gzip or
zstd; or a ZIP of such files. Bad input costs itself only: what is around it is still read. The same
bytes always give the same hands in the same order.
"""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from schemas.archive import PackedFile, files_in
from schemas.decode import version_error
from schemas.document import Name
from schemas.elements import Damage, cut_list, members_before
from schemas.errors import UnreadableHand, clip
from schemas.inflate import LimitExceeded, PlainBytes, StreamLimits
from schemas.rawtree import BOM, UTF16_BOMS, read_tree
from schemas.session_decode import ReadSession, decode_session

__all__ = [
    "EnvelopeSession",
    "LimitExceeded",
    "MeetSession",
    "RawHand",
    "StreamLimits",
    "adopt",
    "hands_of_file",
    "hands_of_text",
    "read_files",
    "read_hands",
]

_BLANK: Final = b" \t\r\n"
_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_NOT_BLANK: Final = re.compile(rb"[^ \t\r\n]")
_BINARY_HEAD: Final = 4096
_OBJECT_LINE: Final = re.compile(rb"^\{[^\n]*", re.MULTILINE)

HandsOfFile = Callable[[PackedFile, StreamLimits], "Iterator[RawHand]"]
MeetSession = Callable[[ReadSession], None]


class RawHand(Struct, frozen=True):
    """One hand as it came, or why there is none at this place.

    Attributes:
        line: The line for NDJSON, the index for a list; both counted from 1.
        offset: Of the first byte, in the unpacked stream.
        raw: The bytes, without space around them; empty next to an error.
        error: What keeps the stream from giving this hand.
        file: The name of the file in a ZIP that it is in, in which line and offset count.
    """

    line: int
    offset: int
    raw: bytes
    error: UnreadableHand | None = None
    file: str | None = None


def read_hands(stream: BinaryIO, limits: StreamLimits) -> Iterator[RawHand]:
    """Yields the hands of an upload in their order, errors in their place.

    A session document that only names its hands has none.

    Raises:
        LimitExceeded: the upload unfolds to more than the limits allow.
    """
    return read_files(stream, limits, hands_of_file)


def read_files(stream: BinaryIO, limits: StreamLimits, hands_of: HandsOfFile) -> Iterator[RawHand]:
    """Yields the hands of every file of an upload, which are read by ``hands_of``.

    Raises:
        LimitExceeded: the upload has more files, or unfolds to more, than the limits allow.
    """
    for file in files_in(stream, limits):
        if file.error is not None:
            yield RawHand(1, 0, b"", file.error, file.name)
            continue
        for hand in hands_of(file, limits):
            yield hand if file.name is None else replace(hand, file=file.name)


def hands_of_file(file: PackedFile, limits: StreamLimits) -> Iterator[RawHand]:
    """Yields the hands of one file."""
    return hands_of_text(PlainBytes(file.source, limits, file.total), limits)


def hands_of_text(
    plain: PlainBytes, limits: StreamLimits, met: MeetSession | None = None
) -> Iterator[RawHand]:
    """Yields the hands of one file that is unpacked already.

    Args:
        plain: Its bytes.
        limits: How long its lines and documents may be.
        met: Is given the session part of a document, before its hands; then one that cannot be read
            is an error in the stream.
    """
    feed = _Feed(plain)
    feed.skip_blank()
    feed.fill(_BINARY_HEAD)
    head = bytes(feed.buffer[:_BINARY_HEAD])
    if not head:
        error = feed.damage or UnreadableHand("empty", "", "one hand at least", "nothing")
        yield RawHand(feed.line, feed.start, b"", error)
    elif _is_binary(head):
        yield RawHand(feed.line, feed.start, b"", _binary(head))
    elif head[:1] == b"[":
        yield from _list(feed, limits)
    elif head[:1] == b"{" and not _first_line_stands_alone(feed, limits):
        yield from _document(feed, limits, met)
    else:
        yield from _lines(feed, limits)


def _is_binary(head: bytes) -> bool:
    """Whether the stream is no text at all, so that its lines are not worth an error each."""
    if head.startswith(UTF16_BOMS):
        return True
    return b"\0" in head and head[:1] not in (b"{", b"[") and b"\n{" not in head


def _binary(head: bytes) -> UnreadableHand:
    if head.startswith(UTF16_BOMS):
        return UnreadableHand("not-utf8", "", "text in UTF-8", "text in UTF-16")
    expected = "JSON or NDJSON in UTF-8, plain or packed by gzip or zstd"
    return UnreadableHand("not-json", "", expected, f"binary data that begins 0x{head[:8].hex()}")


class _Feed:
    """A window on the plain bytes. ``start`` is the window's offset, ``line`` its first line."""

    def __init__(self, plain: PlainBytes) -> None:
        self.buffer = bytearray()
        self.start = 0
        self.line = 1
        self.ended = False
        self._plain = plain
        self._chunks = iter(plain)
        self.fill(len(BOM))
        if self.buffer.startswith(BOM):
            self.drop(len(BOM))

    @property
    def end(self) -> int:
        """The offset behind the last byte that was read."""
        return self.start + len(self.buffer)

    @property
    def damage(self) -> UnreadableHand | None:
        """Why the plain bytes ended too early, if they did."""
        return self._plain.damage

    def more(self) -> bool:
        """Reads on; False at the end."""
        chunk = next(self._chunks, None)
        if chunk is None:
            self.ended = True
            return False
        self.buffer += chunk
        return True

    def fill(self, size: int) -> None:
        """Reads until the window holds ``size`` bytes, or all."""
        while len(self.buffer) < size and self.more():
            pass

    def drop(self, size: int) -> None:
        """Moves the window's start on."""
        self.line += self.buffer.count(b"\n", 0, size)
        del self.buffer[:size]
        self.start += size

    def skip_blank(self) -> None:
        """Moves the window to the next byte that is no space."""
        while True:
            found = _NOT_BLANK.search(self.buffer)
            self.drop(found.start() if found else len(self.buffer))
            if found or not self.more():
                return


def _members(text: bytes) -> dict[str, msgspec.Raw] | None:
    """The members of an object, None for what is no whole JSON object."""
    try:
        return _OBJECT.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


class _Top(Struct):
    """What tells a document's kind, and what an envelope has; other keys are passed over."""

    format: msgspec.Raw | UnsetType = UNSET
    session: msgspec.Raw | UnsetType = UNSET
    hands: msgspec.Raw | UnsetType = UNSET
    hand_ids: msgspec.Raw | UnsetType = UNSET
    events: msgspec.Raw | UnsetType = UNSET

    @property
    def is_envelope(self) -> bool:
        """Whether the object is an envelope rather than a hand."""
        return self.hands is not UNSET and self.events is UNSET

    @property
    def names_hands(self) -> bool:
        """Whether this is a session document of hands that are kept elsewhere: it holds none."""
        return self.hand_ids is not UNSET and self.hands is UNSET and self.events is UNSET


_TOP: Final = msgspec.json.Decoder(_Top)


def _top(text: bytes) -> _Top | None:
    """What an object has at its top, however large it is; None for what is no whole object."""
    try:
        return _TOP.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _begins_envelope(text: bytes) -> bool:
    """Whether this is the beginning of an envelope, whole or not."""
    places = members_before(text, "hands", _Top.__struct_fields__)
    return "hands" in places and "events" not in places


def _begins_list_of_ids(text: bytes) -> bool:
    """Whether this is the beginning of a session document that holds no hands."""
    places = members_before(text, "hand_ids", _Top.__struct_fields__)
    return "hand_ids" in places and not {"hands", "events"} & places.keys()


def _first_line_stands_alone(feed: _Feed, limits: StreamLimits) -> bool:
    """Whether the window begins with an NDJSON line rather than with a document of more lines."""
    searched = 0
    while (end := feed.buffer.find(b"\n", searched)) < 0 and not feed.ended:
        searched = len(feed.buffer)
        if searched > limits.max_line_bytes:
            text = bytes(feed.buffer)
            return not _begins_envelope(text) and not _begins_list_of_ids(text)
        feed.more()
    top = _top(bytes(feed.buffer if end < 0 else feed.buffer[:end]))
    return top is not None and not top.is_envelope and not top.names_hands


def _lines(feed: _Feed, limits: StreamLimits) -> Iterator[RawHand]:
    """NDJSON. Of a line that is too long nothing is kept but its length."""
    line, offset = feed.line, feed.start
    rest, dropped = b"", 0
    while feed.buffer or feed.more():
        *whole, rest = (rest + bytes(feed.buffer)).split(b"\n")
        feed.drop(len(feed.buffer))
        for part in whole:
            length = dropped + len(part)
            if length > limits.max_line_bytes:
                yield _too_long(line, offset, length, limits)
            elif body := part.strip(_BLANK):
                yield RawHand(line, offset + part.index(body), body)
            line, offset, dropped = line + 1, offset + length + 1, 0
        if dropped + len(rest) > limits.max_line_bytes:
            rest, dropped = b"", dropped + len(rest)
    if dropped:
        yield _too_long(line, offset, dropped, limits)
    elif (body := rest.strip(_BLANK)) and (feed.damage is None or _top(body) is not None):
        yield RawHand(line, offset + rest.index(body), body)
    if feed.damage is not None:
        yield RawHand(line, feed.end, b"", feed.damage)


def _too_long(line: int, offset: int, length: int, limits: StreamLimits) -> RawHand:
    expected = f"a line of at most {limits.max_line_bytes} bytes"
    error = UnreadableHand("line-too-long", "", expected, f"{length} bytes")
    return RawHand(line, offset, b"", error)


def _list(feed: _Feed, limits: StreamLimits) -> Iterator[RawHand]:
    text = _all(feed, limits)
    elements = _Elements(feed, limits)
    yield from elements.cut(text, 0, len(text), b"[]")


def _all(feed: _Feed, limits: StreamLimits) -> bytes:
    """The rest of the stream, which must be within the limit of a document."""
    allowed = limits.max_document_bytes
    feed.fill(allowed + 1)
    if len(feed.buffer) > allowed:
        raise LimitExceeded("max_document_bytes", allowed, len(feed.buffer))
    return bytes(feed.buffer)


def _document(feed: _Feed, limits: StreamLimits, met: MeetSession | None) -> Iterator[RawHand]:
    """A hand of several lines, an envelope, or NDJSON whose first line is broken."""
    feed.fill(limits.max_document_bytes + 1)
    text = bytes(feed.buffer)
    top = _top(text)
    if _begins_envelope(text) if top is None else top.is_envelope:
        yield from _envelope(feed, _all(feed, limits), top, limits, met)
    elif top is not None and top.names_hands:
        if met is not None:
            yield from _session_part(feed, _all(feed, limits), met)
    elif top is None and _holds_hand_line(text):
        yield from _lines(feed, limits)
    elif feed.damage is not None and top is None:
        yield RawHand(feed.line, feed.end, b"", feed.damage)
    else:
        yield _hand(feed.line, feed.start, _all(feed, limits).strip(_BLANK), limits)
        if feed.damage is not None:
            yield RawHand(feed.line, feed.end, b"", feed.damage)


def _holds_hand_line(text: bytes) -> bool:
    """Whether some line is a whole object that looks like a hand: its neighbours are lines too."""
    for line in _OBJECT_LINE.finditer(text):
        top = _top(line.group())
        if top is not None and not (top.format is UNSET and top.events is UNSET):
            return True
    return False


def _hand(line: int, offset: int, raw: bytes, limits: StreamLimits) -> RawHand:
    """A hand that stands on no line of its own, or that it is too long."""
    allowed = limits.max_line_bytes
    if len(raw) <= allowed:
        return RawHand(line, offset, raw)
    expected = f"a hand of at most {allowed} bytes"
    error = UnreadableHand("hand-too-long", "", expected, f"{len(raw)} bytes")
    return RawHand(line, offset, b"", error)


def _session_part(feed: _Feed, text: bytes, met: MeetSession) -> Iterator[RawHand]:
    """Gives away what a document without its hands says of its session, or yields why not."""
    read = decode_session(text)
    if isinstance(read, UnreadableHand):
        yield RawHand(feed.line, feed.start, b"", read)
    else:
        met(read)


def _envelope(
    feed: _Feed, text: bytes, top: _Top | None, limits: StreamLimits, met: MeetSession | None
) -> Iterator[RawHand]:
    """The hands of an envelope. ``top`` is None when it is broken somewhere."""
    places = members_before(text, "hands", _Top.__struct_fields__)
    begun, end = places["hands"]
    parts = {key: text[first:last] for key, (first, last) in places.items()}
    if top is not None:
        given = {key: getattr(top, key) for key in _Top.__struct_fields__}
        parts = {key: bytes(value) for key, value in given.items() if value is not UNSET}
        end = begun + len(parts["hands"])
    error = _envelope_error(parts, text[begun:end])
    if error is not None:
        yield RawHand(feed.line, feed.start, b"", error)
        return
    session: EnvelopeSession | None = None
    if "session" in parts:
        session = _envelope_session(parts["session"])
        if met is not None and top is not None:
            yield from _session_part(feed, text[:begun] + b"[]" + text[end:], met)
        elif session is None:
            seen = clip(parts["session"].decode(errors="replace"))
            error = UnreadableHand("wrong-type", "/session", "an object with a text `id`", seen)
            yield RawHand(feed.line, feed.start, b"", error)
    elements = _Elements(feed, limits, session)
    yield from elements.cut(text, begun, end, b"[]" if top is not None else b'{"hands":[]')


def _envelope_session(part: bytes) -> "EnvelopeSession | None":
    try:
        return _SESSION.decode(part)
    except (ValueError, RecursionError):
        return None


def _envelope_error(parts: dict[str, bytes], hands: bytes) -> UnreadableHand | None:
    """What keeps an envelope from being read at all."""
    if "format" in parts:
        tree = read_tree(parts["format"])
        error = tree if isinstance(tree, UnreadableHand) else version_error({"format": tree})
        if error is not None:
            return error
    if not hands.startswith(b"["):
        seen = clip(hands.decode(errors="replace"))
        return UnreadableHand("wrong-type", "/hands", "a list of hands", seen)
    if parts["hands"] != hands:
        return UnreadableHand("duplicate-key", "/hands", "each key once", "the key twice")
    return None


class EnvelopeSession(Struct, omit_defaults=True):
    """The session that an envelope names for those of its hands that name none."""

    id: Name
    hand_no: int = 0
    kind: Literal["session", "tournament"] | UnsetType = UNSET


_SESSION: Final = msgspec.json.Decoder(EnvelopeSession)


def adopt(raw: bytes, session: EnvelopeSession, hand_no: int) -> bytes:
    """A hand of an envelope with its session and its place there, unless it names its own."""
    members = _members(raw)
    if members is None or "session" in members:
        return raw
    session.hand_no = hand_no
    comma = b"," if members else b""
    return b'{"session":' + msgspec.json.encode(session) + comma + raw[1:]


class _Elements:
    """Makes raw hands of a list's elements."""

    def __init__(
        self, feed: _Feed, limits: StreamLimits, session: EnvelopeSession | None = None
    ) -> None:
        self._feed = feed
        self._limits = limits
        self._session = session

    def cut(self, text: bytes, begun: int, end: int, frame: bytes) -> Iterator[RawHand]:
        """The hands of the list at ``begun``; see `cut_list`. Damage comes in its place."""
        index = 0
        damage = self._feed.damage
        for index, element in enumerate(cut_list(text, begun, end, frame), 1):
            offset = self._feed.start + element.offset
            if isinstance(element, Damage):
                yield RawHand(index, offset, b"", damage or element.error)
                return
            hand = _hand(index, offset, element.raw, self._limits)
            if self._session is not None:
                hand = replace(hand, raw=adopt(hand.raw, self._session, index))
            yield hand
        if damage is not None:
            yield RawHand(index + 1, self._feed.end, b"", damage)
