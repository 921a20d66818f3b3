"""Every finding of Bourré where it belongs: its event, what was expected and seen, its ruling."""

from pathlib import Path

import pytest

from engine.violations import CODES, UNVERIFIABLE
from schemas.audit import ExaminedHand, audit_document, examine_hand
from tests.engine.bourre.hands import (
    DEALT,
    HIDDEN,
    PAGAT,
    PAT,
    TRICKS,
    found,
    hand,
    only_finding,
    outcome_of,
    replayed,
    words,
)

EXAMPLES = Path(__file__).parents[3] / "schemas/examples/violations"

OF_BOURRE = [
    ("exemption-not-allowed", "/seats/1/exempt", 1, 0),
    ("turn-not-dealers", "/events/3/card", None, "5s"),
    ("decided-twice", "/events/5/seat", "stay or out", "out"),
    ("draw-over-maximum", "/events/7/discards", 1, 2),
    ("draw-count-differs", "/events/7", 1, 2),
    ("draw-uneven", "/events/7/received", 2, 3),
    ("discard-not-held", "/events/7/discards/0", None, "Qd"),
    ("received-impossible", "/events/7/received/0", None, "9d"),
    ("card-not-held", "/events/8/card", None, "Jh"),
    ("must-lead-trump", "/events/7/card", ["As"], "Ah"),
    ("must-play-cinch", "/events/13/card", ["As"], "8c"),
    ("must-follow", "/events/8/card", ["Qh"], "Jd"),
    ("must-head", "/events/12/card", ["Kd"], "2d"),
    ("must-trump", "/events/14/card", ["As"], "8c"),
    ("must-overtrump", "/events/15/card", ["Ts"], "4s"),
    ("must-undertrump", "/events/15/card", ["4s", "Ts"], "9c"),
    ("renege-unfounded", "/events/22/seat", None, 1),
    ("correction-late", "/events/11/card", None, "Ts"),
    ("correction-not-allowed", "/events/15/do", None, "renege"),
    ("draw-count-unasked", "/events/5/count", None, 0),
    ("renege-corrected", "/events/8/card", "Qh", "Jd"),
    ("draw-count-missing", "/events/5", "count", None),
    ("declared-tricks", "/declared/tricks/1", 2, 1),
    ("declared-payments", "/declared/payments/2", 3, 2),
]


@pytest.mark.parametrize(("code", "pointer", "expected", "seen"), OF_BOURRE)
def test_a_code_by_its_example(code: str, pointer: str, expected: object, seen: object) -> None:
    examined = examine_hand((EXAMPLES / f"{code}.json").read_bytes())
    assert isinstance(examined, ExaminedHand)
    violation = audit_document(examined).violations[0]

    assert (violation.code, violation.pointer) == (code, pointer)
    assert (violation.expected, violation.seen) == (expected, seen)
    assert violation.ruling == CODES[code].ruling


def test_every_code_of_bourre_alone_is_here() -> None:
    alone = {code for code, kind in CODES.items() if kind.ruling.startswith("B")}
    assert {code for code, *_ in OF_BOURRE} == alone


SHARED = [
    # a hand's line or what changes it, the finding, its ruling
    ("A stay, C stay, B stay, " + TRICKS, "out-of-turn 5", "B1"),
    ("A stay, B out, B stay, C stay, AAh CKh", "not-in-hand 6", "B1"),
    ("A out, B out, C stay, A stay", "hand-over 7", "B7"),
    (f"{PAT}, {TRICKS}, A3c", "hand-over 22", "B7"),
    (f"{PAT}, B draw >, A draw >, {TRICKS}", "out-of-turn 8", "B2"),
    ("A stay, B stay, A draw >, C stay, " + TRICKS, "wrong-stage 6", "B1"),
    (f"{PAT}, AAh, A draw >, {TRICKS[4:]}", "wrong-stage 8", "B4"),
    (f"{PAT}, A turn 6s, {TRICKS}", "wrong-stage 7", "B2"),
    (f"{PAT}, A deal {HIDDEN}, {TRICKS}", "dealt-twice 7", "presets"),
    (f"{PAT}, AAh CKh BQh {TRICKS[12:]}", "out-of-turn 8", "B4"),
    (f"{PAT}, A ante 1, {TRICKS}", "wrong-stage 7", "B2"),
    (f"{PAT}, A open, {TRICKS}", "foreign-act 7", "presets"),
    (f"{PAT}, D stay, {TRICKS}", "no-such-seat 7", "presets"),
    (f"{PAT}, {TRICKS[:-4]}", "hand-incomplete /events", "B4"),
]


@pytest.mark.parametrize(("line", "expected", "ruling"), SHARED)
def test_a_code_that_the_games_share(line: str, expected: str, ruling: str) -> None:
    record = hand(line)
    assert found(record)[0] == expected
    assert replayed(record).violations[0].ruling == ruling


def test_antes_are_implied_and_checked_where_they_are_written() -> None:
    record = hand("A ante 1, B ante 2, B ante 1", dealt=DEALT)
    at = len(DEALT) + 1
    for part in (record.acts, record.seats, record.adds, record.cards, record.received):
        part[:] = [*part[at:], *part[:at]]
    assert found(record)[:2] == ["ante-amount 1", "ante-repeated 2"]


def test_cards_that_come_twice() -> None:
    assert found(hand(dealt=(DEALT[0], "Ah Jd Ts 9c 4s", DEALT[2])))[0] == "card-twice 1"
    assert found(hand(f"{PAT}, C draw 9d 9d > 2h 2d"))[0] == "card-twice 7"
    twice = hand(f"{PAT}, AAh BAh", dealt=(HIDDEN, HIDDEN, HIDDEN), turned="6s")
    assert found(twice)[0] == "card-twice 8"
    assert found(hand(dealt=(DEALT[0], DEALT[1], HIDDEN), turned="Ah"))[0] == "card-twice 3"


def test_a_hand_has_five_cards() -> None:
    record = hand(dealt=(DEALT[0], DEALT[1], "Kh 9d 8s 6s"))
    assert found(record)[0] == "card-count 2"


def test_two_to_eight_play() -> None:
    nine = hand("A out", dealt=[HIDDEN] * 8)
    assert found(nine) == ["hand-incomplete /events"]
    one = hand("A out", dealt=[HIDDEN])
    assert found(one)[0] == "player-count /seats"


def test_a_seat_needs_chips_and_buys_them_at_zero() -> None:
    record = hand(stacks=(100, 0, 150))
    record.rebuys[2] = 50
    assert found(record)[:3] == [
        "stack-empty /seats/1/stack",
        "rebuy-amount /seats/2/rebuy",
        "rebuy-above-zero /seats/2/rebuy",
    ]


def test_cards_played_before_all_have_spoken_are_reported_once() -> None:
    assert found(hand(f"A stay, B stay, {TRICKS}")) == ["wrong-stage 6", "hand-incomplete /events"]


def test_a_card_out_of_turn_lies_in_the_trick() -> None:
    record = hand(f"{PAT}, AAh CKh BQh {TRICKS[12:]}")
    assert found(record) == ["out-of-turn 8"]
    assert outcome_of(record).stacks == [102, 99, 96]


def test_a_hand_found_wrong_counts_as_unknown_and_the_next_slip_is_found() -> None:
    line = "AAh BJh CKh AKd B9c C9d"  # no Jh in it, and Jd is due on Kd
    record = hand(f"{PAT}, {line}, AAs B4s C6s, A8c BJd C7c, ATs")
    assert found(record)[0] == "card-not-held 8"
    assert "must-follow 11" in found(record)


def test_two_reneges_are_two_findings() -> None:
    line = "AAh BJd CKh AKd B9c C9d AAs B4s C6s A8c BTs C7c BQh C8s A3c"
    assert found(hand(f"{PAT}, {line}")) == ["must-follow 8", "must-trump 11"]


def test_a_missing_count_is_unverifiable_and_no_more() -> None:
    record = hand(f"A stay 0, B stay, C stay 0, {TRICKS}", preset=PAGAT)
    assert only_finding(record).severity == UNVERIFIABLE
    assert replayed(record).verdict == "unverifiable"
    assert outcome_of(record).stacks == [102, 99, 96]


def test_the_acts_that_were_allowed_come_with_a_finding() -> None:
    early = hand(f"A stay, C stay, B stay, {TRICKS}")
    assert words(replayed(early).violations[0].legal) == ["B stay", "B out"]
    late = hand(f"{PAT}, B draw >, A draw >, {TRICKS}")
    assert words(replayed(late).violations[0].legal) == ["C draw 0-5"]
    renege = hand(f"{PAT}, AAh BJd CKh")
    assert words(replayed(renege).violations[0].legal) == ["B play Qh"]
