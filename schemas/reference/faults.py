"""The table of the kinds of faults that the generator plants."""

from schemas.errors import READING_CODES
from schemas.faults import sessions
from schemas.faults.table import KINDS, NOT_OF_ONE_HAND
from schemas.reference.tables import code, table


def fault_table() -> str:
    """Every kind of fault with its code, then the codes that one hand cannot show."""
    kinds = table(
        ["kind", "code", "what is wrong", "games"],
        (
            [
                code(kind.name),
                _linked(kind.code),
                kind.sentence,
                ", ".join(code(game) for game in kind.games),
            ]
            for kind in KINDS.values()
        ),
    )
    others = table(
        ["code", "why no kind plants it"],
        ([_linked(name), reason] for name, reason in NOT_OF_ONE_HAND.items()),
    )
    return f"{kinds}\n{others}"


def session_fault_table() -> str:
    """Every kind of fault of a session with its code and the preset it is planted under."""
    kinds = table(
        ["kind", "code", "what is wrong", "preset"],
        (
            [code(kind.name), code(kind.code), kind.sentence, code(kind.preset)]
            for kind in sessions.KINDS.values()
        ),
    )
    others = table(
        ["code", "why no kind plants it"],
        ([code(name), reason] for name, reason in sessions.NOT_ALONE.items()),
    )
    return f"{kinds}\n{others}"


def _linked(name: str) -> str:
    if name in READING_CODES:
        return f"[{code(name)}](format.md)"
    return f"[{code(name)}](violations.md#{name})"
