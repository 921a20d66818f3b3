"""What a house holds in total: the hands of its uploads by verdict, and its findings by code."""

from typing import Final

from msgspec import Struct
from sqlalchemy import func, select

from engine.terms import Severity
from warehouse.database import Database
from warehouse.reading import Chosen, SegmentReader, published
from warehouse.tables import uploads

_BY_CODE: Final = (
    "SELECT code, any_value(severity), count(DISTINCT hand_id) AS hands FROM {findings}"
    " WHERE standing = 'first' GROUP BY code ORDER BY hands DESC, code"
)


class UploadTotals(Struct, frozen=True):
    """What was read of all uploads, in hands."""

    hands: int
    legal: int
    illegal: int
    unverifiable: int


class FoundCode(Struct, frozen=True):
    """How many hands have a finding of this code, of those that are first of their identity."""

    code: str
    severity: Severity
    hands: int


class Overview:
    """Sums up one house, for all threads of a process."""

    def __init__(self, database: Database, reader: SegmentReader) -> None:
        self._database = database
        self._reader = reader

    def totals(self) -> UploadTotals:
        """Return the sums over every upload."""
        names = UploadTotals.__struct_fields__
        query = select(*(func.coalesce(func.sum(uploads.c[name]), 0) for name in names))
        with self._database.read() as connection:
            return UploadTotals(*map(int, connection.execute(query).one()))

    def found(self, upload: str | None = None) -> list[FoundCode]:
        """Return what was found in an upload, or in all of them, what most hands have first."""
        chosen: Chosen = {"findings": published("findings", upload)}
        return [FoundCode(*row) for row in self._reader.rows(chosen, _BY_CODE, {})]
