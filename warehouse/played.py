"""The hands of one person, one by one: in the order of play, against whom, at what price."""

from typing import Final

import polars as pl
from msgspec import Struct
from sqlalchemy import Select

from schemas.audit import ExaminedHand, examine_hand
from warehouse.aliases import Aliases
from warehouse.players import COUNTED
from warehouse.reading import SegmentReader, published
from warehouse.rows import COLUMNS
from warehouse.spans import with_hands, with_players
from warehouse.strength import MILLION
from warehouse.tables import chunks, spans
from warehouse.totals import EVERYTHING, Narrowed, conditions
from warehouse.vying_counters import price_of

HAND_COLUMNS: Final[dict[str, pl.DataType]] = {
    name: COLUMNS["seats"][name]
    for name in (
        *("hand_id", "played_at", "session", "preset", "seats", "unit"),
        *("net", "net_showdown", "net_uncontested", "premium", "q"),
    )
}
"""The columns of a person's hands. Moments are in UTC, without saying so."""

_ORDER: Final = "played_at NULLS FIRST, session NULLS FIRST, hand_no, upload, ordinal, seat"
_LATEST_CHUNKS: Final = 4
_ZONE: Final = (
    "SELECT tz FROM {hands} WHERE list_has_any(players, $names) AND tz IS NOT NULL"
    " ORDER BY played_at DESC NULLS LAST, hand_id LIMIT 1"
)
_JUDGED: Final = "hand_id, seat, q, calls_judged, price_at_call, folds_judged, price_at_fold"
_MINE: Final = f"list_contains($names, player) AND {COUNTED}"
_HEAD_TO_HEAD: Final = f"""
WITH counted AS (
    SELECT hand_id, player, net, played_at, session, preset, seats, position
    FROM {{{{seats}}}} WHERE {COUNTED}
),
mine AS (
    SELECT hand_id, sum(net) AS net FROM counted
    WHERE list_contains($names, player) AND {{where}} GROUP BY hand_id
),
tables AS (
    SELECT hand_id, sum(greatest(net, 0)) AS won, -sum(least(net, 0)) AS lost
    FROM counted SEMI JOIN mine USING (hand_id) GROUP BY hand_id
),
known AS (
    SELECT unnest($aliases::VARCHAR[]) AS alias, unnest($persons::VARCHAR[]) AS person
)
SELECT
    coalesce(person, other.player) AS who,
    count(DISTINCT hand_id) AS hands,
    fsum(CASE
        WHEN mine.net > 0 AND other.net < 0 THEN -other.net * mine.net / greatest(won, lost)
        WHEN mine.net < 0 AND other.net > 0 THEN other.net * mine.net / greatest(won, lost)
        ELSE 0
    END)
FROM counted AS other JOIN mine USING (hand_id) JOIN tables USING (hand_id)
    LEFT JOIN known ON alias = other.player
WHERE NOT list_contains($names, other.player)
GROUP BY who
ORDER BY hands DESC, who
"""  # noqa: S608 -- constants


class Opponent(Struct, frozen=True):
    """Somebody at the same table: in how many hands, and the chips that came from them, or went.

    What a seat loses is shared out among those who win, by what each of them wins.
    """

    player: str
    hands: int
    chips: float


class JudgedTurn(Struct, frozen=True):
    """A call or a fold with its strength and its price, both between 0 and 1."""

    hand_id: str
    act: str
    q: float
    price: float


class PlayedHands:
    """Answers what a person played, hand by hand, from the published seats."""

    def __init__(self, reader: SegmentReader, aliases: Aliases) -> None:
        self._reader = reader
        self._aliases = aliases

    def of(self, names: list[str], narrowed: Narrowed = EVERYTHING) -> pl.DataFrame:
        """Return the hands that count of the person of these names, in the order of play.

        Returns:
            `HAND_COLUMNS`, a row a hand.
        """
        where, values = conditions(narrowed, moment="played_at")
        return self._reader.frame(
            {"seats": published("seats").where(with_players(names))},
            f"SELECT {', '.join(HAND_COLUMNS)} FROM {{seats}}"  # noqa: S608 -- constants
            f" WHERE {_MINE} AND {where} ORDER BY {_ORDER}",
            {"names": names, **values},
        )

    def zone(self, names: list[str]) -> str | None:
        """Return the time zone that one of the person's latest hands names, or any of them."""
        theirs = published("hands").where(with_players(names))
        for chosen in (_latest(theirs), theirs):
            rows = self._reader.rows({"hands": chosen}, _ZONE, {"names": names})
            if rows:
                zone: str = rows[0][0]
                return zone
        return None

    def opponents(self, names: list[str], narrowed: Narrowed = EVERYTHING) -> list[Opponent]:
        """Return with whom the person played, whatever names those had, the most often first."""
        where, values = conditions(narrowed, moment="played_at")
        known = self._aliases.all()
        aliases = {"aliases": list(known), "persons": list(known.values())}
        rows = self._reader.rows(
            {"seats": published("seats").where(with_players(names))},
            _HEAD_TO_HEAD.format(where=where),
            {"names": names, **aliases, **values},
        )
        return [Opponent(*row) for row in rows]

    def judged_turns(
        self, names: list[str], hands: int, narrowed: Narrowed = EVERYTHING
    ) -> list[JudgedTurn]:
        """Return the calls and folds that had a price, of so many hands that were played last."""
        where, values = conditions(narrowed, moment="played_at")
        chosen = self._reader.rows(
            {"seats": published("seats").where(with_players(names))},
            f"SELECT {_JUDGED} FROM {{seats}} WHERE {_MINE} AND {where}"  # noqa: S608 -- constants
            " AND calls_judged + folds_judged > 0"
            " ORDER BY played_at DESC NULLS LAST, upload, ordinal DESC LIMIT $hands",
            {"names": names, "hands": hands, **values},
        )
        turns, seats_calling = [], dict[str, tuple[int, float]]()
        for hand_id, seat, millionths, calls, price_at_call, folds, price_at_fold in chosen:
            q = millionths / MILLION
            if calls > 1:
                seats_calling[hand_id] = (seat, q)
            elif calls:
                turns.append(JudgedTurn(hand_id, "call", q, price_at_call / MILLION))
            if folds:
                turns.append(JudgedTurn(hand_id, "fold", q, price_at_fold / MILLION))
        return turns + self._repeated_calls(seats_calling)

    def _repeated_calls(self, seats: dict[str, tuple[int, float]]) -> list[JudgedTurn]:
        """Return the calls of seats that called more than once: of these only a sum is kept."""
        documents = self._reader.rows(
            {"hands": published("hands").where(with_hands(list(seats)))},
            "SELECT hand_id, document FROM {hands} WHERE hand_id IN"
            " (SELECT unnest($wanted::VARCHAR[]))",
            {"wanted": list(seats)},
        )
        return [
            turn
            for hand_id, document in documents
            for turn in _calls(hand_id, document, *seats[hand_id])
        ]


def _latest(chosen: Select[tuple[str]]) -> Select[tuple[str]]:
    """Of these segments the few whose hands were played last."""
    of_chunk = chosen.outerjoin(spans, spans.c.chunk == chunks.c.id)
    return of_chunk.order_by(None).order_by(spans.c.last_played.desc()).limit(_LATEST_CHUNKS)


def _calls(hand_id: str, document: bytes, seat: int, q: float) -> list[JudgedTurn]:
    examined = examine_hand(document, want_turns=True)
    if not isinstance(examined, ExaminedHand):
        return []
    return [
        JudgedTurn(hand_id, "call", q, price_of(turn) / MILLION)
        for turn in examined.replay.turns
        if turn.seat == seat and turn.act == "call" and turn.to_call > 0
    ]
