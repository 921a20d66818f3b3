"""Every hand that can be played at many small tables, under every option that touches the betting.

What holds is looked at in every table that can be reached, not in a sample of them.
"""

import itertools
from collections.abc import Iterator, Sequence

import pytest

from engine.acts import (
    ANTE,
    CALL,
    CARRE,
    DEAL,
    DECLINE,
    FOLD,
    NO_MORE,
    OPEN,
    PASS,
    RAISE,
    SHOW,
    TURN,
)
from engine.cards import UNKNOWN, cards_in
from engine.options import OptionValue
from engine.record import VyingRecord
from engine.violations import WARNING
from engine.vying.legality import legal_actions
from engine.vying.replay import apply, replay_vying
from engine.vying.settlement import settle
from engine.vying.state import CARRE_STAGE, END, NOBODY, SHOWDOWN, VyingState
from tests.engine.hands import cards
from tests.engine.naive_count import naive_count
from tests.engine.random_play import copied, copied_state
from tests.engine.small_tables import (
    Move,
    SmallTable,
    empty_record,
    engine_count,
    every_line,
    every_state,
    key_of,
    moves_at,
    record_of,
    small_table,
    table_with_antes,
    write,
)

CHIPS = ((2, 2), (4, 3), (2, 5), (5, 3), (3, 3, 3), (2, 4, 3), (5, 1, 3))
"""After both seats have carred, the first of the fourth table could match the pot once more."""

MORE_CHIPS = (
    *((4, 4), (6, 5), (9, 9), (1, 8)),
    *((4, 4, 4), (2, 3, 4), (1, 3, 5), (3, 5, 1), (6, 2, 4), (5, 6, 5)),
    *((3, 2, 4, 3), (1, 5, 2, 3), (4, 4, 4, 4)),
)
BETTING: Sequence[dict[str, OptionValue]] = [
    {"carre": carre, "open-minimum": least, "no-more": no_more, "heads-up-close": close}
    for carre, least, no_more, close in itertools.product(
        ("none", "chain", "first"), (0, 1), (True, False), ("state", "call")
    )
]
"""Every combination of the options of the betting."""

Pots = Sequence[tuple[int, dict[str, OptionValue]]]

POTS: Pots = [
    (0, {"ante": 1, "dealer-extra": 1}),
    (0, {"ante": 0, "dealer-extra": 1}),
    (0, {"ante": 1, "dealer-extra": 0}),
    (0, {"ante": 0, "dealer-extra": 0}),
    (2, {"carry": "dealer"}),
    (2, {"carry": "everyone"}),
]
"""What lies in the pot, and the options that put the rest there."""


def tables(
    chips: Sequence[tuple[int, ...]] = CHIPS,
    betting: Sequence[dict[str, OptionValue]] = BETTING,
    pots: Pots = POTS,
) -> Iterator[SmallTable]:
    """Small tables, the dealer on the last seat of one and on the first of the next."""
    for number, (stacks, options, (carried, pot)) in enumerate(
        itertools.product(chips, betting, pots)
    ):
        dealer = -1 if number % 2 else 0
        yield small_table(stacks, dealer=dealer, carried=carried, table={**options, **pot})


# What holds at every table


def test_every_table_that_can_be_reached_is_whole() -> None:
    reached = 0
    ends = 0
    for table in tables():
        for state, branches in every_state(table):
            reached += 1
            _has_its_chips(table, state)
            if state.stage < SHOWDOWN:
                _goes_on(state, set(branches))
                _keeps_the_turn(state, branches)
            else:
                ends += 1
                assert not branches
                _pays_out_what_went_in(table, state)
    assert reached > 70_000
    assert ends > 35_000


def _has_its_chips(table: SmallTable, state: VyingState) -> None:
    seats = range(len(table.stacks))
    assert {found.code for found in state.violations} <= {"opened-at-par"}
    assert sum(state.stacks) + state.pot == sum(table.stacks) + table.carried
    assert sum(state.contributions) + table.carried == state.pot
    assert min(state.stacks) >= 0
    assert min(state.contributions) >= 0
    assert state.highest == max(state.contributions)
    assert cards_in(state.funded) == [seat for seat in seats if state.stacks[seat]]
    assert state.live_seats == state.live.bit_count() >= 1
    assert not state.pending & ~(state.live & state.funded)


def _goes_on(state: VyingState, moves: set[Move]) -> None:
    """One seat is to speak; it can always refuse, and puts in no more than it has."""
    speaker = state.to_speak()
    assert state.stage == CARRE_STAGE or state.pending >> speaker & 1
    assert {seat for _, seat, _ in moves} == {speaker}
    assert {act for act, _, _ in moves} & {DECLINE, PASS, FOLD, NO_MORE}
    assert all(0 <= add <= state.stacks[speaker] for _, _, add in moves)
    offered = [a for a in legal_actions(state) if a.act not in (DEAL, TURN)]
    assert all(action.least <= action.most for action in offered)


def _keeps_the_turn(state: VyingState, branches: dict[Move, VyingState]) -> None:
    """The next to speak is the first, right of who has spoken, that has something to say."""
    if state.stage == CARRE_STAGE:
        return
    for (_, seat, _), reached in branches.items():
        right_of = [(seat + step) % state.players for step in range(1, state.players + 1)]
        waiting = [other for other in right_of if reached.pending >> other & 1]
        assert reached.to_speak() == (waiting[0] if waiting else NOBODY)


def _pays_out_what_went_in(table: SmallTable, state: VyingState) -> None:
    assert state.pending == 0
    assert (state.stage == SHOWDOWN) == (state.live_seats > 1 and not state.passed_out)
    outcome = settle(copied_state(state))
    assert outcome.stacks is not None
    assert outcome.premiums is not None
    assert outcome.carried is not None
    assert sum(outcome.stacks) + outcome.carried == sum(table.stacks) + table.carried
    assert min(outcome.stacks) >= 0
    assert sum(outcome.premiums) == 0
    paid = sum(pot.amount for pot in outcome.pots) + sum(outcome.returned)
    assert paid + outcome.carried == state.pot
    for pot in outcome.pots:
        assert pot.winners is not None
        assert sum(pot.winners.values()) == pot.amount
        assert set(pot.winners) <= set(pot.eligible) <= set(cards_in(state.live))


# Every hand, from its first decision to its last


def test_every_hand_replays_as_legal() -> None:
    hands = 0
    for table in tables(chips=((2, 2), (3, 4), (3, 2, 3)), pots=POTS[::2]):
        for line, state in every_line(table):
            replay = replay_vying(record_of(table, line))
            over = state.stage >= SHOWDOWN
            codes = {found.code for found in replay.violations}
            assert codes <= ({"opened-at-par"} if over else {"opened-at-par", "hand-incomplete"})
            assert ("hand-incomplete" in codes) != over
            assert (replay.outcome is not None) == over
            hands += over
    assert hands > 3_000


# What is not offered


ALL_ACTS = (ANTE, CARRE, OPEN, CALL, RAISE, PASS, FOLD, NO_MORE, DECLINE, DEAL, SHOW)
ADDING = (ANTE, CARRE, OPEN, CALL, RAISE)


def tries(table: SmallTable, state: VyingState) -> Iterator[Move]:
    """Every act of every seat with every amount up to one more than anybody has."""
    amounts = range(max(*table.stacks, state.pot) + 2)
    for act in ALL_ACTS:
        for seat in range(len(table.stacks)):
            for add in amounts if act in ADDING else (0,):
                yield act, seat, add


def freedoms(table: SmallTable, state: VyingState) -> set[Move]:
    """What a log may write though it is no decision: it follows from the rules already."""
    seats = range(len(table.stacks))
    if state.stage == CARRE_STAGE:  # antes at the head of the log, and cards for a refusal
        antes = {(ANTE, seat, state.contributions[seat]) for seat in seats}
        return {(DEAL, seat, 0) for seat in seats} | (set() if state.begun else antes)
    if state.stage == SHOWDOWN:
        return {(SHOW, seat, 0) for seat in seats}
    if state.stage == END and state.passed_out and state.winner != NOBODY:
        return {(PASS, state.winner, 0)}  # the redundant pass of the last carrer (V5)
    return set()


@pytest.mark.parametrize(
    ("stacks", "pots"),
    [((2, 2), POTS), ((3, 4), POTS[::3]), ((3, 1, 2), POTS[1::4])],
    ids=["even", "uneven", "three"],
)
def test_whatever_is_not_offered_is_reported(stacks: tuple[int, ...], pots: Pots) -> None:
    seen: set[object] = set()
    for table in tables(chips=[stacks], pots=pots):
        for state, _ in every_state(table):
            key = (table.options, key_of(state))
            if key in seen:
                continue
            seen.add(key)
            may_be = {*moves_at(state), *freedoms(table, state)}
            for move in tries(table, state):
                reached = copied_state(state)
                shown = cards_in(state.hands[move[1]]) if move[0] == SHOW else [UNKNOWN] * 3
                apply(reached, *move, shown)
                new = reached.violations[len(state.violations) :]
                grave = [found.code for found in new if found.severity != WARNING]
                warned = state.stage == END and move[0] == SHOW
                assert bool(grave) == (move not in may_be and not warned), (move, grave)


# The log's freedoms


@pytest.mark.parametrize(("carre", "expected"), [("none", 475), ("chain", 1010), ("first", 1010)])
def test_whatever_is_offered_may_be_written(carre: str, expected: int) -> None:
    # Cards dealt in any order, for a refusal, or not at all; hands laid open in any order or not.
    # Two seats are dealt nothing, A, B, AB or BA: 5 ways; so are hands laid open. Level with 3
    # chips each, either seat opens at par, which closes the betting, or takes one of the 7 ways up
    # to a call or a fold: 16 showdowns and 14 folds, and both may pass: 5 · (16 · 5 + 15) = 475.
    # A refusal is written or not, twice 475. After A's carre of 2 seat B passes, opens with 2,
    # which is level, or with 3, and A calls or folds: 5 · (2 · 5 + 2) = 60 more.
    table = small_table((4, 4), ante=1, dealer_extra=0, carre=carre)
    logs = 0
    waiting = [(empty_record(table), table_with_antes(table))]
    for record, state in waiting:
        assert {found.code for found in state.violations} <= {"opened-at-par"}
        for act, seat, add, held in writable(table, record, state):
            longer = copied(record)
            write(longer, act, seat, add, held)
            reached = copied_state(state)
            apply(reached, act, seat, add, held)
            waiting.append((longer, reached))
        if state.stage >= SHOWDOWN:
            logs += 1
            verdict = replay_vying(record).verdict
            all_known = state.known == 0b11 or state.stage == END
            assert verdict == "legal" or (verdict == "unverifiable" and not all_known)
    assert logs == expected


def writable(
    table: SmallTable, record: VyingRecord, state: VyingState
) -> Iterator[tuple[int, int, int, list[int]]]:
    """Every event that is offered, with its cards; a hand is laid open once."""
    for action in legal_actions(state):
        seat = action.seat
        if action.act == SHOW and (SHOW, seat) in zip(record.acts, record.seats, strict=True):
            continue
        held = []
        if action.act in (DEAL, SHOW):
            held = cards(table.dealt[seat])
        elif action.act == TURN:
            held = cards(table.turned)
        for add in range(max(0, action.least), max(0, action.most) + 1):
            yield action.act, seat, add, held


# The engine against the naive betting


@pytest.mark.parametrize(
    ("chips", "least_hands"),
    [
        (CHIPS, 120_000),
        pytest.param(MORE_CHIPS, 2_000_000, marks=[pytest.mark.proof, pytest.mark.timeout(1800)]),
    ],
    ids=["some", "more"],
)
def test_the_engine_and_the_naive_betting_grow_the_same_trees(
    chips: Sequence[tuple[int, ...]], least_hands: int
) -> None:
    hands = 0
    for table in tables(chips):
        count = engine_count(table)
        assert count == naive_count(table), table
        assert len(count.nodes) <= most_decisions(table)
        hands += count.ending()
    assert hands > least_hands


def most_decisions(table: SmallTable) -> int:
    """More than any hand can have, so that every hand ends.

    Each seat carres and passes once. An opening or a raise brings a chip more, but for one opening
    at par, and after it each seat answers once and says no more once.
    """
    players = len(table.stacks)
    return 2 * players + 2 * players * (sum(table.stacks) + 1)
