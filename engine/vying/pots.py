"""Cutting the pots: uncalled chips go back (V10), layers are cut at each live K (V11)."""


def uncalled(contributions: list[int]) -> list[int]:
    """The chips above the second-highest contribution, by seat; at most one seat has any (V10)."""
    highest = 0
    second = 0
    owner = 0
    for seat, chips in enumerate(contributions):
        if chips > highest:
            second = highest
            highest = chips
            owner = seat
        elif chips > second:
            second = chips
    returned = [0] * len(contributions)
    returned[owner] = highest - second
    return returned


def cut_pots(
    contributions: list[int], live: int, carried: int, betting: int = 0
) -> list[tuple[int, int]]:
    """The pots as (amount, eligible seats), the main pot with the carried chips first (V4, V11).

    Contributions are without uncalled chips. A folder's chips stay in the layers they reached; what
    lies above every live K, as can be only after an illegal act, stays in the last pot.

    ``betting`` are the live seats that can still add chips, while the betting goes on. They may
    reach every layer, and their K cuts none.
    """
    levels = _levels(contributions, live & ~betting)
    if betting and max(contributions) not in levels:
        levels.append(max(contributions))
    left = sum(contributions)
    if len(levels) == 1:
        return [(left + carried, live)]
    pots = []
    below = 0
    for level in levels:
        layer = 0
        eligible = 0
        for seat, chips in enumerate(contributions):
            if chips > below:
                layer += min(chips, level) - below
            if live >> seat & 1 and (chips >= level or betting >> seat & 1):
                eligible |= 1 << seat
        pots.append((layer, eligible))
        left -= layer
        below = level
    pots[0] = (pots[0][0] + carried, pots[0][1])
    pots[-1] = (pots[-1][0] + left, pots[-1][1])
    return pots


def _levels(contributions: list[int], live: int) -> list[int]:
    """The distinct contributions of the live seats, lowest first."""
    levels: list[int] = []
    for seat, chips in enumerate(contributions):
        if live >> seat & 1 and chips not in levels:
            levels.append(chips)
    if len(levels) > 1:
        levels.sort()
    return levels
