"""Where the rows of a chunk are: in segments of its own, or in those that it shares in a pack.

What a pack holds is exactly the rows of its chunks, all of which are published; but some of them
may be chunks that nobody asked for, so a question that is about certain hands says so in its own
conditions, and each path is read once.
"""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func

from warehouse.rows import SegmentKind
from warehouse.tables import chunks, pack_segments, packed, segments


class Placed:
    """The segments of a kind, to be joined to a query of chunks; `path` is where one is."""

    def __init__(self, kind: SegmentKind) -> None:
        self._kind = kind
        self._own = segments.alias(f"own_{kind}")
        self._packed = packed.alias(f"packed_{kind}")
        self._shared = pack_segments.alias(f"shared_{kind}")
        self.path: ColumnElement[str] = func.coalesce(self._own.c.path, self._shared.c.path)

    def join(self, query: Select[Any]) -> Select[Any]:
        """Join them to a query with the table of chunks, which is left with those that have any."""
        return self.join_if_any(query).where(self.path.is_not(None))

    def join_if_any(self, query: Select[Any]) -> Select[Any]:
        """Join them; the path is null where a chunk has none."""
        own, member, shared = self._own.c, self._packed.c, self._shared.c
        return (
            query.outerjoin(self._own, and_(own.chunk == chunks.c.id, own.kind == self._kind))
            .outerjoin(self._packed, member.chunk == chunks.c.id)
            .outerjoin(self._shared, and_(shared.pack == member.pack, shared.kind == self._kind))
        )
