"""Re-audits that were ordered: what of, how far they are, and on which hands they differ."""

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Select, case, func, select, tuple_

from warehouse.database import Database
from warehouse.exclusion import alone
from warehouse.renewals import WORKED_ON, Reason, order
from warehouse.tables import chunks, differences, reaudit_chunks, reaudits, renewals

Status = Literal["working", "done", "failed"]

_SPAN: Final = chunks.c.last - chunks.c.first + 1


class Reaudit(Struct, frozen=True, kw_only=True):
    """A re-audit as it stands.

    ``reason`` is "asked", or "deletion" where an upload was deleted whose hands others repeat.
    ``asked`` is what was asked for. ``hands`` are all that are to be audited anew, ``hands_done``
    those that were, ``changed`` those of them that are judged otherwise than before. It has failed
    when what is left of it is of uploads that cannot be worked on.
    """

    id: str
    reason: Reason
    status: Status
    asked: Any
    asked_at: dt.datetime
    asked_by: str | None
    engine: str
    uploads: int
    hands: int
    hands_done: int
    changed: int


class Difference(Struct, frozen=True, kw_only=True):
    """A hand that is judged otherwise than before.

    A hand that could not be read has the verdict "unreadable" and its problem as its one code.
    ``hand_id`` is None where it could be read neither then nor now. ``place`` goes on behind it.
    """

    place: tuple[int, int]
    hand_id: str | None
    upload: str
    ordinal: int
    old_verdict: str
    old_codes: list[str]
    old_engine: str
    new_verdict: str
    new_codes: list[str]
    new_engine: str


class Reaudits:
    """The re-audits of one house. ``engine`` is the version of the engine of now."""

    def __init__(self, database: Database, engine: str) -> None:
        self._database = database
        self._engine = engine

    def ask(
        self,
        uploads: Collection[str] | None,
        asked: object,
        by: str | None,
        now: dt.datetime,
        *,
        force: bool = False,
    ) -> tuple[Reaudit, list[str]]:
        """Order a re-audit of the chunks that another version of the engine has judged.

        Args:
            uploads: those whose chunks are meant; None for all.
            asked: what was asked for, as any JSON, to be kept with it.
            by: who asks.
            now: the time.
            force: whether chunks of this version of the engine are meant as well.

        Returns:
            The re-audit, and the uploads that are to be worked on.
        """
        wanted = select(chunks.c.id).where(chunks.c.superseded_by.is_(None)).order_by(chunks.c.id)
        if not force:
            wanted = wanted.where(chunks.c.engine != self._engine)
        if uploads is not None:
            wanted = wanted.where(chunks.c.upload.in_(sorted(uploads)))
        with self._database.write() as connection:
            alone(connection)
            made = order(connection, "asked", wanted, asked, by, self._engine, now)
            [row] = _reaudits(connection, _chosen().where(reaudits.c.id == made.id))
            return row, made.uploads

    def outdated(self, upload: str) -> int:
        """Return how many hands of an upload another version of the engine has judged."""
        query = select(func.sum(_SPAN)).where(
            chunks.c.upload == upload,
            chunks.c.superseded_by.is_(None),
            chunks.c.engine != self._engine,
        )
        with self._database.read() as connection:
            return int(connection.scalar(query) or 0)

    def reaudit(self, number: str) -> Reaudit | None:
        """Return a re-audit by its id, or None."""
        with self._database.read() as connection:
            found = _reaudits(connection, _chosen().where(reaudits.c.id == number))
        return found[0] if found else None

    def reaudits(self, limit: int, before: Reaudit | None = None) -> list[Reaudit]:
        """Return at most `limit` re-audits, the newest first; only those older than `before`."""
        query = _chosen().order_by(reaudits.c.asked_at.desc(), reaudits.c.id.desc()).limit(limit)
        if before is not None:
            place = tuple_(reaudits.c.asked_at, reaudits.c.id)
            query = query.where(place < tuple_(before.asked_at, before.id))
        with self._database.read() as connection:
            return _reaudits(connection, query)

    def differences(
        self, number: str, limit: int, after: tuple[int, int] = (0, 0)
    ) -> list[Difference]:
        """Return the first `limit` hands that a re-audit judged otherwise, behind a place."""
        own = {"place", "upload"}
        columns = (differences.c[name] for name in Difference.__struct_fields__ if name not in own)
        place = tuple_(differences.c.chunk, differences.c.ordinal)
        query = (
            select(differences.c.chunk, chunks.c.upload, *columns)
            .join(reaudit_chunks, reaudit_chunks.c.made == differences.c.chunk)
            .join(chunks, chunks.c.id == differences.c.chunk)
            .where(reaudit_chunks.c.reaudit == number, place > tuple_(*after))
            .order_by(differences.c.chunk, differences.c.ordinal)
            .limit(limit)
        )
        with self._database.read() as connection:
            return [_difference(row) for row in connection.execute(query).mappings()]


def _difference(row: Any) -> Difference:  # noqa: ANN401 -- a row of the records
    values = dict(row)
    place = (values.pop("chunk"), values["ordinal"])
    codes = {name: msgspec.json.decode(values.pop(name)) for name in ("old_codes", "new_codes")}
    return Difference(place=place, **values, **codes)


def _chosen() -> Select[Any]:
    own = ("reason", "asked", "asked_at", "asked_by", "engine")
    return select(reaudits.c.id, *(reaudits.c[name] for name in own))


def _reaudits(connection: Connection, query: Select[Any]) -> list[Reaudit]:
    rows = connection.execute(query).mappings().all()
    numbers = [row["id"] for row in rows]
    progress = {row.reaudit: row for row in connection.execute(_progress(numbers))}
    changed = {row.reaudit: row.changed for row in connection.execute(_changed(numbers))}
    found = []
    for row in rows:
        of_this = progress.get(row["id"])
        status: Status = "done"
        if of_this is not None and of_this.due:
            status = "working" if of_this.worked_on else "failed"
        found.append(
            Reaudit(
                **{**row, "asked": msgspec.json.decode(row["asked"])},
                status=status,
                uploads=0 if of_this is None else of_this.uploads,
                hands=0 if of_this is None else of_this.hands,
                hands_done=0 if of_this is None else of_this.hands - of_this.due,
                changed=changed.get(row["id"], 0),
            )
        )
    return found


def _progress(numbers: Sequence[str]) -> Select[Any]:
    """Of each re-audit its uploads, its hands, those still due, those of them worked on."""
    due = reaudit_chunks.c.made.is_(None)
    worked_on = due & renewals.c.status.in_(WORKED_ON)
    return (
        select(
            reaudit_chunks.c.reaudit,
            func.count(chunks.c.upload.distinct()).label("uploads"),
            func.sum(_SPAN).label("hands"),
            func.sum(case((due, _SPAN), else_=0)).label("due"),
            func.sum(case((worked_on, _SPAN), else_=0)).label("worked_on"),
        )
        .join(chunks, chunks.c.id == reaudit_chunks.c.chunk)
        .outerjoin(renewals, renewals.c.upload == chunks.c.upload)
        .where(reaudit_chunks.c.reaudit.in_(numbers))
        .group_by(reaudit_chunks.c.reaudit)
    )


def _changed(numbers: Sequence[str]) -> Select[Any]:
    return (
        select(reaudit_chunks.c.reaudit, func.count().label("changed"))
        .join(differences, differences.c.chunk == reaudit_chunks.c.made)
        .where(reaudit_chunks.c.reaudit.in_(numbers))
        .group_by(reaudit_chunks.c.reaudit)
    )
