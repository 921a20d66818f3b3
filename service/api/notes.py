"""Notes and tags: what people wrote on a hand."""

import datetime as dt
from http import HTTPStatus
from typing import Annotated

from flask import Response, g, url_for
from msgspec import Meta, Struct

from service.api.answers import bad_parameter, store
from service.api.hands import HandKey
from service.api.operations import Reply, operation
from service.problems import problem
from warehouse.notes import MOST_OF_A_NOTE, TAG_PATTERN, Note, TagCount, is_tag

_TAG = "a tag: at most 40 small letters a to z, digits and hyphens, no hyphen first"

NoteKey = Annotated[
    str,
    Meta(
        title="The note's id.",
        description="the 16 hex digits of a note's id",
        pattern="^[0-9a-f]{16}$",
    ),
]
TagKey = Annotated[str, Meta(title="The tag.", description=_TAG, pattern=TAG_PATTERN)]


class HandNotes(Struct, frozen=True):
    """What people wrote on a hand: the notes, the oldest first, and the tags in order."""

    hand_id: str
    notes: list[Note]
    tags: list[str]
    links: dict[str, str]


class NoteText(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a note."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_OF_A_NOTE)]


class TagList(Struct, frozen=True):
    """Every tag that is on a hand, in order."""

    tags: list[TagCount]


@operation("GET", "/api/v1/hands/<hand_id>/notes", scope="read", problems=("not-found",))
def show_notes(hand_id: HandKey) -> HandNotes | Response:
    """Show the notes and tags of a hand."""
    return _document(hand_id) if store().notes.knows(hand_id) else _no_hand(hand_id)


@operation(
    "POST",
    "/api/v1/hands/<hand_id>/notes",
    scope="audit",
    problems=("not-found",),
    statuses={HTTPStatus.CREATED: "The note, with its id."},
)
def write_note(hand_id: HandKey, document: NoteText) -> Reply[Note] | Response:
    """Write a note on a hand. Its author is the label of the key."""
    if not store().notes.knows(hand_id):
        return _no_hand(hand_id)
    note = store().notes.write(hand_id, document.text, _author(), _now())
    return Reply(note, HTTPStatus.CREATED, {})


@operation("PUT", "/api/v1/hands/<hand_id>/notes/<note_id>", scope="audit", problems=("not-found",))
def change_note(hand_id: HandKey, note_id: NoteKey, document: NoteText) -> Note | Response:
    """Put another text in place of a note's, by whoever does so, now."""
    note = store().notes.rewrite(hand_id, note_id, document.text, _author(), _now())
    return _no_note(hand_id, note_id) if note is None else note


@operation(
    "DELETE", "/api/v1/hands/<hand_id>/notes/<note_id>", scope="audit", problems=("not-found",)
)
def erase_note(hand_id: HandKey, note_id: NoteKey) -> HandNotes | Response:
    """Delete a note of a hand."""
    if not store().notes.erase(hand_id, note_id):
        return _no_note(hand_id, note_id)
    return _document(hand_id)


@operation(
    "PUT",
    "/api/v1/hands/<hand_id>/tags/<tag>",
    scope="audit",
    problems=("not-found",),
)
def put_tag(hand_id: HandKey, tag: TagKey) -> HandNotes | Response:
    """Put a tag on a hand; again changes nothing."""
    if not is_tag(tag):
        return bad_parameter("tag", _TAG, tag)
    if not store().notes.knows(hand_id):
        return _no_hand(hand_id)
    store().notes.tag(hand_id, tag)
    return _document(hand_id)


@operation("DELETE", "/api/v1/hands/<hand_id>/tags/<tag>", scope="audit", problems=("not-found",))
def take_tag(hand_id: HandKey, tag: TagKey) -> HandNotes | Response:
    """Take a tag off a hand."""
    if not store().notes.untag(hand_id, tag):
        detail = "The hand bears no such tag."
        return problem("not-found", detail, hand_id=hand_id[:100], tag=tag[:100])
    return _document(hand_id)


@operation("GET", "/api/v1/tags", scope="read")
def list_tags() -> TagList:
    """List the tags that are on hands, and on how many."""
    return TagList(store().notes.tags())


def _document(hand_id: str) -> HandNotes:
    links = {
        "self": url_for("api.show_notes", hand_id=hand_id),
        "hand": url_for("api.show_hand", hand_id=hand_id),
    }
    return HandNotes(hand_id, store().notes.of_hand(hand_id), store().notes.tags_of(hand_id), links)


def _no_hand(hand_id: str) -> Response:
    return problem("not-found", "There is no such hand.", hand_id=hand_id[:100])


def _no_note(hand_id: str, note: str) -> Response:
    detail = "The hand has no such note."
    return problem("not-found", detail, hand_id=hand_id[:100], note=note[:100])


def _author() -> str:
    label: str = g.access.key.label
    return label


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
