"""Turn order from hand to hand: who sits after whom, and whose deal it is."""


def turn_order(players: list[int], others: list[int]) -> list[int]:
    """The players who are among the others, in turn order from the lowest number on."""
    common = [player for player in players if player in others]
    if not common:
        return common
    first = common.index(min(common))
    return common[first:] + common[:first]


def expected_dealer(before: list[int], dealer: int, now: list[int]) -> int:
    """Whose deal is next: the seat after the dealer's, −1 where none of the old players is left.

    Where the dealer has gone, the turn goes on from the nearest seat before it that is still taken.

    Args:
        before: The players of the hand before, in turn order.
        dealer: The seat that dealt then.
        now: The players of this hand, in turn order.
    """
    for back in range(len(before)):
        anchor = before[(dealer - back) % len(before)]
        if anchor in now:
            return now[(now.index(anchor) + 1) % len(now)]
    return -1
