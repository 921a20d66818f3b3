"""Bourré through the documents: read, audited, stepped through, generated and written again."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.acts import DEAL, DRAW, FOREIGN, OUT, PLAY, RENEGE, STAY, TURN
from engine.record import BourreRecord
from schemas import verdict
from schemas.audit import ExaminedHand, audit_document, examine_hand, replay_document
from schemas.decode import DecodedHand, decode_hand
from schemas.errors import UnreadableHand
from schemas.generate import generate_hands
from schemas.record import to_record

W4 = Path(__file__).parents[1] / "rules/w4.json"
LATER = Path(__file__).parents[2] / "schemas/examples/fault-renege-shown-later.json"


def document(**changed: object) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(W4.read_bytes())
    made.update(changed)
    return made


def examined(made: dict[str, Any]) -> ExaminedHand:
    hand = examine_hand(json.dumps(made).encode())
    assert isinstance(hand, ExaminedHand), hand
    return hand


def test_w4_comes_out_as_it_was_computed() -> None:
    audit = audit_document(examined(document()))
    ours = audit.ours

    assert audit.verdict == "legal"
    assert audit.violations == []
    assert isinstance(ours, verdict.BourreOutcome)
    assert ours.tricks == [0, 1, 0, 2, 2]
    assert (ours.stacks, ours.carried) == ([37, 49, 37, 49, 49], 44)
    assert [(part.seat, part.amount, part.by) for part in ours.payments or []] == [
        (0, 12, "bourre"),
        (2, 12, "bourre"),
    ]
    assert msgspec.to_builtins(audit)["ours"]["game"] == "bourre"


def test_every_event_has_its_place_in_the_record() -> None:
    events = [
        {"do": "deal", "seat": 0, "cards": ["Ah", "??", "??", "??", "??"]},
        {"do": "turn", "card": "6s"},
        {"do": "stay", "seat": 0, "count": 2},
        {"do": "stay", "seat": 1},
        {"do": "out", "seat": 2},
        {"do": "draw", "seat": 0, "discards": ["2c", "??"], "received": ["3c", "4c"]},
        {"do": "play", "seat": 0, "card": "2d"},
        {"do": "renege", "seat": 0, "card": "3d"},
        {"do": "renege", "seat": 1},
        {"do": "open", "seat": 0, "add": 3},
    ]
    decoded = decode_hand(json.dumps(document(events=events)).encode())
    assert isinstance(decoded, DecodedHand)
    record = to_record(decoded.hand)
    assert isinstance(record, BourreRecord)

    assert record.acts == [DEAL, TURN, STAY, STAY, OUT, DRAW, PLAY, RENEGE, RENEGE, FOREIGN]
    assert record.seats == [0, -1, 0, 1, 2, 0, 0, 0, 1, 0]
    assert record.adds == [-1, -1, 2, -1, -1, -1, -1, -1, -1, -1]
    assert record.cards[5:9] == [[0, -1], [13], [14], []]
    assert record.received[5] == [1, 2]
    assert record.exempt == [False] * 5


@pytest.mark.parametrize(
    ("event", "pointer"),
    [
        ({"do": "draw", "seat": 0, "discards": ["1c"], "received": ["2c"]}, "discards/0"),
        ({"do": "draw", "seat": 0, "discards": ["2c"], "received": ["2x"]}, "received/0"),
        ({"do": "play", "seat": 0, "card": "10c"}, "card"),
        ({"do": "renege", "seat": 0, "card": "Xs"}, "card"),
    ],
)
def test_an_unknown_card_is_pointed_at(event: dict[str, Any], pointer: str) -> None:
    error = examine_hand(json.dumps(document(events=[event])).encode())
    assert isinstance(error, UnreadableHand)
    assert (error.code, error.pointer) == ("unknown-card", f"/events/0/{pointer}")


def test_an_option_of_another_game_is_refused() -> None:
    rules = {"preset": "bourre/louisiana", "options": {"favori": "best"}}
    error = examine_hand(json.dumps(document(rules=rules)).encode())
    assert isinstance(error, UnreadableHand)
    assert (error.code, error.pointer) == ("unknown-option", "/rules/options/favori")
    assert "maximum-draw" in error.expected


def test_nobody_is_exempt_in_a_vying_game() -> None:
    seats = [{"player": name, "stack": 50, "exempt": name == "B"} for name in "ABC"]
    made = document(rules={"preset": "bouillotte/salon"}, seats=seats, dealer=2)
    error = examine_hand(json.dumps(made).encode())
    assert isinstance(error, UnreadableHand)
    assert (error.code, error.pointer) == ("unknown-value", "/seats/1/exempt")


def test_a_vying_hand_declares_no_tricks() -> None:
    example = LATER.with_name("w1-carre-and-side-pot.json")
    made = json.loads(example.read_bytes())
    made["declared"] = {"tricks": {"0": 1}, "payments": {"0": 0}}
    found = audit_document(examined(made)).violations
    assert [(v.code, v.pointer) for v in found] == [
        ("declared-tricks", "/declared/tricks"),
        ("declared-payments", "/declared/payments"),
    ]
    assert found[0].message["en"] == "Tricks are declared in a game that has none."


def test_a_key_that_comes_twice_is_found_beside_optional_ones() -> None:
    made = document()
    made["events"][6]["count"] = 0
    made["seats"][0]["exempt"] = False
    good = json.dumps(made).encode()
    assert isinstance(examine_hand(good), ExaminedHand)
    error = examine_hand(good.replace(b'"dealer": 4', b'"dealer": 4, "dealer": 3'))
    assert isinstance(error, UnreadableHand)
    assert error.code == "duplicate-key"


def test_the_steps_show_the_tricks() -> None:
    replay = replay_document(W4.read_bytes())
    assert isinstance(replay, verdict.HandReplay)
    step = replay.steps[21]  # P5 has played to the first trick
    play = step.state.play

    assert (step.do, step.seat, step.cards, step.received) == ("play", 4, ["Qc"], None)
    assert play is not None
    assert play.trump == "c"
    assert play.stayed == [True] * 5
    assert [(part.seat, part.card) for part in play.trick] == [
        (0, "6s"),
        (1, "9s"),
        (2, "As"),
        (3, "Tc"),
        (4, "Qc"),
    ]
    assert (play.winner, play.tricks) == (4, [0, 0, 0, 0, 1])
    assert step.state.hands[4] == ["6c", "9c", "5h", "7h"]
    assert step.state.retourne == "6c"
    (action,) = step.state.legal
    assert (action.do, action.seat, action.cards) == ("play", 4, ["6c", "9c", "5h", "7h"])
    draw = replay.steps[12]
    assert (draw.do, draw.cards, draw.received) == ("draw", None, [])
    assert replay.steps[6].state.play is not None
    assert replay.steps[6].state.play.stayed == [None] * 5
    assert (replay.steps[-1].do, replay.steps[-1].state.pot) == ("settle", 44)


def test_a_renege_shown_later_stands_at_its_own_step() -> None:
    replay = replay_document(LATER.read_bytes())
    assert isinstance(replay, verdict.HandReplay)
    (found,) = replay.audit.violations
    assert found.event == 8
    assert [place for place, step in enumerate(replay.steps) if step.violations] == [9]
    assert found.message["de"].startswith("Ben hat nicht bedient")


def test_hidden_cards_are_offered_as_such() -> None:
    replay = replay_document(LATER.read_bytes())
    assert isinstance(replay, verdict.HandReplay)
    (action,) = replay.steps[9].state.legal
    assert (action.seat, action.cards) == (2, ["6s", "??", "??", "??", "??"])


def test_a_pot_that_nobody_takes_is_said_in_words() -> None:
    declared = {"pots": [{"amount": 20, "winners": {"3": 20}}]}
    (found,) = audit_document(examined(document(declared=declared))).violations
    assert found.message["en"] == "The winners of a pot are declared as P4 20; they are nobody."


@pytest.mark.parametrize("preset", ["bourre/louisiana", "bourre/pagat"])
def test_generated_sessions_are_legal_and_go_on(preset: str) -> None:
    hands = list(generate_hands(160, 7, (preset,)))
    before: verdict.BourreOutcome | None = None
    for hand in hands:
        raw = msgspec.json.encode(hand)
        again = decode_hand(raw)
        assert isinstance(again, DecodedHand)
        assert again.hand == hand
        audit = audit_document(examined(json.loads(raw)))
        assert audit.verdict == "legal"
        assert audit.violations == []
        if before is not None and hand.session is not msgspec.UNSET and hand.session.hand_no > 1:
            assert hand.carried == before.carried
            exempt = [place for place, seat in enumerate(hand.seats) if seat.exempt is True]
            assert exempt == before.exempt
        assert isinstance(audit.ours, verdict.BourreOutcome)
        before = audit.ours
