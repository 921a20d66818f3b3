"""The engine's legal acts against the naive ones, at every decision of many random hands."""

import random
import re

import pytest

from engine.acts import ACT_NAMES, DEAL
from engine.vying.legality import legal_actions
from engine.vying.state import DEAL_STAGE
from tests.engine.hands import words
from tests.engine.naive_betting import what_may_be_done
from tests.engine.random_play import play, state_after

HANDS = 1_500
SEEDS = [1834, *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(1, 11))]
DECISIONS = {"carre", "decline", "pass", "open", "call", "raise", "fold", "no-more"}


def in_seats(legal: list[str]) -> list[str]:
    """The engine's words with seat numbers, decisions only."""
    decisions = [line for line in legal if line.split()[1:2] and line.split()[1] in DECISIONS]
    return sorted(str("ABCDE".index(line[0])) + line[1:] for line in decisions)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_allows_what_the_rulings_allow(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 -- a repeatable game, no secret
    for number in range(HANDS):
        moments = play(rng)
        record = moments.record
        for events in moments.decisions:
            state = state_after(record, events)
            heard = [
                (ACT_NAMES[act], seat, add)
                for act, seat, add in zip(
                    record.acts[:events], record.seats[:events], record.adds[:events], strict=True
                )
                if ACT_NAMES[act] in DECISIONS
            ]
            by_hand = what_may_be_done(
                record.options,
                record.dealer,
                record.carried,
                record.stacks,
                heard,
                dealt=DEAL in record.acts[:events],
            )
            by_hand = [re.sub(r" (\d+)-\1$", r" \1", line) for line in by_hand]
            assert in_seats(words(legal_actions(state))) == sorted(by_hand), (number, heard)
            assert (state.stage >= DEAL_STAGE) == (DEAL in record.acts[:events])
