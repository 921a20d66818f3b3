"""A file's bytes as plain bytes: gzip and zstd unpacked in small steps, under limits.

What the bytes are is told by their first four, never by a name or a header.
"""

import zlib
from collections.abc import Iterator
from typing import Final, Protocol

import zstandard
from msgspec import Struct

from schemas.errors import UnreadableHand

_MIB: Final = 1 << 20
_STEP: Final = 1 << 16
_ZSTD_STEP: Final = 512
"""Compressed bytes handed to zstd at a time. One block of 128 KiB takes four bytes at the least, so
a step gives 16 MiB at the most."""
_ZSTD_WINDOW: Final = 128 * _MIB

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_WORST: Final = {"corrupt-stream": "undamaged", "truncated-stream": "whole"}


class StreamLimits(Struct, frozen=True, kw_only=True):
    """How much an upload may unfold to. Sizes in bytes.

    ``max_ratio`` is bytes out per byte in. It counts once more than ``unrated_bytes`` have come
    out: an honest log may repeat itself a great deal, and so few bytes do no harm.
    """

    max_expanded_bytes: int = 2048 * _MIB
    max_ratio: int = 200
    unrated_bytes: int = 64 * _MIB
    max_line_bytes: int = _MIB
    max_document_bytes: int = 64 * _MIB
    max_zip_files: int = 1_000


class LimitExceeded(Exception):  # noqa: N818 - a limit that was exceeded, as the field says it
    """An upload unfolds to more than is allowed.

    Attributes:
        limit: The name of the limit, as in the settings.
        allowed: What it allows.
        seen: What was met when reading stopped; there may have been more.
    """

    def __init__(self, limit: str, allowed: int, seen: int) -> None:
        super().__init__(f"{limit}: {allowed} allowed, {seen} seen")
        self.limit = limit
        self.allowed = allowed
        self.seen = seen


class DamageError(Exception):
    """Packed data cannot be read on; ``error`` says why."""

    def __init__(self, code: str, codec: str, seen: str) -> None:
        super().__init__(code)
        self.error = UnreadableHand(code, "", f"{codec} data, {_WORST[code]}", seen)


class Meter:
    """Counts bytes in and out, and stops what grows too much."""

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self.taken = 0
        self._given = 0

    def take(self, size: int) -> None:
        """Counts bytes in."""
        self.taken += size

    def give(self, size: int) -> None:
        """Counts bytes out.

        Raises:
            LimitExceeded: they are too many, by themselves or for what was taken in.
        """
        self._given += size
        limits = self._limits
        if self._given > limits.max_expanded_bytes:
            raise LimitExceeded("max_expanded_bytes", limits.max_expanded_bytes, self._given)
        if self._given > limits.unrated_bytes and self._given > limits.max_ratio * self.taken:
            ratio = -(-self._given // max(1, self.taken))
            raise LimitExceeded("max_ratio", limits.max_ratio, ratio)


class Source(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""


class PlainBytes:
    """The plain bytes of a stream, chunk by chunk.

    When the chunks end, ``damage`` says why compressed data could not be read to its end; None for
    data read whole. What lies before the damage comes out, from gzip to the last byte, from zstd by
    whole blocks.
    """

    def __init__(self, stream: Source, limits: StreamLimits, total: Meter | None = None) -> None:
        """Reads ``stream``; ``total`` counts what comes out of this and other streams together."""
        self.damage: UnreadableHand | None = None
        self._stream = stream
        self._meter = Meter(limits)
        self._total = total
        self._begun = b""
        self._rest = self._read()

    def __iter__(self) -> Iterator[bytes]:
        """Yields chunks.

        Raises:
            LimitExceeded: for more bytes, or a higher ratio, than allowed.
        """
        if self._begun:
            begun, self._begun = self._begun, b""
            yield begun
        yield from self._rest

    def peek(self, size: int) -> bytes:
        """The first bytes, so many at least unless there are no more; they come out again.

        Raises:
            LimitExceeded: as for the chunks.
        """
        while len(self._begun) < size and (more := next(self._rest, b"")):
            self._begun += more
        return self._begun

    def _read(self) -> Iterator[bytes]:
        try:
            first = self._stream.read(_STEP)
            while len(first) < len(_ZSTD) and (more := self._stream.read(_STEP)):
                first += more
            if first.startswith(_GZIP):
                yield from self._gunzip(first)
            elif first.startswith(_ZSTD):
                yield from self._unzstd(first)
            else:
                for piece in self._pieces(first, _STEP):
                    yield self._given(piece)
        except DamageError as damage:
            self.damage = damage.error

    def _pieces(self, first: bytes, size: int) -> Iterator[bytes]:
        """What comes in, in pieces of a size at most."""
        piece = first
        while piece:
            for start in range(0, len(piece), size):
                part = piece[start : start + size]
                self._meter.take(len(part))
                yield part
            piece = self._stream.read(_STEP)

    def _given(self, out: bytes) -> bytes:
        """What comes out, once it is counted."""
        self._meter.give(len(out))
        if self._total is not None:
            self._total.give(len(out))
        return out

    def _gunzip(self, first: bytes) -> Iterator[bytes]:
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        between = False
        for piece in self._pieces(first, _STEP):
            data = piece
            while data:
                if between:
                    data = data.lstrip(b"\0")
                    if not data:
                        break
                    member, between = zlib.decompressobj(zlib.MAX_WBITS | 16), False
                before = member.copy()
                try:
                    out = member.decompress(data, _STEP)
                except zlib.error as error:
                    yield self._given(_until_damage(before, data))
                    raise self._corrupt("gzip", error) from None
                if out:
                    yield self._given(out)
                between = member.eof
                data = member.unused_data if between else member.unconsumed_tail
        if not between:
            raise self._truncated("gzip")

    def _unzstd(self, first: bytes) -> Iterator[bytes]:
        reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        frame = reader.decompressobj()
        between = False
        for piece in self._pieces(first, _ZSTD_STEP):
            data = piece
            while data:
                if between:
                    frame = reader.decompressobj()
                try:
                    out = frame.decompress(data)
                except zstandard.ZstdError as error:
                    raise self._corrupt("zstd", error) from None
                if out:
                    yield self._given(out)
                between = frame.eof
                data = frame.unused_data if between else b""
        if not between:
            raise self._truncated("zstd")

    def _corrupt(self, codec: str, error: Exception) -> DamageError:
        seen = f"{error}, within the first {self._meter.taken} compressed bytes"
        return DamageError("corrupt-stream", codec, seen)

    def _truncated(self, codec: str) -> DamageError:
        seen = f"the end, after {self._meter.taken} compressed bytes"
        return DamageError("truncated-stream", codec, seen)


def _until_damage(member: "zlib._Decompress", data: bytes) -> bytes:
    """What a piece of gzip gives before its damage, which is lost when it is handed over whole."""
    out = bytearray()
    for at in range(len(data)):
        try:
            out += member.decompress(data[at : at + 1])
        except zlib.error:
            break
    return bytes(out)
