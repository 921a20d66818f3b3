"""What a house holds in total: the hands of its uploads by verdict, and its findings by code."""

from typing import Final

from msgspec import Struct
from sqlalchemy import func, select

from engine.terms import Severity
from warehouse.database import Database
from warehouse.rollup_reading import RollupReader
from warehouse.tables import chunks, uploads

_BY_CODE: Final = (
    "SELECT code, any_value(severity), sum(hands)::BIGINT AS of FROM found"
    " WHERE {where} GROUP BY code ORDER BY of DESC, code"
)
_OF_CHUNKS: Final = "list_contains($chunks, chunk)"


class UploadTotals(Struct, frozen=True):
    """What was read of all uploads: hands by their verdicts, and what is no hand."""

    legal: int
    illegal: int
    unverifiable: int
    unreadable: int


class FoundCode(Struct, frozen=True):
    """How many hands have a finding of this code, of those that are first of their identity."""

    code: str
    severity: Severity
    hands: int


class Overview:
    """Sums up one house, for all threads of a process."""

    def __init__(self, database: Database, rollups: RollupReader) -> None:
        self._database = database
        self._rollups = rollups

    def totals(self) -> UploadTotals:
        """Return the sums over every upload."""
        names = UploadTotals.__struct_fields__
        query = select(*(func.coalesce(func.sum(uploads.c[name]), 0) for name in names))
        with self._database.read() as connection:
            return UploadTotals(*map(int, connection.execute(query).one()))

    def found(self, upload: str | None = None) -> list[FoundCode]:
        """Return what was found in an upload, or in all of them, what most hands have first."""
        where, values = "true", dict[str, object]()
        if upload is not None:
            query = select(chunks.c.id).where(chunks.c.upload == upload)
            with self._database.read() as connection:
                where, values["chunks"] = _OF_CHUNKS, list(connection.scalars(query))
        rows = self._rollups.rows(_BY_CODE.format(where=where), values)
        return [FoundCode(*row) for row in rows]
