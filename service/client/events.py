"""Reading a stream of server-sent events."""

from collections.abc import Iterable, Iterator

from msgspec import Struct


class Event(Struct, frozen=True):
    """One event: its name and its data."""

    name: str
    data: bytes


def read_events(pieces: Iterable[bytes]) -> Iterator[Event]:
    """The events of a stream whose lines end in a line feed, as soon as each is whole.

    Comments, by which a quiet stream is kept open, are events without a name and without data.
    """
    name, data = "message", list[bytes]()
    for line in _lines(pieces):
        if not line:
            if data:
                yield Event(name, b"\n".join(data))
            name, data = "message", []
        elif line.startswith(b":"):
            yield Event("", b"")
        else:
            field, _, value = line.partition(b":")
            value = value.removeprefix(b" ")
            if field == b"event":
                name = value.decode(errors="replace")
            elif field == b"data":
                data.append(value)


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r")
