"""What was said of a hand by every version of the engine that has audited it."""

import datetime as dt
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import or_, select

from warehouse.database import Database
from warehouse.placed import Placed
from warehouse.reading import SegmentReader
from warehouse.tables import chunks, conflicts, identities

_CLAIMS: Final = (identities, conflicts)
_SAID: Final = "engine, verdict, codes"
_PLACE: Final = "upload = $upload AND ordinal = $wanted"


class PastVerdict(Struct, frozen=True):
    """What one audit said of a hand. ``current`` is the one that counts."""

    engine: str
    verdict: str
    codes: list[str]
    audited_at: dt.datetime
    current: bool


class History:
    """The verdicts of one house's hands, the superseded ones too."""

    def __init__(self, database: Database, reader: SegmentReader) -> None:
        self._database = database
        self._reader = reader

    def verdicts(self, hand_id: str) -> list[PastVerdict]:
        """Return all verdicts on a hand, the last one first; none where there is no such hand."""
        claims = (select(table.c.chunk).where(table.c.hand_id == hand_id) for table in _CLAIMS)
        query = select(chunks).where(or_(*(chunks.c.id.in_(claim) for claim in claims)))
        with self._database.read() as connection:
            now = connection.execute(query).first()
            if now is None:
                return []
            of_same_hands = (chunks.c.upload == now.upload, chunks.c.first == now.first)
            generations = connection.execute(
                select(chunks.c.id, chunks.c.published_at)
                .where(*of_same_hands)
                .order_by(chunks.c.generation.desc())
            ).all()
        places = self._rows(now.id, "ordinal", "hand_id = $wanted", {"wanted": hand_id})
        return [
            PastVerdict(engine, verdict, codes, audited_at, chunk == now.id)
            for (place,) in places
            for chunk, audited_at in generations
            for engine, verdict, codes in self._rows(
                chunk, _SAID, _PLACE, {"upload": now.upload, "wanted": place}
            )
        ]

    def _rows(
        self, chunk: int, columns: str, condition: str, values: dict[str, object]
    ) -> list[tuple[Any, ...]]:
        placed = Placed("hands")
        chosen = placed.join(select(placed.path).select_from(chunks).where(chunks.c.id == chunk))
        sql = f"SELECT {columns} FROM {{hands}} WHERE {condition}"  # noqa: S608 -- constants
        return self._reader.rows({"hands": chosen}, sql, values)
