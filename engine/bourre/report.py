"""How a replay writes a finding down: at the event that it is reading, with what was allowed."""

from typing import Final

from engine.bourre.legality import legal_actions
from engine.bourre.state import NOBODY, BourreState
from engine.violations import CODES, IN_BOURRE, Action, Violation

_OF_STAGES: Final = ("B1", "B1", "B2", "B4", "B7")


def report(
    state: BourreState, code: str, field: str, seat: int, expected: object, seen: object
) -> None:
    """Adds a finding at the current event. Call it before the event changes the state."""
    report_at(state, state.event, code, field, seat, expected, seen, legal_actions(state))


def report_at(
    state: BourreState,
    event: int,
    code: str,
    field: str,
    seat: int,
    expected: object,
    seen: object,
    legal: list[Action],
) -> None:
    """Adds a finding at any event that has been read."""
    pointer = f"/events/{event}/{field}" if field else f"/events/{event}"
    state.violations.append(
        Violation(code, pointer, event, seat, expected, seen, legal, _ruling(state, code))
    )


def report_hand(
    state: BourreState, code: str, pointer: str, expected: object, seen: object, seat: int = NOBODY
) -> None:
    """Adds a finding that belongs to no event."""
    state.violations.append(
        Violation(code, pointer, -1, seat, expected, seen, [], _ruling(state, code))
    )


def report_incomplete(state: BourreState) -> None:
    """Adds that the log ends too early: where the next event would be, with what it could be."""
    code = "hand-incomplete"
    state.violations.append(
        Violation(
            code,
            "/events",
            -1,
            state.to_speak(),
            None,
            None,
            legal_actions(state),
            _ruling(state, code),
        )
    )


def _ruling(state: BourreState, code: str) -> str:
    """The ruling of a code: that of Bourré where it has its own, else that of the stage or code."""
    ruling = IN_BOURRE.get(code)
    if ruling is None:
        return CODES[code].ruling
    return ruling or _OF_STAGES[state.stage]
