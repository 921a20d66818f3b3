"""One hand in a dialect to a hand document of version 1, and what had to be left out."""

from typing import Final

import msgspec
from msgspec import Struct

from schemas.decode import decode_hand
from schemas.dialects.amounts import settle_amounts
from schemas.dialects.cards import write_cards
from schemas.dialects.csvshape import draft_of_rows
from schemas.dialects.draft import Draft
from schemas.dialects.jsonshapes import draft_of_document, draft_of_log, object_of
from schemas.dialects.notations import NOTATIONS
from schemas.dialects.ohh import draft_of_ohh
from schemas.dialects.rows import hands_of_rows, read_rows
from schemas.dialects.seats import turn_around
from schemas.dialects.table import Dialect
from schemas.document import FORMAT_VERSION
from schemas.errors import UnreadableHand
from schemas.rawtree import encode
from schemas.record import to_record

_FORMAT: Final = "retourne/"


class Converted(Struct, frozen=True):
    """A hand document, and what was left out or taken for granted in writing it.

    Attributes:
        document: The hand in version 1 of the format, as JSON.
        assumptions: For people, a sentence each; empty where the whole hand is in the document.
    """

    document: bytes
    assumptions: list[str]


def convert(raw: bytes, dialect: Dialect) -> Converted | UnreadableHand:
    """Writes one hand in a dialect as a hand document.

    Args:
        raw: JSON in UTF-8, or a header and the rows of one hand.
        dialect: What is read in which way; nothing of it is guessed.

    Returns:
        The document, or the first thing that cannot be read, with a pointer into ``raw``: a JSON
        pointer, for CSV the row, from 0 under the header, and the column.
    """
    draft = draft_of(raw, dialect.shape)
    if isinstance(draft, UnreadableHand):
        return draft
    error = write_cards(draft, NOTATIONS[dialect.cards])
    if error is not None:
        return error
    if dialect.seats == "clockwise":
        turn_around(draft)
    error = settle_amounts(draft, raise_to=dialect.amounts == "raise-to")
    return _document(draft) if error is None else error


def draft_of(raw: bytes, shape: str) -> Draft | UnreadableHand:
    """The draft of a hand in one of the shapes, its cards as they were written."""
    if shape == "csv":
        return _draft_of_csv(raw)
    tree = object_of(raw)
    if isinstance(tree, UnreadableHand):
        return tree
    if shape == "document":
        return draft_of_document(tree)
    return draft_of_log(tree) if shape == "log" else draft_of_ohh(tree)


def _draft_of_csv(raw: bytes) -> Draft | UnreadableHand:
    rows = read_rows(raw)
    if isinstance(rows, UnreadableHand):
        return rows
    hand, *others = hands_of_rows(rows)
    if others:
        seen = f"{1 + len(others)} hands"
        return UnreadableHand("out-of-range", f"/{len(hand)}", "the rows of one hand", seen)
    return draft_of_rows(hand)


def _document(draft: Draft) -> Converted | UnreadableHand:
    """The draft as a document, once the reader of the format has found nothing against it."""
    version = draft.tree.get("format")
    if not isinstance(version, str) or not version.startswith(_FORMAT):
        if version is not None:
            draft.notes.append("the document's own `format` was not kept")
        draft.tree["format"] = FORMAT_VERSION
    decoded = decode_hand(encode(draft.tree))
    if isinstance(decoded, UnreadableHand):
        return _of_original(draft, decoded)
    record = to_record(decoded.hand)
    if isinstance(record, UnreadableHand):
        return _of_original(draft, record)
    unknown = [f"left out {draft.origin(key.pointer)}" for key in decoded.unknown_keys]
    hand = msgspec.structs.replace(decoded.hand, format=FORMAT_VERSION)
    return Converted(msgspec.json.encode(hand), [*draft.notes, *unknown])


def _of_original(draft: Draft, error: UnreadableHand) -> UnreadableHand:
    """An error of the document told of the original, which may lack the place that it is at."""
    pointer = draft.origin(error.pointer)
    missing = error.code == "missing-key" and not pointer.endswith(error.pointer)
    name = error.pointer.rpartition("/")[2]
    expected = f"{error.expected}, as the hand document's `{name}`" if missing else error.expected
    return msgspec.structs.replace(error, pointer=pointer, expected=expected)
