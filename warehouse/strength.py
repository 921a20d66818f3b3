"""How strong a hand was: its chance q to win a showdown of the whole table, in millionths.

The chances come from the stored tables (`warehouse.chance`); as whole millionths they sum exactly.
"""

from typing import Final

from engine.acts import DEAL, SHOW, TURN
from engine.cards import UNKNOWN
from engine.record import VyingRecord
from engine.vying.showdown import brelan_strength, judge, suit_owners, suit_points
from warehouse.chance import showdown_table

MILLION: Final = 1_000_000
_CARDS: Final = 3


class KnownHands:
    """The cards of a vying hand as its log tells them, whoever held them when.

    ``dealt`` are the hands as they were dealt, ``shown`` with what was laid open later, both masks
    by seat, 0 where not all three cards are known. ``retourne`` is `UNKNOWN` where it is not known.
    """

    def __init__(self, record: VyingRecord) -> None:
        players = len(record.stacks)
        self.dealt = [0] * players
        self.shown = [0] * players
        self.retourne = UNKNOWN
        for act, seat, cards in zip(record.acts, record.seats, record.cards, strict=True):
            if act == TURN:
                self.retourne = cards[0]
            elif act in (DEAL, SHOW) and 0 <= seat < players:
                mask = _mask(cards)
                self.shown[seat] = mask or self.shown[seat]
                if act == DEAL:
                    self.dealt[seat] = mask

    def all_shown(self) -> bool:
        """Tell whether every hand and the retourne are known in the end."""
        return self.retourne != UNKNOWN and all(self.shown)


def _mask(cards: list[int]) -> int:
    if len(cards) != _CARDS or UNKNOWN in cards:
        return 0
    return 1 << cards[0] | 1 << cards[1] | 1 << cards[2]


def strengths(record: VyingRecord, known: KnownHands) -> list[int | None]:
    """Return q by seat, None where the cards or the table's chances are not known."""
    players = len(record.stacks)
    table = None
    if known.retourne != UNKNOWN:
        table = showdown_table(record.options, players)
    if table is None:
        return [None] * players
    chances: list[int | None] = []
    for hand in known.dealt:
        if hand == 0:
            chances.append(None)
            continue
        won, deals = table.chance(hand, known.retourne)
        chances.append((won * MILLION * 2 + deals) // (2 * deals))
    return chances


def would_have_won(record: VyingRecord, known: KnownHands, live: int, folder: int) -> bool:
    """Tell whether a hand that folded would have won the main pot against those that stayed."""
    hands = known.shown
    eligible = live | 1 << folder
    ranked = [brelan_strength(hand, known.retourne, record.options) for hand in hands]
    points = suit_points(hands, known.retourne)
    owners = suit_owners(hands, eligible)
    winner, _ = judge(eligible, ranked, points, owners, 0, record.dealer)
    return winner == folder
