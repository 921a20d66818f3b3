"""What there is in a house, counted at one moment: for those who watch the installation."""

import datetime as dt
from typing import Final

from msgspec import Struct
from sqlalchemy import func, select

from warehouse.database import Database
from warehouse.records import UNFINISHED
from warehouse.tables import deliveries, uploads

HANDS: Final = ("legal", "illegal", "unverifiable", "duplicates", "unreadable")
"""What becomes of a hand that is read."""


class Gauges(Struct, frozen=True):
    """Uploads and deliveries by their state, hands by what became of them.

    ``waiting_since`` is when the oldest upload that is not finished came; None where there is none.
    """

    uploads: dict[str, int]
    hands: dict[str, int]
    deliveries: dict[str, int]
    waiting_since: dt.datetime | None


def read_gauges(database: Database) -> Gauges:
    """Count what there is in a house."""
    sums = [func.coalesce(func.sum(uploads.c[name]), 0).label(name) for name in HANDS]
    by_status = select(uploads.c.status, func.count().label("number"), *sums)
    by_state = select(deliveries.c.state, func.count()).group_by(deliveries.c.state)
    waiting = select(func.min(uploads.c.received_at)).where(uploads.c.status.in_(UNFINISHED))
    with database.read() as connection:
        rows = connection.execute(by_status.group_by(uploads.c.status)).mappings().all()
        states = {row[0]: row[1] for row in connection.execute(by_state)}
        since = connection.scalar(waiting)
    return Gauges(
        uploads={row["status"]: row["number"] for row in rows},
        hands={name: sum(int(row[name]) for row in rows) for name in HANDS},
        deliveries=states,
        waiting_since=since,
    )
