"""S4: missing, repeated, conflicting and misplaced hands, by name."""

import pytest

from engine.session.record import ListedRebuy, SessionHand
from tests.engine.session.tables import A, B, audited, balanced, found, hand, values


def evening(hands: int) -> list[SessionHand]:
    """Hands that follow from one another: in each the dealer gives the next seat a chip."""
    stacks = [100, 100, 100]
    made = []
    for number in range(1, hands + 1):
        dealer = (number - 1) % 3
        after = list(stacks)
        after[dealer] -= 1
        after[number % 3] += 1
        made.append(hand(number, stacks, after, dealer=dealer, began=number * 1000))
        stacks = after
    return made


def placed(hands: list[SessionHand]) -> list[SessionHand]:
    for place, one in enumerate(hands):
        one.place = place
    return hands


def test_hands_in_order_are_fine() -> None:
    assert found(audited(*evening(6))) == []


def test_a_missing_hand_is_named_and_the_next_one_unverified() -> None:
    hands = evening(6)
    del hands[2]
    replay = audited(*placed(hands))
    assert values(replay) == [("hand-missing", "3", None)]
    assert replay.verdict == "unverifiable"
    assert [table.follows for table in replay.tables] == [True, True, False, True, True]
    assert balanced(replay)
    assert replay.standings is not None
    assert not any(standing.verified for standing in replay.standings)


def test_missing_hands_in_a_row_are_one_finding_also_at_the_start() -> None:
    replay = audited(*placed(evening(6)[3:]))
    assert values(replay) == [("hand-missing", "1–3", None)]
    assert not replay.tables[0].follows
    assert balanced(replay)


@pytest.mark.parametrize(("extra", "codes"), [(100, 0), (200, 0), (7, 1), (-100, 1)])
def test_over_a_gap_the_chips_still_add_up_but_for_whole_caves(extra: int, codes: int) -> None:
    first, _, third = evening(3)
    third.stacks[0] += extra
    replay = audited(*placed([first, third]))
    assert found(replay) == [("hand-missing", 2, -1), ("gap-chips", 3, -1)][: 1 + codes]


def test_a_list_of_rebuys_tells_what_was_bought_in_the_gap() -> None:
    first, _, third = evening(3)
    third.stacks[1] += 100
    assert third.after is not None
    third.after[1] += 100
    listed = audited(*placed([first, third]), rebuys=[ListedRebuy(B, 2, 100)])
    assert found(listed) == [("hand-missing", 2, -1)]
    assert listed.tables[1].bought == {A: 100, B: 200, 2: 100}
    assert listed.tables[1].unexplained == 0
    assert found(audited(*placed([first, third]), rebuys=[]))[1:] == [("gap-chips", 3, -1)]


def test_a_hand_whose_outcome_is_open_leaves_the_next_unverified() -> None:
    first, second, third = evening(3)
    second.after = None
    replay = audited(first, second, third)
    assert found(replay) == [("outcome-open", 2, -1)]
    assert [table.follows for table in replay.tables] == [True, True, False]
    third.stacks[0] += 1
    assert found(audited(first, second, third)) == [("outcome-open", 2, -1), ("gap-chips", 3, -1)]


def test_without_the_last_outcome_there_are_no_standings() -> None:
    first, second = evening(2)
    second.after = None
    assert audited(first, second).standings is None


def test_the_same_hand_twice_counts_once() -> None:
    hands = evening(3)
    again = hand(
        2, hands[1].stacks, hands[1].after, identity="hand 2", content="content 2", place=3
    )
    replay = audited(*hands, again)
    assert values(replay) == [("hand-repeated", 2, "hand 2")]
    assert replay.verdict == "legal"


def test_another_hand_under_a_number_or_an_identity_that_is_taken_is_a_conflict() -> None:
    hands = evening(3)
    number = hand(2, [1, 1, 1], [1, 1, 1], identity="other", content="other", place=3)
    identity = hand(4, [1, 1, 1], [1, 1, 1], identity="hand 2", place=4)
    assert identity.content != hands[1].content
    replay = audited(*hands, number, identity)
    assert values(replay) == [
        ("hand-conflict", "hand 2", "other"),
        ("hand-conflict", "hand 2", "hand 2"),
    ]


@pytest.mark.parametrize(
    ("order", "misplaced"),
    [
        ([1, 2, 4, 3, 5], [4]),
        ([2, 3, 4, 5, 1], [1]),
        ([5, 1, 2, 3, 4], [5]),
        ([1, 4, 5, 2, 3], [4, 5]),
    ],
)
def test_the_fewest_hands_are_called_misplaced(order: list[int], misplaced: list[int]) -> None:
    hands = evening(5)
    replay = audited(*placed([hands[number - 1] for number in order]))
    codes = {finding.code for finding in replay.findings}
    assert codes == {"hand-misplaced"}
    assert [finding.number for finding in replay.findings] == misplaced
    assert all(table.follows for table in replay.tables)


def test_a_hand_of_another_session_is_left_out() -> None:
    stranger = hand(9, [5, 5], [5, 5], players=(A, B), foreign=True, place=3)
    replay = audited(*evening(3), stranger)
    assert found(replay) == [("hand-foreign", 9, -1)]
    assert len(replay.tables) == 3


def test_a_hand_that_began_before_its_predecessor_is_noted() -> None:
    hands = evening(3)
    hands[2].began = 1500
    assert values(audited(*hands)) == [("time-break", 2000, 1500)]
