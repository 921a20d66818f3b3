"""The tables of the installation's own records: the clubs, their keys, the secrets of the service.

What a club has uploaded stands in the club's own records (`warehouse.tables`).
"""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

from warehouse.tables import UtcTime

metadata = MetaData()

clubs = Table(
    "clubs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("club", ForeignKey("clubs.id"), nullable=False),
    Column("label", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime),
    Column("revoked_at", UtcTime),
    Column("used_at", UtcTime),
    Index("keys_by_club", "club", "created_at"),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

# The hands that are shown to whoever has the link.
shares = Table(
    "shares",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("club", ForeignKey("clubs.id"), nullable=False),
    Column("hand_id", String(24), nullable=False),
    Column("masked", Boolean, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("created_by", String(200), nullable=False),
    Column("expires_at", UtcTime),
    Column("revoked_at", UtcTime),
    Index("shares_by_hand", "club", "hand_id", "created_at"),
)
