import json
import re
from pathlib import Path

import pytest

from dashboards import replayer, rulings, settlement
from engine.violations import CODES
from schemas.audit import replay_document
from schemas.verdict import HandReplay
from tests.dashboards.evening import (
    MARKUP,
    Document,
    low_raise,
    one_seat_too_few,
    unseen_cards,
    with_players,
    worked,
    wrong_stacks,
)

ROOT = Path(__file__).parents[2]


def replay(document: Document) -> HandReplay:
    made = replay_document(json.dumps(document).encode())
    assert isinstance(made, HandReplay)
    return made


def steps(document: Document) -> list[replayer.StepView]:
    made = replay(document)
    return replayer.step_views(made, replayer.finding_views(made))


def test_a_hand_is_told_step_by_step_under_its_stages() -> None:
    told = [(step.number, step.stage, step.text.striptags()) for step in steps(worked("w1"))]

    assert len(told) == 22
    assert told[:5] == [
        (1, "Before the deal", "Antes are posted"),
        (2, None, "Anna carres, adding 5"),
        (3, None, "Ben carres, adding 10"),
        (4, None, "Carla declines the carre"),
        (5, "Deal", "Anna is dealt"),
    ]
    assert told[8:12] == [
        (9, None, "The retourne is turned up"),
        (10, "Speaking", "Carla passes"),
        (11, None, "Dan opens, adding 13"),
        (12, "Answering", "Anna calls, adding 9"),
    ]
    assert told[16:18] == [
        (17, "No more?", "Dan says no more"),
        (18, "Showdown", "Anna shows"),
    ]
    assert told[-1] == (22, "Settlement", "Pots are paid: Carla takes 48, Ben takes 39")


def test_a_finding_stands_at_the_step_of_its_event() -> None:
    findings = replayer.finding_views(replay(low_raise()))

    assert findings[0].violation.code == "raise-below-minimum"
    assert findings[0].step == 13
    assert findings[0].allowed == ["call, adding 4", "raise, adding 5–89", "fold"]
    assert findings[0].ruling == "V7 – The least raise"
    assert replayer.first_step(findings, "raise-below-minimum") == 13
    assert replayer.first_step(findings, "card-twice") is None
    assert steps(low_raise())[12].severity == "illegal"


@pytest.mark.parametrize(
    ("code", "expected", "seen"),
    [
        ("out-of-turn", "Anna", "Ben"),
        ("must-undertrump", "4♠, 10♠", "9♣"),
        ("wrong-stage", "deal or turn a card up", "carre"),
        ("declared-impossible", "Anna, Dan", "Ben 16"),
        ("player-count", "3–5", "2"),
    ],
)
def test_evidence_is_told_as_people_read_it(code: str, expected: str, seen: str) -> None:
    example = json.loads((ROOT / f"schemas/examples/violations/{code}.json").read_bytes())
    told = [
        (found.expected, found.seen)
        for found in replayer.finding_views(replay(example))
        if found.violation.code == code
    ]

    assert told == [(expected, seen)]


def test_a_hand_without_its_end_has_its_finding_at_the_last_step() -> None:
    unfinished = worked("w1")
    del unfinished["events"][11:]
    del unfinished["declared"]
    findings = replayer.finding_views(replay(unfinished))

    assert [(found.violation.code, found.step) for found in findings] == [("hand-incomplete", 12)]


def test_a_hand_that_cannot_begin_has_findings_but_no_steps() -> None:
    made = replay(one_seat_too_few())
    findings = replayer.finding_views(made)

    assert [(found.violation.code, found.step) for found in findings] == [("player-count", None)]
    assert replayer.step_views(made, findings) == []
    assert settlement.seat_rows(made) == []


def test_ours_stands_beside_the_declared_and_differences_are_marked() -> None:
    rows = settlement.seat_rows(replay(wrong_stacks()))

    assert [(row.player, row.start, row.stack, row.declared, row.net) for row in rows] == [
        ("Anna", 100, 85, 85, -15),
        ("Ben", 100, 109, 100, 9),
        ("Carla", 12, 48, 57, 36),
        ("Dan", 100, 70, 70, -30),
    ]
    assert [row.differs for row in rows] == [False, True, True, False]


def test_pots_that_agree_are_not_marked() -> None:
    pots = [row for row in settlement.compared_rows(replay(worked("w1"))) if "pot" in row.label]

    assert [(row.ours, row.declared, row.differs, row.why) for row in pots] == [
        ("48 → Carla 48", "48 → Carla 48", False, "by the point, among Ben, Carla, Dan"),
        ("39 → Ben 39", "39 → Ben 39", False, "by the point, among Ben, Dan"),
    ]


def test_a_name_written_from_the_right_turns_no_chips_round() -> None:
    document = worked("w1")
    document["seats"][1]["player"] = "בן"
    [_, side] = [row for row in settlement.compared_rows(replay(document)) if "pot" in row.label]

    assert side.ours == "39 → \N{FIRST STRONG ISOLATE}בן\N{POP DIRECTIONAL ISOLATE} 39"


def test_a_declaration_may_name_seats_that_are_not_there() -> None:
    document = worked("w1")
    document["declared"] |= {
        "pots": [{"amount": 87, "winners": {"7": 87}}],
        "premiums": {"6": 3},
        "stacks": [1],
    }
    rows = {row.label: row for row in settlement.compared_rows(replay(document))}

    assert rows["Main pot"].declared == "87 → seat 7 87"
    assert rows["Premium of seat 6"].differs


def test_the_point_is_told_by_suit_with_owners() -> None:
    rows = settlement.point_rows(replay(worked("w1")))

    assert [(row.suit, row.total, row.owner, row.decided) for row in rows] == [
        ("s", 40, "Carla", True),
        ("h", 39, "Ben", True),
        ("d", 30, "Dan", False),
        ("c", 18, "Dan", False),
    ]


def test_premiums_are_told_payment_by_payment() -> None:
    lines = settlement.payment_lines(replay(worked("w2-any-shown")))

    assert sorted(lines) == [
        "Anna pays Ben a premium of 2",
        "Anna pays Carla a premium of 1",
        "Anna pays Dan a premium of 1",
    ]


def test_cards_unseen_leave_the_settlement_open() -> None:
    made = replay(unseen_cards())

    assert made.audit.verdict == "unverifiable"
    assert {row.stack for row in settlement.seat_rows(made)} == {None}


@pytest.mark.parametrize("name", [MARKUP, "</script><script>alert(1)</script>", "<!--", "&amp;"])
def test_the_data_block_cannot_be_left(name: str) -> None:
    made = replay(with_players(worked("w1"), [name, "b", "c", "d"]))
    block = replayer.data_block(made)

    assert not set(block) & set("<>&")
    assert json.loads(block)["players"][0] == name


def test_bourre_is_told_by_its_own_words() -> None:
    document = worked("w4")
    told = [(step.stage, step.text.striptags(), step.cards) for step in steps(document)]

    assert told[6] == (None, "The trump is turned up", ["6c"])
    assert told[7] == ("Declaring", "P1 stays", [])
    assert told[12] == ("Drawing", "P1 stands pat", [])
    assert told[17] == ("Playing", "P1 plays", ["6s"])
    assert told[-1] == ("Settlement", "The pot is carried to the next hand", [])
    rows = [
        (row.label, row.ours, row.differs) for row in settlement.compared_rows(replay(document))
    ]
    assert rows == [
        ("Main pot", "20 → nobody", False),
        ("Tricks of P2", "1", False),
        ("Tricks of P4", "2", False),
        ("Tricks of P5", "2", False),
        ("Payment of P1", "12", False),
        ("Payment of P3", "12", False),
        ("Carried on", "44", False),
    ]
    assert settlement.payment_lines(replay(document)) == [
        "P1 pays 12 into the next pot, for no trick",
        "P3 pays 12 into the next pot, for no trick",
    ]


def test_a_draw_is_told_with_what_went_and_what_came() -> None:
    document = worked("w4")
    events = document["events"]
    events[11] = {"do": "draw", "seat": 0, "discards": ["2s"], "received": ["3s"]}
    told = steps(document)[12]

    assert (told.text.striptags(), told.cards) == ("P1 draws 1 for 2♠", ["3s"])


def test_who_acts_stands_out_whatever_they_are_called() -> None:
    told = steps(with_players(worked("w1"), [MARKUP, "100 %(player)s", "c", "d"]))

    assert told[1].text == (
        "<b><bdi>&lt;img src=x onerror=&#34;alert(1)&#34;&gt;</bdi></b> carres, adding 5"
    )
    assert told[2].text == "<b><bdi>100 %(player)s</bdi></b> carres, adding 10"


def test_rulings_are_called_what_the_page_of_the_rules_calls_them() -> None:
    page = (ROOT / "docs/rules.md").read_text()
    titles = re.findall(r"^\*\*([A-Z]\d+) – ([^.*]+?)\.?(?:\*\*|\. )", page, re.MULTILINE)

    assert dict(titles) == rulings.NAMES
    assert [code for code, about in CODES.items() if not rulings.gist(about.ruling)] == []
