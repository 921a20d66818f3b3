"""A hand as the engine reads it: parallel lists of small ints, one entry an event.

The records mirror the hand document field by field; names and JSON stay outside. Seats are
indices in turn order, cards are 0–51 or `engine.cards.UNKNOWN`.
"""

from engine.bourre.options import BourreOptions
from engine.options import VyingOptions


class DeclaredOutcome:
    """What the client says came of the hand. A part that it did not declare is None."""

    def __init__(
        self,
        pots: list[tuple[int, dict[int, int]]] | None,
        premiums: dict[int, int] | None,
        stacks: list[int] | None,
        carried: int | None,
        tricks: dict[int, int] | None = None,
        payments: dict[int, int] | None = None,
    ) -> None:
        self.pots = pots
        self.premiums = premiums
        self.stacks = stacks
        self.carried = carried
        self.tricks = tricks
        self.payments = payments


class VyingRecord:
    """One hand of Bouillotte or Brelan: the table as it begins, the events, the declared result.

    ``acts``, ``seats``, ``adds`` and ``cards`` run parallel. Where an act has none, the seat is −1,
    the add 0, the cards empty; a turned card is a list of one.
    """

    def __init__(
        self,
        options: VyingOptions,
        min_players: int,
        max_players: int,
        dealer: int,
        carried: int,
        stacks: list[int],
        rebuys: list[int],
        acts: list[int],
        seats: list[int],
        adds: list[int],
        cards: list[list[int]],
        declared: DeclaredOutcome | None,
    ) -> None:
        self.options = options
        self.min_players = min_players
        self.max_players = max_players
        self.dealer = dealer
        self.carried = carried
        self.stacks = stacks
        self.rebuys = rebuys
        self.acts = acts
        self.seats = seats
        self.adds = adds
        self.cards = cards
        self.declared = declared


class BourreRecord:
    """One hand of Bourré: the table as it begins, the events, the declared result.

    ``acts``, ``seats``, ``adds``, ``cards`` and ``received`` run parallel. ``adds`` are an ante's
    chips, or the count that a stay announces, −1 where it announces none. ``cards`` are those
    dealt, thrown away, turned, played, or played instead; ``received`` those that a draw brings.
    """

    def __init__(
        self,
        options: BourreOptions,
        min_players: int,
        max_players: int,
        dealer: int,
        carried: int,
        stacks: list[int],
        rebuys: list[int],
        exempt: list[bool],
        acts: list[int],
        seats: list[int],
        adds: list[int],
        cards: list[list[int]],
        received: list[list[int]],
        declared: DeclaredOutcome | None,
    ) -> None:
        self.options = options
        self.min_players = min_players
        self.max_players = max_players
        self.dealer = dealer
        self.carried = carried
        self.stacks = stacks
        self.rebuys = rebuys
        self.exempt = exempt
        self.acts = acts
        self.seats = seats
        self.adds = adds
        self.cards = cards
        self.received = received
        self.declared = declared


HandRecord = VyingRecord | BourreRecord
