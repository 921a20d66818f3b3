"""Packs in the records: which chunks share segments, and what is small enough to be joined.

A pack is some chunks and the segments that hold exactly their rows. No pack is ever changed;
another one takes its place.
"""

import datetime as dt
from collections.abc import Iterable, Sequence

from msgspec import Struct
from sqlalchemy import Connection, and_, delete, select

from warehouse.rows import SegmentKind
from warehouse.segments import StagedSegment, note_unused
from warehouse.tables import (
    chunks,
    pack_segments,
    packed,
    packs,
    reaudit_chunks,
    segments,
)

Paths = dict[SegmentKind, str]


class Unit(Struct, frozen=True):
    """A chunk with segments of its own, or a pack. ``lead`` is the number of its first chunk."""

    lead: int
    hands: int
    pack: int | None


class Member(Struct, frozen=True):
    """A chunk of a pack, and which hands of which upload it holds."""

    chunk: int
    upload: str
    first: int
    last: int
    engine: str


def small_units(connection: Connection, enough: int) -> list[Unit]:
    """Return the units that may be joined to others, in the order of their first chunks.

    They have fewer than ``enough`` hands. A chunk that is to be made anew is none of them: it keeps
    segments of its own until it is.
    """
    due = select(reaudit_chunks.c.chunk).where(reaudit_chunks.c.made.is_(None))
    alone = (
        select(chunks.c.id, segments.c.rows)
        .join(segments, and_(segments.c.chunk == chunks.c.id, segments.c.kind == "hands"))
        .where(segments.c.rows < enough, chunks.c.superseded_by.is_(None))
        .where(chunks.c.id.not_in(due))
    )
    together = select(packs.c.lead, packs.c.hands, packs.c.id).where(packs.c.full.is_(False))
    found = [Unit(chunk, hands, None) for chunk, hands in connection.execute(alone)]
    found += [Unit(lead, hands, pack) for lead, hands, pack in connection.execute(together)]
    return sorted(found, key=lambda unit: unit.lead)


def paths_of(connection: Connection, units: Sequence[Unit]) -> dict[Unit, Paths]:
    """Return the segments of units by their kinds."""
    found: dict[Unit, Paths] = {unit: {} for unit in units}
    for own, table, column in ((True, segments, "chunk"), (False, pack_segments, "pack")):
        of = {_number(unit): unit for unit in units if (unit.pack is None) is own}
        query = select(table.c[column], table.c.kind, table.c.path)
        for number, kind, path in connection.execute(query.where(table.c[column].in_(list(of)))):
            found[of[number]][kind] = path
    return found


def paths_with(connection: Connection, chunk: int) -> Paths:
    """Return the segments that have a chunk's rows, by their kinds: its own, or those it shares."""
    [pack] = packs_with(connection, [chunk]) or [None]
    unit = Unit(chunk, 0, pack)
    return paths_of(connection, [unit])[unit]


def members_of(connection: Connection, units: Sequence[Unit]) -> list[Member]:
    """Return the chunks of units, in their order."""
    names = ("upload", "first", "last", "engine")
    query = select(chunks.c.id, *(chunks.c[name] for name in names))
    alone = [unit.lead for unit in units if unit.pack is None]
    together = [unit.pack for unit in units if unit.pack is not None]
    of_packs = select(packed.c.chunk).where(packed.c.pack.in_(together))
    query = query.where(chunks.c.id.in_(alone) | chunks.c.id.in_(of_packs))
    return [Member(*row) for row in connection.execute(query.order_by(chunks.c.id))]


def packs_with(connection: Connection, wanted: Sequence[int]) -> dict[int, list[int]]:
    """Return the packs that have some of these chunks, each with those that it has."""
    found: dict[int, list[int]] = {}
    query = select(packed.c.pack, packed.c.chunk).where(packed.c.chunk.in_(wanted))
    for pack, chunk in connection.execute(query):
        found.setdefault(pack, []).append(chunk)
    return found


def add_pack(
    connection: Connection,
    members: Sequence[Member],
    made: Sequence[StagedSegment],
    *,
    full: bool,
) -> None:
    """Write down that these segments hold the rows of these chunks, which have none now."""
    row = {
        "lead": min(one.chunk for one in members),
        "hands": sum(one.rows for one in made if one.kind == "hands"),
        "full": full,
    }
    adding = packs.insert().values(row).returning(packs.c.id)
    pack = connection.execute(adding).scalar_one()
    connection.execute(packed.insert(), [{"chunk": one.chunk, "pack": pack} for one in members])
    connection.execute(
        pack_segments.insert(),
        [{"path": one.path, "kind": one.kind, "rows": one.rows, "pack": pack} for one in made],
    )


def add_own(connection: Connection, chunk: int, made: Iterable[StagedSegment]) -> None:
    """Write down that these segments hold the rows of a chunk alone."""
    rows = [{"path": one.path, "kind": one.kind, "rows": one.rows, "chunk": chunk} for one in made]
    connection.execute(segments.insert(), rows)


def drop(connection: Connection, units: Sequence[Unit], now: dt.datetime) -> None:
    """Strike off the segments of units, which others take the place of; their chunks stay."""
    gone = paths_of(connection, units).values()
    note_unused(connection, [path for paths in gone for path in paths.values()], now)
    alone = [unit.lead for unit in units if unit.pack is None]
    together = [unit.pack for unit in units if unit.pack is not None]
    connection.execute(delete(segments).where(segments.c.chunk.in_(alone)))
    for table, column in ((pack_segments, "pack"), (packed, "pack"), (packs, "id")):
        connection.execute(delete(table).where(table.c[column].in_(together)))


def _number(unit: Unit) -> int:
    return unit.lead if unit.pack is None else unit.pack
