"""What a seat needs to be dealt in, in any game: chips, and no purchase that is not due (S2)."""


def seat_faults(stack: int, rebuy: int, cave: int) -> list[tuple[str, str, int, int]]:
    """What is wrong with a seat as the hand begins: code, field of the seat, expected, seen.

    A seat without chips is not dealt in. A rebuy is the cave, and only at zero: the stack, which
    has it in, is then the rebuy alone.
    """
    faults = []
    if stack == 0:
        faults.append(("stack-empty", "stack", cave, 0))
    if rebuy and rebuy != cave:
        faults.append(("rebuy-amount", "rebuy", cave, rebuy))
    if rebuy and stack != rebuy:
        faults.append(("rebuy-above-zero", "rebuy", 0, stack - rebuy))
    return faults
