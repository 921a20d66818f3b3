"""Every finding about a session as a whole: its code, how grave it is and its ruling.

What is found inside a single hand is in `engine.violations`; these are about how hands follow one
another, whatever the game.
"""

from typing import Final

from engine.violations import DISCREPANCY, ILLEGAL, UNVERIFIABLE, WARNING, Code

SESSION_CODES: Final[dict[str, Code]] = {
    "rebuy-early": Code(ILLEGAL, "S2"),
    "session-long": Code(ILLEGAL, "S3"),
    "player-twice": Code(ILLEGAL, "S5"),
    "player-joined": Code(ILLEGAL, "S5"),
    "player-left": Code(ILLEGAL, "S5"),
    "stack-break": Code(DISCREPANCY, "S1"),
    "dealer-break": Code(DISCREPANCY, "S1"),
    "carried-break": Code(DISCREPANCY, "S1"),
    "order-break": Code(DISCREPANCY, "S1"),
    "exempt-break": Code(DISCREPANCY, "S1"),
    "rules-break": Code(DISCREPANCY, "S1"),
    "ledger-break": Code(DISCREPANCY, "S1"),
    "gap-chips": Code(DISCREPANCY, "S1"),
    "rebuy-unrecorded": Code(DISCREPANCY, "S2"),
    "rebuy-list": Code(DISCREPANCY, "S2"),
    "declared-result": Code(DISCREPANCY, "S3"),
    "declared-position": Code(DISCREPANCY, "S3"),
    "declared-account": Code(DISCREPANCY, "S3"),
    "declared-players": Code(DISCREPANCY, "S3"),
    "hand-conflict": Code(DISCREPANCY, "S4"),
    "hand-misplaced": Code(DISCREPANCY, "S4"),
    "hand-foreign": Code(DISCREPANCY, "S4"),
    "arrival-cave": Code(DISCREPANCY, "S5"),
    "not-entered": Code(DISCREPANCY, "S5"),
    "session-short": Code(UNVERIFIABLE, "S3"),
    "hand-missing": Code(UNVERIFIABLE, "S4"),
    "hand-unreadable": Code(UNVERIFIABLE, "S4"),
    "outcome-open": Code(UNVERIFIABLE, "S4"),
    "hand-repeated": Code(WARNING, "S4"),
    "time-break": Code(WARNING, "S4"),
    "never-seated": Code(WARNING, "S5"),
}
