"""Small tables of Bourré whose every hand can be played: the tree of legal decisions to its ends.

A table starts at the declaring, after a whole deal, or in the middle of the play with a few cards
in each hand. The cards that a draw brings come off the pack in a fixed order.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from operator import attrgetter
from typing import Any

from engine.acts import DRAW, PLAY
from engine.bourre.legality import legal_actions
from engine.bourre.options import BourreOptions
from engine.bourre.replay import apply
from engine.bourre.state import (
    DRAWING,
    END,
    HAND_CARDS,
    NO_COUNT,
    PLAYING,
    BourreState,
    Trick,
)
from engine.cards import cards_in
from tests.engine.bourre.hands import cards, hand, table_options
from tests.engine.bourre.random_play import state_after
from tests.engine.random_play import attributes
from tests.engine.small_tables import Count, below, one_end

Move = tuple[int, int, int, tuple[int, ...]]
"""An act, its seat, its count and its cards."""

Look = Callable[[BourreState, dict[Move, BourreState]], None]

NOT_THE_TABLE = {"options", "violations", "event", "notes", "trick"}


def mask(names: str) -> int:
    return sum(1 << card for card in cards(names))


def position(
    hands: Sequence[str],
    options: BourreOptions,
    *,
    trump: int = 3,
    gone: str = "",
    won: Sequence[int] = (),
    stacks: Sequence[int] = (),
) -> BourreState:
    """The play with as many cards to each seat; the first seat leads, spades are trump.

    What is gone and the tricks won so far are as told, whether or not they go together. An empty
    hand is of a seat that is out.
    """
    players = len(hands)
    state = BourreState(options, players - 1, 0, list(stacks or [100] * players))
    for seat in range(players):
        state.stacks[seat] -= 1
        state.contributions[seat] = 1
        state.pot += 1
    state.held = [mask(held) for held in hands]
    size = state.held[0].bit_count()
    state.size = [held.bit_count() for held in state.held]
    state.dealt = (1 << players) - 1
    state.turn_seen = True
    state.begun = True
    state.trump = trump
    state.gone = mask(gone)
    state.placed = state.gone | sum(state.held)
    state.undeclared = 0
    state.stayed = sum(1 << seat for seat in range(players) if state.held[seat])
    state.out = ~state.stayed & (1 << players) - 1
    state.drawn = state.stayed
    state.stage = PLAYING
    state.leader = 0
    state.tricks_played = HAND_CARDS - size
    state.won = list(won or [0] * players)
    return state


def dealt_table(dealt: Sequence[str], turned: str, options: BourreOptions) -> BourreState:
    """The declaring after a whole deal; the dealer sits last."""
    record = hand(dealt=dealt, turned=turned)
    record.options = options
    return state_after(record, len(dealt) + 1)


def moves_at(state: BourreState) -> list[Move]:
    """Every legal decision: each count to announce, each set of discards, each card."""
    moves: list[Move] = []
    for action in legal_actions(state):
        if action.act == PLAY:
            moves += [(PLAY, action.seat, NO_COUNT, (card,)) for card in cards_in(action.cards)]
        elif action.act == DRAW:
            announced = state.counts[action.seat]
            counts = range(action.least, action.most + 1) if announced < 0 else [announced]
            held = cards_in(state.held[action.seat])
            moves += [
                (DRAW, action.seat, NO_COUNT, thrown)
                for count in counts
                for thrown in combinations(held, count)
            ]
        else:
            least, most = (action.least, action.most) if action.least >= 0 else (NO_COUNT, NO_COUNT)
            moves += [(action.act, action.seat, count, ()) for count in range(least, most + 1)]
    return moves


def after(state: BourreState, move: Move) -> BourreState:
    """The table after a decision, as a state of its own; the pack is dealt from its lowest card."""
    act, seat, count, named = move
    reached = copied(state)
    came = unseen(state)[: len(named)] if act == DRAW else []
    apply(reached, act, seat, count, list(named), came)
    return reached


def unseen(state: BourreState) -> list[int]:
    """The cards that lie in the pack."""
    return cards_in(~state.placed & (1 << 52) - 1)


def copied(state: BourreState) -> BourreState:
    """A table of its own in the same state."""
    made = BourreState(state.options, state.dealer, state.carried, state.stacks)
    for name, part in zip(_names(), _parts()(state), strict=True):
        setattr(made, name, part.copy() if isinstance(part, list) else part)
    made.notes = [notes.copy() for notes in state.notes]
    made.trick = Trick()
    made.trick.seats = state.trick.seats.copy()
    made.trick.cards = state.trick.cards.copy()
    made.trick.events = state.trick.events.copy()
    made.trick.winner = state.trick.winner
    return made


def key_of(state: BourreState) -> tuple[object, ...]:
    """All that the table is, to be compared."""
    parts: list[object] = [tuple(state.trick.seats), tuple(state.trick.cards)]
    parts += [
        tuple(part) if isinstance(part, list) else part
        for name, part in zip(_names(), _parts()(state), strict=True)
        if name not in NOT_THE_TABLE
    ]
    return tuple(parts)


def engine_count(first: BourreState, look: Look = lambda _, __: None, *, until: int = END) -> Count:
    """The size of the tree by the engine, to its ends or to where a stage is reached.

    ``look`` sees every distinct table once, with the tables that decisions make of it.
    """
    counts: dict[tuple[object, ...], Count] = {}

    def count(state: BourreState) -> Count:
        key = key_of(state)
        if key not in counts:
            moves = [] if state.stage >= until else moves_at(state)
            branches = {move: after(state, move) for move in moves}
            look(state, branches)
            counts[key] = (
                below([count(reached) for reached in branches.values()])
                if branches
                else one_end(way_it_ended(state))
            )
        return counts[key]

    return count(first)


def way_it_ended(state: BourreState) -> str:
    """The tricks of each seat, or that nothing was played; else the stage that is reached."""
    if state.stage == DRAWING:
        return "drawing"
    if state.stage == PLAYING:
        return "playing"
    return "-".join(str(won) for won in state.won) if state.trick.seats else "unplayed"


@cache
def _names() -> tuple[str, ...]:
    return tuple(attributes(BourreState(table_options(), 0, 0, [1, 1])))


@cache
def _parts() -> Callable[[BourreState], tuple[Any, ...]]:
    return attrgetter(*_names())
