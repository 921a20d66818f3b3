"""What a hand adds to each seat's statistics, as whole numbers, so that any sum of them is exact.

A chance is a turn, or a hand, at which the act was legal; nothing else counts as one. The counters
here are columns of the seats' segments, one each, and what the statistics are made of.
"""

from typing import Final

from msgspec import Struct


class Counter(Struct, frozen=True):
    """A column: what it counts. One that is ``wide`` may be of any size, any other is below 2¹⁵."""

    name: str
    about: str
    wide: bool = False


def _wide(name: str, about: str) -> Counter:
    return Counter(name, about, wide=True)


RENEGES: Final = {
    "must-lead-trump": "reneged_lead",
    "must-play-cinch": "reneged_cinch",
    "must-follow": "reneged_follow",
    "must-head": "reneged_head",
    "must-trump": "reneged_trump",
    "must-overtrump": "reneged_overtrump",
    "must-undertrump": "reneged_undertrump",
    "renege-corrected": "reneged_corrected",
}
"""The counters of reneges, by the codes of the findings that prove them."""

TRUMPS: Final = range(6)
"""How many trumps a hand of five cards may hold."""

POT_SIZES: Final = ("fresh", "twice", "more")
"""A pot of Bourré beside the antes of all seats: no more than they, up to twice, beyond."""

COUNTERS: Final = (
    # Bouillotte and Brelan. By hand: 0 or 1. By turn: how often.
    Counter("decided", "hands with a decision after the deal"),
    Counter("entered", "hands opened, called or raised of the player's own will"),
    Counter("opened", "openings"),
    Counter("could_open", "unopened turns at which opening was legal"),
    Counter("carred", "carres"),
    Counter("could_carre", "turns in the carre chain"),
    Counter("recarred", "carres on top of somebody else's"),
    Counter("could_recarre", "turns in the carre chain behind a carre"),
    Counter("passed_to_carre", "passes before the opening while somebody else's carre stood"),
    Counter("faced_carre", "turns before the opening while somebody else's carre stood"),
    Counter("raised", "hands raised"),
    Counter("could_raise", "hands that faced an opening or the no-more option and could raise"),
    Counter("raises", "raises"),
    Counter("calls", "calls"),
    Counter("folds", "folds"),
    Counter("folded_to_open", "folds to an opening"),
    Counter("faced_open", "turns that faced an opening"),
    Counter("folded_to_raise", "folds to a raise"),
    Counter("faced_raise", "turns that faced a raise"),
    Counter("raised_again", "raises in the no-more round"),
    Counter("could_raise_again", "turns of the no-more round at which raising was legal"),
    Counter("entered_and_showed", "hands entered that went to the showdown"),
    Counter("showed", "showdowns"),
    Counter("showed_and_won", "showdowns with a share of a pot that somebody else was left in"),
    Counter("won_by_point", "showdowns whose first pot won was won by the point"),
    Counter("won_by_brelan", "showdowns whose first pot won was won by a brelan"),
    Counter("entered_and_stole", "hands entered and won without a showdown"),
    Counter("entered_all_in", "hands entered and all-in"),
    Counter("folds_all_shown", "hands folded after which every hand was shown"),
    Counter("winner_folded", "of these, hands that would have won the showdown"),
    Counter("dealt_known", "hands whose own three cards were dealt face up in the log"),
    Counter("brelans_dealt", "of these, three of a rank, whatever counts as a brelan"),
    # Strength against price; q is the chance to win a showdown of the whole table, in millionths.
    Counter("opens_judged", "openings with a known q"),
    _wide("q_at_open", "the sum of q at these"),
    Counter("calls_judged", "calls with a known q and a price"),
    _wide("q_at_call", "the sum of q at these"),
    _wide("price_at_call", "the sum of the prices of these: to call ÷ pot after the call"),
    Counter("calls_below_price", "of these, with q below the price"),
    Counter("raises_judged", "raises with a known q"),
    _wide("q_at_raise", "the sum of q at these"),
    Counter("folds_judged", "folds with a known q and a price"),
    _wide("q_at_fold", "the sum of q at these"),
    _wide("price_at_fold", "the sum of the prices of these"),
    Counter("folds_above_price", "of these, with q above the price"),
    # Bourré.
    Counter("bourre_hands", "hands of Bourré dealt in"),
    Counter("declared", "decisions to stay or go out"),
    Counter("stayed", "stays"),
    *(Counter(f"declared_with_{n}", f"decisions with {n} trumps known") for n in TRUMPS),
    *(Counter(f"stayed_with_{n}", f"of these, stays with {n}") for n in TRUMPS),
    *(Counter(f"declared_{size}", f"decisions at a {size} pot") for size in POT_SIZES),
    *(Counter(f"stayed_{size}", f"of these, stays at a {size} pot") for size in POT_SIZES),
    Counter("played", "hands stayed in that were played out"),
    Counter("drawn", "cards drawn in these"),
    Counter("pat", "of these, without drawing"),
    Counter("tricks", "tricks taken"),
    Counter("bourred", "hands without a trick"),
    Counter("won_pot", "hands that took the pot, or a share of it"),
    Counter("stayed_and_won", "of these, hands stayed in; the last one left is not asked"),
    Counter("tied", "hands tied for the most tricks that took nothing"),
    Counter("led", "tricks led"),
    Counter("led_and_won", "of these, tricks won"),
    Counter("solved", "hands played of which it was worked out, all cards seen, what was sure"),
    Counter("sure_tricks", "the tricks that were sure in these"),
    Counter("tricks_of_solved", "the tricks taken in these"),
    Counter("cards_played", "cards played"),
    _wide("pot_chips", "chips taken from pots"),
    _wide("stayed_pot_chips", "of these, in hands stayed in"),
    _wide("ante_chips", "chips of antes"),
    _wide("bourre_chips", "chips paid for bourrés"),
    _wide("renege_chips", "chips paid for reneges"),
    _wide("pot_at_stay", "the pot at each stay, summed"),
    # Bourré, of every hand that has a card played face up, whether it counts or not.
    Counter("cards_seen", "cards played face up, in hands that do not count as well"),
    Counter("reneged_lead", "of these, no trump led where one was due"),
    Counter("reneged_cinch", "of these, not the highest trump where it was due by the cinch"),
    Counter("reneged_follow", "of these, not of the suit led"),
    Counter("reneged_head", "of these, not above the others though of the suit led"),
    Counter("reneged_trump", "of these, no trump though void in the suit led"),
    Counter("reneged_overtrump", "of these, a trump below another one"),
    Counter("reneged_undertrump", "of these, no trump where only a lower one was to be had"),
    Counter("reneged_corrected", "reneges taken back in time, which are in none of the others"),
    # For all.
    Counter("rebought", "hands begun with a rebuy"),
    Counter("timed", "decisions whose time is known"),
    _wide("decision_ms", "the milliseconds of these"),
)
"""Every counter, in the order of the columns."""

PLACE: Final = {counter.name: place for place, counter in enumerate(COUNTERS)}
"""Where a counter stands among them."""

_NOTHING: Final = [0] * len(COUNTERS)


class Tally:
    """A seat's counters of one hand, all 0 at first."""

    __slots__ = ("counts",)

    def __init__(self) -> None:
        self.counts = _NOTHING.copy()

    def add(self, name: str, amount: int = 1) -> None:
        """Count something once more, or so many times more."""
        self.counts[PLACE[name]] += amount

    def set(self, name: str, value: int | bool = True) -> None:  # noqa: FBT001, FBT002 - a flag of the hand
        """Note something that is so, or not, of the whole hand."""
        self.counts[PLACE[name]] = int(value)

    def __getitem__(self, name: str) -> int:
        return self.counts[PLACE[name]]
