"""The tree of a small table of Bourré counted by the plain rules alone: the engine has no part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.cards import CARD_NAMES
from tests.engine.bourre.naive import Position, Rules, may_play, took
from tests.engine.small_tables import Count, below, one_end

Hands = Mapping[int, Sequence[str]]


def play_count(
    hands: Hands, leader: int, trump: str, rules: Rules, gone: Sequence[str], won: Mapping[int, int]
) -> Count:
    """The play from a lead on. Hands are by seat, of those that stayed."""
    return _play(dict(hands), leader, [], trump, rules, list(gone), dict(won))


def _play(
    hands: Hands,
    leader: int,
    trick: list[tuple[int, str]],
    trump: str,
    rules: Rules,
    gone: list[str],
    won: Mapping[int, int],
) -> Count:
    if len(trick) == len(hands):
        winner = took(trick, trump)
        gone = [*gone, *(card for _, card in trick)]
        return _play(hands, winner, [], trump, rules, gone, {**won, winner: won[winner] + 1})
    order = sorted(hands)
    seat = order[(order.index(leader) + len(trick)) % len(order)]
    if not hands[seat]:
        return one_end("-".join(str(won[each]) for each in sorted(won)))
    here = Position(list(hands[seat]), [card for _, card in trick], trump, gone, won[seat])
    branches = []
    for card in may_play(here, rules):
        left = {**hands, seat: [held for held in hands[seat] if held != card]}
        branches.append(_play(left, leader, [*trick, (seat, card)], trump, rules, gone, won))
    return below(branches)


Word = int | str | None
"""What a seat declares: ``out``, or to stay, with the number of cards it will draw or None."""


@dataclass(frozen=True)
class Whole:
    """A whole hand, the dealer last: declaring, drawing up to ``most`` cards, playing."""

    dealt: Sequence[str]
    turned: str
    rules: Rules
    declare: str = "in-turn"
    most: int = 0

    def count(self) -> Count:
        return self._declared({})

    def _declared(self, said: Mapping[int, Word]) -> Count:
        seats = range(len(self.dealt))
        stayers = [seat for seat in seats if said.get(seat, "out") != "out"]
        waiting = [seat for seat in seats if seat not in said]
        at_once = self.declare == "simultaneous"
        alone = len(stayers) + len(waiting) == 1
        if (alone and not (at_once and waiting)) or not (stayers or waiting):
            return one_end("unplayed")
        if not waiting:
            hands = {seat: self.dealt[seat].split() for seat in stayers}
            return self._drawn(stayers, said, hands) if self.most else self._played(hands)
        words: list[Word] = ["out", None]
        if self.declare == "in-turn-with-count":
            words = ["out", *range(self.most + 1)]
        speakers = waiting if at_once else waiting[:1]
        return below([self._declared({**said, seat: word}) for seat in speakers for word in words])

    def _drawn(self, waiting: Sequence[int], said: Mapping[int, Word], hands: Hands) -> Count:
        """Each stayer in turn throws cards away, and gets the lowest that are left of the pack."""
        if not waiting:
            return self._played(hands)
        seat, *others = waiting
        word = said[seat]
        seen = {card for held in self.dealt for card in held.split()}
        seen |= {card for held in hands.values() for card in held}
        pack = [card for card in CARD_NAMES if card not in seen]
        branches = []
        for number in [word] if isinstance(word, int) else range(self.most + 1):
            for thrown in combinations(hands[seat], number):
                kept = [card for card in hands[seat] if card not in thrown]
                now = {**hands, seat: kept + pack[:number]}
                branches.append(self._drawn(others, said, now))
        return below(branches)

    def _played(self, hands: Hands) -> Count:
        won = dict.fromkeys(range(len(self.dealt)), 0)
        return play_count(hands, min(hands), self.turned[1], self.rules, [], won)
