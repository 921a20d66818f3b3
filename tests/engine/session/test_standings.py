"""S3: exact results, shared positions, the length of a session, ours beside the declared."""

from fractions import Fraction

import pytest

from engine.session.record import DeclaredStanding, SessionTerms
from tests.engine.session.tables import A, B, C, D, audited, found, hand, values

FOUR = (A, B, C, D)


def terms(hands: int = 0, final_carried: str = "split") -> SessionTerms:
    return SessionTerms(cave=100, hands=hands, final_carried=final_carried, seats="open")


def claim(player: int, **parts: object) -> DeclaredStanding:
    fields = ("result", "position", "stack", "ledger", "share", "bought")
    return DeclaredStanding(player, **{field: parts.get(field) for field in fields})  # type: ignore[arg-type]


LAST = hand(1, [100] * 4, [95, 90, 90, 100], players=FOUR, left=25, premiums=[5, 0, 0, -5])


def test_a_pot_is_split_in_exact_fractions_and_equal_results_share_a_position() -> None:
    replay = audited(LAST, terms=terms())
    assert replay.standings is not None
    assert [(one.player, one.result, one.position) for one in replay.standings] == [
        (A, Fraction(25, 4), 1),
        (D, Fraction(5, 4), 2),
        (B, Fraction(-15, 4), 3),
        (C, Fraction(-15, 4), 3),
    ]
    assert [one.share for one in replay.standings] == [Fraction(25, 4)] * 4
    assert sum(one.result for one in replay.standings) == 0


def test_after_two_that_share_a_position_the_next_is_counted_after_both() -> None:
    ended = hand(1, [100] * 4, [120, 105, 105, 70], players=FOUR)
    replay = audited(ended, terms=terms())
    assert replay.standings is not None
    assert [one.position for one in replay.standings] == [1, 2, 2, 4]


def test_a_pot_that_is_left_is_nobody_s() -> None:
    replay = audited(LAST, terms=terms(final_carried="left"))
    assert replay.standings is not None
    assert {one.player: one.result for one in replay.standings} == {A: 0, B: -10, C: -10, D: -5}
    assert replay.carried == 25


def test_a_pot_is_split_among_those_who_sat_last() -> None:
    replay = audited(
        hand(1, [100] * 4, [100] * 4, players=FOUR),
        hand(2, [100] * 3, [99] * 3, players=(A, B, C), dealer=1, left=3),
        terms=terms(),
    )
    assert replay.standings is not None
    assert {one.player: one.share for one in replay.standings} == {A: 1, B: 1, C: 1, D: 0}


def test_an_entrant_who_never_sat_ends_at_nothing() -> None:
    replay = audited(
        hand(1, [100, 100], [110, 90], players=(A, B)), buy_ins={A: 100, B: 100, C: 100}
    )
    assert replay.standings is not None
    assert [(one.player, int(one.result)) for one in replay.standings] == [
        (A, 10),
        (C, 0),
        (B, -10),
    ]


@pytest.mark.parametrize(
    ("length", "codes"),
    [
        (0, []),
        (2, []),
        (3, [("session-short", -1, -1)]),
        (1, [("session-long", 2, -1)]),
    ],
)
def test_the_length_of_a_session(length: int, codes: list[tuple[str, int, int]]) -> None:
    hands = [hand(number, [100] * 3, [100] * 3, dealer=number) for number in (1, 2)]
    assert found(audited(*hands, terms=terms(length))) == codes


def test_declared_standings_that_are_ours_are_found_clean() -> None:
    declared = [
        claim(A, result=Fraction(25, 4), position=1, stack=95, ledger=5, bought=100),
        claim(D, result=Fraction(5, 4), position=2, share=Fraction(50, 8)),
        claim(B, position=3),
        claim(C),
    ]
    assert found(audited(LAST, terms=terms(), standings=declared)) == []


def test_every_declared_part_that_differs_is_found() -> None:
    declared = [
        claim(A, result=6, position=2, stack=96, ledger=4, share=Fraction(13, 2), bought=200),
        claim(B),
        claim(C),
        claim(D),
    ]
    replay = audited(LAST, terms=terms(), standings=declared)
    assert [(one.code, one.pointer, one.expected, one.seen) for one in replay.findings] == [
        ("declared-account", "/standings/0/stack", 95, 96),
        ("declared-account", "/standings/0/ledger", 5, 4),
        ("declared-account", "/standings/0/share", Fraction(25, 4), Fraction(13, 2)),
        ("declared-account", "/standings/0/bought", 100, 200),
        ("declared-result", "/standings/0/result", Fraction(25, 4), 6),
        ("declared-position", "/standings/0/position", 1, 2),
    ]


def test_declared_standings_name_everybody_and_nobody_else() -> None:
    replay = audited(
        hand(1, [100, 100], [100, 100], players=(A, B)), standings=[claim(A), claim(D)]
    )
    assert [(one.code, one.player, one.part) for one in replay.findings] == [
        ("declared-players", D, "stranger"),
        ("declared-players", B, "absent"),
    ]


def test_the_first_hand_at_which_the_session_parts_from_ours_is_told() -> None:
    replay = audited(
        hand(1, [100] * 3, [110, 95, 95], dealer=0, parted=[C]),
        hand(2, [110, 90, 95], [110, 90, 95], dealer=1),
        hand(3, [110, 91, 95], [110, 91, 95], dealer=2),
    )
    assert values(replay) == [("stack-break", 95, 90), ("stack-break", 90, 91)]
    assert replay.standings is not None
    assert {one.player: one.parts_at for one in replay.standings} == {A: -1, B: 2, C: 1}
