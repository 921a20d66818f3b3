"""The declared result against ours. What is declared is compared, never trusted, never repaired."""

from engine.claims import pot_differences
from engine.record import DeclaredOutcome
from engine.result import Outcome
from engine.vying.report import report_hand
from engine.vying.state import VyingState


def compare_declared(
    state: VyingState, declared: DeclaredOutcome, outcome: Outcome, starting_stacks: list[int]
) -> None:
    """Reports every part of the declared result that differs from the outcome."""
    if declared.pots is not None:
        for pointer, expected, seen in pot_differences(declared.pots, outcome.pots):
            report_hand(state, "declared-pots", pointer, expected, seen)
    if declared.premiums is not None:
        _compare_premiums(state, declared.premiums, outcome.premiums)
    for part, claim in (("tricks", declared.tricks), ("payments", declared.payments)):
        if claim is not None:
            report_hand(state, f"declared-{part}", f"/declared/{part}", None, claim)
    if declared.stacks is not None:
        _compare_stacks(state, declared.stacks, outcome, starting_stacks)
    if declared.carried is not None and declared.carried != outcome.carried:
        report_hand(
            state, "declared-carried", "/declared/carried", outcome.carried, declared.carried
        )


def _compare_premiums(state: VyingState, declared: dict[int, int], ours: list[int] | None) -> None:
    for seat, net in declared.items():
        if ours is None and seat < state.players:
            continue
        expected = ours[seat] if ours is not None and seat < len(ours) else None
        if net != expected:
            pointer = f"/declared/premiums/{seat}"
            report_hand(state, "declared-premiums", pointer, expected, net, seat)


def _compare_stacks(
    state: VyingState, declared: list[int], outcome: Outcome, starting_stacks: list[int]
) -> None:
    if len(declared) != state.players:
        report_hand(state, "declared-stacks", "/declared/stacks", state.players, len(declared))
        return
    if outcome.stacks is None:
        expected = sum(starting_stacks) + state.carried - (outcome.carried or 0)
        if sum(declared) != expected:
            report_hand(state, "declared-stacks", "/declared/stacks", expected, sum(declared))
        return
    for seat, stack in enumerate(declared):
        if stack != outcome.stacks[seat]:
            pointer = f"/declared/stacks/{seat}"
            report_hand(state, "declared-stacks", pointer, outcome.stacks[seat], stack, seat)
