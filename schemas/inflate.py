"""An upload's bytes as plain bytes: gzip and zstd unpacked in small steps, under limits.

What the bytes are is told by their first four, never by a name or a header.
"""

import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final

import zstandard
from msgspec import Struct

from schemas.errors import UnreadableHand

_MIB: Final = 1 << 20
_STEP: Final = 1 << 16
_ZSTD_STEP: Final = 512
"""Compressed bytes handed to zstd at a time. One block of 128 KiB takes four bytes at the least, so
a step gives 16 MiB at the most."""
_ZSTD_WINDOW: Final = 128 * _MIB
_UNRATED: Final = _MIB
"""So many bytes may come out before the ratio counts: a short text of one letter is no bomb."""

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_WORST: Final = {"corrupt-stream": "undamaged", "truncated-stream": "whole"}


class StreamLimits(Struct, frozen=True, kw_only=True):
    """How much an upload may unfold to. Sizes in bytes; the ratio is bytes out per byte in."""

    max_expanded_bytes: int = 2048 * _MIB
    max_ratio: int = 200
    max_line_bytes: int = _MIB
    max_document_bytes: int = 64 * _MIB


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


class _DamageError(Exception):
    """The compressed data cannot be read on."""

    def __init__(self, code: str, codec: str, seen: str) -> None:
        super().__init__(code)
        self.error = UnreadableHand(code, "", f"{codec} data, {_WORST[code]}", seen)


class _Meter:
    """Counts bytes in and out, and stops what grows too much."""

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self.taken = 0
        self._given = 0

    def pieces(self, stream: BinaryIO, first: bytes, size: int) -> Iterator[bytes]:
        piece = first
        while piece:
            for start in range(0, len(piece), size):
                part = piece[start : start + size]
                self.taken += len(part)
                yield part
            piece = stream.read(_STEP)

    def give(self, out: bytes) -> bytes:
        self._given += len(out)
        limits = self._limits
        if self._given > limits.max_expanded_bytes:
            raise LimitExceeded("max_expanded_bytes", limits.max_expanded_bytes, self._given)
        if self._given > _UNRATED and self._given > limits.max_ratio * self.taken:
            ratio = -(-self._given // self.taken)
            raise LimitExceeded("max_ratio", limits.max_ratio, ratio)
        return out


class PlainBytes:
    """The plain bytes of a stream, chunk by chunk.

    When the chunks end, ``damage`` says why compressed data could not be read to its end; None for
    data read whole. What lies before the damage comes out, from gzip to the last byte, from zstd by
    whole blocks.
    """

    def __init__(self, stream: BinaryIO, limits: StreamLimits) -> None:
        self.damage: UnreadableHand | None = None
        self._stream = stream
        self._meter = _Meter(limits)

    def __iter__(self) -> Iterator[bytes]:
        """Yields chunks.

        Raises:
            LimitExceeded: for more bytes, or a higher ratio, than allowed.
        """
        first = self._stream.read(_STEP)
        while len(first) < len(_ZSTD) and (more := self._stream.read(_STEP)):
            first += more
        try:
            if first.startswith(_GZIP):
                yield from self._gunzip(first)
            elif first.startswith(_ZSTD):
                yield from self._unzstd(first)
            else:
                for piece in self._meter.pieces(self._stream, first, _STEP):
                    yield self._meter.give(piece)
        except _DamageError as damage:
            self.damage = damage.error

    def _gunzip(self, first: bytes) -> Iterator[bytes]:
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        between = False
        for piece in self._meter.pieces(self._stream, first, _STEP):
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
                    yield self._meter.give(_until_damage(before, data))
                    raise self._corrupt("gzip", error) from None
                if out:
                    yield self._meter.give(out)
                between = member.eof
                data = member.unused_data if between else member.unconsumed_tail
        if not between:
            raise self._truncated("gzip")

    def _unzstd(self, first: bytes) -> Iterator[bytes]:
        reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        frame = reader.decompressobj()
        between = False
        for piece in self._meter.pieces(self._stream, first, _ZSTD_STEP):
            data = piece
            while data:
                if between:
                    frame = reader.decompressobj()
                try:
                    out = frame.decompress(data)
                except zstandard.ZstdError as error:
                    raise self._corrupt("zstd", error) from None
                if out:
                    yield self._meter.give(out)
                between = frame.eof
                data = frame.unused_data if between else b""
        if not between:
            raise self._truncated("zstd")

    def _corrupt(self, codec: str, error: Exception) -> _DamageError:
        seen = f"{error}, within the first {self._meter.taken} compressed bytes"
        return _DamageError("corrupt-stream", codec, seen)

    def _truncated(self, codec: str) -> _DamageError:
        seen = f"the end, after {self._meter.taken} compressed bytes"
        return _DamageError("truncated-stream", codec, seen)


def _until_damage(member: "zlib._Decompress", data: bytes) -> bytes:
    """What a piece of gzip gives before its damage, which is lost when it is handed over whole."""
    out = bytearray()
    for at in range(len(data)):
        try:
            out += member.decompress(data[at : at + 1])
        except zlib.error:
            break
    return bytes(out)
