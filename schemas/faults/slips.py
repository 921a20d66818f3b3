"""Faults in the play: one event of a hand is another than the rules allow.

A whole legal hand is played first. Every moment of it is shown to the kind, which says what could
be done wrong there; one of those moments is chosen, the slip is made, and the hand is played on
from there as the engine takes the slip, to a result that is declared truly.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from engine.cards import cards_in
from engine.record import VyingRecord
from engine.styles import STYLES, Style
from engine.vying.opening import post_antes
from engine.vying.play import VyingGame
from engine.vying.replay import apply, begin
from engine.vying.state import VyingState
from schemas import document
from schemas.faults.kinds import Case, Plant, Planted, opened_at_par, rewritten, written
from schemas.record import NUMBERS, VYING_ACTS
from schemas.writing import events_of

SHORT_STACK = 14


@dataclass(frozen=True)
class Moment:
    """The table before an event, the next event's act (−1 at the end), and the chance.

    ``next_seat`` and ``next_cards`` are that event's.
    """

    state: VyingState
    rng: random.Random
    next_act: int
    next_seat: int
    next_cards: list[int]

    def seats(self, mask: int) -> list[int]:
        """The seats of a mask in turn order from the first."""
        return [seat for seat in range(self.state.players) if mask >> seat & 1]

    def unseen(self) -> list[int]:
        """The cards of the deck that lie nowhere on the table."""
        return cards_in(self.state.deck & ~self.state.seen_cards)


@dataclass(frozen=True)
class Slip:
    """The event that is wrong, and the field of it that the finding points at.

    ``before`` are legal events that it needs before it. ``added`` is whether it stands between the
    events of the hand; otherwise it stands in the place of one.
    """

    event: document.AnyEvent
    field: str
    added: bool = False
    before: Sequence[document.AnyEvent] = ()
    without_seat: bool = False


Find = Callable[[Moment], Slip | None]


def slip(find: Find, *, styles: Sequence[str] = (), short: bool = False) -> Plant:
    """A kind's way of planting by what ``find`` says can be done wrong at a moment.

    The hand is played by players of the ``styles``, of all if none is named; where ``short``, some
    have few chips.
    """
    named = styles or tuple(STYLES)

    def plant(case: Case) -> Planted | None:
        if not isinstance(case.record, VyingRecord):
            return None
        rng = case.rng
        at_table = [STYLES[rng.choice(named)] for _ in case.record.stacks]
        record = _restaged(case.record, rng, short=short)
        VyingGame(record, at_table, rng).play_on()
        found = _moments(record, find, rng)
        if not found:
            return None
        index, made = rng.choice(found)
        return _played_on(case, record, index, made, at_table)

    return plant


def engine_event(event: document.AnyEvent) -> tuple[int, int, int, list[int]]:
    """An event as the engine's act, seat, add and cards; a seat of −1 is none."""
    act = VYING_ACTS[type(event)]
    cards = [NUMBERS[card] for card in getattr(event, "cards", [])]
    if isinstance(event, document.Turn):
        return act, -1, 0, [NUMBERS[event.card]]
    return act, event.seat, getattr(event, "add", 0), cards


def _restaged(record: VyingRecord, rng: random.Random, *, short: bool) -> VyingRecord:
    """The table before the first event; where ``short``, some have few chips left."""
    stacks = record.stacks.copy()
    rebuys = record.rebuys.copy()
    for seat in range(len(stacks)):
        if short and rng.random() < 0.6:
            stacks[seat] = rng.randint(1, SHORT_STACK)
            rebuys[seat] = 0
    return VyingRecord(
        record.options,
        record.min_players,
        record.max_players,
        record.dealer,
        record.carried,
        stacks,
        rebuys,
        [],
        [],
        [],
        [],
        None,
    )


def _moments(record: VyingRecord, find: Find, rng: random.Random) -> list[tuple[int, Slip]]:
    """Every place in the hand where the fault can be, with the fault."""
    state = begin(record)
    post_antes(state)
    found = []
    acts = [*record.acts, -1]
    for index, act in enumerate(acts):
        last = index == len(record.acts)
        seat = -1 if last else record.seats[index]
        cards = [] if last else record.cards[index]
        made = find(Moment(state, rng, act, seat, cards))
        if made is not None:
            found.append((index, made))
        if not last:
            apply(state, act, seat, record.adds[index], cards)
    return found


def _played_on(
    case: Case, record: VyingRecord, index: int, made: Slip, styles: list[Style]
) -> Planted | None:
    legal = events_of(record)
    for part in (record.acts, record.seats, record.adds, record.cards):
        del part[index:]
    game = VyingGame(record, styles, case.rng)
    slipped = [*made.before, made.event]
    for event in slipped:
        game.do(*engine_event(event))
    game.play_on()
    at = index + len(made.before)
    events = _with_planted(record, index, slipped)
    if opened_at_par(events, at):
        return None
    hand = rewritten(case.hand, record, events)
    stood = None if made.added or index >= len(legal) else msgspec.to_builtins(legal[index])
    pointer = f"/events/{at}/{made.field}" if made.field else f"/events/{at}"
    nobody = made.without_seat or isinstance(made.event, document.Turn)
    return Planted(
        written(hand),
        pointer,
        None if nobody else made.event.seat,  # type: ignore[union-attr]
        stood,
        msgspec.to_builtins(made.event),
    )


def _with_planted(
    record: VyingRecord, index: int, planted: list[document.AnyEvent]
) -> list[document.AnyEvent]:
    """The record's events, the planted ones as they are: some have no act of this game."""
    end = index + len(planted)
    rest = VyingRecord(
        record.options,
        record.min_players,
        record.max_players,
        record.dealer,
        record.carried,
        record.stacks,
        record.rebuys,
        record.acts[:index] + record.acts[end:],
        record.seats[:index] + record.seats[end:],
        record.adds[:index] + record.adds[end:],
        record.cards[:index] + record.cards[end:],
        None,
    )
    events = events_of(rest)
    events[index:index] = planted
    return events
