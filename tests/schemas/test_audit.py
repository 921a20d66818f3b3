"""From the bytes of a hand to its verdict and its replay as public documents."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import ENGINE_VERSION
from schemas.audit import ExaminedHand, audit_document, examine_hand, replay_document
from schemas.errors import UnreadableHand
from schemas.verdict import HandAudit, HandReplay

RULES = Path(__file__).parents[1] / "rules"


def worked(name: str) -> dict[str, Any]:
    hand: dict[str, Any] = json.loads((RULES / f"{name}.json").read_bytes())
    return hand


def audited(hand: dict[str, Any]) -> HandAudit:
    examined = examine_hand(json.dumps(hand).encode())
    assert isinstance(examined, ExaminedHand), examined
    return audit_document(examined)


def shown(hand: dict[str, Any]) -> HandReplay:
    replay = replay_document(json.dumps(hand).encode())
    assert isinstance(replay, HandReplay), replay
    return replay


def as_json(document: object) -> Any:  # noqa: ANN401 -- JSON of any shape
    return json.loads(msgspec.json.encode(document))


def test_a_legal_hand_stands_beside_what_was_declared() -> None:
    hand = worked("w1")
    audit = as_json(audited(hand))

    assert (audit["verdict"], audit["violations"], audit["engine"]) == ("legal", [], ENGINE_VERSION)
    assert (audit["id"], audit["preset"]) == (hand["id"], "bouillotte/salon")
    assert audit["declared"] == hand["declared"]
    expected = {
        "pots": [
            {"amount": 48, "eligible": [1, 2, 3], "winners": {"2": 48}, "by": "point", "suit": "s"},
            {"amount": 39, "eligible": [1, 3], "winners": {"1": 39}, "by": "point", "suit": "h"},
        ],
        "returned": {},
        "premiums": {"0": 0, "1": 0, "2": 0, "3": 0},
        "premium_payments": [],
        "premium_account": "stack",
        "stacks": [85, 109, 48, 70],
        "carried": 0,
        "points": {"c": 18, "d": 30, "h": 39, "s": 40},
        "owners": {"c": 3, "d": 3, "h": 1, "s": 2},
    }
    assert {key: audit["ours"][key] for key in expected} == expected


def test_premiums_tell_who_paid_whom() -> None:
    audit = as_json(audited(worked("w3")))

    assert audit["ours"]["premium_account"] == "ledger"
    assert audit["ours"]["premium_payments"] == [
        {"holder": 0, "payer": 1, "amount": 1, "short": 0},
        {"holder": 0, "payer": 2, "amount": 2, "short": 0},
        {"holder": 0, "payer": 3, "amount": 2, "short": 0},
        {"holder": 1, "payer": 2, "amount": 1, "short": 0},
        {"holder": 1, "payer": 3, "amount": 1, "short": 0},
    ]


def test_a_finding_names_the_place_the_player_and_what_was_allowed() -> None:
    hand = worked("w1")
    del hand["declared"]
    call = next(event for event in hand["events"] if event["do"] == "call" and event["seat"] == 3)
    call["add"] = 14
    audit = as_json(audited(hand))
    (found,) = audit["violations"]

    assert audit["verdict"] == "illegal"
    assert audit["declared"] is None
    expected = {
        "code": "call-amount",
        "severity": "illegal",
        "pointer": "/events/13/add",
        "event": 13,
        "seat": 3,
        "player": "Dan",
        "expected": 15,
        "seen": 14,
        "ruling": "V19",
    }
    assert {key: found[key] for key in expected} == expected
    assert [(act["do"], act["seat"], act["min"], act["max"]) for act in found["legal"]] == [
        ("call", 3, 15, 15),
        ("raise", 3, 16, 85),
        ("fold", 3, None, None),
    ]
    assert hand["events"][13] is call
    assert found["message"].keys() == {"en", "fr", "de", "pt"}


def test_a_finding_about_the_whole_hand_has_no_event_and_no_player() -> None:
    hand = worked("w1")
    hand["declared"]["carried"] = 3
    (found,) = as_json(audited(hand))["violations"]

    assert (found["code"], found["severity"]) == ("declared-carried", "discrepancy")
    assert (found["event"], found["seat"], found["player"]) == (None, None, None)
    assert (found["expected"], found["seen"], found["legal"]) == (0, 3, [])


def test_an_unknown_key_is_a_warning_and_changes_no_verdict() -> None:
    hand = worked("w1")
    hand["seats"][0]["playr"] = "Anne"
    audit = audited(hand)
    (found,) = audit.violations

    assert audit.verdict == "legal"
    assert (found.code, found.severity) == ("unknown-key", "warning")
    assert (found.pointer, found.expected, found.seen) == ("/seats/0/playr", "player", "playr")


def test_a_hand_without_an_end_has_no_outcome() -> None:
    hand = worked("w1")
    hand["events"] = hand["events"][:10]
    audit = audited(hand)

    assert (audit.verdict, audit.ours) == ("illegal", None)
    assert [found.code for found in audit.violations] == ["hand-incomplete"]


def test_hidden_cards_leave_the_outcome_open() -> None:
    hand = worked("w1")
    hidden = [event for event in hand["events"] if event.get("cards") and event["seat"] == 0]
    for event in hidden:
        event["cards"] = ["??", "??", "??"]
    audit = as_json(audited(hand))

    assert audit["verdict"] == "unverifiable"
    assert [pot["winners"] for pot in audit["ours"]["pots"]] == [None, None]
    assert (audit["ours"]["stacks"], audit["ours"]["premiums"]) == (None, None)
    assert (audit["ours"]["points"], audit["ours"]["owners"]) == (None, None)
    assert [found["expected"] for found in audit["violations"]] == [{"0": 3}]


@pytest.mark.parametrize(
    ("raw", "code"),
    [(b"", "empty"), (b"{", "not-json"), (b"[]", "not-an-object")],
)
def test_what_cannot_be_read_is_said_so(raw: bytes, code: str) -> None:
    for made in (examine_hand(raw), replay_document(raw)):
        assert isinstance(made, UnreadableHand)
        assert made.code == code


def test_an_unknown_preset_cannot_be_examined() -> None:
    hand = worked("w1")
    hand["rules"]["preset"] = "poker"
    made = examine_hand(json.dumps(hand).encode())

    assert isinstance(made, UnreadableHand)
    assert made.code == "unknown-preset"


def test_the_replay_shows_the_antes_every_event_and_the_settlement() -> None:
    hand = worked("w1")
    replay = as_json(shown(hand))
    steps = replay["steps"]

    assert (replay["players"], replay["dealer"]) == (["Anna", "Ben", "Carla", "Dan"], 3)
    assert [step["do"] for step in steps] == [
        "ante",
        *(event["do"] for event in hand["events"]),
        "settle",
    ]
    assert [step["event"] for step in steps[1:-1]] == list(range(len(hand["events"])))
    expected = {
        "stage": "carre",
        "stacks": [99, 99, 11, 98],
        "contributions": [1, 1, 1, 2],
        "highest": 2,
        "pot": 5,
        "carried": 0,
        "folded": [False] * 4,
        "all_in": [False] * 4,
        "hands": [["??"] * 3] * 4,
        "retourne": None,
        "to_speak": 0,
    }
    table = steps[0]["state"]
    assert {key: table[key] for key in expected} == expected
    assert [(act["do"], act["min"], act["max"]) for act in table["legal"][:2]] == [
        ("carre", 5, 5),
        ("decline", None, None),
    ]


def test_a_step_says_what_was_done() -> None:
    steps = as_json(shown(worked("w1")))["steps"]
    deal, turn, all_in = steps[4], steps[8], steps[13]

    assert (deal["do"], deal["seat"], deal["add"], deal["cards"]) == (
        "deal",
        0,
        None,
        ["8h", "Qh", "8c"],
    )
    assert (turn["do"], turn["seat"], turn["cards"]) == ("turn", None, ["9s"])
    assert turn["state"]["retourne"] == "9s"
    assert (all_in["do"], all_in["seat"], all_in["add"], all_in["cards"]) == ("call", 2, 11, None)
    assert all_in["state"]["all_in"] == [False, False, True, False]
    assert all_in["state"]["to_speak"] == 3


def test_a_step_has_its_pots_while_they_are_several() -> None:
    steps = as_json(shown(worked("w1")))["steps"]
    pots = [step["state"].get("pots") for step in steps]
    main = {"amount": 48, "eligible": [0, 1, 2, 3]}

    # Carla is all-in at 12; of 15, 30 and 15 the others have put in above it, Dan 15 more after her
    assert pots[:13] == [None] * 13
    assert pots[13:15] == [
        [main, {"amount": 3 + 18 + 3, "eligible": [0, 1, 3]}],
        [main, {"amount": 3 + 18 + 18, "eligible": [0, 1, 3]}],
    ]
    assert (
        pots[15:21]
        == [[{"amount": 48, "eligible": [1, 2, 3]}, {"amount": 39, "eligible": [1, 3]}]] * 6
    )
    assert pots[21:] == [None]


def test_an_opening_of_nothing_is_shown_as_nothing() -> None:
    steps = shown(worked("w2-live")).steps

    assert [(step.do, step.add) for step in steps if step.do in ("open", "pass")] == [
        ("pass", None),
        ("pass", None),
        ("pass", None),
        ("open", 0),
    ]


def test_the_last_step_is_the_table_when_everything_is_paid() -> None:
    last = shown(worked("w2-live")).steps[-1]

    assert (last.event, last.state.stage) == (None, "end")
    assert (last.state.stacks, last.state.pot) == ([77, 145, 96, 82], 0)
    assert last.state.contributions == [0, 0, 0, 0]
    assert (last.state.to_speak, last.state.legal) == (None, [])


def test_a_step_points_at_its_findings() -> None:
    replay = shown(worked("w2-live"))
    found = [step for step in replay.steps if step.violations]

    assert [(step.event, step.violations) for step in found] == [(8, [0])]
    assert replay.audit.violations[0].code == "opened-at-par"


def test_the_replay_carries_the_same_audit() -> None:
    for path in RULES.glob("*.json"):
        examined = examine_hand(path.read_bytes())
        replay = replay_document(path.read_bytes())
        assert isinstance(examined, ExaminedHand)
        assert isinstance(replay, HandReplay)
        assert replay.audit == audit_document(examined)
