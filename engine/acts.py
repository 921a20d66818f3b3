"""The acts of a hand as small ints, and their names in the document."""

from typing import Final

ANTE: Final = 0
CARRE: Final = 1
DECLINE: Final = 2
DEAL: Final = 3
TURN: Final = 4
PASS: Final = 5
OPEN: Final = 6
CALL: Final = 7
RAISE: Final = 8
FOLD: Final = 9
NO_MORE: Final = 10
SHOW: Final = 11
FOREIGN: Final = 12
"""An act of another game, such as a card played to a trick."""

ACT_NAMES: Final[list[str]] = [
    "ante",
    "carre",
    "decline",
    "deal",
    "turn",
    "pass",
    "open",
    "call",
    "raise",
    "fold",
    "no-more",
    "show",
    "foreign",
]
