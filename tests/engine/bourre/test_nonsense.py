"""Logs that mean little: whatever stands in them, the replay ends, and no chip is lost."""

import pytest

from engine.acts import ANTE, DEAL, DRAW, FOREIGN, OUT, PLAY, RENEGE, STAY, TURN
from engine.bourre.replay import replay_bourre
from engine.cards import UNKNOWN
from engine.record import BourreRecord
from engine.result import BourreOutcome
from tests.engine.bourre.random_play import Game, dice, shortened

ACTS = (ANTE, DEAL, TURN, STAY, OUT, DRAW, PLAY, PLAY, PLAY, RENEGE, RENEGE, FOREIGN)


def spoilt(seed: int) -> BourreRecord:
    """A legal hand with events put in, left out, moved, or given to others with other cards."""
    rng = dice(seed)
    record = Game(rng).play()
    record = shortened(record, len(record.acts))
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(record.acts) + 1)
        if rng.random() < 0.3 and at < len(record.acts):
            for column in (record.acts, record.seats, record.adds):
                del column[at]
            del record.cards[at], record.received[at]
            continue
        act = rng.choice(ACTS)
        pack = [*range(52), *[UNKNOWN] * 20]
        count = {DEAL: rng.randint(0, 5), DRAW: rng.randint(0, 5), RENEGE: rng.randint(0, 1)}
        cards = rng.sample(pack, count.get(act, 1 if act in (TURN, PLAY) else 0))
        received = rng.sample(pack, rng.randint(0, 5)) if act == DRAW else []
        seat = -1 if act == TURN else rng.randrange(8)
        record.acts.insert(at, act)
        record.seats.insert(at, seat)
        record.adds.insert(at, rng.randint(-1, 5) if act == STAY else 0)
        record.cards.insert(at, cards)
        record.received.insert(at, received)
    if rng.random() < 0.3:
        for index, act in enumerate(record.acts):
            if act in (DEAL, TURN) and rng.random() < 0.5:
                record.cards[index] = [UNKNOWN] * len(record.cards[index])
    return record


@pytest.mark.parametrize("first", range(0, 2_000, 500))
def test_a_spoilt_log_is_replayed_to_its_end_without_losing_a_chip(first: int) -> None:
    for seed in range(first, first + 500):
        record = spoilt(seed)
        replay = replay_bourre(record, want_steps=True, want_turns=True)
        before = sum(record.stacks) + record.carried
        for step in replay.steps:
            assert sum(step.stacks) + step.pot == before
        assert sorted(i for step in replay.steps for i in step.findings) == list(
            range(len(replay.violations))
        )
        outcome = replay.outcome
        if isinstance(outcome, BourreOutcome) and outcome.stacks is not None:
            assert outcome.carried is not None
            assert min(outcome.stacks) >= 0
            assert sum(outcome.stacks) + outcome.carried == before
