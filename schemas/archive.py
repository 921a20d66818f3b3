"""A ZIP as the files in it, one after the other, each under limits and free of its neighbours.

Nothing that a ZIP says of itself is trusted: what comes out is counted as it comes, and files that
lie over one another are refused. A file that is no ZIP is the only one in itself.
"""

import io
import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from msgspec import Struct

from schemas.errors import UnreadableHand, clip
from schemas.inflate import DamageError, LimitExceeded, Meter, Source, StreamLimits

_MAGICS: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_MAGIC_BYTES: Final = 4
_LOCAL_HEADER_BYTES: Final = 30
_ENTRY_BYTES: Final = 1_024
"""What an entry of the directory takes at the most, name and all, on the average."""
_ENCRYPTED: Final = 0x1
_BROKEN: Final = (
    BadZipFile,
    NotImplementedError,
    ValueError,
    OverflowError,
    EOFError,
    struct.error,
)
"""What `zipfile` raises over a directory or a header that is damaged, or made to be."""
_UNREAD: Final = "__MACOSX"
_IN_MEMORY: Final = 1 << 20
_OTHER_READS: Final = 1 << 17
"""No more is read at once of anything but the directory."""


class PackedFile(Struct, frozen=True):
    """A file of hands, or why there is none at this place.

    Attributes:
        source: Its bytes, which may be packed by gzip or zstd.
        name: Its name in the ZIP, for people; None for what is no file of a ZIP.
        total: Counts what comes out of all files of the ZIP together.
        error: What keeps it from being read; ``source`` has nothing then.
    """

    source: Source
    name: str | None = None
    total: Meter | None = None
    error: UnreadableHand | None = None


class _Rejoined:
    """A source whose first bytes were read already."""

    def __init__(self, head: bytes, rest: Source) -> None:
        self._head = head
        self._rest = rest

    def read(self, size: int, /) -> bytes:
        """The head first, then the rest."""
        if self._head:
            head, self._head = self._head, b""
            return head
        return self._rest.read(size)


class _BeforeBeginningError(OSError):
    """There is no such place in the ZIP; `zipfile` takes it for that where it is an OSError."""


class _Guarded:
    """A ZIP on its way to `zipfile`, which reads the directory at once, whatever its size."""

    def __init__(self, stream: BinaryIO, limits: StreamLimits) -> None:
        self._stream = stream
        self._limits = limits
        self.seekable = stream.seekable
        self.tell = stream.tell

    def seek(self, offset: int, whence: int = 0, /) -> int:
        try:
            return self._stream.seek(offset, whence)
        except (OSError, ValueError) as error:
            raise _BeforeBeginningError(str(error)) from None

    def read(self, size: int = -1, /) -> bytes:
        files = self._limits.max_zip_files
        if size > max(files * _ENTRY_BYTES, _OTHER_READS):
            raise LimitExceeded("max_zip_files", files, size // _ENTRY_BYTES)
        return self._stream.read(size)


class _Unzipped:
    """The bytes of a file in a ZIP, counted as they come out."""

    def __init__(self, file: Source, meter: Meter) -> None:
        self._file = file
        self._meter = meter

    def read(self, size: int, /) -> bytes:
        try:
            out = self._file.read(size)
        except (BadZipFile, zlib.error, EOFError) as error:
            raise DamageError("corrupt-stream", "ZIP", clip(str(error) or "the end")) from None
        self._meter.give(len(out))
        return out


def files_in(stream: BinaryIO, limits: StreamLimits) -> Iterator[PackedFile]:
    """Yields the files of a ZIP in the order of its directory; anything else as the only one.

    Folders are passed over, and so are files that an operating system adds for itself: whatever is
    under ``__MACOSX``, and names that begin with a dot.

    Raises:
        LimitExceeded: the ZIP has more files, or unfolds to more, than the limits allow.
    """
    head = b""
    while len(head) < _MAGIC_BYTES and (more := stream.read(_MAGIC_BYTES - len(head))):
        head += more
    if not head.startswith(_MAGICS):
        yield PackedFile(_Rejoined(head, stream))
        return
    if stream.seekable():
        yield from _files(stream, limits)
        return
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as kept:
        kept.write(head)
        shutil.copyfileobj(stream, kept)
        yield from _files(kept, limits)  # type: ignore[arg-type] # it is one in all but name


def _files(stream: BinaryIO, limits: StreamLimits) -> Iterator[PackedFile]:
    size = stream.seek(0, io.SEEK_END)
    try:
        packed = ZipFile(_Guarded(stream, limits))
    except (*_BROKEN, _BeforeBeginningError) as error:
        yield _refused(None, "broken-archive", "a ZIP with a whole directory", str(error))
        return
    with packed:
        entries = packed.infolist()
        if len(entries) > limits.max_zip_files:
            raise LimitExceeded("max_zip_files", limits.max_zip_files, len(entries))
        overlap = _overlap(entries)
        wanted = [] if overlap else [one for one in entries if _is_wanted(one)]
        if overlap:
            yield _refused(None, "broken-archive", "files that lie one behind the other", overlap)
        elif not wanted:
            yield _refused(None, "empty", "a file in the ZIP at least", "none")
        unzipped, total = Meter(limits), Meter(limits)
        for entry in wanted:
            for meter in (unzipped, total):
                meter.take(min(entry.compress_size, size))
            yield _file(packed, entry, unzipped, total)


def _is_wanted(entry: ZipInfo) -> bool:
    parts = entry.filename.split("/")
    hidden = any(part.startswith(".") and part.strip(".") for part in parts)
    return not entry.filename.endswith("/") and not hidden and _UNREAD not in parts


def _overlap(entries: list[ZipInfo]) -> str:
    """Two files that lie over one another, for people; empty when there are none."""
    placed = sorted(entries, key=lambda entry: entry.header_offset)
    for one, following in pairwise(placed):
        end = one.header_offset + _LOCAL_HEADER_BYTES + one.compress_size
        if end > following.header_offset:
            return f"{_shown(one)} over {_shown(following)}"
    return ""


def _shown(entry: ZipInfo) -> str:
    """A file's name for people."""
    name = "".join(char if char.isprintable() else "\ufffd" for char in entry.filename)
    return clip(name)


def _file(packed: ZipFile, entry: ZipInfo, unzipped: Meter, total: Meter) -> PackedFile:
    name = _shown(entry)
    if entry.flag_bits & _ENCRYPTED:
        return _refused(name, "encrypted-file", "a file that is not encrypted", "an encrypted one")
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        seen = f"method {entry.compress_type}"
        return _refused(name, "unknown-packing", "a file that is stored or deflated", seen)
    try:
        source = _Unzipped(packed.open(entry), unzipped)
        head = source.read(_MAGIC_BYTES)
    except (*_BROKEN, _BeforeBeginningError) as error:
        return _refused(name, "broken-archive", "a file as the ZIP's directory says", str(error))
    except DamageError as damage:
        return PackedFile(io.BytesIO(), name, error=damage.error)
    if head.startswith(_MAGICS):
        return _refused(name, "nested-archive", "a file of hands", "a ZIP in the ZIP")
    return PackedFile(_Rejoined(head, source), name, total)


def _refused(name: str | None, code: str, expected: str, seen: str) -> PackedFile:
    return PackedFile(io.BytesIO(), name, error=UnreadableHand(code, "", expected, clip(seen)))
