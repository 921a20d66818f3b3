"""The options of the vying games: what each may be, and the ruling that it belongs to.

The table `VYING_OPTIONS` is the one place where an option's name, its values and its ruling are
written. A preset gives every option a value, a hand may override any of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.cards import RANKS_HIGH_FIRST
from engine.terms import Account

OptionValue = str | int | bool

MAX_OPTION_CHIPS: Final = 10**9


@dataclass(frozen=True)
class VyingOptions:
    """The rules of one table of Bouillotte or Brelan: every option's name in snake case."""

    deck: str
    ante: int
    dealer_extra: int
    carre: str
    open_minimum: int
    no_more: bool
    carry: str
    favori: str
    mistigri: str
    brelans: bool
    premium_simple: int
    premium_carre: int
    premium_favori: int
    premium_favori_pot: int
    premium_mistigri: int
    premium_between_holders: str
    premium_holders: str
    premium_account: Account
    side_pot_suit: str
    heads_up_close: str
    rebuy: int
    session_hands: int
    final_carried: str
    session_seats: str


@dataclass(frozen=True)
class Choice:
    """An option that takes one of a few values."""

    values: tuple[OptionValue, ...]
    ruling: str

    def accepts(self, value: OptionValue) -> bool:
        """Whether the value is one of the choices, of the same type."""
        return any(type(value) is type(known) and value == known for known in self.values)

    def expected(self) -> str:
        """The accepted values, for people."""
        return "one of " + ", ".join(_written(value) for value in self.values)


@dataclass(frozen=True)
class Amount:
    """An option that takes a whole number of chips or hands."""

    least: int
    ruling: str

    def accepts(self, value: OptionValue) -> bool:
        """Whether the value is a whole number within the bounds."""
        return type(value) is int and self.least <= value <= MAX_OPTION_CHIPS

    def expected(self) -> str:
        """The accepted values, for people."""
        return f"a whole number from {self.least} to {MAX_OPTION_CHIPS}"


@dataclass(frozen=True)
class Deck:
    """The option that names the ranks in play."""

    ruling: str

    def accepts(self, value: OptionValue) -> bool:
        """Whether the value is ``by-count`` or four to nine distinct ranks, highest first."""
        if value == "by-count":
            return True
        if not isinstance(value, str) or not 4 <= len(value) <= 9:
            return False
        places = [RANKS_HIGH_FIRST.find(rank) for rank in value]
        return places[0] >= 0 and all(a < b for a, b in pairwise(places))

    def expected(self) -> str:
        """The accepted values, for people."""
        return "by-count, or four to nine distinct ranks from the highest down, such as AKQ98"


Option = Choice | Amount | Deck

VYING_OPTIONS: Final[dict[str, Option]] = {
    "deck": Deck("presets"),
    "ante": Amount(0, "V2"),
    "dealer-extra": Amount(0, "V2"),
    "carre": Choice(("none", "chain", "first"), "V2"),
    "open-minimum": Choice((0, 1), "V3"),
    "no-more": Choice((True, False), "V9"),
    "carry": Choice(("dealer", "everyone"), "V18"),
    "favori": Choice(("off", "below-simple", "best"), "V17"),
    "mistigri": Choice(("off", "queen", "jack"), "V17"),
    "brelans": Choice((True, False), "V1"),
    "premium-simple": Amount(0, "V15"),
    "premium-carre": Amount(0, "V15"),
    "premium-favori": Amount(0, "V15"),
    "premium-favori-pot": Amount(0, "V15"),
    "premium-mistigri": Amount(0, "V15"),
    "premium-between-holders": Choice(("waive", "net"), "V15"),
    "premium-holders": Choice(("shown", "live"), "V15"),
    "premium-account": Choice(("stack", "ledger"), "V15"),
    "side-pot-suit": Choice(("main", "fresh"), "V13"),
    "heads-up-close": Choice(("state", "call"), "V8"),
    "rebuy": Amount(1, "S2"),
    "session-hands": Amount(0, "S3"),
    "final-carried": Choice(("split", "left"), "S3"),
    "session-seats": Choice(("open", "fixed"), "S5"),
}
"""Every option of the vying games. ``session-hands`` 0 is an open session."""

DECK_BY_COUNT: Final[dict[int, str]] = {3: "AK98", 4: "AKQ98", 5: "AKQJ98"}
"""The ranks in play by the number of players, where the deck is ``by-count``."""


def vying_options(values: Mapping[str, OptionValue]) -> VyingOptions:
    """The options object of a full set of values, already checked against the table."""
    return VyingOptions(**{name.replace("-", "_"): value for name, value in values.items()})  # type: ignore[arg-type]


def _written(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
