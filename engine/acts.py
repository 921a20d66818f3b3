"""The acts of a hand as small ints, and their names in the document.

The numbers group them: up to `RAISE` they move chips, `CARRE` to `DECLINE` are decisions, `OPEN` to
`NO_MORE` the betting, `DEAL` and `SHOW` show a seat's cards. From `STAY` on they are of Bourré.
"""

from typing import Final

ANTE: Final = 0
CARRE: Final = 1
OPEN: Final = 2
CALL: Final = 3
RAISE: Final = 4
PASS: Final = 5
FOLD: Final = 6
NO_MORE: Final = 7
DECLINE: Final = 8
DEAL: Final = 9
SHOW: Final = 10
TURN: Final = 11
FOREIGN: Final = 12
"""An act of another game, such as a bet in a game of tricks."""
STAY: Final = 13
OUT: Final = 14
DRAW: Final = 15
PLAY: Final = 16
RENEGE: Final = 17

ACT_NAMES: Final[list[str]] = [
    "ante",
    "carre",
    "open",
    "call",
    "raise",
    "pass",
    "fold",
    "no-more",
    "decline",
    "deal",
    "show",
    "turn",
    "foreign",
    "stay",
    "out",
    "draw",
    "play",
    "renege",
]
