"""The hands of one person, one by one: in the order of play, against whom, at what price."""

from typing import Final

from msgspec import Struct

from engine.record import VyingRecord
from schemas.audit import ExaminedHand, examine_hand
from warehouse.curves import PlayedHand
from warehouse.players import COUNTED
from warehouse.reading import SegmentReader, published
from warehouse.spans import with_hands, with_players
from warehouse.strength import KnownHands, strengths
from warehouse.totals import EVERYTHING, Narrowed, conditions
from warehouse.vying_counters import price_of

_ORDER: Final = "played_at NULLS FIRST, session NULLS FIRST, hand_no, upload, ordinal, seat"
_COLUMNS: Final = (
    "hand_id, played_at, session, preset, seats, unit, net, net_showdown, net_uncontested,"
    " premium, q"
)
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
)
SELECT
    other.player,
    count(*),
    fsum(CASE
        WHEN mine.net > 0 AND other.net < 0 THEN -other.net * mine.net / greatest(won, lost)
        WHEN mine.net < 0 AND other.net > 0 THEN other.net * mine.net / greatest(won, lost)
        ELSE 0
    END)
FROM counted AS other JOIN mine USING (hand_id) JOIN tables USING (hand_id)
WHERE NOT list_contains($names, other.player)
GROUP BY other.player
ORDER BY count(*) DESC, other.player
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

    def __init__(self, reader: SegmentReader) -> None:
        self._reader = reader

    def of(self, names: list[str], narrowed: Narrowed = EVERYTHING) -> list[PlayedHand]:
        """Return the hands that count of the person of these names, in the order of play."""
        where, values = conditions(narrowed, moment="played_at")
        rows = self._reader.rows(
            {"seats": published("seats").where(with_players(names))},
            f"SELECT {_COLUMNS} FROM {{seats}} WHERE {_MINE} AND {where} ORDER BY {_ORDER}",  # noqa: S608 -- constants
            {"names": names, **values},
        )
        return [PlayedHand(*row) for row in rows]

    def zone(self, names: list[str]) -> str | None:
        """Return the time zone of the person's latest hand that names one."""
        rows = self._reader.rows(
            {"hands": published("hands").where(with_players(names))},
            "SELECT tz FROM {hands} WHERE list_has_any(players, $names) AND tz IS NOT NULL"
            " ORDER BY played_at DESC NULLS LAST, hand_id LIMIT 1",
            {"names": names},
        )
        return rows[0][0] if rows else None

    def opponents(self, names: list[str], narrowed: Narrowed = EVERYTHING) -> list[Opponent]:
        """Return with whom the person played, the most often first."""
        where, values = conditions(narrowed, moment="played_at")
        rows = self._reader.rows(
            {"seats": published("seats").where(with_players(names))},
            _HEAD_TO_HEAD.format(where=where),
            {"names": names, **values},
        )
        return [Opponent(*row) for row in rows]

    def judged_turns(
        self, names: list[str], hands: int, narrowed: Narrowed = EVERYTHING
    ) -> list[JudgedTurn]:
        """Return the calls and folds that had a price, of so many hands that were played last."""
        where, values = conditions(narrowed, moment="played_at")
        chosen = self._reader.rows(
            {"seats": published("seats").where(with_players(names))},
            f"SELECT hand_id, seat FROM {{seats}} WHERE {_MINE} AND {where}"  # noqa: S608 -- constants
            " AND calls_judged + folds_judged > 0"
            " ORDER BY played_at DESC NULLS LAST, upload, ordinal DESC LIMIT $hands",
            {"names": names, "hands": hands, **values},
        )
        seat_of = dict(chosen)
        documents = self._reader.rows(
            {"hands": published("hands").where(with_hands(list(seat_of)))},
            "SELECT hand_id, document FROM {hands} WHERE hand_id IN"
            " (SELECT unnest($wanted::VARCHAR[]))",
            {"wanted": list(seat_of)},
        )
        return [
            turn
            for hand_id, document in documents
            for turn in _judged(hand_id, document, seat_of[hand_id])
        ]


def _judged(hand_id: str, document: bytes, seat: int) -> list[JudgedTurn]:
    examined = examine_hand(document, want_turns=True)
    if not isinstance(examined, ExaminedHand) or not isinstance(examined.record, VyingRecord):
        return []
    q = strengths(examined.record, KnownHands(examined.record))[seat]
    if q is None:
        return []
    return [
        JudgedTurn(hand_id, turn.act, q / 1e6, price_of(turn) / 1e6)
        for turn in examined.replay.turns
        if turn.seat == seat and turn.act in ("call", "fold") and turn.to_call > 0
    ]
