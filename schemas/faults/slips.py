"""Faults in the play: one event of a hand is another than the rules allow.

A whole legal hand is played first. Every moment of it is shown to the kind, which says what could
be done wrong there; one of those moments is chosen, the slip is made, and the hand is played on
from there as the engine takes the slip, to a result that is declared truly.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import msgspec
from msgspec import UNSET

from engine.bourre import replay as bourre
from engine.bourre.play import BourreGame
from engine.bourre.state import BourreState
from engine.options import OptionValue
from engine.record import BourreRecord, HandRecord, VyingRecord
from engine.styles import STYLES, Style
from engine.vying import replay as vying
from engine.vying.opening import post_antes
from engine.vying.play import VyingGame
from engine.vying.state import NOBODY, VyingState
from schemas import document
from schemas.errors import UnreadableHand
from schemas.faults.kinds import Case, Plant, Planted, opened_at_par, rewritten, written
from schemas.record import to_record
from schemas.writing import event_of, events_of

_SHORT_STACK: Final = 14

State = TypeVar("State", VyingState, BourreState)


@dataclass(frozen=True)
class Moment(Generic[State]):
    """The table before an event, the legal events so far and the next one, and the chance.

    ``next`` is None at the end of the hand.
    """

    state: State
    rng: random.Random
    past: Sequence[document.AnyEvent]
    next: document.AnyEvent | None

    def seats(self, mask: int) -> list[int]:
        """The seats of a mask in turn order from the first."""
        return [seat for seat in range(self.state.players) if mask >> seat & 1]


@dataclass(frozen=True)
class Slip:
    """The event that is wrong, and the field of it that the finding points at.

    ``before`` and ``after`` are legal events that it needs around it. ``added`` is whether it
    stands between the events of the hand; otherwise it stands in the place of one.
    ``seat`` is whom the finding concerns, where that is not the seat of the event; `NOBODY` none.
    """

    event: document.AnyEvent
    field: str
    added: bool = False
    before: Sequence[document.AnyEvent] = ()
    after: Sequence[document.AnyEvent] = ()
    seat: int | None = None


def slip(
    find: Callable[[Moment[VyingState]], Slip | None],
    *,
    styles: Sequence[str] = (),
    short: bool = False,
) -> Plant:
    """A kind's way of planting by what ``find`` says can be done wrong at a moment.

    The hand is played by players of the ``styles``, of all if none is named; where ``short``, some
    have few chips.
    """

    def plant(case: Case) -> Planted | None:
        table = _table(case, {}, short=short)
        record = _record(table)
        if not isinstance(record, VyingRecord):
            return None
        at_table = _at_table(case, styles)
        VyingGame(record, at_table, case.rng).play_on()
        legal = events_of(record)
        found = [
            (index, made)
            for index, state in vying_tables(record)
            if (made := find(_moment(state, case, legal, index))) is not None
        ]
        return _planted(case, table, legal, found, at_table)

    return plant


def trick_slip(
    find: Callable[[Moment[BourreState]], Slip | None],
    *,
    styles: Sequence[str] = (),
    options: Mapping[str, OptionValue] | None = None,
) -> Plant:
    """The same for Bourré; ``options`` are those of the table where the preset has others."""

    def plant(case: Case) -> Planted | None:
        table = _table(case, options or {}, short=False)
        record = _record(table)
        if not isinstance(record, BourreRecord):
            return None
        at_table = _at_table(case, styles)
        BourreGame(record, at_table, case.rng).play_on()
        legal = events_of(record)
        found = [
            (index, made)
            for index, state in _bourre_tables(record)
            if (made := find(_moment(state, case, legal, index))) is not None
        ]
        return _planted(case, table, legal, found, at_table)

    return plant


def _at_table(case: Case, styles: Sequence[str]) -> list[Style]:
    named = styles or tuple(STYLES)
    return [STYLES[case.rng.choice(named)] for _ in case.hand.seats]


def _table(case: Case, options: Mapping[str, OptionValue], *, short: bool) -> document.Hand:
    """The hand before its first event."""
    seats = case.hand.seats.copy()
    for seat, before in enumerate(seats):
        if short and case.rng.random() < 0.6:
            stack = case.rng.randint(1, _SHORT_STACK)
            seats[seat] = msgspec.structs.replace(before, stack=stack, rebuy=UNSET)
    rules = case.hand.rules
    if options:
        rules = document.Rules(preset=rules.preset, options=dict(options))
    return msgspec.structs.replace(case.hand, rules=rules, seats=seats, events=[], declared=UNSET)


def _record(hand: document.Hand) -> HandRecord:
    record = to_record(hand)
    if isinstance(record, UnreadableHand):
        raise TypeError(f"a hand to be played on cannot be read: {record}")
    return record


def _moment(state: State, case: Case, legal: list[document.AnyEvent], index: int) -> Moment[State]:
    upcoming = legal[index] if index < len(legal) else None
    return Moment(state, case.rng, legal[:index], upcoming)


def vying_tables(record: VyingRecord) -> Iterator[tuple[int, VyingState]]:
    """The one table of the hand, before each event and after the last."""
    state = vying.begin(record)
    post_antes(state)
    for index, act in enumerate(record.acts):
        yield index, state
        vying.apply(state, act, record.seats[index], record.adds[index], record.cards[index])
    yield len(record.acts), state


def _bourre_tables(record: BourreRecord) -> Iterator[tuple[int, BourreState]]:
    state = bourre.begin(record)
    for index, act in enumerate(record.acts):
        yield index, state
        seat, add = record.seats[index], record.adds[index]
        bourre.apply(state, act, seat, add, record.cards[index], record.received[index])
    yield len(record.acts), state


def _planted(
    case: Case,
    table: document.Hand,
    legal: list[document.AnyEvent],
    found: list[tuple[int, Slip]],
    styles: list[Style],
) -> Planted | None:
    """Makes one of the slips that were found, and plays the hand on from there."""
    if not found:
        return None
    index, made = case.rng.choice(found)
    begun = [*legal[:index], *made.before, made.event, *made.after]
    record = _record(msgspec.structs.replace(table, events=begun))
    if isinstance(record, BourreRecord):
        BourreGame(record, styles, case.rng).play_on()
    else:
        VyingGame(record, styles, case.rng).play_on()
    events = begun + [event_of(record, later) for later in range(len(begun), len(record.acts))]
    at = index + len(made.before)
    if opened_at_par(events, at):
        return None
    stood = None if made.added or index >= len(legal) else msgspec.to_builtins(legal[index])
    seat = getattr(made.event, "seat", NOBODY) if made.seat is None else made.seat
    stands = [made.event] if made.added else [*made.before, made.event, *made.after]
    return Planted(
        written(rewritten(table, record, events)),
        f"/events/{at}/{made.field}" if made.field else f"/events/{at}",
        None if seat == NOBODY else seat,
        stood,
        msgspec.to_builtins(stands if len(stands) > 1 else made.event),
    )
