"""Small tables whose every hand can be played: the tree of legal decisions, walked to all its ends.

A node of the tree is a table where something is to be decided, or an end. The cards are fixed; the
deal happens by itself when the carre chain is over.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.acts import CARRE, DEAL, DECLINE, TURN
from engine.options import OptionValue, VyingOptions
from engine.record import VyingRecord
from engine.vying.legality import legal_actions
from engine.vying.opening import post_antes
from engine.vying.replay import apply, begin
from engine.vying.state import NOBODY, SHOWDOWN, SPEAKING, VyingState
from tests.engine.hands import CARDS, SALON, TURNED, cards, table_options
from tests.engine.random_play import copied_state, parts_of, state_names

Move = tuple[int, int, int]
"""An act, its seat and the chips that it adds."""

NOT_THE_TABLE = {"options", "violations", "event"}


@dataclass(frozen=True)
class SmallTable:
    """A hand before its first decision."""

    stacks: tuple[int, ...]
    options: VyingOptions
    dealer: int
    carried: int = 0
    dealt: tuple[str, ...] = CARDS
    turned: str = TURNED


def small_table(
    stacks: Sequence[int],
    *,
    dealer: int = -1,
    carried: int = 0,
    dealt: Sequence[str] = CARDS,
    turned: str = TURNED,
    table: Mapping[str, OptionValue] | None = None,
    **overrides: OptionValue,
) -> SmallTable:
    """A table of the salon but for the options given; the dealer sits last unless told."""
    players = len(stacks)
    values = {"deck": "AKQJ98", **(table or {})}
    return SmallTable(
        tuple(stacks),
        table_options(SALON, values, **overrides),
        dealer % players,
        carried,
        tuple(dealt[:players]),
        turned,
    )


def empty_record(table: SmallTable) -> VyingRecord:
    """A record without events."""
    return VyingRecord(
        options=table.options,
        min_players=2,
        max_players=5,
        dealer=table.dealer,
        carried=table.carried,
        stacks=list(table.stacks),
        rebuys=[0] * len(table.stacks),
        acts=[],
        seats=[],
        adds=[],
        cards=[],
        declared=None,
    )


def record_of(table: SmallTable, moves: Sequence[Move]) -> VyingRecord:
    """The record of a hand that was played at the table; the deal follows the last carre."""
    record = empty_record(table)
    before_the_deal = [move for move in moves if move[0] in (CARRE, DECLINE)]
    for act, seat, add in before_the_deal:
        write(record, act, seat, add, [])
    for act, seat, held in _deal_events(table):
        write(record, act, seat, 0, held)
    for act, seat, add in moves[len(before_the_deal) :]:
        write(record, act, seat, add, [])
    return record


def write(record: VyingRecord, act: int, seat: int, add: int, held: list[int]) -> None:
    """Adds an event to a record."""
    record.acts.append(act)
    record.seats.append(seat)
    record.adds.append(add)
    record.cards.append(held)


def table_with_antes(table: SmallTable) -> VyingState:
    """The table when the antes are posted."""
    state = begin(empty_record(table))
    post_antes(state)
    return state


def start(table: SmallTable) -> VyingState:
    """The table at its first decision."""
    state = table_with_antes(table)
    _deal_if_due(table, state)
    return state


def moves_at(state: VyingState) -> list[Move]:
    """Every legal decision with every amount; none at an end."""
    if state.stage >= SHOWDOWN:
        return []
    moves = []
    for action in legal_actions(state):
        if action.act in (DEAL, TURN):
            continue
        if action.least < 0:
            moves.append((action.act, action.seat, 0))
        moves += [
            (action.act, action.seat, add)
            for add in range(max(0, action.least), action.most + 1)
            if action.least >= 0
        ]
    return moves


def after(table: SmallTable, state: VyingState, move: Move) -> VyingState:
    """The table after a decision, as a state of its own."""
    reached = copied_state(state)
    apply(reached, *move, [])
    _deal_if_due(table, reached)
    return reached


def key_of(state: VyingState) -> tuple[object, ...]:
    """All that the table is, to be compared."""
    return tuple(
        tuple(part) if isinstance(part, list) else part
        for name, part in zip(state_names(), parts_of(state), strict=True)
        if name not in NOT_THE_TABLE
    )


def way_it_ended(state: VyingState) -> str:
    """How a hand that is over came to its end."""
    if state.stage == SHOWDOWN:
        return "showdown"
    if state.winner == NOBODY:
        return "carried"
    return "carrer" if state.passed_out else "uncontested"


def every_line(table: SmallTable) -> Iterator[tuple[list[Move], VyingState]]:
    """Every node of the tree with the decisions that lead to it, the first decision first."""
    waiting: list[tuple[list[Move], VyingState]] = [([], start(table))]
    while waiting:
        line, state = waiting.pop()
        yield line, state
        waiting += [([*line, move], after(table, state, move)) for move in moves_at(state)]


def every_state(table: SmallTable) -> Iterator[tuple[VyingState, dict[Move, VyingState]]]:
    """Every distinct table that can be reached, once, with the tables that decisions make of it."""
    first = start(table)
    waiting = [first]
    seen = {key_of(first)}
    while waiting:
        state = waiting.pop()
        branches = {move: after(table, state, move) for move in moves_at(state)}
        yield state, branches
        for reached in branches.values():
            key = key_of(reached)
            if key not in seen:
                seen.add(key)
                waiting.append(reached)


@dataclass
class Count:
    """The size of a tree: nodes by depth, and ends by depth for each way of ending."""

    nodes: list[int] = field(default_factory=list)
    ends: dict[str, list[int]] = field(default_factory=dict)

    def ending(self) -> int:
        return sum(sum(by_depth) for by_depth in self.ends.values())


def one_end(way: str) -> Count:
    """The tree that is an end."""
    return Count([1], {way: [1]})


def below(branches: Sequence[Count]) -> Count:
    """The tree of a decision between branches."""
    whole = Count([1])
    for branch in branches:
        _add(whole.nodes, branch.nodes)
        for way, by_depth in branch.ends.items():
            _add(whole.ends.setdefault(way, []), by_depth)
    return whole


def engine_count(table: SmallTable) -> Count:
    """The size of the tree by the engine. Tables that are equal have equal trees below them."""
    counts: dict[tuple[object, ...], Count] = {}

    def count(state: VyingState) -> Count:
        key = key_of(state)
        if key not in counts:
            moves = moves_at(state)
            branches = [count(after(table, state, move)) for move in moves]
            counts[key] = below(branches) if moves else one_end(way_it_ended(state))
        return counts[key]

    return count(start(table))


def _add(sums: list[int], by_depth: Sequence[int]) -> None:
    """Adds a branch, which lies one deeper."""
    sums += [0] * (len(by_depth) + 1 - len(sums))
    for depth, number in enumerate(by_depth):
        sums[depth + 1] += number


def _deal_if_due(table: SmallTable, state: VyingState) -> None:
    if state.stage < SPEAKING and state.carre_seat == NOBODY:
        for act, seat, held in _deal_events(table):
            apply(state, act, seat, 0, held)


def _deal_events(table: SmallTable) -> list[tuple[int, int, list[int]]]:
    deals = [(DEAL, seat, cards(held)) for seat, held in enumerate(table.dealt)]
    return [*deals, (TURN, NOBODY, cards(table.turned))]
