"""Owns the file that an empty house offers, for whoever has no hands of their own to bring yet."""

import functools
import json
from importlib import resources
from typing import Final

NAME: Final = "example.ndjson"

_HANDS: Final = (
    "w1-carre-and-side-pot",
    "w2-no-more-and-premiums",
    "w3-ledger",
    "w4-a-tie-carries",
    "hidden-cards",
    "fault-raise-too-small",
    "fault-card-twice",
    "fault-declared-pot",
)
_CUT_OFF: Final = 40
"""Where the last line ends, which cannot be read: a client that died over it."""


@functools.cache
def example() -> bytes:
    """Hands of every game, one a line: legal, illegal and undecidable ones, and a broken line."""
    folder = resources.files("schemas") / "examples"
    hands = [json.loads((folder / f"{name}.json").read_bytes()) for name in _HANDS]
    lines = [json.dumps(hand, ensure_ascii=False) for hand in hands]
    return "\n".join([*lines, lines[0][:_CUT_OFF]]).encode()
