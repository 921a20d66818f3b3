"""One field changed in a legal hand with everything declared: found, or the same hand still.

Every class of harmless change is a function here, with the reason why nothing could find it.
"""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.acts import (
    ACT_NAMES,
    ANTE,
    CALL,
    CARRE,
    DEAL,
    DECLINE,
    FOLD,
    FOREIGN,
    OPEN,
    RAISE,
    SHOW,
    TURN,
)
from engine.cards import CARD_NAMES, UNKNOWN
from engine.record import DeclaredOutcome, VyingRecord
from engine.result import Outcome
from engine.violations import WARNING
from engine.vying.replay import replay_vying
from engine.vying.state import NOBODY
from tests.engine.hands import hand
from tests.engine.random_play import copied, declare, facts, outcome_of, play, state_after

SEEDS = st.integers(0, 2**40)
ADDING = (ANTE, CARRE, OPEN, CALL, RAISE)
some = settings(max_examples=50, deadline=None, derandomize=True)


def whole_hand(seed: int) -> VyingRecord:
    record = play(dice(seed)).record
    record.declared = declare(record)
    assert replay_vying(record).verdict == "legal"
    return record


def dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 -- a repeatable game, no secret


def found(record: VyingRecord) -> bool:
    """Whether the audit objects: to an act, to the declared result, or to what it cannot check."""
    return any(violation.severity != WARNING for violation in replay_vying(record).violations)


def outcome(record: VyingRecord) -> Outcome:
    return outcome_of(replay_vying(record))


# Amounts


@some
@given(SEEDS)
def test_a_changed_amount_is_found_unless_nobody_called_the_difference(seed: int) -> None:
    record = whole_hand(seed)
    for index, act in enumerate(record.acts):
        if act not in ADDING:
            continue
        for delta in (-1, 1, -record.adds[index], 1000):
            changed = copied(record)
            changed.adds[index] += delta
            if delta == 0 or changed.adds[index] < 0:
                continue
            assert found(changed) or only_uncalled(record, changed, index), (index, delta)


def only_uncalled(record: VyingRecord, changed: VyingRecord, index: int) -> bool:
    """Every act is legal still, and the other amount is in chips that nobody called.

    They return to their owner (V10), so all other chips lie the same.
    """
    before, after = outcome(record), outcome(changed)
    returned = before.returned.copy()
    returned[record.seats[index]] += changed.adds[index] - record.adds[index]
    return (
        record.acts[index] in (OPEN, RAISE)
        and after.returned == returned
        and after.contributions == before.contributions
    )


@pytest.mark.parametrize("opening", [4, 5, 98])
def test_an_opening_that_all_fold_to_could_have_been_another(opening: int) -> None:
    record = hand("A decline | A open 9, B fold, C fold, D fold")
    changed = hand(f"A decline | A open {opening}, B fold, C fold, D fold")
    record.declared = changed.declared = declare(record)

    assert not found(changed)


# Seats, acts, dealer


@some
@given(SEEDS)
def test_a_changed_seat_is_found(seed: int) -> None:
    record = whole_hand(seed)
    for index, act in enumerate(record.acts):
        if act == TURN:
            continue
        for seat in range(len(record.stacks) + 1):
            if seat == record.seats[index]:
                continue
            changed = copied(record)
            changed.seats[index] = seat
            assert found(changed), (index, ACT_NAMES[act], seat)


@some
@given(SEEDS)
def test_a_changed_act_is_found(seed: int) -> None:
    record = whole_hand(seed)
    for index, act in enumerate(record.acts):
        for other in range(FOREIGN + 1):
            if other == act or TURN in (act, other):
                continue
            changed = copied(record)
            changed.acts[index] = other
            if other not in ADDING:
                changed.adds[index] = 0
            if found(changed):
                continue
            assert need_not_be_written(record, changed, index) or folds_or_stays_for_nothing(
                record, changed, index
            ), (index, ACT_NAMES[act], ACT_NAMES[other])


def need_not_be_written(record: VyingRecord, changed: VyingRecord, index: int) -> bool:
    """One event that need not be written became another.

    The rules imply antes and refusals; a deal is not missed where a show repeats it or where no
    cards are shown (V14).
    """
    implied = [ANTE, DECLINE]
    if SHOW in record.acts or not outcome(record).showdown:
        implied.append(DEAL)
    return record.acts[index] in implied and changed.acts[index] in (ANTE, DECLINE)


def folds_or_stays_for_nothing(record: VyingRecord, changed: VyingRecord, index: int) -> bool:
    """A seat that wins nothing folds, or stays in with no chip that anybody calls."""
    return FOLD in (record.acts[index], changed.acts[index]) and facts_of_chips(
        outcome(record)
    ) == facts_of_chips(outcome(changed))


@some
@given(SEEDS)
def test_another_dealer_is_found(seed: int) -> None:
    record = whole_hand(seed)
    for dealer in range(len(record.stacks)):
        changed = copied(record)
        changed.dealer = dealer
        if dealer != record.dealer:
            assert found(changed) or nobody_between_speaks(record, changed), dealer


def nobody_between_speaks(record: VyingRecord, changed: VyingRecord) -> bool:
    """Between the two dealers all are all-in by their antes, and the dealer's extra is uncalled.

    Then the same seat speaks first, as long as nobody was asked for a carre.
    """
    state = state_after(record, 0)
    if CARRE in record.acts or DECLINE in record.acts:
        return False

    def first_to_speak(dealer: int) -> int:
        players = len(record.stacks)
        turns = [(dealer + 1 + place) % players for place in range(players)]
        return next((seat for seat in turns if state.stacks[seat]), NOBODY)

    return first_to_speak(record.dealer) == first_to_speak(changed.dealer) and facts_of_chips(
        outcome(record)
    ) == facts_of_chips(outcome(changed))


# Chips before the hand


@some
@given(SEEDS)
def test_another_stack_is_found(seed: int) -> None:
    record = whole_hand(seed)
    for seat, stack in enumerate(record.stacks):
        for other in {0, stack - 1, stack + 1, stack + 1000} - {stack}:
            changed = copied(record)
            changed.stacks[seat] = other
            assert found(changed), (seat, other)


@some
@given(SEEDS)
def test_another_carried_pot_is_found(seed: int) -> None:
    record = whole_hand(seed)
    for carried in {0, 1, record.carried + 1, record.carried + 100} - {record.carried}:
        changed = copied(record)
        changed.carried = carried
        assert found(changed), carried


@some
@given(SEEDS)
def test_a_rebuy_is_found_unless_it_is_the_whole_stack(seed: int) -> None:
    # Whether a full cave was bought just now shows only in the hand before
    record = whole_hand(seed)
    cave = record.options.rebuy
    for seat, stack in enumerate(record.stacks):
        for rebuy in (1, cave - 1, cave, cave + 1):
            changed = copied(record)
            changed.rebuys[seat] = rebuy
            assert found(changed) == (rebuy != cave or stack != cave), (seat, rebuy)


# Cards


@some
@given(SEEDS)
def test_a_changed_card_is_found_unless_nothing_else_tells_of_it(seed: int) -> None:
    rng = dice(seed)
    record = whole_hand(seed)
    for index, act in enumerate(record.acts):
        for place in range(len(record.cards[index])):
            for card in (*rng.sample(range(len(CARD_NAMES)), 6), UNKNOWN):
                if card == record.cards[index][place]:
                    continue
                changed = copied(record)
                changed.cards[index][place] = card
                if act == TURN or SHOW not in record.acts:
                    harmless = another_deal_with_the_same_result(record, changed)
                else:
                    harmless = card == UNKNOWN  # the deal or the show has it still
                assert found(changed) or harmless, (index, place, card)


def another_deal_with_the_same_result(record: VyingRecord, changed: VyingRecord) -> bool:
    """A card that is written once, replaced by another that was free.

    Only the result could tell: no showdown asks for it (V14), or it decides the same.
    """
    table = [
        card
        for act, held in zip(changed.acts, changed.cards, strict=True)
        for card in held
        if act != SHOW and card != UNKNOWN
    ]
    by_count = {3: "AK98", 4: "AKQ98", 5: "AKQJ98"}[len(record.stacks)]
    ranks = by_count if record.options.deck == "by-count" else record.options.deck
    if len(set(table)) != len(table) or not all(CARD_NAMES[card][0] in ranks for card in table):
        return False
    before, after = outcome(record), outcome(changed)
    return facts_of_chips(after) == facts_of_chips(before)


def facts_of_chips(settled: Outcome) -> object:
    return facts(
        [
            [[pot.amount, pot.winners] for pot in settled.pots],
            settled.premiums,
            settled.stacks,
            settled.carried,
        ]
    )


# What is declared


def other_declarations(declared: DeclaredOutcome) -> Iterator[DeclaredOutcome]:
    """The declaration with any one number, winner or pot changed."""
    assert declared.pots is not None
    assert declared.premiums is not None
    assert declared.stacks is not None
    assert declared.carried is not None
    for index, (amount, winners) in enumerate(declared.pots):
        for pot in [
            (amount + 1, winners),
            (amount, {seat: chips - 1 for seat, chips in winners.items()}),
            (amount, {seat + 1: chips for seat, chips in winners.items()}),
            (amount, {**winners, 7: 0}),
            (amount, {}),
        ]:
            pots = [*declared.pots[:index], pot, *declared.pots[index + 1 :]]
            yield DeclaredOutcome(pots, declared.premiums, declared.stacks, declared.carried)
    for pots in [[*declared.pots, (0, {})], declared.pots[1:]]:
        if pots != declared.pots:
            yield DeclaredOutcome(pots, None, None, None)
    for seat in declared.premiums:
        for delta in (-1, 1):
            premiums = {**declared.premiums, seat: declared.premiums[seat] + delta}
            yield DeclaredOutcome(declared.pots, premiums, declared.stacks, declared.carried)
    yield DeclaredOutcome(None, {7: 0}, None, None)
    for seat, stack in enumerate(declared.stacks):
        for other in {0, stack + 1} - {stack}:
            stacks = [*declared.stacks[:seat], other, *declared.stacks[seat + 1 :]]
            yield DeclaredOutcome(declared.pots, declared.premiums, stacks, declared.carried)
    yield DeclaredOutcome(None, None, declared.stacks[:-1], None)
    yield DeclaredOutcome(None, None, [*declared.stacks, 0], None)
    yield DeclaredOutcome(None, None, None, declared.carried + 1)


@some
@given(SEEDS)
def test_any_other_declaration_is_found(seed: int) -> None:
    record = whole_hand(seed)
    assert record.declared is not None
    for declared in other_declarations(record.declared):
        changed = copied(record)
        changed.declared = declared
        assert found(changed), facts(declared)


@some
@given(SEEDS)
def test_a_part_that_is_not_declared_is_not_missed(seed: int) -> None:
    record = whole_hand(seed)
    declared = record.declared
    assert declared is not None
    for part in ("pots", "premiums", "stacks", "carried"):
        changed = copied(record)
        changed.declared = DeclaredOutcome(
            declared.pots, declared.premiums, declared.stacks, declared.carried
        )
        setattr(changed.declared, part, None)
        assert not found(changed)
