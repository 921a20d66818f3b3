"""From the hand document to the engine's record, and what names nothing that the engine knows."""

import json
from typing import Any

import pytest

from engine.acts import CALL, CARRE, DEAL, DECLINE, FOREIGN, OPEN, SHOW, TURN
from engine.cards import CARD_NUMBERS, UNKNOWN
from engine.record import VyingRecord
from schemas.decode import DecodedHand, decode_hand
from schemas.errors import UnreadableHand
from schemas.record import to_record


def document(**changes: object) -> dict[str, Any]:
    hand: dict[str, Any] = {
        "format": "retourne/1.0",
        "id": {"source": "tests", "table": "T1", "hand": "1"},
        "rules": {"preset": "bouillotte/salon"},
        "seats": [
            {"player": "Anna", "stack": 100},
            {"player": "Ben", "stack": 80},
            {"player": "Carla", "stack": 100, "rebuy": 100},
        ],
        "dealer": 2,
        "events": [],
    }
    return {**hand, **changes}


def read(hand: dict[str, Any]) -> object:
    decoded = decode_hand(json.dumps(hand).encode())
    assert isinstance(decoded, DecodedHand), decoded
    return to_record(decoded.hand)


def record(**changes: object) -> VyingRecord:
    made = read(document(**changes))
    assert isinstance(made, VyingRecord), made
    return made


def refusal(**changes: object) -> UnreadableHand:
    made = read(document(**changes))
    assert isinstance(made, UnreadableHand)
    return made


def test_the_table_as_it_begins() -> None:
    made = record(carried=7)

    assert (made.stacks, made.rebuys) == ([100, 80, 100], [0, 0, 100])
    assert (made.dealer, made.carried) == (2, 7)
    assert (made.min_players, made.max_players) == (3, 5)
    assert made.declared is None


def test_what_is_left_out_is_nothing() -> None:
    assert (record().carried, record().acts) == (0, [])


def test_events_run_parallel() -> None:
    made = record(
        events=[
            {"do": "carre", "seat": 0, "add": 4},
            {"do": "decline", "seat": 1},
            {"do": "deal", "seat": 1, "cards": ["Ah", "??", "8c"]},
            {"do": "turn", "card": "9s"},
            {"do": "open", "seat": 1, "add": 5, "at": 1200},
            {"do": "call", "seat": 2, "add": 0},
            {"do": "show", "seat": 1, "cards": ["Ah", "Kd", "8c"]},
        ]
    )

    assert made.acts == [CARRE, DECLINE, DEAL, TURN, OPEN, CALL, SHOW]
    assert made.seats == [0, 1, 1, -1, 1, 2, 1]
    assert made.adds == [4, 0, 0, 0, 5, 0, 0]
    assert made.cards == [
        [],
        [],
        [CARD_NUMBERS["Ah"], UNKNOWN, CARD_NUMBERS["8c"]],
        [CARD_NUMBERS["9s"]],
        [],
        [],
        [CARD_NUMBERS["Ah"], CARD_NUMBERS["Kd"], CARD_NUMBERS["8c"]],
    ]


@pytest.mark.parametrize(
    "event",
    [
        {"do": "stay", "seat": 0},
        {"do": "out", "seat": 0},
        {"do": "draw", "seat": 0, "discards": [], "received": []},
        {"do": "play", "seat": 0, "card": "Ah"},
        {"do": "renege", "seat": 0},
    ],
)
def test_an_act_of_bourre_is_foreign(event: dict[str, object]) -> None:
    made = record(events=[event])

    assert (made.acts, made.seats, made.adds, made.cards) == ([FOREIGN], [0], [0], [[]])


def test_every_card_has_its_number() -> None:
    cards = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    made = record(events=[{"do": "turn", "card": card} for card in cards])

    assert [held for (held,) in made.cards] == list(range(52))


def test_options_are_laid_over_the_preset() -> None:
    rules = {
        "preset": "bouillotte/historico",
        "options": {"ante": 2, "no-more": False, "favori": "best"},
    }
    made = record(rules=rules)

    assert (made.options.ante, made.options.no_more, made.options.favori) == (2, False, "best")
    assert made.options.premium_account == "ledger"
    assert made.min_players == 4


def test_every_part_that_is_declared_and_no_other() -> None:
    declared = record(
        declared={"pots": [{"amount": 9, "winners": {"1": 9}}], "premiums": {"0": -1, "2": 1}}
    ).declared

    assert declared is not None
    assert declared.pots == [(9, {1: 9})]
    assert declared.premiums == {0: -1, 2: 1}
    assert (declared.stacks, declared.carried) == (None, None)


def test_an_unknown_preset() -> None:
    made = refusal(rules={"preset": "bouillotte/saloon"})

    assert (made.code, made.pointer) == ("unknown-preset", "/rules/preset")
    assert made.seen == "bouillotte/saloon"
    assert "bouillotte/salon" in made.expected


@pytest.mark.parametrize(
    ("options", "pointer", "seen"),
    [
        ({"antes": 1}, "/rules/options/antes", "antes"),
        ({"carre": "twice"}, "/rules/options/carre", "'twice'"),
        ({"no-more": 1}, "/rules/options/no-more", "1"),
        ({"a/b~c": 1}, "/rules/options/a~1b~0c", "a/b~c"),
    ],
)
def test_an_unknown_option_or_value(options: dict[str, object], pointer: str, seen: str) -> None:
    made = refusal(rules={"preset": "bouillotte/salon", "options": options})

    assert (made.code, made.pointer, made.seen) == ("unknown-option", pointer, seen)


def test_a_dealer_who_does_not_sit_at_the_table() -> None:
    made = refusal(dealer=3)

    assert (made.code, made.pointer) == ("out-of-range", "/dealer")
    assert (made.expected, made.seen) == ("a seat from 0 to 2", "3")


@pytest.mark.parametrize(
    ("event", "pointer", "seen"),
    [
        ({"do": "deal", "seat": 0, "cards": ["Ah", "1h", "8c"]}, "/events/1/cards/1", "1h"),
        ({"do": "show", "seat": 0, "cards": ["ah"]}, "/events/1/cards/0", "ah"),
        ({"do": "turn", "card": "10s"}, "/events/1/card", "10s"),
        ({"do": "turn", "card": ""}, "/events/1/card", ""),
    ],
)
def test_an_unknown_card(event: dict[str, object], pointer: str, seen: str) -> None:
    made = refusal(events=[{"do": "decline", "seat": 0}, event])

    assert (made.code, made.pointer, made.seen) == ("unknown-card", pointer, seen)
