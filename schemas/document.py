"""The hand document, version 1: what a client writes down of one hand.

Facts are in ``events``; what the client says came of them is in ``declared`` and is compared, never
trusted. Field names here are the field names of the public JSON. Unknown keys are refused by these
types; `schemas.decode` turns them into warnings.
"""

import datetime as dt
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
Added = Annotated[
    int, Meta(ge=0, le=MAX_CHIPS, description="Chips that move from the stack into the pot now.")
]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Card = Annotated[
    str,
    Meta(
        description="Rank A K Q J T 9 … 2 and suit c d h s, such as `Qh`; `??` where unknown.",
        extra_json_schema={"pattern": r"^([AKQJT98765432][cdhs]|\?\?)$"},
    ),
]
Cards = Annotated[
    list[Card], Meta(max_length=5, description="Three cards in Bouillotte, five in Bourré.")
]
TrickCount = Annotated[int, Meta(ge=0, le=5)]
Milliseconds = Annotated[
    int, Meta(ge=0, le=MAX_CHIPS, description="Milliseconds since the hand began.")
]


class Document(Struct, forbid_unknown_fields=True, gc=False):
    """The base of every part of a document."""


class HandId(Document):
    """Who names the hand and how. The three together identify it."""

    source: Annotated[Name, Meta(description="The client or house that names the hand.")]
    table: Annotated[Name, Meta(description="The table, by the source's own name.")]
    hand: Annotated[Name, Meta(description="The hand, by the table's own name or number.")]


class SessionRef(Document):
    """The session or tournament that the hand belongs to, and its place there, counted from 1."""

    id: Annotated[Name, Meta(description="The session, by the source's own name.")]
    hand_no: Annotated[
        int, Meta(ge=1, le=10**9, description="The hand's place in the session, from 1.")
    ]
    kind: (
        Annotated[
            Literal["session", "tournament"], Meta(description="Taken as `session` if absent.")
        ]
        | UnsetType
    ) = UNSET


class Rules(Document):
    """A preset by name and the options in which the table differs from it."""

    preset: Annotated[Name, Meta(description="The preset's name, such as `bouillotte/salon`.")]
    options: (
        Annotated[
            dict[str, str | int | bool],
            Meta(description="Values that the table has in place of the preset's, by option."),
        ]
        | UnsetType
    ) = UNSET


class Seat(Document):
    """A player and the chips before them as the hand begins, a rebuy just made included."""

    player: Annotated[
        Name, Meta(description="The player, by the same name in all hands of a source.")
    ]
    stack: Annotated[
        Chips, Meta(description="Chips before the antes, with a rebuy that was just made.")
    ]
    rebuy: (
        Annotated[Chips, Meta(description="Chips of that stack that were bought just now.")]
        | UnsetType
    ) = UNSET
    exempt: (
        Annotated[
            bool,
            Meta(
                description="Bourré: owes no ante this hand, for a bourré or a tie in the hand "
                "before. Taken as `false` if absent."
            ),
        ]
        | UnsetType
    ) = UNSET


class Event(Document, tag_field="do"):
    """The base of every event. ``at`` is when it happened, in milliseconds since the hand began."""


class Ante(Event, tag="ante"):
    """An ante, which the rules imply; accepted and checked."""

    seat: SeatIndex
    add: Added
    at: Milliseconds | UnsetType = UNSET


class Carre(Event, tag="carre"):
    """The blind doubling of the pot."""

    seat: SeatIndex
    add: Added
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
    add: Added
    at: Milliseconds | UnsetType = UNSET


class Call(Event, tag="call"):
    """Matches the highest contribution, or puts in all that is left."""

    seat: SeatIndex
    add: Added
    at: Milliseconds | UnsetType = UNSET


class Raise(Event, tag="raise"):
    """Goes above the highest contribution."""

    seat: SeatIndex
    add: Added
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
    """Bourré: plays this hand. `count` where the table says at once how many cards it will draw."""

    seat: SeatIndex
    count: (
        Annotated[int, Meta(ge=0, le=5, description="Cards announced to be drawn.")] | UnsetType
    ) = UNSET
    at: Milliseconds | UnsetType = UNSET


class Out(Event, tag="out"):
    """Bourré: sits this hand out."""

    seat: SeatIndex
    at: Milliseconds | UnsetType = UNSET


class Draw(Event, tag="draw"):
    """Bourré: discards and the cards that came for them; both empty where a seat stands pat."""

    seat: SeatIndex
    discards: Annotated[Cards, Meta(description="The cards thrown away.")]
    received: Annotated[Cards, Meta(description="The cards that came for them.")]
    at: Milliseconds | UnsetType = UNSET


class Play(Event, tag="play"):
    """Bourré: a card played to a trick."""

    seat: SeatIndex
    card: Card
    at: Milliseconds | UnsetType = UNSET


class Renege(Event, tag="renege"):
    """Bourré: a claim made at the table that this seat reneged.

    With `card` it is put right in time: the seat takes back its card of the trick on the table and
    plays this one.
    """

    seat: SeatIndex
    card: Card | UnsetType = UNSET
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

    amount: Annotated[Chips, Meta(description="All chips of this pot.")]
    winners: Annotated[
        dict[SeatIndex, Chips], Meta(description="What each winner took, by seat as text.")
    ]


class Declared(Document):
    """What the client says came of the hand. Every part is optional; what is there is compared."""

    pots: (
        Annotated[
            list[DeclaredPot],
            Meta(
                max_length=MAX_SEATS,
                description="The main pot first, carried chips in it; without uncalled chips. "
                "Bourré has one pot, with no winner where nobody takes it.",
            ),
        ]
        | UnsetType
    ) = UNSET
    premiums: (
        Annotated[
            dict[SeatIndex, SignedChips],
            Meta(description="Net premium by seat as text: won less paid."),
        ]
        | UnsetType
    ) = UNSET
    stacks: (
        Annotated[
            list[Chips],
            Meta(
                max_length=MAX_SEATS,
                description="Stacks after the hand by seat, with premiums that stacks pay.",
            ),
        ]
        | UnsetType
    ) = UNSET
    carried: (
        Annotated[
            Chips,
            Meta(
                description="Chips in the pot for the next hand, before its antes; in Bourré with "
                "what is paid into it."
            ),
        ]
        | UnsetType
    ) = UNSET
    tricks: (
        Annotated[
            dict[SeatIndex, TrickCount], Meta(description="Bourré: tricks won, by seat as text.")
        ]
        | UnsetType
    ) = UNSET
    payments: (
        Annotated[
            dict[SeatIndex, Chips],
            Meta(
                description="Bourré: what a seat pays into the next pot for a bourré or a renege, "
                "by seat as text."
            ),
        ]
        | UnsetType
    ) = UNSET


class Hand(Document):
    """One hand from the first ante to the last chip paid."""

    format: Annotated[
        str,
        Meta(
            description="The version of this format that the document is written in.",
            extra_json_schema={"pattern": r"^retourne/1\.\d+$"},
        ),
    ]
    id: Annotated[HandId, Meta(description="The hand's identity.")]
    rules: Annotated[Rules, Meta(description="What is played.")]
    seats: Annotated[
        list[Seat],
        Meta(
            min_length=2,
            max_length=MAX_SEATS,
            description="The players in turn order, whichever way turns go at the table.",
        ),
    ]
    dealer: Annotated[SeatIndex, Meta(description="The seat that deals; an index into `seats`.")]
    events: Annotated[
        list[AnyEvent],
        Meta(max_length=MAX_EVENTS, description="What happened at the table, in order."),
    ]
    played_at: (
        Annotated[
            dt.datetime,
            Meta(description="When the hand began: RFC 3339, such as `2026-03-14T20:15:03Z`."),
        ]
        | UnsetType
    ) = UNSET
    tz: (
        Annotated[Name, Meta(description="The table's time zone, such as `Europe/Paris`.")]
        | UnsetType
    ) = UNSET
    session: (
        Annotated[SessionRef, Meta(description="The session or tournament it belongs to.")]
        | UnsetType
    ) = UNSET
    unit: (
        Annotated[
            int,
            Meta(
                ge=1, le=MAX_CHIPS, description="Chips in one unit, in which statistics are told."
            ),
        ]
        | UnsetType
    ) = UNSET
    view: (
        Annotated[
            Literal["full", "table"] | SeatIndex,
            Meta(
                description="Whose log it is: everything, what all saw, or what a seat saw. Taken "
                "as `full` if absent."
            ),
        ]
        | UnsetType
    ) = UNSET
    carried: (
        Annotated[
            Chips,
            Meta(
                description="Chips in the pot from an earlier hand; in Bourré with all that was "
                "paid into it."
            ),
        ]
        | UnsetType
    ) = UNSET
    declared: (
        Annotated[Declared, Meta(description="What the client says came of the hand.")] | UnsetType
    ) = UNSET
    x: (
        Annotated[RawJson, Meta(description="The client's own; kept and given back untouched.")]
        | UnsetType
    ) = UNSET
