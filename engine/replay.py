"""The one way to replay a hand, whatever its game."""

from engine.bourre.replay import replay_bourre
from engine.record import BourreRecord, HandRecord
from engine.result import Replay
from engine.vying.replay import replay_vying


def replay(record: HandRecord, *, want_steps: bool = False, want_turns: bool = False) -> Replay:
    """Replays a hand by the rules of its game.

    ``want_steps`` keeps the table after every event, ``want_turns`` every decision in order; the
    audit alone needs neither.
    """
    if isinstance(record, BourreRecord):
        return replay_bourre(record, want_steps=want_steps, want_turns=want_turns)
    return replay_vying(record, want_steps=want_steps, want_turns=want_turns)
