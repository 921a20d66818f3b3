"""S1, S2 and S5: what a hand begins with follows from the hand before it."""

import pytest

from engine.session.record import LedgerPoint, ListedRebuy, SessionTerms
from tests.engine.session.tables import A, B, C, D, audited, balanced, found, hand, values

FIXED = SessionTerms(cave=100, hands=0, final_carried="left", seats="fixed")
FIRST = hand(1, [100, 100, 100], [110, 95, 95], dealer=0)


def test_stacks_dealer_and_pot_that_follow_are_found_clean() -> None:
    replay = audited(
        hand(1, [100, 100, 100], [99, 99, 98], dealer=2, left=4),
        hand(2, [99, 99, 98], [98, 99, 98], dealer=0, carried=4, left=5),
        hand(3, [98, 99, 98], [98, 105, 97], dealer=1, carried=5),
    )
    assert found(replay) == []
    assert replay.verdict == "legal"
    assert balanced(replay)
    assert [table.follows for table in replay.tables] == [True, True, True]


# S1


def test_a_broken_stack_is_one_finding_and_the_audit_goes_on_from_what_is_stated() -> None:
    replay = audited(
        FIRST,
        hand(2, [110, 90, 95], [105, 95, 95], dealer=1),
        hand(3, [105, 95, 95], [105, 95, 95], dealer=2),
    )
    assert found(replay) == [("stack-break", 2, B)]
    assert values(replay) == [("stack-break", 95, 90)]
    assert replay.findings[0].pointer == "/hands/1/seats/1/stack"
    assert [table.unexplained for table in replay.tables] == [0, -5, -5]
    assert balanced(replay)
    assert replay.standings is not None
    assert {standing.player: standing.verified for standing in replay.standings} == {
        A: True,
        B: False,
        C: True,
    }


def test_the_deal_goes_to_the_next_seat() -> None:
    replay = audited(FIRST, hand(2, [110, 95, 95], [110, 95, 95], dealer=2))
    assert values(replay) == [("dealer-break", B, C)]


def test_a_seat_list_that_begins_elsewhere_is_the_same_turn_order() -> None:
    replay = audited(FIRST, hand(2, [95, 95, 110], [95, 95, 110], players=(B, C, A), dealer=0))
    assert found(replay) == []


def test_players_who_changed_seats_are_a_broken_order() -> None:
    replay = audited(FIRST, hand(2, [110, 95, 95], [110, 95, 95], players=(A, C, B), dealer=1))
    assert values(replay) == [("order-break", [A, B, C], [A, C, B])]


def test_a_pot_that_does_not_follow_is_found() -> None:
    replay = audited(
        hand(1, [100, 100, 100], [99, 99, 98], left=4),
        hand(2, [99, 99, 98], [109, 99, 97], dealer=1, carried=9),
    )
    assert values(replay) == [("carried-break", 4, 9)]
    assert replay.tables[1].unexplained == 5
    assert balanced(replay)


def test_a_first_hand_begins_with_an_empty_pot() -> None:
    replay = audited(hand(1, [100, 100, 100], [103, 100, 100], carried=3))
    assert values(replay) == [("carried-break", 0, 3)]


def test_a_hand_by_other_rules_is_found() -> None:
    replay = audited(FIRST, hand(2, [110, 95, 95], [110, 95, 95], dealer=1, same_rules=False))
    assert found(replay) == [("rules-break", 2, -1)]


def test_who_owes_no_ante_follows_from_the_hand_before() -> None:
    first = hand(1, [100] * 3, [100] * 3, exempt_next=[True, False, False])
    second = hand(2, [100] * 3, [100] * 3, dealer=1, exempt=[True, False, False])
    assert found(audited(first, second)) == []
    second.exempt = [False, False, True]
    assert values(audited(first, second)) == [
        ("exempt-break", True, False),
        ("exempt-break", False, True),
    ]
    first.exempt_next = None
    assert found(audited(first, second)) == []


def test_the_ledger_is_the_sum_of_the_premiums() -> None:
    hands = (
        hand(1, [100] * 3, [100] * 3, dealer=0, premiums=[4, -2, -2]),
        hand(2, [100] * 3, [100] * 3, dealer=1, premiums=[-1, 2, -1]),
    )
    right = [LedgerPoint(1, {A: 4, B: -2, C: -2}), LedgerPoint(2, {A: 3, B: 0, C: -3})]
    assert found(audited(*hands, ledger=right)) == []
    wrong = audited(*hands, ledger=[LedgerPoint(2, {A: 4, B: 0, C: -3})])
    assert values(wrong) == [("ledger-break", 3, 4)]
    assert wrong.findings[0].pointer == "/ledger/0"


def test_a_ledger_that_goes_on_from_its_mistake_is_found_once() -> None:
    hands = [hand(number, [100] * 3, [100] * 3, dealer=number % 3) for number in (1, 2, 3)]
    replay = audited(*hands, ledger=[LedgerPoint(number, {A: 1}) for number in (1, 2, 3)])
    assert found(replay) == [("ledger-break", 1, A)]


def test_a_ledger_after_a_hand_that_never_was_is_found() -> None:
    replay = audited(FIRST, ledger=[LedgerPoint(9, {A: 0})])
    assert values(replay) == [("ledger-break", 1, 9)]


# S2

BROKE = hand(1, [100, 100, 100], [200, 0, 100], dealer=0)


def test_a_rebuy_at_zero_counts_as_bought() -> None:
    replay = audited(BROKE, hand(2, [200, 100, 100], [200, 100, 100], dealer=1, rebuys=[0, 100, 0]))
    assert found(replay) == []
    assert replay.tables[1].bought == {A: 100, B: 200, C: 100}
    assert balanced(replay)


def test_a_rebuy_with_chips_left_is_found_though_the_hand_alone_looks_right() -> None:
    replay = audited(FIRST, hand(2, [110, 100, 95], [110, 100, 95], dealer=1, rebuys=[0, 100, 0]))
    assert values(replay) == [("rebuy-early", 0, 95)]
    assert replay.tables[1].unexplained == -95
    assert balanced(replay)


def test_a_cave_that_nobody_recorded_counts_as_bought() -> None:
    replay = audited(BROKE, hand(2, [200, 100, 100], [200, 100, 100], dealer=1))
    assert found(replay) == [("rebuy-unrecorded", 2, B)]
    assert replay.tables[1].bought[B] == 200
    assert replay.tables[1].unexplained == 0


@pytest.mark.parametrize(
    ("listed", "expected", "seen"),
    [
        ([], 100, None),
        ([ListedRebuy(B, 2, 50)], 100, 50),
        ([ListedRebuy(B, 2, 100), ListedRebuy(C, 1, 100)], None, 100),
        ([ListedRebuy(B, 2, 100), ListedRebuy(A, 7, 100)], None, 100),
    ],
)
def test_the_list_of_rebuys_says_what_the_hands_say(
    listed: list[ListedRebuy], expected: int | None, seen: int | None
) -> None:
    hands = BROKE, hand(2, [200, 100, 100], [200, 100, 100], dealer=1, rebuys=[0, 100, 0])
    assert found(audited(*hands, rebuys=[ListedRebuy(B, 2, 100)])) == []
    assert values(audited(*hands, rebuys=listed)) == [("rebuy-list", expected, seen)]


# S5


def test_a_newcomer_buys_a_cave_and_one_who_leaves_takes_the_stack_along() -> None:
    replay = audited(
        FIRST,
        hand(2, [110, 95, 100], [100, 95, 110], players=(A, B, D), dealer=1),
        hand(3, [95, 110, 95], [95, 110, 95], players=(B, D, C), dealer=1),
    )
    assert found(replay) == []
    assert replay.tables[-1].stacks == {A: 100, B: 95, C: 95, D: 110}
    assert replay.tables[-1].bought == {A: 100, B: 100, C: 100, D: 100}
    assert balanced(replay)


def test_one_who_comes_back_brings_the_same_stack() -> None:
    replay = audited(
        FIRST,
        hand(2, [110, 95], [110, 95], players=(A, B), dealer=1),
        hand(3, [110, 95, 100], [110, 95, 100], players=(A, B, C), dealer=2),
    )
    assert values(replay) == [("stack-break", 95, 100)]


def test_where_the_dealer_has_left_the_deal_goes_on_from_the_seat_before() -> None:
    after_b = hand(2, [110, 95, 95], [110, 95, 95], dealer=1)
    replay = audited(FIRST, after_b, hand(3, [110, 95], [110, 95], players=(A, C), dealer=1))
    assert found(replay) == []
    replay = audited(FIRST, after_b, hand(3, [110, 95], [110, 95], players=(A, C), dealer=0))
    assert values(replay) == [("dealer-break", C, A)]


@pytest.mark.parametrize("stack", [0, 50, 101])
def test_an_arrival_with_anything_but_a_cave_is_found(stack: int) -> None:
    replay = audited(hand(1, [100, stack, 100], [100, stack, 100]))
    assert values(replay) == [("arrival-cave", 100, stack)]
    assert balanced(replay)


def test_an_entrant_arrives_with_the_buy_in() -> None:
    terms = SessionTerms(cave=50, hands=0, final_carried="left", seats="open")
    right = hand(1, [50, 50], [50, 50], players=(A, B))
    assert found(audited(right, terms=terms, buy_ins={A: 50, B: 50})) == []
    dearer = audited(right, terms=terms, buy_ins={A: 50, B: 60})
    assert values(dearer) == [("arrival-cave", 60, 50), ("arrival-cave", 50, 60)]


def test_only_entrants_play_and_one_who_never_did_is_noted() -> None:
    replay = audited(FIRST, buy_ins={A: 100, B: 100, D: 100})
    assert found(replay) == [("not-entered", 1, C), ("never-seated", -1, D)]


def test_where_seats_are_fixed_nobody_comes_or_goes() -> None:
    replay = audited(
        FIRST, hand(2, [110, 95, 100], [110, 95, 100], players=(A, B, D), dealer=1), terms=FIXED
    )
    assert found(replay) == [("player-joined", 2, D), ("player-left", 2, C)]


def test_nobody_sits_twice_and_the_next_hand_is_unverified() -> None:
    replay = audited(
        FIRST,
        hand(2, [110, 95, 95], [110, 95, 95], players=(A, B, B), dealer=1),
        hand(3, [100, 105, 95], [100, 105, 95], dealer=2),
    )
    assert found(replay) == [("player-twice", 2, B)]
    assert [table.follows for table in replay.tables] == [True, False, False]
    assert replay.tables[1].stacks is None
