"""What people write on hands: notes, and tags by which hands are found again.

They are kept by the hand's id, which is made of what the hand says, so that they stay when it is
audited anew, and count again when a hand that was deleted comes back.
"""

import datetime as dt
import re
import secrets
import unicodedata
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, Select, delete, exists, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from warehouse.database import Database
from warehouse.tables import conflicts, identities, notes, tags

MOST_OF_A_NOTE: Final = 4_000
TAG_PATTERN: Final = "^[a-z0-9][a-z0-9-]{0,39}$"


class Note(Struct, frozen=True):
    """A note on a hand; ``author`` is the label of the key by which it came."""

    id: str
    text: str
    author: str
    written_at: dt.datetime


class TagCount(Struct, frozen=True):
    """A tag, and on how many hands it is."""

    tag: str
    hands: int


class Notes:
    """The notes and tags of one house."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_hand(self, hand_id: str) -> list[Note]:
        """Return a hand's notes, the oldest first."""
        query = select(notes.c.id, notes.c.text, notes.c.author, notes.c.written_at)
        query = query.where(notes.c.hand_id == hand_id).order_by(notes.c.written_at, notes.c.id)
        with self._database.read() as connection:
            return [Note(*row) for row in connection.execute(query)]

    def tags_of(self, hand_id: str) -> list[str]:
        """Return a hand's tags, in order."""
        query = select(tags.c.tag).where(tags.c.hand_id == hand_id).order_by(tags.c.tag)
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def tags(self) -> list[TagCount]:
        """Return every tag that is on a hand, in order."""
        query = select(tags.c.tag, func.count()).group_by(tags.c.tag).order_by(tags.c.tag)
        with self._database.read() as connection:
            return [TagCount(*row) for row in connection.execute(query)]

    def tagged(self, tag: str) -> list[str]:
        """Return the ids of the hands that bear a tag."""
        with self._database.read() as connection:
            return list(connection.scalars(select(tags.c.hand_id).where(tags.c.tag == tag)))

    def knows(self, hand_id: str) -> bool:
        """Tell whether the house has a hand of this id."""
        claims = (exists().where(table.c.hand_id == hand_id) for table in (identities, conflicts))
        with self._database.read() as connection:
            return bool(connection.scalar(select(or_(*claims))))

    def write(self, hand_id: str, text: str, author: str, now: dt.datetime) -> Note:
        """Add a note to a hand."""
        note = Note(secrets.token_hex(8), text, author, now)
        row = {"id": note.id, "text": text, "author": author, "written_at": now}
        with self._database.write() as connection:
            connection.execute(notes.insert().values(hand_id=hand_id, **row))
        return note

    def rewrite(
        self, hand_id: str, note: str, text: str, author: str, now: dt.datetime
    ) -> Note | None:
        """Put another text in place of a note's; None where the hand has no such note."""
        changing = update(notes).where(notes.c.hand_id == hand_id, notes.c.id == note)
        with self._database.write() as connection:
            done = connection.execute(changing.values(text=text, author=author, written_at=now))
        return Note(note, text, author, now) if done.rowcount else None

    def erase(self, hand_id: str, note: str) -> bool:
        """Delete a note of a hand; tell whether there was one."""
        gone = delete(notes).where(notes.c.hand_id == hand_id, notes.c.id == note)
        with self._database.write() as connection:
            return connection.execute(gone).rowcount > 0

    def tag(self, hand_id: str, tag: str) -> None:
        """Put a tag on a hand; one that it bears already, it goes on to bear."""
        try:
            with self._database.write() as connection:
                connection.execute(tags.insert().values(hand_id=hand_id, tag=tag))
        except IntegrityError:
            return

    def untag(self, hand_id: str, tag: str) -> bool:
        """Take a tag off a hand; tell whether it bore it."""
        gone = delete(tags).where(tags.c.hand_id == hand_id, tags.c.tag == tag)
        with self._database.write() as connection:
            return connection.execute(gone).rowcount > 0


def as_tag(words: str) -> str | None:
    """Return words as a tag, such as ``odd-call`` of "Odd call"; None where nothing is left."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].rstrip("-") or None


def is_tag(text: str) -> bool:
    """Tell whether a text is written as a tag is."""
    return re.fullmatch(TAG_PATTERN, text) is not None and not text.endswith("\n")


def forget_hands(connection: Connection, gone: Select[int]) -> None:
    """Delete what was written on the hands of chunks that are going away."""
    for claims in (identities, conflicts):
        hands = select(claims.c.hand_id).where(claims.c.chunk.in_(gone))
        for table in (notes, tags):
            connection.execute(delete(table).where(table.c.hand_id.in_(hands)))
