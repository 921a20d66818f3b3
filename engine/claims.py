"""What a declared result may claim in any game, held against ours."""

from engine.result import Pot


def pot_differences(
    declared: list[tuple[int, dict[int, int]]], ours: list[Pot]
) -> list[tuple[str, object, object]]:
    """Where declared pots differ from ours: pointer, expected, seen. Open winners are not held."""
    if len(declared) != len(ours):
        return [("/declared/pots", len(ours), len(declared))]
    differences: list[tuple[str, object, object]] = []
    for index, (amount, winners) in enumerate(declared):
        pot = ours[index]
        if amount != pot.amount:
            differences.append((f"/declared/pots/{index}/amount", pot.amount, amount))
        if pot.winners is not None and winners != pot.winners:
            differences.append((f"/declared/pots/{index}/winners", pot.winners, winners))
    return differences
