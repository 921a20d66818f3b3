"""Whole sessions played at random audit clean; change one value that chains, and it is found."""

import copy
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schemas.sessions import HISTORICO, SALON, Document, audit_of, codes, generated

PRESETS = st.sampled_from([HISTORICO, SALON])
SEEDS = st.integers(0, 10**9)
BLOCKS = [0, 1, *(pytest.param(block, marks=pytest.mark.proof) for block in range(2, 10))]

Change = Callable[[Document, int], object]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_hundred_sessions_audit_clean(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        audit = audit_of(generated(seed))
        assert codes(audit) == []
        assert audit.verdict == "legal"
        results = [Fraction(one.ours.result.exact) for one in audit.standings if one.ours]
        assert sum(results) == 0
        for hand in audit.hands:
            assert hand.stacks is not None
            assert hand.carried is not None
            held = sum(hand.stacks.values()) + hand.carried + sum(hand.ledger.values())
            assert held == sum(hand.bought.values())


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_a_long_session_with_premiums_from_stacks_audits_clean(seed: int) -> None:
    assert codes(audit_of(generated(seed, SALON))) == []


def stack(document: Document, index: int) -> None:
    document["hands"][index]["seats"][0]["stack"] += 1


def dealer(document: Document, index: int) -> None:
    hand = document["hands"][index]
    hand["dealer"] = (hand["dealer"] + 1) % len(hand["seats"])


def carried(document: Document, index: int) -> None:
    document["hands"][index]["carried"] = document["hands"][index].get("carried", 0) + 1


def rebuy(document: Document, index: int) -> None:
    seat = document["hands"][index]["seats"][-1]
    seat["rebuy"] = seat.get("rebuy", 0) + 1


def seats(document: Document, index: int) -> None:
    hand = document["hands"][index]
    hand["seats"][0], hand["seats"][1] = hand["seats"][1], hand["seats"][0]


def rules(document: Document, index: int) -> None:
    document["hands"][index]["rules"]["options"] = {"favori": "best"}


def name(document: Document, index: int) -> None:
    document["hands"][index]["seats"][0]["player"] = "somebody else"


@settings(max_examples=150, deadline=None)
@given(
    seed=SEEDS,
    preset=PRESETS,
    index=st.integers(1, 11),
    change=st.sampled_from([stack, dealer, carried, rebuy, seats, rules, name]),
)
def test_a_value_that_does_not_follow_is_found_at_its_hand(
    seed: int, preset: str, index: int, change: Change
) -> None:
    document = generated(seed, preset)
    change(document, index)
    audit = audit_of(document)
    assert audit.verdict == "illegal"
    grave = [found.hand for found in audit.findings if found.severity != "warning"]
    at_hand = audit.hands[index].verdict == "illegal" or index + 1 in grave
    assert at_hand
    assert grave
    assert min(number for number in grave if number is not None) == index + 1


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, index=st.integers(0, 10), place=st.integers(0, 11))
def test_hands_that_are_lost_repeated_or_moved_are_found_by_number(
    seed: int, index: int, place: int
) -> None:
    whole = generated(seed)
    lost = copy.deepcopy(whole)
    del lost["hands"][index]
    assert ("hand-missing", index + 1, None) in codes(audit_of(lost))
    repeated = copy.deepcopy(whole)
    repeated["hands"].append(repeated["hands"][index])
    assert codes(audit_of(repeated)) == [("hand-repeated", index + 1, None)]
    moved = copy.deepcopy(whole)
    moved["hands"].insert(place, moved["hands"].pop(index))
    found = {code for code, _, _ in codes(audit_of(moved))}
    assert found == (set() if place == index else {"hand-misplaced"})


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, data=st.data())
def test_a_declared_value_that_is_not_ours_is_found(seed: int, data: st.DataObject) -> None:
    whole = generated(seed)
    document = copy.deepcopy(whole)
    player = data.draw(st.integers(0, 3))
    part = data.draw(st.sampled_from(["stack", "ledger", "bought", "position", "result", "share"]))
    standing = document["standings"][player]
    if part in ("result", "share"):
        standing[part] = str(Fraction(standing[part]) + Fraction(1, 4))
    else:
        standing[part] += 1
    (found,) = audit_of(document).findings
    assert found.player == standing["player"]
    assert found.pointer == f"/standings/{player}/{part}"
    point = data.draw(st.integers(0, 11))
    document = copy.deepcopy(whole)
    document["ledger"][point]["balances"][standing["player"]] += 1
    assert codes(audit_of(document)) == [("ledger-break", point + 1, standing["player"])]
