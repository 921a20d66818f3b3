"""The course of the season's evenings: whose luck is helped, and which hands have a fault.

Nothing is dealt or played but by the engine: a hand that is not to be is played again.
"""

import random
from typing import Final

import msgspec

from engine.acts import DEAL, FOLD, TURN
from engine.record import HandRecord, VyingRecord
from engine.vying.opening import HAND_CARDS
from engine.vying.showdown import brelan_strength, judge, rank_bits, suit_owners, suit_points
from schemas import document
from schemas.errors import UnreadableHand
from schemas.faults.kinds import Case
from schemas.faults.table import KINDS
from schemas.generate import Course
from schemas.record import to_record

FOLDER: Final = "Camille"
"""Who folds the best hand more often than the others: some of the other folds are played again."""
_PLAYED_AGAIN: Final = 0.65

LUCKY: Final = {"brelan/classique": "Désiré", "bouillotte/academie-1834": "Hélène"}
"""Who is dealt brelans more often than chance has it, by the rules that are played."""
_HOW_OFTEN: Final = 0.09

_TRIES: Final = 100


class SeasonCourse(Course):
    """One evening: at a table of these players, with these slips by the numbers of the hands."""

    def __init__(
        self, preset: str, players: list[str], slips: dict[int, str], rng: random.Random
    ) -> None:
        lucky = LUCKY.get(preset)
        self._lucky = players.index(lucky) if lucky in players else None
        self._folder = players.index(FOLDER) if FOLDER in players else None
        self._slips = slips
        self._rng = rng
        self._brelans: dict[int, bool] = {}

    def accepts(self, hand_no: int, record: HandRecord) -> bool:
        """Whether the luck of the hand is as it is to be."""
        if not isinstance(record, VyingRecord):
            return True
        dealt = _dealt(record)
        if self._lucky is not None:
            drawn = self._rng.random() < _HOW_OFTEN
            if self._brelans.setdefault(hand_no, drawn) and not _is_brelan(dealt[self._lucky]):
                return False
        folds = self._folder is not None and _folded(record) >> self._folder & 1
        if not folds or self._folder is None or _would_have_won(record, dealt, self._folder):
            return True
        return self._rng.random() >= _PLAYED_AGAIN

    def logged(self, hand: document.Hand) -> document.Hand:
        """The hand, or one at the same table that has the fault of its number."""
        if hand.session is msgspec.UNSET or hand.session.hand_no not in self._slips:
            return hand
        kind = KINDS[self._slips[hand.session.hand_no]]
        record = to_record(hand)
        if isinstance(record, UnreadableHand):
            raise TypeError(f"a generated hand cannot be read: {record}")
        for _ in range(_TRIES):
            planted = kind.plant(Case(hand, record, self._rng))
            if planted is not None:
                return msgspec.json.decode(planted.raw, type=document.Hand)
        raise LookupError(f"no place for {kind.name} at the table of {hand.id.hand}")


def _dealt(record: VyingRecord) -> list[int]:
    hands = [0] * len(record.stacks)
    for act, seat, cards in zip(record.acts, record.seats, record.cards, strict=True):
        if act == DEAL:
            for card in cards:
                hands[seat] |= 1 << card
    return hands


def _folded(record: VyingRecord) -> int:
    acts = zip(record.acts, record.seats, strict=True)
    return sum(1 << seat for act, seat in acts if act == FOLD)


def _is_brelan(hand: int) -> bool:
    ranks = rank_bits(hand)
    return hand.bit_count() == HAND_CARDS and ranks & (ranks - 1) == 0


def _would_have_won(record: VyingRecord, hands: list[int], folder: int) -> bool:
    """Whether a hand that was folded would have won the main pot against those that stayed."""
    turned = record.cards[record.acts.index(TURN)][0]
    eligible = (1 << len(hands)) - 1 & ~_folded(record) | 1 << folder
    strengths = [brelan_strength(hand, turned, record.options) for hand in hands]
    points, owners = suit_points(hands, turned), suit_owners(hands, eligible)
    winner, _ = judge(eligible, strengths, points, owners, 0, record.dealer)
    return winner == folder
