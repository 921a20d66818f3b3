"""The session's own part of a session document, read apart from its hands.

The hands are read by `schemas.streams`, one at a time; one that is broken costs only itself.
"""

import re
from fractions import Fraction
from typing import BinaryIO, Final

import msgspec
from msgspec import UNSET, inspect

from schemas.decode import version_error
from schemas.diagnosis import Diagnosis
from schemas.elements import members_before
from schemas.errors import UnknownKey, UnreadableHand, step
from schemas.inflate import PlainBytes, StreamLimits
from schemas.rawtree import BOM, encode, read_tree, show
from schemas.session import FRACTION_PATTERN, Session
from schemas.session_terms import resolve_rules

_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_SESSION: Final = msgspec.json.Decoder(Session)
_KIND: Final = inspect.type_info(Session)
_FRACTION: Final = re.compile(FRACTION_PATTERN)
_BLANK: Final = b" \t\r\n"
_HEAD: Final = 64


class ReadSession:
    """A session document without its hands, and its keys that the format does not know.

    ``text`` is what was read: JSON with the document's own values, byte for byte, its hands a list
    without any where it has some.
    """

    def __init__(self, session: Session, unknown_keys: list[UnknownKey], text: bytes) -> None:
        self.session = session
        self.unknown_keys = unknown_keys
        self.text = text


def read_session(stream: BinaryIO, limits: StreamLimits) -> ReadSession | UnreadableHand | None:
    """The session part of an upload; None for one that is no session document.

    Raises:
        LimitExceeded: the upload unfolds to more than the limits allow.
    """
    text = _document(stream, limits)
    if text is None:
        return None
    try:
        members = _MEMBERS.decode(text)
    except (ValueError, RecursionError):
        return None
    if "session" not in members or not {"hands", "hand_ids"} & members.keys():
        return None
    return decode_session(_without_hands(text, members))


def decode_session(text: bytes) -> ReadSession | UnreadableHand:
    """A session document from its text, which holds no hands."""
    tree = read_tree(text)
    if isinstance(tree, UnreadableHand):
        return tree
    if not isinstance(tree, dict):
        return UnreadableHand("not-an-object", "", "a JSON object", show(tree))
    error = version_error(tree) if "format" in tree else None
    diagnosis = Diagnosis(_KIND)
    error = error or diagnosis.examine(tree)
    if error is not None:
        return error
    session = _SESSION.decode(encode(tree))
    error = _repeats(session) or _fractions(session) or _rules(session)
    return ReadSession(session, diagnosis.unknown, text) if error is None else error


def fraction_of(text: str) -> Fraction | None:
    """The number that a text such as ``25/4`` stands for, None for another text."""
    return Fraction(text) if _FRACTION.fullmatch(text) else None


def _document(stream: BinaryIO, limits: StreamLimits) -> bytes | None:
    """The whole plain text, unless it is longer than a document may be or begins with a line."""
    text = bytearray()
    sought = 0
    alone = True
    for chunk in PlainBytes(stream, limits):
        text += chunk
        if alone and (end := text.find(b"\n", sought)) >= 0:
            if _is_hand(bytes(text[:end])):
                return None
            alone = False
        sought = len(text)
        if _is_no_object(text):
            return None
        if len(text) > limits.max_document_bytes:
            return None
    body = bytes(text).removeprefix(BOM).strip(_BLANK)
    return body if body.startswith(b"{") else None


def _is_no_object(text: bytearray) -> bool:
    begun = bytes(text[:_HEAD]).removeprefix(BOM).lstrip(_BLANK)
    return bool(begun) and not begun.startswith(b"{")


def _is_hand(line: bytes) -> bool:
    try:
        members = _MEMBERS.decode(line.removeprefix(BOM))
    except (ValueError, RecursionError):
        return False
    return not {"hands", "hand_ids"} & members.keys()


def _without_hands(text: bytes, members: dict[str, msgspec.Raw]) -> bytes:
    """The document with an empty list for its hands, so that what is left is small."""
    if "hands" not in members:
        return text
    hands = bytes(members["hands"])
    begun, _ = members_before(text, "hands", ("hands",))["hands"]
    if not hands.startswith(b"[") or text[begun : begun + len(hands)] != hands:
        return text
    return text[:begun] + b"[]" + text[begun + len(hands) :]


def _repeats(session: Session) -> UnreadableHand | None:
    """What a list says twice of the same."""
    lists: dict[str, list[object]] = {}
    if session.entrants is not UNSET:
        lists["entrants"] = [entrant.player for entrant in session.entrants]
    if session.rebuys is not UNSET:
        lists["rebuys"] = [(rebuy.player, rebuy.hand_no) for rebuy in session.rebuys]
    if session.ledger is not UNSET:
        lists["ledger"] = [point.after for point in session.ledger]
    if session.standings is not UNSET:
        lists["standings"] = [standing.player for standing in session.standings]
    for name, keys in lists.items():
        met: set[object] = set()
        for index, key in enumerate(keys):
            if key in met:
                pointer = step(step("", name), index)
                return UnreadableHand("duplicate-key", pointer, "each of them once", show(key))
            met.add(key)
    return None


def _rules(session: Session) -> UnreadableHand | None:
    if session.rules is UNSET:
        return None
    resolved = resolve_rules(session.rules)
    return resolved if isinstance(resolved, UnreadableHand) else None


def _fractions(session: Session) -> UnreadableHand | None:
    for index, standing in enumerate(session.standings or []):
        for name, text in (("result", standing.result), ("share", standing.share)):
            if text is not UNSET and fraction_of(text) is None:
                pointer = f"/standings/{index}/{name}"
                expected = "a whole number or a fraction as text, such as 25/4"
                return UnreadableHand("wrong-type", pointer, expected, show(text))
    return None
