"""The bodies of requests: an upload on its way to the disk, never held whole; a small document."""

import re
from collections.abc import Iterator
from typing import IO, Final, TypeVar, cast

import msgspec
from flask import Response, request
from msgspec import Struct, inspect

from schemas.diagnosis import Diagnosis
from schemas.errors import UnreadableHand, clip
from schemas.rawtree import read_tree
from service.problems import problem

Document = TypeVar("Document", bound=Struct)

_STEP: Final = 1 << 16
_DOCUMENT_LIMIT: Final = 1 << 20
_DRAINED: Final = 512 << 20
"""So many bytes of a refused body are still taken. A client that only sends would otherwise find
the connection broken, and never read why."""

_ENCODINGS: Final = ("identity", "gzip", "x-gzip", "zstd")


class BodyRefusedError(Exception):
    """The body cannot be taken.

    Attributes:
        code: One of `service.problems.PROBLEMS`.
        detail: Why, for people.
        members: Of the problem; more may be put in.
    """

    def __init__(self, code: str, detail: str, **members: object) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.members = members

    def answer(self) -> Response:
        """The problem, after which the rest of the body is taken and dropped."""
        response = problem(self.code, self.detail, **self.members)
        stream = request.stream
        response.call_on_close(lambda: _drain(stream))
        return response


def check_headers(limit: int) -> Response | None:
    """What the headers alone say against a body, before any of it is read."""
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in _ENCODINGS:
        detail = f"A body may be packed by gzip or zstd, or plain; this one names {encoding[:60]}."
        return problem("unsupported-media", detail, allowed=list(_ENCODINGS))
    if request.mimetype == "multipart/form-data" and encoding != "identity":
        detail = "A form is sent plain. The files in it may be packed by gzip or zstd."
        return problem("unsupported-media", detail, allowed=["identity"])
    if request.content_length is not None and request.content_length > limit:
        return _too_large(limit, request.content_length).answer()
    return None


def _too_large(limit: int, seen: int) -> BodyRefusedError:
    detail = f"An upload may have {limit} bytes; this one has {seen} at least."
    named = {"limit": "max_upload_bytes", "allowed": limit, "seen": seen}
    return BodyRefusedError("upload-too-large", detail, **named)


def _drain(stream: IO[bytes]) -> None:
    """Takes some more of a body once the answer is out, until the client has stopped sending."""
    taken = 0
    try:
        while taken < _DRAINED and (chunk := stream.read(_STEP)):
            taken += len(chunk)
    except Exception:  # noqa: BLE001 - every server has its own; the client is gone
        return


def body_chunks(limit: int) -> Iterator[bytes]:
    """The body, chunk by chunk.

    Raises:
        BodyRefusedError: it is empty, over the limit, or broke off.
    """
    stream = request.stream
    size = 0
    while chunk := _read(stream, size):
        size += len(chunk)
        if size > limit:
            raise _too_large(limit, size)
        yield chunk
    if request.content_length is not None and size < request.content_length:
        raise _incomplete(size)
    if size == 0:
        detail = "The body has no bytes. Send one hand, a list of hands, or a hand a line."
        raise BodyRefusedError("empty-upload", detail)


def _read(stream: IO[bytes], size: int) -> bytes:
    try:
        return stream.read(_STEP)
    except Exception as error:  # every server has its own for a client that is gone
        raise _incomplete(size) from error


def _incomplete(size: int) -> BodyRefusedError:
    detail = f"The body ended after {size} bytes, before it was whole. Nothing was kept."
    known = {"received": size, "announced": request.content_length}
    return BodyRefusedError("incomplete-upload", detail, **known)


def read_document(kind: type[Document]) -> Document | Response:
    """The request's JSON body as the struct ``kind``, or a problem that names what is at fault."""
    raw = read_body()
    if isinstance(raw, Response):
        return raw
    tree = read_tree(raw)
    if isinstance(tree, UnreadableHand):
        return bad_body(tree)
    diagnosis = Diagnosis(inspect.type_info(kind))
    error = diagnosis.examine(cast("dict[str, object]", tree))
    if error is not None:
        return bad_body(error)
    for key in diagnosis.unknown:
        known = [field.encode_name for field in msgspec.structs.fields(kind)]
        expected = f"one of the keys {', '.join(known)}" if known else "no key at all"
        return bad_body(UnreadableHand("unknown-key", key.pointer, expected, key.pointer[1:]))
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as unmet:  # a text's pattern, or what the struct holds itself to
        return bad_body(_unmet(str(unmet), tree))


def _unmet(said: str, tree: object) -> UnreadableHand:
    """What msgspec says of a value, with the value itself."""
    wanted, _, place = said.partition(" - at `$")
    steps = re.findall(r"\w+", place)
    for step in steps:
        tree = tree[int(step)] if isinstance(tree, list) else cast("dict[str, object]", tree)[step]
    pointer = "".join(f"/{step}" for step in steps)
    seen = msgspec.json.encode(tree).decode()
    return UnreadableHand("unknown-value", pointer, clip(wanted), clip(seen))


def read_body(limit: int = _DOCUMENT_LIMIT) -> bytes | Response:
    """The request's body whole, or the problem that it is longer than allowed."""
    raw = request.stream.read(limit + 1)
    if len(raw) > limit:
        detail = f"A document may have {limit} bytes; this one has more."
        return problem("body-too-large", detail, allowed=limit)
    return raw


def bad_body(error: UnreadableHand) -> Response:
    """The problem of a body that is not the document wanted."""
    where = error.pointer or "the whole"
    detail = f"In the body, at {where}: expected {error.expected}, seen {error.seen}."
    return problem("bad-body", detail, error=msgspec.structs.asdict(error))
