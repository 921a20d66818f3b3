"""What a replay tells besides its findings: decisions, steps, what hidden cards leave open."""

from engine.result import Replay
from engine.vying.replay import replay_vying
from tests.engine.hands import SEATS, codes, hand, replayed, settled, words

WHOLE = "A carre 5, B decline | B pass, C open 6, D call 5, A raise 9, B fold, C call 8, D fold"


def decisions(line: str) -> list[tuple[int, str, str, int, int]]:
    turns = replayed(hand(line)).turns
    return [(t.seat, t.act, t.situation, t.to_call, t.pot) for t in turns]


def test_decisions_come_with_what_they_faced() -> None:
    # antes 5, A's carre 5: P 10, K 6/1/1/2
    assert decisions(WHOLE) == [
        (0, "carre", "carre", 1, 5),
        (1, "decline", "carre", 5, 10),
        (1, "pass", "unopened", 5, 10),
        (2, "open", "unopened", 5, 10),
        (3, "call", "facing-open", 5, 16),
        (0, "raise", "facing-open", 1, 21),
        (1, "fold", "facing-raise", 14, 30),
        (2, "call", "facing-raise", 8, 30),
        (3, "fold", "facing-raise", 8, 38),
    ]


def test_a_deal_while_a_seat_may_carre_is_its_refusal() -> None:
    dealt = "| A open 4, B fold, C fold, D fold"

    assert decisions(dealt)[0] == (0, "decline", "carre", 1, 5)
    assert decisions("A decline " + dealt) == decisions(dealt)


def test_written_antes_are_no_decisions() -> None:
    antes = "A ante 1, B ante 1, C ante 1, D ante 2, "

    assert decisions(antes + WHOLE) == decisions(WHOLE)


def test_a_decision_tells_whether_raising_was_legal() -> None:
    record = hand(
        "A decline | A open 4, B call 3, C fold, D fold",
        stacks=(100, 4, 100, 100),
    )

    assert [turn.may_raise for turn in replayed(record).turns] == [True, True, False, True, True]


def test_no_more_is_a_decision_of_its_own() -> None:
    line = "A decline | A open 4, B call 4, C call 4, D fold, B no-more, C raise 3"

    assert decisions(line)[-2:] == [
        (1, "no-more", "no-more", 0, 17),
        (2, "raise", "no-more", 0, 17),
    ]


def stepped(line: str) -> Replay:
    return replay_vying(hand(line), want_steps=True)


def test_steps_show_the_table_after_every_event() -> None:
    steps = stepped("A decline | A open 4, B call 4, C fold, D fold").steps

    # before the events, ten events, the settlement
    assert [step.event for step in steps] == [-1, *range(10), -1]
    assert (steps[0].stacks, steps[0].pot) == ([99, 99, 99, 98], 5)
    assert (steps[7].contributions, steps[7].highest, steps[7].to_speak) == ([5, 1, 1, 2], 5, 1)
    assert words(steps[7].legal) == ["B call 4", "B raise 5-99", "B fold"]
    assert (steps[-1].stacks, steps[-1].pot) == ([108, 95, 99, 98], 0)


def test_a_step_names_its_findings() -> None:
    steps = stepped("A decline | A open 4, B call 3, C fold, C fold, D fold").steps

    assert [step.findings for step in steps if step.findings] == [[0], [1]]


def cut(replay: Replay, last: int) -> list[list[tuple[int, str]]]:
    """The pots of the last steps before the settlement, with the letters of who may win them."""
    return [
        [(chips, "".join(SEATS[s] for s in range(5) if who >> s & 1)) for chips, who in step.pots]
        for step in replay.steps[-1 - last : -1]
    ]


def test_a_step_tells_the_side_pot_beside_somebody_all_in() -> None:
    # after A's 9, K 10/1/2; B is all-in at 10, C raises to 20, A calls
    line = "A decline | A open 9, B call 9, C raise 18"
    stacks = (100, 10, 100)
    called = hand(line + ", A call 10, A no-more", stacks=stacks)
    folded = hand(line + ", A fold", stacks=stacks)

    assert cut(replay_vying(called, want_steps=True), 5) == [
        [],
        [],
        [(30, "ABC"), (10, "AC")],
        [(30, "ABC"), (20, "AC")],
        [(30, "ABC"), (20, "AC")],
    ]
    # what A does not call goes back to C: K 10 each
    assert cut(replay_vying(folded, want_steps=True), 2) == [[(30, "ABC"), (10, "AC")], []]


def test_two_all_in_at_different_stakes_make_two_side_pots() -> None:
    # D's K is 2; A opens to 30, B is all-in at 10, C at 25; D raises to 50
    line = "A decline | A open 29, B call 9, C call 24, D raise 48"
    stacks = (100, 10, 25, 100)
    called = replay_vying(hand(line + ", A call 20, A no-more", stacks=stacks), want_steps=True)
    folded = replay_vying(hand(line + ", A fold", stacks=stacks), want_steps=True)

    assert cut(called, 5) == [
        [(10 + 1 + 10 + 2, "ABCD"), (20, "ACD")],
        [(10 + 10 + 10 + 2, "ABCD"), (15 + 15, "ACD"), (5, "AD")],
        [(40, "ABCD"), (45, "ACD"), (5 + 25, "AD")],
        [(40, "ABCD"), (45, "ACD"), (25 + 25, "AD")],
        [(40, "ABCD"), (45, "ACD"), (25 + 25, "AD")],
    ]
    # A's 5 above C's 25 stay, and 20 of D's go back
    assert cut(folded, 1) == [[(40, "BCD"), (45, "CD"), (5 + 5, "D")]]


def test_a_hand_that_does_not_end_has_no_outcome() -> None:
    replay = stepped("A decline | A open 4")

    assert replay.outcome is None
    assert replay.steps[-1].event == 6


# Partial views


def test_a_carre_is_certain_whatever_is_hidden() -> None:
    record = hand(
        "A decline | A open 4, B call 4, C fold, D fold",
        dealt=("9h 9d 9c", "?? ?? ??", "?? ?? ??", "?? ?? ??"),
        turned="9s",
        premium_holders="live",
    )
    replay = replayed(record)

    assert replay.outcome is not None
    assert replay.outcome.pots[0].winners == {0: 13}
    # but B may hold a brelan, and then the premiums are others
    assert (replay.outcome.premiums, replay.outcome.stacks) == (None, None)
    assert replay.verdict == "unverifiable"


def test_hidden_cards_leave_no_premium_open_where_the_table_pays_none() -> None:
    record = hand(
        "A decline | A open 4, B call 4, C fold, D fold",
        dealt=("9h 9d 9c", "Kh 9s Qc", "?? ?? ??", "?? ?? ??"),
        turned="8s",
        table={
            "premium-simple": 0,
            "premium-carre": 0,
            "premium-favori": 0,
            "premium-favori-pot": 0,
            "premium-mistigri": 0,
        },
    )

    assert settled(record).stacks == [108, 95, 99, 98]


def test_hidden_folded_cards_leave_the_point_open() -> None:
    record = hand(
        "A decline | A open 4, B call 4, C fold, D fold",
        dealt=("Ah Kd 8c", "Kh 9d 9c", "9h 8d 8s", "?? ?? ??"),
    )
    replay = replayed(record)

    assert replay.outcome is not None
    assert replay.outcome.pots[0].winners is None
    assert replay.outcome.stacks is None
    assert [v.expected for v in replay.violations] == [{3: 3}]


def test_cards_shown_later_fill_what_the_deal_left_open() -> None:
    dealt = ("Ah Kd 8c", "Kh 9d 9c", "9h 8d 8s", "8h ?? ??")
    line = "A decline | A open 4, B call 4, C fold, D fold"

    assert settled(hand(line + ", D show 8h Qs Kc", dealt=dealt)).pots[0].winners == {0: 13}
    assert settled(hand(line + ", D show ?? Qs Kc", dealt=dealt)).pots[0].winners == {0: 13}
    # a hand that is not his fills nothing; A wins whatever his two cards are
    assert codes(hand(line + ", D show 9s Qs Kc", dealt=dealt)) == ["show-differs"]


def test_nothing_is_missing_when_nobody_shows() -> None:
    dealt = ("Ah Kd 8c", "?? ?? ??", "?? ?? ??", "?? ?? ??")

    assert settled(hand("A decline | A open 4, B fold, C fold, D fold", dealt=dealt))
