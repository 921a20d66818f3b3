"""What a kind of fault is, what it is planted in, and what comes of it."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import msgspec

from engine.record import HandRecord
from engine.replay import replay
from engine.result import Outcome
from schemas import document
from schemas.writing import declared_of, seats_of


@dataclass(frozen=True)
class Case:
    """A legal hand that a fault may be planted in, and the chance to do it by."""

    hand: document.Hand
    record: HandRecord
    rng: random.Random


@dataclass(frozen=True)
class Planted:
    """A hand with its fault: its bytes, where the fault is and what it changed.

    ``seat`` is None where the finding concerns none. ``before`` and ``after`` are JSON values;
    ``before`` is None where something was added, ``after`` where something was taken away.
    """

    raw: bytes
    pointer: str
    seat: int | None
    before: object
    after: object


Plant = Callable[[Case], Planted | None]
"""Plants a fault of one kind; None where the hand has no place for it."""


@dataclass(frozen=True)
class Kind:
    """A kind of fault: its name, the code that it is found under, and what it does in a sentence.

    ``games`` are the games, by the name of their table of options, in whose hands it is planted.
    ``besides`` are the codes that stand beside it by its nature.
    """

    name: str
    code: str
    sentence: str
    plant: Plant
    games: tuple[Literal["vying", "bourre"], ...] = ("vying", "bourre")
    besides: tuple[str, ...] = ()


def written(hand: document.Hand) -> bytes:
    """The hand as a line of JSON, without its end."""
    return msgspec.json.encode(hand)


def outcome_of(record: HandRecord) -> Outcome:
    """What the hand comes to, as the engine takes it.

    Raises:
        ValueError: it does not come to its end, or hidden cards leave something open.
    """
    outcome = replay(record).outcome
    if outcome is None or outcome.stacks is None or outcome.carried is None:
        raise ValueError("the hand comes to no result")
    return outcome


def rewritten(
    hand: document.Hand, record: HandRecord, events: list[document.AnyEvent]
) -> document.Hand:
    """The hand with another table and other events, and with the result that these come to."""
    return msgspec.structs.replace(
        hand,
        seats=seats_of(record, [seat.player for seat in hand.seats][: len(record.stacks)]),
        dealer=record.dealer,
        carried=record.carried,
        events=events,
        declared=declared_of(outcome_of(record)),
    )


def opened_at_par(events: list[document.AnyEvent], planted: int = -1) -> bool:
    """Whether somebody opens for nothing besides the planted event: legal, and reported."""
    return any(
        isinstance(event, document.Open) and not event.add and index != planted
        for index, event in enumerate(events)
    )
