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
                _with_besides(_linked(kind.code), kind.besides),
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
    return table(
        ["kind", "code", "what is wrong", "preset"],
        (
            [
                code(kind.name),
                _with_besides(code(kind.code), kind.besides),
                kind.sentence,
                code(kind.preset),
            ]
            for kind in sessions.KINDS.values()
        ),
    )


def _with_besides(planted: str, besides: tuple[str, ...]) -> str:
    return ", beside ".join([planted, *(code(name) for name in besides)])


def _linked(name: str) -> str:
    if name in READING_CODES:
        return f"[{code(name)}](format.md)"
    return f"[{code(name)}](violations.md#{name})"
