"""The worked vying hands of the rules page, whole, with the results computed by hand."""

import json
from pathlib import Path

import pytest

from engine.result import Outcome
from schemas.audit import ExaminedHand, examine_hand

FOLDER = Path(__file__).parent
HANDS = ["w0-anna-folds", "w0-anna-stays", "w1", "w2-any-shown", "w2-live", "w3"]


def examined(name: str) -> ExaminedHand:
    hand = examine_hand((FOLDER / f"{name}.json").read_bytes())
    assert isinstance(hand, ExaminedHand)
    return hand


def outcome_of(name: str) -> Outcome:
    outcome = examined(name).replay.outcome
    assert isinstance(outcome, Outcome)
    return outcome


@pytest.mark.parametrize("name", HANDS)
def test_a_worked_hand_comes_out_as_it_was_declared(name: str) -> None:
    declared = json.loads((FOLDER / f"{name}.json").read_bytes())["declared"]
    outcome = outcome_of(name)
    assert outcome.premiums is not None

    assert examined(name).replay.verdict == "legal"
    assert outcome.showdown
    assert [
        {"amount": pot.amount, "winners": {str(k): v for k, v in (pot.winners or {}).items()}}
        for pot in outcome.pots
    ] == declared["pots"]
    assert {str(k): v for k, v in enumerate(outcome.premiums)} == declared["premiums"]
    assert outcome.stacks == declared["stacks"]
    assert outcome.carried == declared["carried"]


@pytest.mark.parametrize("name", [name for name in HANDS if not name.startswith("w2")])
def test_nothing_is_found_in_them(name: str) -> None:
    assert examined(name).replay.violations == []


@pytest.mark.parametrize("name", ["w2-any-shown", "w2-live"])
def test_the_opening_at_par_of_w2_is_all_that_is_found(name: str) -> None:
    (found,) = examined(name).replay.violations

    assert (found.code, found.severity, found.pointer) == (
        "opened-at-par",
        "warning",
        "/events/8/add",
    )
    assert found.seat == 3


def test_hearts_and_diamonds_tie_in_w0_and_the_turn_order_decides() -> None:
    folded = outcome_of("w0-anna-folds")
    stayed = outcome_of("w0-anna-stays")

    assert folded.points == stayed.points == [28, 39, 39, 21]  # c d h s
    assert folded.owners is not None
    assert folded.owners[1:3] == [2, 1]  # Carla's diamonds, Ben's hearts: Ben is nearer
    assert stayed.owners is not None
    assert stayed.owners[1:3] == [0, 1]  # Anna's ace of diamonds is nearer still
    assert (folded.pots[0].by, folded.pots[0].suit) == ("point", 2)
    assert (stayed.pots[0].by, stayed.pots[0].suit) == ("point", 1)


def test_nobody_in_the_side_pot_of_w1_owns_spades_so_hearts_decide() -> None:
    outcome = outcome_of("w1")

    assert outcome.points == [18, 30, 39, 40]
    assert [(pot.eligible, pot.by, pot.suit) for pot in outcome.pots] == [
        ([1, 2, 3], "point", 3),
        ([1, 3], "point", 2),
    ]
    assert outcome.contributions == [15, 30, 12, 30]
    assert outcome.folded == [True, False, False, False]
    assert outcome.all_in == [False, False, True, False]


def test_the_brelan_carre_wins_w2_and_w3() -> None:
    for name in ("w2-any-shown", "w2-live", "w3"):
        (pot,) = outcome_of(name).pots
        assert pot.by == "brelan-carre"


def test_the_premiums_of_w2_are_waived_between_holders() -> None:
    shown = [(p.holder, p.payer, p.amount) for p in outcome_of("w2-any-shown").payments]
    live = [(p.holder, p.payer, p.amount) for p in outcome_of("w2-live").payments]

    assert shown == [(1, 0, 2), (3, 0, 1), (2, 0, 1)]  # carré, kings, queens
    assert live == [(1, 0, 2), (1, 2, 2), (3, 0, 1), (3, 2, 1)]


def test_the_premiums_of_w3_stay_out_of_the_stacks() -> None:
    outcome = outcome_of("w3")

    assert outcome.premium_account == "ledger"
    assert sum(outcome.stacks or []) == 400
