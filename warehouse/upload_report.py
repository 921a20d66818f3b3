"""An upload's report: what became of each of its hands, in their order, a page at a time.

A hand that was read and is in no segment of the upload, nor among its problems, was read before.
"""

from typing import Any, Final, Literal, get_args

from msgspec import Struct
from sqlalchemy import func, select

from warehouse.database import Database
from warehouse.reading import Chosen, SegmentReader, published
from warehouse.records import Problem, Records, Upload
from warehouse.rows import Standing
from warehouse.tables import chunks, problems

Outcome = Literal["legal", "illegal", "unverifiable", "duplicate", "unreadable", "untold"]
"""What became of a hand. One ``untold`` was read before or is unreadable: of an upload with very
many problems only the first are written down."""

Wanted = Literal["legal", "illegal", "unverifiable", "conflict", "duplicate", "unreadable"]
"""The hands of a report that can be asked for alone."""
WANTED: Final[tuple[Wanted, ...]] = get_args(Wanted)


class ReportedHand(Struct, frozen=True):
    """What a report tells of a hand that could be read and was not known."""

    hand_id: str
    source: str
    table: str
    hand: str
    verdict: Outcome
    codes: list[str]
    standing: Standing


class ReportLine(Struct, frozen=True):
    """A hand of an upload by its place, from 1, and what became of it.

    ``line`` and ``file`` are as those of `Problem`; of a hand that was read before they are not
    written down.
    """

    ordinal: int
    outcome: Outcome
    line: int | None = None
    file: str | None = None
    hand: ReportedHand | None = None
    problem: Problem | None = None


class ProblemCode(Struct, frozen=True):
    """How many of an upload's problems that are written down have this code."""

    code: str
    hands: int


_COLUMNS: Final = "ordinal, line, file, " + ", ".join(
    f'"{name}"' for name in ReportedHand.__struct_fields__
)
_OF_UPLOAD: Final = "upload = $upload AND ordinal > $after"
_BETWEEN: Final = f"{_OF_UPLOAD} AND ordinal <= $last"
_ALIKE: Final[dict[Wanted, str]] = {
    **{name: f"verdict = '{name}'" for name in ("legal", "illegal", "unverifiable")},
    "conflict": "standing = 'conflict'",
}
_MISSING: Final = (
    "SELECT place FROM range($after + 1, $last + 1) AS places(place)"
    " WHERE place NOT IN (SELECT ordinal FROM {hands} WHERE upload = $upload)"
    " AND NOT list_contains($unreadable::BIGINT[], place) ORDER BY place LIMIT $limit"
)


class UploadReports:
    """The reports of one house, for all threads of a process."""

    def __init__(self, database: Database, reader: SegmentReader, records: Records) -> None:
        self._database = database
        self._reader = reader
        self._records = records

    def lines(
        self,
        upload: Upload,
        *,
        wanted: Wanted | None = None,
        code: str | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> list[ReportLine]:
        """Return the first `limit` lines behind the place `after`, all or those that are wanted.

        With a ``code``, those that are unreadable are only the ones with that code.
        """
        match wanted:
            case None:
                return self._all(upload, after, min(after + limit, upload.hands))
            case "unreadable":
                found = self._records.problems(upload.id, limit, after, code)
                return [_unreadable(one) for one in found]
            case "duplicate":
                return self._missing(upload, after, limit)
            case _:
                where = f"{_OF_UPLOAD} AND {_ALIKE[wanted]}"
                return self._hands(upload, where, {"after": after, "limit": limit}, after)

    def problem_codes(self, upload: str) -> list[ProblemCode]:
        """Return the codes of an upload's problems, what most hands have first."""
        hands = func.count()
        query = (
            select(problems.c.code, hands)
            .where(problems.c.upload == upload)
            .group_by(problems.c.code)
            .order_by(hands.desc(), problems.c.code)
        )
        with self._database.read() as connection:
            return [ProblemCode(*row) for row in connection.execute(query)]

    def _all(self, upload: Upload, after: int, last: int) -> list[ReportLine]:
        if last <= after:
            return []
        bounds = {"after": after, "last": last, "limit": last - after}
        told = {one.ordinal: one for one in self._hands(upload, _BETWEEN, bounds, after)}
        for problem in self._records.problems(upload.id, last - after, after):
            told[problem.ordinal] = _unreadable(problem)
        written = self._last_written(upload)
        return [
            told.get(ordinal) or _gap(ordinal, written) for ordinal in range(after + 1, last + 1)
        ]

    def _hands(
        self, upload: Upload, where: str, values: dict[str, Any], after: int
    ) -> list[ReportLine]:
        sql = f"SELECT {_COLUMNS} FROM {{hands}} WHERE {where} ORDER BY ordinal LIMIT $limit"  # noqa: S608 -- constants
        bound = {"upload": upload.id, **values}
        return [_read(*row) for row in self._reader.rows(_behind(upload, after), sql, bound)]

    def _missing(self, upload: Upload, after: int, limit: int) -> list[ReportLine]:
        with self._database.read() as connection:
            query = select(problems.c.ordinal).where(problems.c.upload == upload.id)
            unreadable = list(connection.scalars(query))
        values = {
            "upload": upload.id,
            "after": after,
            "last": upload.hands,
            "limit": limit,
            "unreadable": unreadable,
        }
        written = self._last_written(upload)
        rows = self._reader.rows(_behind(upload, after), _MISSING, values)
        return [_gap(ordinal, written) for (ordinal,) in rows]

    def _last_written(self, upload: Upload) -> int:
        """Return the place up to which every problem of an upload is written down."""
        columns = (func.count(), func.max(problems.c.ordinal))
        query = select(*columns).where(problems.c.upload == upload.id)
        with self._database.read() as connection:
            written, last = connection.execute(query).one()
        return upload.hands if written >= upload.unreadable else last


def _behind(upload: Upload, after: int) -> Chosen:
    return {"hands": published("hands", upload.id).where(chunks.c.last > after)}


def _read(ordinal: int, line: int, file: str | None, *rest: Any) -> ReportLine:  # noqa: ANN401 -- a row's
    hand = ReportedHand(*rest)
    return ReportLine(ordinal, hand.verdict, line, file, hand=hand)


def _unreadable(problem: Problem) -> ReportLine:
    place = (problem.line, problem.file)
    return ReportLine(problem.ordinal, "unreadable", *place, problem=problem)


def _gap(ordinal: int, written: int) -> ReportLine:
    return ReportLine(ordinal, "duplicate" if ordinal <= written else "untold")
