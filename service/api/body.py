"""The body of an upload on its way to the disk: checked as it comes, never held whole."""

from collections.abc import Iterator
from typing import IO, Final

from flask import Response, request

from service.problems import problem

_STEP: Final = 1 << 16
_DRAINED: Final = 512 << 20
"""So many bytes of a refused body are still taken. A client that only sends would otherwise find
the connection broken, and never read why."""

_ENCODINGS: Final = ("identity", "gzip", "x-gzip", "zstd")


class BodyRefusedError(Exception):
    """The body cannot be taken; ``answer`` says why."""

    def __init__(self, answer: Response) -> None:
        super().__init__(answer.status)
        self.answer = answer


def check_headers(limit: int) -> Response | None:
    """What the headers alone say against a body, before any of it is read."""
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in _ENCODINGS:
        detail = f"A body may be packed by gzip or zstd, or plain; this one names {encoding[:60]}."
        return problem("unsupported-media", detail, allowed=list(_ENCODINGS))
    if request.mimetype == "multipart/form-data":
        detail = "Send the file itself as the body (curl --data-binary @FILE), not a form with it."
        return problem("unsupported-media", detail, seen=request.mimetype)
    if request.content_length is not None and request.content_length > limit:
        return too_large(limit, request.content_length)
    return None


def too_large(limit: int, seen: int) -> Response:
    """The answer to a body over the limit, whose rest is taken and dropped."""
    detail = f"An upload may have {limit} bytes; this one has {seen} at least."
    response = problem(
        "upload-too-large", detail, limit="max_upload_bytes", allowed=limit, seen=seen
    )
    stream = request.stream
    response.call_on_close(lambda: _drain(stream))
    return response


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
            raise BodyRefusedError(too_large(limit, size))
        yield chunk
    if request.content_length is not None and size < request.content_length:
        raise BodyRefusedError(_incomplete(size))
    if size == 0:
        detail = "The body has no bytes. Send one hand, a list of hands, or a hand a line."
        raise BodyRefusedError(problem("empty-upload", detail))


def _read(stream: IO[bytes], size: int) -> bytes:
    try:
        return stream.read(_STEP)
    except Exception as error:  # every server has its own for a client that is gone
        raise BodyRefusedError(_incomplete(size)) from error


def _incomplete(size: int) -> Response:
    detail = f"The body ended after {size} bytes, before it was whole. Nothing was kept."
    return problem("incomplete-upload", detail, received=size, announced=request.content_length)
