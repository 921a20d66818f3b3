"""What is known of a chunk's hands without reading them, so that a question passes chunks over.

It is written down with the chunk and deleted with it. A chunk that was published before anything
was written down is never passed over.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    false,
    func,
    literal,
    or_,
    select,
    union,
)

from warehouse.claims import KeptHand
from warehouse.conditions import (
    ANY_HAND,
    LIKELY_YEARS,
    HandConditions,
    LookedUp,
    codes_of,
    moment,
)
from warehouse.rows import COLUMNS
from warehouse.tables import chunks, conflicts, identities, occurrences, spans, standings, tags

_COLUMNS: Final = list(COLUMNS["hands"])
_PLAYED, _POT, _NUMBER = (_COLUMNS.index(name) for name in ("played_at", "pot", "hand_no"))
_NAMED: Final = {name: _COLUMNS.index(name) for name in ("source", "table", "session", "preset")}
_LISTED: Final = {"player": _COLUMNS.index("players"), "code": _COLUMNS.index("codes")}
_VERDICTS: Final = {name: chunks.c[name] for name in ("legal", "illegal", "unverifiable")}
_LONG_AGO: Final = dt.datetime(1, 1, 1)  # noqa: DTZ001 -- segments hold UTC without an offset


def note_spans(connection: Connection, chunk: int, kept: Sequence[KeptHand]) -> None:
    """Write down what the hands of a chunk are between, and which names occur in them."""
    if not kept:
        return
    rows = [one.hand.rows["hands"][0] for one in kept]
    played = [_utc(row[_PLAYED] or _LONG_AGO) for row in rows]
    pots = [-1 if row[_POT] is None else row[_POT] for row in rows]
    numbers = [row[_NUMBER] or 0 for row in rows]
    span = {
        "chunk": chunk,
        "first_played": min(played),
        "last_played": max(played),
        "least_pot": min(pots),
        "most_pot": max(pots),
        "least_no": min(numbers),
        "most_no": max(numbers),
    }
    connection.execute(spans.insert(), [span])
    found = {(kind, row[at]) for kind, at in _NAMED.items() for row in rows if row[at] is not None}
    found |= {(kind, value) for kind, at in _LISTED.items() for row in rows for value in row[at]}
    occurring = [{"kind": kind, "value": value, "chunk": chunk} for kind, value in sorted(found)]
    if occurring:
        connection.execute(occurrences.insert(), occurring)


def unknown() -> ColumnElement[bool]:
    """The chunks of which nothing was written down."""
    return chunks.c.id.not_in(select(spans.c.chunk))


def with_players(names: Sequence[str]) -> ColumnElement[bool]:
    """The chunks in which one of these players may occur."""
    return or_(unknown(), _with("player", names))


def with_hands(hand_ids: Sequence[str]) -> ColumnElement[bool]:
    """The chunks that have one of these hands, of which there are not too many for one query."""
    return chunks.c.id.in_(_holding(lambda hand_id: hand_id.in_(hand_ids)))


def years_played(connection: Connection) -> tuple[int, int]:
    """Return the first and the last year of play; of hands that are not known, what is likely."""
    query = select(func.min(spans.c.first_played), func.max(spans.c.last_played))
    first, last = connection.execute(query).one()
    if connection.scalar(select(chunks.c.id).where(unknown()).limit(1)) is not None:
        return LIKELY_YEARS
    if last is None or last.year == _LONG_AGO.year:
        return LIKELY_YEARS
    # A hand without a time hides when the first of its chunk was played.
    return LIKELY_YEARS[0] if first.year == _LONG_AGO.year else first.year, last.year


def worth_reading(conditions: HandConditions, known: LookedUp) -> list[ColumnElement[bool]]:
    """Return as conditions on chunks where there may be hands that meet all conditions."""
    looked_up = {"player": known.player, "opponent": known.opponent}
    parts = []
    for name, chosen in _CHOSEN.items():
        asked = getattr(conditions, name)
        if asked is not None:
            parts.append(or_(unknown(), chosen(looked_up.get(name, asked))))
    return parts


def counted(conditions: HandConditions) -> Select[int] | None:
    """Choose how many hands meet all conditions, where the counts of chunks tell; None elsewhere.

    They do where nothing is asked for but an upload or a verdict.
    """
    if replace(conditions, upload=None, verdict=None) != ANY_HAND:
        return None
    counts = [_VERDICTS[name] for name in _VERDICTS if conditions.verdict in (None, name)]
    total = sum((func.coalesce(func.sum(count), 0) for count in counts), literal(0))
    query = select(total).where(chunks.c.superseded_by.is_(None))
    return query if conditions.upload is None else query.where(chunks.c.upload == conditions.upload)


def _with(kind: str, values: Sequence[str]) -> ColumnElement[bool]:
    occurring = select(occurrences.c.chunk)
    return chunks.c.id.in_(
        occurring.where(occurrences.c.kind == kind, occurrences.c.value.in_(values))
    )


def _within(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return chunks.c.id.in_(select(spans.c.chunk).where(condition))


def _holding(chosen: Callable[[ColumnElement[str]], ColumnElement[bool]]) -> Any:  # noqa: ANN401 -- a union has no narrower type
    queries: list[Select[int]] = [
        select(table.c.chunk).where(chosen(table.c.hand_id)) for table in (identities, conflicts)
    ]
    return union(*queries)


def _standing(asked: str) -> ColumnElement[bool]:
    """Hands that stand otherwise than their rows say may be either."""
    moved = select(standings.c.hand_id)
    written = chunks.c.conflicts > 0
    if asked == "first":
        written = chunks.c.conflicts < chunks.c.legal + chunks.c.illegal + chunks.c.unverifiable
    return or_(written, chunks.c.id.in_(_holding(lambda hand_id: hand_id.in_(moved))))


def _tagged(asked: str) -> ColumnElement[bool]:
    tagged = select(tags.c.hand_id).where(tags.c.tag == asked)
    return chunks.c.id.in_(_holding(lambda hand_id: hand_id.in_(tagged)))


def _found(asked: bool) -> ColumnElement[bool]:  # noqa: FBT001 -- a condition's value
    return _with_any("code") if asked else chunks.c.id.is_not(None)


def _with_any(kind: str) -> ColumnElement[bool]:
    return chunks.c.id.in_(select(occurrences.c.chunk).where(occurrences.c.kind == kind))


_CHOSEN: Final[dict[str, Callable[[Any], ColumnElement[bool]]]] = {
    "player": lambda names: _with("player", names),
    "opponent": lambda names: _with("player", names),
    "session": lambda asked: _with("session", [asked]),
    "source": lambda asked: _with("source", [asked]),
    "table": lambda asked: _with("table", [asked]),
    "preset": lambda asked: _with("preset", [asked]),
    "verdict": lambda asked: _VERDICTS[asked] > 0 if asked in _VERDICTS else false(),
    "standing": _standing,
    "code": lambda asked: _with("code", [asked]),
    "severity": lambda asked: _with("code", codes_of(asked)),
    "found": _found,
    "tag": _tagged,
    "min_pot": lambda asked: _within(spans.c.most_pot >= asked),
    "from_": lambda asked: _within(spans.c.last_played >= moment(asked)),
    "until": lambda asked: _within(spans.c.first_played < moment(asked)),
}


def _utc(naive: dt.datetime) -> dt.datetime:
    return naive.replace(tzinfo=dt.UTC)
