"""A form with files on its way to the disk: part after part, never held whole."""

from collections.abc import Iterator
from typing import Final

from flask import request
from msgspec import Struct
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData

from schemas.errors import clip
from service.api.body import BodyRefusedError, body_chunks

MEDIA_TYPE: Final = "multipart/form-data"

_UNPARSED_BYTES: Final = 1 << 18
"""What is held of the form at a time; a part's headers must fit in it."""

_Part = Field | File | Data


class FormFile(Struct, frozen=True):
    """A file of a form. Its chunks are to be taken to their end before the next file comes."""

    name: str | None
    chunks: Iterator[bytes]


def form_files(max_bytes: int, max_parts: int) -> Iterator[FormFile]:
    """Yields the files of the request's form in their order.

    Raises:
        BodyRefusedError: the form is over a limit, broke off, or is more than files; the answer
            names the file at fault as ``file``, once there is one.
    """
    return _Form(max_bytes, max_parts).files()


class _Form:
    """The form of one request."""

    def __init__(self, max_bytes: int, max_parts: int) -> None:
        self._max_bytes = max_bytes
        self._max_parts = max_parts
        self._parts = 0
        self._file: str | None = None

    def files(self) -> Iterator[FormFile]:
        files = 0
        parts = self._read()
        for part in parts:
            if isinstance(part, Field):
                name = clip(part.name or "", 60)
                detail = f"A form has files alone; {name!r} is a field. Parameters go in the query."
                raise self._refusal("bad-form", detail, field=name)
            if isinstance(part, File):
                files += 1
                yield FormFile(self._file, self._chunks(parts))
        if not files:
            raise self._refusal("empty-upload", "The form has no file.")

    def _chunks(self, parts: Iterator[_Part]) -> Iterator[bytes]:
        """The bytes of the file that has just begun."""
        size = 0
        for part in parts:
            if isinstance(part, Data):
                size += len(part.data)
                yield part.data
                if not part.more_data:
                    break
        if size == 0:
            raise self._refusal("empty-upload", "The file has no bytes.")

    def _read(self) -> Iterator[_Part]:
        """What the form is made of, as it comes."""
        boundary = request.mimetype_params.get("boundary", "")
        if not boundary or not boundary.isascii():
            raise self._refusal("bad-form", "The form's Content-Type names no boundary.")
        decoder = MultipartDecoder(boundary.encode(), max_form_memory_size=_UNPARSED_BYTES)
        try:
            for chunk in body_chunks(self._max_bytes):
                decoder.receive_data(chunk)
                yield from self._events(decoder)
            decoder.receive_data(None)
            yield from self._events(decoder)
        except BodyRefusedError as refusal:
            refusal.members |= self._named()
            raise
        except RequestEntityTooLarge:
            detail = f"What is not a file may have {_UNPARSED_BYTES} bytes in a form."
            raise self._refusal("bad-form", detail) from None
        except ValueError as error:
            code = "incomplete-upload" if decoder.complete else "bad-form"
            detail = f"The form cannot be read: {error}. Nothing was kept."
            raise self._refusal(code, detail) from None

    def _events(self, decoder: MultipartDecoder) -> Iterator[_Part]:
        while not isinstance(event := decoder.next_event(), (NeedData, Epilogue)):
            if isinstance(event, File):
                self._file = _file_name(event.filename)
            if isinstance(event, (Field, File)):
                self._parts += 1
                if self._parts > self._max_parts:
                    detail = f"A form may have {self._max_parts} files."
                    limit = {"limit": "max_form_parts", "allowed": self._max_parts}
                    raise self._refusal("upload-too-large", detail, **limit, seen=self._parts)
            if isinstance(event, (Field, File, Data)):
                yield event

    def _refusal(self, code: str, detail: str, **members: object) -> BodyRefusedError:
        return BodyRefusedError(code, detail, **members, **self._named())

    def _named(self) -> dict[str, object]:
        """The file that is being read, as a member of a problem."""
        return {} if self._file is None else {"file": self._file}


def _file_name(given: str) -> str | None:
    """A file's name without the folders that some clients send, for people."""
    name = given.replace("\\", "/").rpartition("/")[2]
    name = "".join(char for char in name if char.isprintable()).strip()
    return clip(name) or None
