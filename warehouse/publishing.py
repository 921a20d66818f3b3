"""Publishing a chunk: segments, claims, counts and problems appear in one commit, or not at all.

The chunks of an upload follow each other without a gap, whatever their size: a chunk is published
only if it begins where the upload's last one ended, by whoever holds the upload. So no hand is
published twice, and repeating a chunk changes nothing.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import polars as pl
from msgspec import Struct, structs
from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from engine import ENGINE_VERSION
from warehouse.claims import ClaimsChangedError, KeptHand, Settled, claim, hold, settle
from warehouse.database import Database
from warehouse.exclusion import beside_others
from warehouse.records import Problem, Run
from warehouse.rollups import roll_up
from warehouse.rows import KINDS, HandRows, Kind, Row, SegmentKind
from warehouse.segments import SegmentFolder, StagedSegment, frame_of
from warehouse.sessions.marks import note_published
from warehouse.spans import note_spans
from warehouse.standings import respect_rulings
from warehouse.tables import chunks, problems, segments, uploads

MAX_PROBLEMS: Final = 10_000
"""How many problems of one upload are written down; all of them are counted."""

_ROUNDS: Final = 20
_T = TypeVar("_T")


class Draft(Struct, frozen=True):
    """A chunk to be published: the hands from ``first`` to ``last`` of an upload, counted from 1.

    Each of them is in ``hands`` or has a problem. ``bytes_read`` is how far into the stored upload
    they reach, ``reading`` what is to be kept of how it was read so far, as JSON.
    """

    first: int
    last: int
    hands: list[HandRows]
    problems: list[Problem]
    bytes_read: int
    reading: str | None = None


class Making(Struct, frozen=True):
    """A chunk on its way into the records: what it is called, what it holds, what it comes to."""

    upload: str
    draft: Draft
    engine: str
    generation: int
    settled: Settled
    staged: list[StagedSegment]

    @property
    def counts(self) -> dict[str, int]:
        """What the chunk adds to its upload's counts."""
        return _counts(self.draft, self.settled.kept)


class Publisher:
    """Publishes chunks in one records database and one folder of segments.

    ``engine`` is the version of the engine that the drafts come from.
    """

    def __init__(
        self, database: Database, folder: SegmentFolder, engine: str = ENGINE_VERSION
    ) -> None:
        self._database = database
        self._folder = folder
        self._engine = engine

    def publish(self, run: Run, draft: Draft, now: dt.datetime) -> bool:
        """Publish a chunk; False when the run no longer holds the upload or the chunk is not due.

        Raises:
            IntegrityError: the records were changed under our hands too many times.
        """

        def write(connection: Connection, making: Making) -> bool:
            beside_others(connection)
            unreadable_before = _advance(connection, run, draft, making.counts, now)
            if unreadable_before is None:
                return False
            hold(connection, making.settled)
            self.put(connection, making, MAX_PROBLEMS - unreadable_before, now)
            return True

        return self.in_rounds(run.upload.id, draft, write)

    def in_rounds(
        self,
        upload: str,
        draft: Draft,
        write: Callable[[Connection, Making], _T],
        *,
        generation: int = 0,
        anew: int | None = None,
    ) -> _T:
        """Settle and stage a draft and have it written in one transaction.

        Hands are settled before the transaction, to keep it short; when what they were settled
        against changes in between, all is undone and settled anew.

        Args:
            upload: whose hands they are.
            draft: the hands.
            write: writes, and returns what is returned here.
            generation: how often these hands were published before.
            anew: the chunk that this one replaces.

        Raises:
            IntegrityError: the records were changed under our hands too many times.
            ClaimsChangedError: likewise.
        """
        for round_ in range(_ROUNDS):
            with self._database.read() as connection:
                settled = settle(connection, draft.hands, anew=anew)
            staged = self._stage(upload, draft, settled.kept)
            making = Making(upload, draft, self._engine, generation, settled, staged)
            try:
                with self._database.write() as connection:
                    return write(connection, making)
            except (IntegrityError, ClaimsChangedError):
                if round_ == _ROUNDS - 1:
                    raise
            finally:
                self._folder.discard(staged)
        raise AssertionError("every round returns, raises or goes on")

    def put(self, connection: Connection, making: Making, told: int, now: dt.datetime) -> int:
        """Write a chunk down, with at most `told` of its problems, and put its segments in place.

        Returns:
            The chunk's number.

        Raises:
            IntegrityError: somebody has published one of its hands since they were settled.
        """
        upload, draft = making.upload, making.draft
        chunk = _insert_chunk(connection, making, now)
        claim(connection, making.settled, upload, chunk)
        note_published(connection, chunk, making.settled.kept, now)
        note_spans(connection, chunk, making.settled.kept)
        respect_rulings(connection, [one.hand.identity for one in making.settled.kept], now)
        written = [
            {"upload": upload, **structs.asdict(one)} for one in draft.problems[: max(0, told)]
        ]
        if written:
            connection.execute(problems.insert(), written)
        if making.staged:
            connection.execute(
                segments.insert(),
                [
                    {"path": one.path, "kind": one.kind, "rows": one.rows, "chunk": chunk}
                    for one in making.staged
                ],
            )
            self._folder.put_in_place(making.staged)
        return chunk

    def _stage(self, upload: str, draft: Draft, kept: list[KeptHand]) -> list[StagedSegment]:
        name = segment_name(upload, draft.first, draft.last, self._engine)
        rows: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
        for one in kept:
            standing = one.standing
            for kind in KINDS:
                rows[kind].extend((*row, standing) for row in one.hand.rows[kind])
        frames: dict[SegmentKind, pl.DataFrame] = {
            kind: frame_of(kind, rows[kind]) for kind in KINDS
        }
        frames["rollups"] = roll_up(frames["seats"])
        return stage(self._folder, name, frames)


def stage(
    folder: SegmentFolder, name: str, frames: Mapping[SegmentKind, pl.DataFrame]
) -> list[StagedSegment]:
    """Write frames as segments that are not in place yet, as far as they have rows."""
    return [folder.stage(kind, name, frame) for kind, frame in frames.items() if frame.height]


def segment_name(upload: str, first: int, last: int, engine: str) -> str:
    """Return what the names of a chunk's own segments begin with."""
    return f"{upload}-{first}-{last}-{engine}"


def _counts(draft: Draft, kept: list[KeptHand]) -> dict[str, int]:
    verdicts = Counter(one.hand.verdict for one in kept)
    return {
        "legal": verdicts["legal"],
        "illegal": verdicts["illegal"],
        "unverifiable": verdicts["unverifiable"],
        "duplicates": len(draft.hands) - len(kept),
        "unreadable": len(draft.problems),
        "conflicts": sum(one.standing == "conflict" for one in kept),
    }


def _insert_chunk(connection: Connection, making: Making, now: dt.datetime) -> int:
    draft = making.draft
    again = f":{making.generation}" if making.generation else ""
    row = {
        "key": f"{making.upload}:{draft.first}-{draft.last}:{making.engine}{again}",
        "upload": making.upload,
        "first": draft.first,
        "last": draft.last,
        "engine": making.engine,
        "generation": making.generation,
        "published_at": now,
    }
    adding = chunks.insert().values(**row, **making.counts).returning(chunks.c.id)
    chunk: int = connection.execute(adding).scalar_one()
    return chunk


def _advance(
    connection: Connection, run: Run, draft: Draft, counts: dict[str, int], now: dt.datetime
) -> int | None:
    """Move the upload on to the chunk's end, if the run holds it and the chunk is due.

    Returns:
        The upload's unreadable hands before this chunk; None where it was not moved.
    """
    due = (
        uploads.c.id == run.upload.id,
        uploads.c.run == run.token,
        uploads.c.hands == draft.first - 1,
    )
    before: int | None = connection.scalar(
        select(uploads.c.unreadable).where(*due).with_for_update()
    )
    if before is None:
        return None
    added = {name: uploads.c[name] + count for name, count in counts.items()}
    moved = {"hands": draft.last, "bytes_read": draft.bytes_read, "reading": draft.reading}
    connection.execute(
        update(uploads).where(*due).values(**moved, touched_at=now, attempts=0, **added)
    )
    return before
