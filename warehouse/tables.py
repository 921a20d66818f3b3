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
    _count("bytes_read"),
    _count("hands"),
    *_counts(),
    Index("uploads_by_arrival", "received_at", "id"),
    Index("uploads_by_status", "status"),
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
    *_counts(),
    UniqueConstraint("upload", "first"),
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
)

identities = Table(
    "identities",
    metadata,
    Column("source", String(200), primary_key=True),
    Column("table", String(200), primary_key=True),
    Column("hand", String(200), primary_key=True),
    Column("hand_id", String(24), nullable=False, unique=True),
    Column("chunk", ForeignKey("chunks.id"), nullable=False),
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
    Index("conflicts_by_identity", "source", "table", "hand"),
    Index("conflicts_by_upload", "upload"),
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
