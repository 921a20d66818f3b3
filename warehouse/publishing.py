"""Publishing a chunk: segments, claims, counts and problems appear in one commit, or not at all.

The chunks of an upload follow each other without a gap, whatever their size: a chunk is published
only if it begins where the upload's last one ended, by whoever holds the upload. So no hand is
published twice, and repeating a chunk changes nothing.
"""

import datetime as dt
from collections import Counter
from typing import Final

from msgspec import Struct, structs
from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from engine import ENGINE_VERSION
from warehouse.claims import KeptHand, claim, settle
from warehouse.database import Database
from warehouse.records import Problem, Run
from warehouse.rows import KINDS, HandRows, Kind, Row
from warehouse.segments import SegmentFolder, StagedSegment
from warehouse.tables import chunks, problems, segments, uploads

MAX_PROBLEMS: Final = 10_000
"""How many problems of one upload are written down; all of them are counted."""

_ROUNDS: Final = 20


class Draft(Struct, frozen=True):
    """A chunk to be published: the hands from ``first`` to ``last`` of an upload, counted from 1.

    Each of them is in ``hands`` or has a problem. ``bytes_read`` is how far into the stored upload
    they reach.
    """

    first: int
    last: int
    hands: list[HandRows]
    problems: list[Problem]
    bytes_read: int


def chunk_key(upload: str, draft: Draft) -> str:
    """Return the name of a chunk, which is unique among all."""
    return f"{upload}:{draft.first}-{draft.last}:{ENGINE_VERSION}"


class Publisher:
    """Publishes chunks in one records database and one folder of segments."""

    def __init__(self, database: Database, folder: SegmentFolder) -> None:
        self._database = database
        self._folder = folder

    def publish(self, run: Run, draft: Draft, now: dt.datetime) -> bool:
        """Publish a chunk; False when the run no longer holds the upload or the chunk is not due.

        Hands are settled before the transaction, to keep it short; when somebody publishes one of
        them in between, all is undone and settled anew.

        Raises:
            IntegrityError: the records were changed under our hands too many times.
        """
        for round_ in range(_ROUNDS):
            with self._database.read() as connection:
                kept = settle(connection, draft.hands)
            staged = self._stage(run.upload.id, draft, kept)
            try:
                with self._database.write() as connection:
                    return self._publish(connection, run, draft, kept, staged, now)
            except IntegrityError:
                if round_ == _ROUNDS - 1:
                    raise
            finally:
                self._folder.discard(staged)
        raise AssertionError("every round returns, raises or goes on")

    def _stage(self, upload: str, draft: Draft, kept: list[KeptHand]) -> list[StagedSegment]:
        name = f"{upload}-{draft.first}-{draft.last}-{ENGINE_VERSION}"
        rows: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
        for one in kept:
            standing = one.standing
            for kind in KINDS:
                rows[kind].extend((*row, standing) for row in one.hand.rows[kind])
        return [self._folder.stage(kind, name, rows[kind]) for kind in KINDS if rows[kind]]

    def _publish(
        self,
        connection: Connection,
        run: Run,
        draft: Draft,
        kept: list[KeptHand],
        staged: list[StagedSegment],
        now: dt.datetime,
    ) -> bool:
        counts = _counts(draft, kept)
        unreadable_before = _advance(connection, run, draft, counts, now)
        if unreadable_before is None:
            return False
        upload = run.upload.id
        chunk = _insert_chunk(connection, upload, draft, counts, now)
        claim(connection, kept, upload, chunk)
        told = draft.problems[: max(0, MAX_PROBLEMS - unreadable_before)]
        if told:
            connection.execute(
                problems.insert(), [{"upload": upload, **structs.asdict(one)} for one in told]
            )
        if staged:
            connection.execute(
                segments.insert(),
                [
                    {"path": one.path, "kind": one.kind, "rows": one.rows, "chunk": chunk}
                    for one in staged
                ],
            )
            self._folder.put_in_place(staged)
        return True


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


def _insert_chunk(
    connection: Connection, upload: str, draft: Draft, counts: dict[str, int], now: dt.datetime
) -> int:
    row = {
        "key": chunk_key(upload, draft),
        "upload": upload,
        "first": draft.first,
        "last": draft.last,
        "engine": ENGINE_VERSION,
        "published_at": now,
    }
    adding = chunks.insert().values(**row, **counts).returning(chunks.c.id)
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
    connection.execute(
        update(uploads)
        .where(*due)
        .values(hands=draft.last, bytes_read=draft.bytes_read, touched_at=now, attempts=0, **added)
    )
    return before
