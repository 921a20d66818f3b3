"""The declared result against ours. What is declared is compared, never trusted, never repaired."""

from engine.bourre.report import report_hand
from engine.bourre.state import BourreState
from engine.claims import pot_differences
from engine.record import DeclaredOutcome
from engine.result import BourreOutcome


def compare_declared(
    state: BourreState, declared: DeclaredOutcome, outcome: BourreOutcome, at_table: int
) -> None:
    """Reports every part of the declared result that differs from the outcome.

    ``at_table`` are all chips that stacks and pot hold together.
    """
    if declared.pots is not None:
        for pointer, expected, seen in pot_differences(declared.pots, outcome.pots):
            report_hand(state, "declared-pots", pointer, expected, seen)
    _compare_by_seat(state, "premiums", declared.premiums, outcome.premiums)
    _compare_by_seat(state, "tricks", declared.tricks, outcome.tricks)
    _compare_by_seat(state, "payments", declared.payments, outcome.paid())
    if declared.stacks is not None:
        _compare_stacks(state, declared.stacks, outcome, declared.carried, at_table)
    ours = outcome.carried
    if declared.carried is not None and ours is not None and declared.carried != ours:
        report_hand(state, "declared-carried", "/declared/carried", ours, declared.carried)


def _compare_by_seat(
    state: BourreState, part: str, declared: dict[int, int] | None, ours: list[int] | None
) -> None:
    if declared is None or ours is None:
        return
    for seat, seen in declared.items():
        expected = ours[seat] if seat < len(ours) else None
        if seen != expected:
            report_hand(state, f"declared-{part}", f"/declared/{part}/{seat}", expected, seen, seat)


def _compare_stacks(
    state: BourreState,
    declared: list[int],
    outcome: BourreOutcome,
    carried: int | None,
    at_table: int,
) -> None:
    """Each stack with ours; where ours are open, their sum with what the table has."""
    if len(declared) != state.players:
        report_hand(state, "declared-stacks", "/declared/stacks", state.players, len(declared))
    elif outcome.stacks is None:
        if carried is not None and sum(declared) != at_table - carried:
            expected = at_table - carried
            report_hand(state, "declared-stacks", "/declared/stacks", expected, sum(declared))
    else:
        for seat, stack in enumerate(declared):
            if stack != outcome.stacks[seat]:
                pointer = f"/declared/stacks/{seat}"
                report_hand(state, "declared-stacks", pointer, outcome.stacks[seat], stack, seat)
