"""How a replay writes a finding down: at the event that it is reading, with what was allowed."""

from engine.violations import Violation
from engine.vying.legality import legal_actions
from engine.vying.state import NOBODY, VyingState


def report(
    state: VyingState, code: str, field: str, seat: int, expected: object, seen: object
) -> None:
    """Adds a finding at the current event. Call it before the event changes the state."""
    pointer = f"/events/{state.event}/{field}" if field else f"/events/{state.event}"
    state.violations.append(
        Violation(code, pointer, state.event, seat, expected, seen, legal_actions(state))
    )


def report_hand(
    state: VyingState,
    code: str,
    pointer: str,
    expected: object,
    seen: object,
    seat: int = NOBODY,
    ruling: str = "",
) -> None:
    """Adds a finding that belongs to no event; ``ruling`` where it is not the code's own."""
    state.violations.append(Violation(code, pointer, -1, seat, expected, seen, [], ruling))


def report_incomplete(state: VyingState) -> None:
    """Adds that the log ends too early: where the next event would be, with what it could be."""
    state.violations.append(
        Violation(
            "hand-incomplete", "/events", -1, state.to_speak(), None, None, legal_actions(state)
        )
    )
