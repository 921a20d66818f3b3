"""A session as the engine reads it. Players are ints, the same in every hand; names stay outside.

A hand comes with what its own replay has yielded. Nothing here knows which game was played.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class SessionTerms:
    """What the rules say of a session.

    Attributes:
        cave: What a player buys on arrival and, with nothing left, again.
        hands: How many hands are played; 0 for an open session.
        final_carried: What becomes of a pot after the last hand, ``split`` or ``left``.
        seats: Whether players may come and go between hands, ``open`` or ``fixed``.
    """

    cave: int
    hands: int
    final_carried: str
    seats: str


class SessionHand:
    """A hand in its place. Lists run by seat, in turn order.

    ``place`` is its index in the document and ``number`` what the session calls it. ``began`` is in
    milliseconds, −1 where unknown. ``after``, ``premiums`` (what goes to the ledger) and ``left``
    (the pot for the next hand) are from the replay; None and −1 where it leaves them open.
    ``parted`` are the players of whom the hand itself declares another result than ours. ``exempt``
    is who owes no ante, ``exempt_next`` who owes none in the next hand, None where that is open.
    """

    def __init__(
        self,
        place: int,
        number: int,
        identity: str,
        content: str,
        began: int,
        players: list[int],
        stacks: list[int],
        rebuys: list[int],
        dealer: int,
        carried: int,
        after: list[int] | None,
        premiums: list[int] | None,
        left: int,
        parted: list[int],
        exempt: list[bool],
        exempt_next: list[bool] | None,
        *,
        foreign: bool,
        same_rules: bool,
    ) -> None:
        self.place = place
        self.number = number
        self.identity = identity
        self.content = content
        self.began = began
        self.players = players
        self.stacks = stacks
        self.rebuys = rebuys
        self.dealer = dealer
        self.carried = carried
        self.after = after
        self.premiums = premiums
        self.left = left
        self.parted = parted
        self.exempt = exempt
        self.exempt_next = exempt_next
        self.foreign = foreign
        self.same_rules = same_rules


@dataclass(frozen=True)
class ListedRebuy:
    """A rebuy in the session's own list; ``number`` is the hand before which it was made."""

    player: int
    number: int
    amount: int


@dataclass(frozen=True)
class LedgerPoint:
    """What the session says the ledger was after a hand, by player."""

    number: int
    balances: dict[int, int]


@dataclass(frozen=True)
class DeclaredStanding:
    """What the session says became of a player. What it does not say is None."""

    player: int
    result: Fraction | None
    position: int | None
    stack: int | None
    ledger: int | None
    share: Fraction | None
    bought: int | None


class SessionRecord:
    """A session: its terms, its hands as they stand in the document, and what it declares.

    ``players`` is how many there are in all. A part that is not declared is None. ``buy_ins`` are
    the entrants'. ``listed`` is how many hands the session lists, 0 where it has no list of them.
    """

    def __init__(
        self,
        terms: SessionTerms,
        players: int,
        hands: list[SessionHand],
        buy_ins: dict[int, int] | None,
        rebuys: list[ListedRebuy] | None,
        ledger: list[LedgerPoint] | None,
        standings: list[DeclaredStanding] | None,
    ) -> None:
        self.terms = terms
        self.players = players
        self.hands = hands
        self.buy_ins = buy_ins
        self.rebuys = rebuys
        self.ledger = ledger
        self.standings = standings
        self.listed = 0
