"""The session document, version 1: an evening or a tournament, its hands and what it says of them.

It is the envelope of an upload with more to say: who entered, what was bought, what the ledger was
and how it ended. All of that is the client's claim and is compared with what the hands come to.
"""

import datetime as dt
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec import Raw as RawJson

from schemas.document import Chips, Document, HandId, Name, Rules, SignedChips

MAX_PLAYERS: Final = 1_000
MAX_SESSION_HANDS: Final = 100_000

FRACTION_PATTERN: Final = r"^-?(0|[1-9][0-9]{0,17})(/[1-9][0-9]{0,17})?$"

HandNumber = Annotated[
    int, Meta(ge=1, le=10**9, description="A hand's number in the session, from 1.")
]
Exact = Annotated[
    str,
    Meta(
        description="Exact chips as text: a whole number or a fraction, such as `25/4`.",
        extra_json_schema={"pattern": FRACTION_PATTERN},
    ),
]


class SessionId(Document):
    """The session, by the source's own name."""

    id: Annotated[Name, Meta(description="The session, by the source's own name.")]
    kind: (
        Annotated[
            Literal["session", "tournament"], Meta(description="Taken as `session` if absent.")
        ]
        | UnsetType
    ) = UNSET


class Entrant(Document):
    """A player who entered, and the cave that it cost."""

    player: Annotated[Name, Meta(description="The player, by the name in the hands.")]
    buy_in: Annotated[Chips, Meta(description="The chips that were bought to begin with.")]


class ListedRebuy(Document):
    """A cave that was bought in the course of the session."""

    player: Annotated[Name, Meta(description="Who bought it.")]
    hand_no: Annotated[HandNumber, Meta(description="The hand before which it was bought.")]
    amount: Annotated[Chips, Meta(description="How many chips it has.")]
    at: (
        Annotated[dt.datetime, Meta(description="When: RFC 3339; for people, not compared.")]
        | UnsetType
    ) = UNSET


class LedgerPoint(Document):
    """The ledger of premiums as it was after a hand."""

    after: Annotated[HandNumber, Meta(description="The hand after which it was so.")]
    balances: Annotated[dict[str, SignedChips], Meta(description="Each player's balance, by name.")]


class DeclaredStanding(Document):
    """What the session says became of a player. Everything but the name is optional."""

    player: Annotated[Name, Meta(description="The player.")]
    result: (
        Annotated[
            Exact, Meta(description="Stack, ledger and share less what was bought, as `25/4`.")
        ]
        | UnsetType
    ) = UNSET
    decimal: (
        Annotated[str, Meta(max_length=40, description="The result for people; not compared.")]
        | UnsetType
    ) = UNSET
    position: (
        Annotated[
            int, Meta(ge=1, le=MAX_PLAYERS, description="The place; equal results share one.")
        ]
        | UnsetType
    ) = UNSET
    stack: Annotated[Chips, Meta(description="The stack at the end.")] | UnsetType = UNSET
    ledger: (
        Annotated[SignedChips, Meta(description="The balance of the ledger at the end.")]
        | UnsetType
    ) = UNSET
    share: (
        Annotated[Exact, Meta(description="The share of the pot that was left, as `25/4`.")]
        | UnsetType
    ) = UNSET
    bought: (
        Annotated[Chips, Meta(description="All that was bought, the first cave included.")]
        | UnsetType
    ) = UNSET


class Session(Document):
    """A session or a tournament. It has `hands`, or `hand_ids` of hands that are kept elsewhere."""

    session: Annotated[SessionId, Meta(description="Its identity.")]
    format: (
        Annotated[
            str,
            Meta(
                description="The version of this format that the document is written in.",
                extra_json_schema={"pattern": r"^retourne/1\.\d+$"},
            ),
        ]
        | UnsetType
    ) = UNSET
    rules: (
        Annotated[Rules, Meta(description="What is played; the first hand's if absent.")]
        | UnsetType
    ) = UNSET
    entrants: (
        Annotated[
            list[Entrant],
            Meta(max_length=MAX_PLAYERS, description="Everybody who entered, with the buy-in."),
        ]
        | UnsetType
    ) = UNSET
    hands: (
        Annotated[
            list[RawJson],
            Meta(max_length=MAX_SESSION_HANDS, description="The hands in their order, whole."),
        ]
        | UnsetType
    ) = UNSET
    hand_ids: (
        Annotated[
            list[HandId],
            Meta(max_length=MAX_SESSION_HANDS, description="Or their identities in that order."),
        ]
        | UnsetType
    ) = UNSET
    rebuys: (
        Annotated[
            list[ListedRebuy],
            Meta(max_length=MAX_SESSION_HANDS, description="Every cave bought after the first."),
        ]
        | UnsetType
    ) = UNSET
    ledger: (
        Annotated[
            list[LedgerPoint],
            Meta(max_length=MAX_SESSION_HANDS, description="The ledger after some or all hands."),
        ]
        | UnsetType
    ) = UNSET
    standings: (
        Annotated[
            list[DeclaredStanding],
            Meta(max_length=MAX_PLAYERS, description="How it ended, by player."),
        ]
        | UnsetType
    ) = UNSET
    x: (
        Annotated[RawJson, Meta(description="The client's own; nothing here reads it.")] | UnsetType
    ) = UNSET
