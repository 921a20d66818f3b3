"""The tables of the records database: what was uploaded, what is published, who owns which hand.

Only SQL that SQLite and PostgreSQL share. Times are UTC.
"""

import datetime as dt
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

metadata = MetaData()


class UtcTime(TypeDecorator[dt.datetime]):
    """An aware datetime, stored as UTC without its offset, which SQLite could not keep."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        """Turn the moment into UTC; a naive datetime is a broken caller's."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} names no moment: it has no offset")
        return value.astimezone(dt.UTC).replace(tzinfo=None)

    def process_result_value(
        self, value: dt.datetime | None, dialect: Dialect
    ) -> dt.datetime | None:
        """Give the stored moment its offset back."""
        del dialect
        return None if value is None else value.replace(tzinfo=dt.UTC)


def _count(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, default=0)


def _counts() -> list[Column[Any]]:
    """Every hand read is one of the first five; a conflict is also one of the first three."""
    return [
        _count("legal"),
        _count("illegal"),
        _count("unverifiable"),
        _count("duplicates"),
        _count("unreadable"),
        _count("conflicts"),
    ]


uploads = Table(
    "uploads",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("blob", String(64), nullable=False),  # the SHA-256 of its bytes, in which it is kept
    Column("dialect", Text),  # what its hands are read as, if the client said
    Column("size", BigInteger, nullable=False),
    Column("name", Text),
    Column("received_at", UtcTime, nullable=False),
    Column("status", String(16), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("run", String(32)),
    Column("sent_at", UtcTime),
    Column("touched_at", UtcTime),
    Column("finished_at", UtcTime),
    Column("failure_code", String(64)),
    Column("failure_detail", Text),
    Column("request_id", String(64)),
    Column("reading", Text),  # JSON; what was found of its hands' dialects
    _count("bytes_read"),
    _count("hands"),
    *_counts(),
    Index("uploads_by_arrival", "received_at", "id"),
    Index("uploads_by_status", "status"),
    Index("uploads_by_blob", "blob"),
)

chunks = Table(
    "chunks",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("key", String(200), nullable=False, unique=True),
    Column("upload", ForeignKey("uploads.id"), nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("engine", String(64), nullable=False),
    Column("published_at", UtcTime, nullable=False),
    Column("generation", Integer, nullable=False, default=0),
    Column("superseded_by", Integer),  # the chunk that was made anew of the same hands
    *_counts(),
    UniqueConstraint("upload", "first", "generation"),
    sqlite_autoincrement=True,  # the number of a deleted chunk is never given again
)

segments = Table(
    "segments",
    metadata,
    Column("path", String(255), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("rows", Integer, nullable=False),
    Column("chunk", ForeignKey("chunks.id"), nullable=False),
    Index("segments_by_chunk", "chunk", "kind"),
)

# Chunks whose rows are together in segments that they share. A pack never changes: when others join
# it, or one is taken out, another pack is made.
packs = Table(
    "packs",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("lead", Integer, nullable=False),  # the least number of its chunks
    Column("hands", Integer, nullable=False),
    Column("full", Boolean, nullable=False),  # nothing is joined to it any more
    sqlite_autoincrement=True,  # the number of one that is gone is never given again
)

packed = Table(
    "packed",
    metadata,
    Column("chunk", ForeignKey("chunks.id"), primary_key=True, autoincrement=False),
    Column("pack", ForeignKey("packs.id"), nullable=False),
    Index("packed_by_pack", "pack"),
)

pack_segments = Table(
    "pack_segments",
    metadata,
    Column("path", String(255), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("rows", Integer, nullable=False),
    Column("pack", ForeignKey("packs.id"), nullable=False),
    Index("pack_segments_by_pack", "pack", "kind"),
)

problems = Table(
    "problems",
    metadata,
    Column("upload", ForeignKey("uploads.id"), primary_key=True),
    Column("ordinal", BigInteger, primary_key=True, autoincrement=False),
    Column("line", BigInteger, nullable=False),
    Column("offset", BigInteger, nullable=False),
    Column("code", String(64), nullable=False),
    Column("pointer", Text, nullable=False),
    Column("expected", Text, nullable=False),
    Column("seen", Text, nullable=False),
    Column("file", Text),  # in a ZIP
)

# What requests with a key of their own were answered, for a while.
repeats = Table(
    "repeats",
    metadata,
    Column("key", String(200), primary_key=True),
    Column("request", String(64), nullable=False),  # a hash of all that it asked for
    Column("uploads", Text, nullable=False),  # JSON; the ids of those that it made
    Column("asked_at", UtcTime, nullable=False),
    Index("repeats_by_time", "asked_at"),
)

identities = Table(
    "identities",
    metadata,
    Column("source", String(200), primary_key=True),
    Column("table", String(200), primary_key=True),
    Column("hand", String(200), primary_key=True),
    Column("hand_id", String(24), nullable=False, unique=True),
    Column("chunk", ForeignKey("chunks.id"), nullable=False),
    Column("written", String(8), nullable=False),  # the standing that its rows bear
    Index("identities_by_chunk", "chunk"),
)

conflicts = Table(
    "conflicts",
    metadata,
    Column("hand_id", String(24), primary_key=True),
    Column("source", String(200), nullable=False),
    Column("table", String(200), nullable=False),
    Column("hand", String(200), nullable=False),
    Column("first_hand_id", String(24), nullable=False),
    Column("upload", ForeignKey("uploads.id"), nullable=False),
    Column("chunk", ForeignKey("chunks.id"), nullable=False),
    Column("ordinal", BigInteger, nullable=False),
    Index("conflicts_by_identity", "source", "table", "hand"),
    Index("conflicts_by_first", "first_hand_id"),
    Index("conflicts_by_upload", "upload"),
    Index("conflicts_by_chunk", "chunk"),
)

rulings = Table(
    "rulings",
    metadata,
    Column("source", String(200), primary_key=True),
    Column("table", String(200), primary_key=True),
    Column("hand", String(200), primary_key=True),
    Column("stands", String(24)),  # null: none of them
    Column("ruled_at", UtcTime, nullable=False),
    Column("ruled_by", String(200)),
)

# The hands whose standing is another one than their rows bear.
standings = Table(
    "standings",
    metadata,
    Column("hand_id", String(24), primary_key=True),
    Column("standing", String(8), nullable=False),
)

# A chunk has duplicates of hands that the other chunk owns.
overlaps = Table(
    "overlaps",
    metadata,
    Column("chunk", ForeignKey("chunks.id"), primary_key=True, autoincrement=False),
    Column("owner", ForeignKey("chunks.id"), primary_key=True, autoincrement=False),
    Index("overlaps_by_owner", "owner"),
)

# Files that nothing in the records names any more, to be deleted.
discards = Table(
    "discards",
    metadata,
    # blob; segments: all that an upload left; segment: one that was replaced, or is not placed yet
    Column("kind", String(16), primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("since", UtcTime, nullable=False),
)

deletions = Table(
    "deletions",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("upload", String(64), nullable=False),
    Column("name", Text),
    Column("size", BigInteger, nullable=False),
    Column("received_at", UtcTime, nullable=False),
    Column("deleted_at", UtcTime, nullable=False),
    Column("deleted_by", String(200)),
    _count("hands"),
)

reaudits = Table(
    "reaudits",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("reason", String(16), nullable=False),  # asked or deletion
    Column("asked_at", UtcTime, nullable=False),
    Column("asked_by", String(200)),
    Column("asked", Text, nullable=False),  # JSON
    Column("engine", String(64), nullable=False),
    Index("reaudits_by_time", "asked_at", "id"),
)

reaudit_chunks = Table(
    "reaudit_chunks",
    metadata,
    Column("reaudit", ForeignKey("reaudits.id"), primary_key=True),
    Column("chunk", ForeignKey("chunks.id"), primary_key=True, autoincrement=False),
    Column("made", ForeignKey("chunks.id")),  # null: still to be made
    Index("reaudit_chunks_by_chunk", "chunk"),
    Index("reaudit_chunks_by_made", "made"),
)

# The uploads with chunks to be made anew, while there are any.
renewals = Table(
    "renewals",
    metadata,
    Column("upload", ForeignKey("uploads.id"), primary_key=True),
    Column("status", String(16), nullable=False),  # waiting, processing, failed or quarantined
    Column("since", UtcTime, nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("run", String(32)),
    Column("sent_at", UtcTime),
    Column("touched_at", UtcTime),
    Column("failure_code", String(64)),
    Column("failure_detail", Text),
)

# Hands on which a chunk made anew says something else than the one before it.
differences = Table(
    "differences",
    metadata,
    Column("chunk", ForeignKey("chunks.id"), primary_key=True, autoincrement=False),
    Column("ordinal", BigInteger, primary_key=True, autoincrement=False),
    Column("hand_id", String(24)),  # null: it could be read neither then nor now
    Column("old_verdict", String(16), nullable=False),
    Column("old_codes", Text, nullable=False),  # JSON
    Column("old_engine", String(64), nullable=False),
    Column("new_verdict", String(16), nullable=False),
    Column("new_codes", Text, nullable=False),  # JSON
    Column("new_engine", String(64), nullable=False),
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("url", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("secret", String(80), nullable=False),
    Column("old_secret", String(80)),
    Column("old_secret_until", UtcTime),
    Column("active", Boolean, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("woken_at", UtcTime),
    Column("resume_at", UtcTime),
    Column("failures", Integer, nullable=False, default=0),
    Column("last_at", UtcTime),
    Column("last_status", Integer),
    Column("last_error", Text),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(28), primary_key=True),
    Column("webhook", ForeignKey("webhooks.id"), nullable=False),
    Column("event", String(32), nullable=False),
    Column("payload", Text, nullable=False),
    Column("request_id", String(64)),
    Column("created_at", UtcTime, nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("next_at", UtcTime),
    Column("finished_at", UtcTime),
    Column("status", Integer),
    Column("error", Text),
    Index("deliveries_by_state", "state", "next_at"),
    Index("deliveries_by_webhook", "webhook", "created_at", "id"),
)

aliases = Table(
    "aliases",
    metadata,
    Column("alias", String(200), primary_key=True),
    Column("player", String(200), nullable=False),
    Index("aliases_by_player", "player"),
)

alias_changes = Table(
    "alias_changes",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("changed_at", UtcTime, nullable=False),
    Column("alias", String(200), nullable=False),
    Column("player", String(200)),
)

house_secrets = Table(
    "house_secrets",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(64), nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("key", String(24), primary_key=True),  # made of the id
    Column("id", String(200), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
    Column("declared", String(64)),  # the digest of the declaration that counts
    Column("created_at", UtcTime, nullable=False),
    Column("changed_at", UtcTime, nullable=False),
    Column("first_played", UtcTime),
    Column("last_played", UtcTime),
    Column("revision", Integer, nullable=False),  # counts the changes of what is audited
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("run", String(32)),
    Column("sent_at", UtcTime),
    Column("touched_at", UtcTime),
    Column("failure_code", String(64)),
    Column("failure_detail", Text),
    Column("audited", Integer, nullable=False, default=0),  # the revision that the audit is of
    Column("verdict", String(16)),
    Column("preset", String(200)),
    _count("hands"),
    _count("findings"),
    Index("sessions_by_state", "state"),
    Index("sessions_by_play", "last_played", "key"),
    Index("sessions_by_change", "changed_at", "key"),
)

# What documents say of a session beside its hands, every version of it.
session_declarations = Table(
    "session_declarations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("session", ForeignKey("sessions.key"), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("upload", ForeignKey("uploads.id")),  # null: it was sent by itself
    Column("received_at", UtcTime, nullable=False),
    Column("text", LargeBinary, nullable=False),
    Index("session_declarations_by_session", "session", "number"),
    Index("session_declarations_by_upload", "upload"),
)

# The hands that a session lists, whether they are there or not.
session_hands = Table(
    "session_hands",
    metadata,
    Column("session", ForeignKey("sessions.key"), primary_key=True),
    Column("attached", Boolean, primary_key=True),  # by hand, rather than by the declaration
    Column("source", String(200), primary_key=True),
    Column("table", String(200), primary_key=True),
    Column("hand", String(200), primary_key=True),
    Column("place", Integer, nullable=False),
    Index("session_hands_by_identity", "source", "table", "hand"),
)

# The chunks in which hands name a session.
session_chunks = Table(
    "session_chunks",
    metadata,
    Column("session", ForeignKey("sessions.key"), primary_key=True),
    Column("chunk", ForeignKey("chunks.id", ondelete="CASCADE"), primary_key=True),
    Index("session_chunks_by_chunk", "chunk"),
)

session_audits = Table(
    "session_audits",
    metadata,
    Column("session", ForeignKey("sessions.key"), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("engine", String(64), nullable=False),
    Column("fingerprint", String(64), nullable=False),  # the SHA-256 of the document audited
    Column("made_at", UtcTime, nullable=False),
    Column("packed", LargeBinary, nullable=False),  # JSON under zstd
)

# What the last audit of a session says of its result, for lists.
session_results = Table(
    "session_results",
    metadata,
    Column("session", ForeignKey("sessions.key"), primary_key=True),
    Column("agrees", Boolean),  # whether the declared result is ours; null: nothing to compare
    Column("winners", Text, nullable=False),  # JSON
    Column("parts_at", Integer),  # the number of the hand from which on it is wrong
    Column("hand_id", String(24)),  # of that hand
    Column("finding", String(64)),  # the code of what is wrong in it
)

# What people wrote on hands.
notes = Table(
    "notes",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("hand_id", String(24), nullable=False),
    Column("text", Text, nullable=False),
    Column("author", String(200), nullable=False),
    Column("written_at", UtcTime, nullable=False),
    Index("notes_by_hand", "hand_id", "written_at"),
)

tags = Table(
    "tags",
    metadata,
    Column("hand_id", String(24), primary_key=True),
    Column("tag", String(40), primary_key=True),
    Index("tags_by_tag", "tag"),
)

custom_statistics = Table(
    "custom_statistics",
    metadata,
    Column("id", String(60), primary_key=True),
    Column("label", Text, nullable=False),
    Column("made", Text, nullable=False),  # expressions over the columns of a seat
    Column("chances", Text, nullable=False),
    Column("changed_at", UtcTime, nullable=False),
)

# What the hands of a chunk are between, so that a search passes over those that have nothing for
# it; a chunk of before this was written down has none. What is absent is as `search` orders it.
spans = Table(
    "spans",
    metadata,
    Column("chunk", ForeignKey("chunks.id"), primary_key=True, autoincrement=False),
    Column("first_played", UtcTime, nullable=False),
    Column("last_played", UtcTime, nullable=False),
    Column("least_pot", BigInteger, nullable=False),
    Column("most_pot", BigInteger, nullable=False),
    Column("least_no", BigInteger, nullable=False),
    Column("most_no", BigInteger, nullable=False),
)

# The names and the codes that occur in a chunk's hands.
occurrences = Table(
    "occurrences",
    metadata,
    Column("kind", String(8), primary_key=True),  # player, code, preset, session, source or table
    Column("value", String(200), primary_key=True),
    Column("chunk", ForeignKey("chunks.id"), primary_key=True, autoincrement=False),
    Index("occurrences_by_chunk", "chunk"),
)

# The chunks whose seats were counted anew, which changes nothing else of them; each time tells
# itself from any other by its token.
rebuilds = Table(
    "rebuilds",
    metadata,
    Column("chunk", ForeignKey("chunks.id"), primary_key=True, autoincrement=False),
    Column("token", String(16), nullable=False),
)
