"""The hand document, version 1: what a client writes down of one hand.

Facts are in ``events``; what the client says came of them is in ``declared`` and is compared, never
trusted. Field names here are the field names of the public JSON. Unknown keys are refused by these
types; `schemas.decode` turns them into warnings.
"""

import datetime
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import Raw as RawJson

FORMAT_VERSION: Final = "retourne/1.0"

MAX_CHIPS: Final = 10**12
MAX_EVENTS: Final = 2_000
MAX_SEATS: Final = 8

Chips = Annotated[int, Meta(ge=0, le=MAX_CHIPS, description="Whole chips.")]
SignedChips = Annotated[int, Meta(ge=-MAX_CHIPS, le=MAX_CHIPS, description="Whole chips.")]
SeatIndex = Annotated[
    int, Meta(ge=0, lt=MAX_SEATS, description="Index into `seats`, which is in turn order.")
]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Card = Annotated[
    str,
    Meta(
        description="Rank A K Q J T 9 … 2 and suit c d h s, such as `Qh`; `??` where unknown.",
        extra_json_schema={"pattern": r"^([AKQJT98765432][cdhs]|\?\?)$"},
    ),
]
Cards = Annotated[list[Card], Meta(max_length=5)]
Milliseconds = Annotated[int, Meta(ge=0, le=MAX_CHIPS, description="Since the hand began.")]


class Document(Struct, forbid_unknown_fields=True):
    """The base of every part of a document."""


class HandId(Document):
    """Who names the hand and how. The three together identify it."""

    source: Name
    table: Name
    hand: Name


class SessionRef(Document):
    """The session or tournament that the hand belongs to, and its place there, counted from 1."""

    id: Name
    hand_no: Annotated[int, Meta(ge=1, le=10**9)]
    kind: Literal["session", "tournament"] = "session"


class Rules(Document):
    """A preset by name and the options in which the table differs from it."""

    preset: Name
    options: dict[str, str | int | bool] | UnsetType = UNSET


class Seat(Document):
    """A player and the chips before them as the hand begins, a rebuy just made included."""

    player: Name
    stack: Chips
    rebuy: Chips | UnsetType = UNSET


class Event(Document, tag_field="do"):
    """The base of every event. ``at`` is when it happened, in milliseconds since the hand began."""


class Ante(Event, tag="ante"):
    """An ante, which the rules imply; accepted and checked."""

    seat: SeatIndex
    add: Chips
    at: Milliseconds | UnsetType = UNSET


class Carre(Event, tag="carre"):
    """The blind doubling of the pot."""

    seat: SeatIndex
    add: Chips
    at: Milliseconds | UnsetType = UNSET


class Decline(Event, tag="decline"):
    """The refusal of a carre, which ends the chain."""

    seat: SeatIndex
    at: Milliseconds | UnsetType = UNSET


class Deal(Event, tag="deal"):
    """The cards dealt to a seat."""

    seat: SeatIndex
    cards: Cards
    at: Milliseconds | UnsetType = UNSET


class Turn(Event, tag="turn"):
    """The card turned up: the retourne, or the trump of Bourré."""

    card: Card
    at: Milliseconds | UnsetType = UNSET


class Pass(Event, tag="pass"):
    """Bets nothing for now and stays in; only before the opening."""

    seat: SeatIndex
    at: Milliseconds | UnsetType = UNSET


class Open(Event, tag="open"):
    """The opening bet."""

    seat: SeatIndex
    add: Chips
    at: Milliseconds | UnsetType = UNSET


class Call(Event, tag="call"):
    """Matches the highest contribution, or puts in all that is left."""

    seat: SeatIndex
    add: Chips
    at: Milliseconds | UnsetType = UNSET


class Raise(Event, tag="raise"):
    """Goes above the highest contribution."""

    seat: SeatIndex
    add: Chips
    at: Milliseconds | UnsetType = UNSET


class Fold(Event, tag="fold"):
    """Gives up the hand and what was put in."""

    seat: SeatIndex
    at: Milliseconds | UnsetType = UNSET


class NoMore(Event, tag="no-more"):
    """Waives the right to raise once more when everybody has called."""

    seat: SeatIndex
    at: Milliseconds | UnsetType = UNSET


class Show(Event, tag="show"):
    """The cards that a seat shows."""

    seat: SeatIndex
    cards: Cards
    at: Milliseconds | UnsetType = UNSET


class Stay(Event, tag="stay"):
    """Bourré: plays this hand."""

    seat: SeatIndex
    at: Milliseconds | UnsetType = UNSET


class Out(Event, tag="out"):
    """Bourré: sits this hand out."""

    seat: SeatIndex
    at: Milliseconds | UnsetType = UNSET


class Draw(Event, tag="draw"):
    """Bourré: discards and the cards that came for them."""

    seat: SeatIndex
    discards: Cards
    received: Cards
    at: Milliseconds | UnsetType = UNSET


class Play(Event, tag="play"):
    """Bourré: a card played to a trick."""

    seat: SeatIndex
    card: Card
    at: Milliseconds | UnsetType = UNSET


class Renege(Event, tag="renege"):
    """Bourré: a claim made at the table that this seat reneged."""

    seat: SeatIndex
    at: Milliseconds | UnsetType = UNSET


AnyEvent = (
    Ante
    | Carre
    | Decline
    | Deal
    | Turn
    | Pass
    | Open
    | Call
    | Raise
    | Fold
    | NoMore
    | Show
    | Stay
    | Out
    | Draw
    | Play
    | Renege
)


class DeclaredPot(Document):
    """A pot as the client cut it, and what each winning seat took from it."""

    amount: Chips
    winners: dict[SeatIndex, Chips]


class Declared(Document):
    """What the client says came of the hand. Every part is optional; what is there is compared."""

    pots: Annotated[list[DeclaredPot], Meta(max_length=MAX_SEATS)] | UnsetType = UNSET
    premiums: dict[SeatIndex, SignedChips] | UnsetType = UNSET
    stacks: Annotated[list[Chips], Meta(max_length=MAX_SEATS)] | UnsetType = UNSET
    carried: Chips | UnsetType = UNSET


class Hand(Document):
    """One hand from the first ante to the last chip paid."""

    format: Annotated[str, Meta(extra_json_schema={"pattern": r"^retourne/1\.\d+$"})]
    id: HandId
    rules: Rules
    seats: Annotated[list[Seat], Meta(min_length=2, max_length=MAX_SEATS)]
    dealer: SeatIndex
    events: Annotated[list[AnyEvent], Meta(max_length=MAX_EVENTS)]
    played_at: datetime.datetime | UnsetType = UNSET
    tz: Name | UnsetType = UNSET
    session: SessionRef | UnsetType = UNSET
    unit: Annotated[int, Meta(ge=1, le=MAX_CHIPS)] | UnsetType = UNSET
    view: Literal["full", "table"] | SeatIndex = "full"
    carried: Chips | UnsetType = UNSET
    declared: Declared | UnsetType = UNSET
    x: RawJson | UnsetType = UNSET
