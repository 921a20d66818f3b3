"""A hundred thousand generated hands of every preset, written as documents, are found legal."""

import msgspec
import pytest

from engine.presets import PRESETS
from engine.violations import WARNING
from schemas.audit import ExaminedHand, examine_hand
from schemas.generate import generate_hands

HANDS = 25_000
SEEDS = range(1, 5)


@pytest.mark.proof
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_generated_hands_are_legal(preset: str, seed: int) -> None:
    hands = 0
    for hand in generate_hands(HANDS, seed, (preset,)):
        examined = examine_hand(msgspec.json.encode(hand))
        assert isinstance(examined, ExaminedHand)
        grave = [v.code for v in examined.replay.violations if v.severity != WARNING]
        assert grave == [], (hand.id, grave)
        hands += 1
    assert hands == HANDS
