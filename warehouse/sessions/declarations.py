"""What a document declares of a session, as text: its parts, without the hands.

A declaration is kept as it came: the values of its own keys byte for byte, in their order.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Raw

from schemas.document import HandId
from schemas.errors import UnreadableHand
from schemas.session import Session
from schemas.session_decode import ReadSession, decode_session

_MEMBERS: Final = msgspec.json.Decoder(dict[str, Raw])
_DECLARES: Final = ("rules", "entrants", "hand_ids", "rebuys", "ledger", "standings", "x")
_HANDS: Final = "hands"


def session_key(session: str) -> str:
    """Return the key of a session, 24 hex digits that stand for its id in addresses.

    They begin the SHA-256 of the id in UTF-8.
    """
    return hashlib.sha256(session.encode()).hexdigest()[:24]


def declares(session: Session) -> bool:
    """Whether a session document says anything of its session but the name and the kind."""
    return any(getattr(session, name) is not UNSET for name in _DECLARES)


def declaration_text(document: bytes) -> bytes:
    """Return the text of what a session document says beside its hands."""
    return _written({name: part for name, part in members(document).items() if name != _HANDS})


def members(text: bytes) -> dict[str, bytes]:
    """Return the values of a declaration's keys, as they stand in it."""
    return {name: bytes(part) for name, part in _MEMBERS.decode(text).items()}


def declared_document(text: bytes) -> Session:
    """Return a declaration that is in the records, read."""
    return read_declaration(text).session


def read_declaration(text: bytes) -> ReadSession:
    """Return a declaration that is in the records, read, with its unknown keys.

    Raises:
        ValueError: the format does not read it any more.
    """
    read = decode_session(text)
    if isinstance(read, UnreadableHand):
        raise ValueError(f"{read.code} at {read.pointer}")  # noqa: TRY004 -- the value is wrong
    return read


def with_parts(text: bytes, parts: dict[str, bytes | None]) -> bytes:
    """Return a declaration with other values for some keys; None takes a key out."""
    changed: dict[str, bytes | None] = {**members(text), **parts}
    return _written({name: part for name, part in changed.items() if part is not None})


def digest_of(text: bytes) -> str:
    """Return what names a version of a declaration: the SHA-256 of its text, in hex."""
    return hashlib.sha256(text).hexdigest()


def listing(hands: Sequence[HandId]) -> bytes:
    """Return a list of hands as a declaration has it."""
    return msgspec.json.encode(hands)


def whole(text: bytes) -> tuple[bytes, bytes]:
    """Return what stands before and behind the hands of a session document.

    The hands go in between, parted by a comma and a line break.
    """
    parts = [part + b",\n" for part in _parts(members(text))]
    return b"{\n" + b"".join(parts) + b'"hands": [\n', b"\n]}\n"


def _written(parts: dict[str, bytes]) -> bytes:
    return b"{" + b",".join(_parts(parts)) + b"}"


def _parts(parts: dict[str, bytes]) -> list[bytes]:
    return [msgspec.json.encode(name) + b":" + part for name, part in parts.items()]
