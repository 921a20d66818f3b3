"""The statistics of a player as tables of data, made of the counters and of nothing else.

Each is a sum of counters over another, so it is exact over any set of hands and over any union of
such sets. What they mean is said by their formulas, which the documentation repeats.
"""

from typing import Final, Literal

from msgspec import Struct

from warehouse.sure_tricks import ONE_IN

Game = Literal["vying", "bourre"]
"""Which counters a statistic is made of: those of Bouillotte and Brelan, or those of Bourré."""


class Statistic(Struct, frozen=True):
    """A rate: how often something was done (``made``) of how often it could be (``chances``).

    Both are counters, to be added up.
    """

    id: str
    game: Game
    label: str
    made: tuple[str, ...]
    chances: tuple[str, ...]
    formula: str


class Average(Struct, frozen=True):
    """A quantity over a number of times, ``scale`` times as much: what there is of it each time.

    ``total`` are counters, and counters behind a "-" to be taken off.
    """

    id: str
    game: Game
    label: str
    total: tuple[str, ...]
    times: tuple[str, ...]
    scale: float
    unit: str
    formula: str


def _vying(name: str, label: str, made: str, chances: str, formula: str) -> Statistic:
    return Statistic(name, "vying", label, tuple(made.split()), tuple(chances.split()), formula)


def _bourre(name: str, label: str, made: str, chances: str, formula: str) -> Statistic:
    return Statistic(name, "bourre", label, tuple(made.split()), tuple(chances.split()), formula)


def _trumps(count: int) -> str:
    return {0: "no trump", 1: "one trump"}.get(count, f"{count} trumps")


_RENEGES: Final = {
    "lead": "Leads no trump where one is due",
    "cinch": "Breaks the cinch",
    "follow": "Does not follow suit",
    "head": "Does not head the trick",
    "trump": "Does not trump",
    "overtrump": "Does not overtrump",
    "undertrump": "Does not undertrump",
}
_PROVEN: Final = tuple(f"reneged_{kind}" for kind in _RENEGES)


def _per_thousand(name: str, label: str, reneges: tuple[str, ...], formula: str) -> Average:
    cards = "cards played face up, in hands that do not count as well"
    told = f"1,000 × {formula} ÷ {cards}"
    return Average(name, "bourre", label, reneges, ("cards_seen",), 1_000, "per 1,000 cards", told)


STATISTICS: Final = (
    _vying(
        "entry",
        "Enters",
        "entered",
        "decided",
        "hands with a voluntary opening, call or raise ÷ hands with a decision after the deal",
    ),
    _vying("open", "Opens", "opened", "could_open", "openings ÷ unopened turns"),
    _vying("carre", "Carres", "carred", "could_carre", "carres ÷ turns in the carre chain"),
    _vying(
        "recarre",
        "Carres again",
        "recarred",
        "could_recarre",
        "second and later carres ÷ turns in the carre chain behind a carre",
    ),
    _vying(
        "raise",
        "Raises",
        "raised",
        "could_raise",
        "hands raised ÷ hands facing an opening or the no-more option",
    ),
    _vying(
        "reraise-use",
        "Uses the no-more right",
        "raised_again",
        "could_raise_again",
        "raises ÷ raises and no-mores, once everybody has called",
    ),
    _vying(
        "fold-to-open",
        "Folds to an opening",
        "folded_to_open",
        "faced_open",
        "folds to an opening ÷ openings faced",
    ),
    _vying(
        "fold-to-raise",
        "Folds to a raise",
        "folded_to_raise",
        "faced_raise",
        "folds to a raise ÷ raises faced",
    ),
    _vying(
        "fold-to-carre",
        "Gives way to a carre",
        "passed_to_carre",
        "faced_carre",
        "passes ÷ turns before the opening while somebody else's carre stands",
    ),
    _vying(
        "AFq",
        "Aggression frequency",
        "opened raises",
        "opened raises calls folds",
        "(openings + raises) ÷ (openings + raises + calls + folds)",
    ),
    _vying(
        "showdown",
        "Goes to the showdown",
        "entered_and_showed",
        "entered",
        "showdowns of hands entered ÷ hands entered",
    ),
    _vying(
        "won-at-showdown",
        "Wins at the showdown",
        "showed_and_won",
        "showed",
        "showdowns with a share of a pot that somebody else was left in ÷ showdowns",
    ),
    _vying(
        "by-point",
        "Wins by the point",
        "won_by_point",
        "showed_and_won",
        "showdowns won whose first pot won was won by the point ÷ showdowns won",
    ),
    _vying(
        "by-brelan",
        "Wins by a brelan",
        "won_by_brelan",
        "showed_and_won",
        "showdowns won whose first pot won was won by a brelan ÷ showdowns won",
    ),
    _vying(
        "steal",
        "Wins uncontested",
        "entered_and_stole",
        "entered",
        "hands entered and won without a showdown ÷ hands entered",
    ),
    _vying(
        "va-tout",
        "Goes all-in",
        "entered_all_in",
        "entered",
        "hands entered and all-in ÷ hands entered",
    ),
    _vying(
        "winner-folded",
        "Folds the best hand",
        "winner_folded",
        "folds_all_shown",
        "folds whose hand would have won the main pot ÷ folds with every hand shown",
    ),
    _vying(
        "fold-above-price",
        "Folds above the price",
        "folds_above_price",
        "folds_judged",
        "folds with q above the price ÷ folds with a known q and a price",
    ),
    _vying(
        "call-below-price",
        "Calls below the price",
        "calls_below_price",
        "calls_judged",
        "calls with q below the price ÷ calls with a known q and a price",
    ),
    _bourre("stay", "Stays", "stayed", "declared", "stays ÷ decisions to stay or go out"),
    *(
        _bourre(
            f"stay-with-{count}",
            f"Stays with {_trumps(count)}",
            f"stayed_with_{count}",
            f"declared_with_{count}",
            f"stays ÷ decisions, with {_trumps(count)} in hand",
        )
        for count in range(6)
    ),
    _bourre(
        "stay-fresh",
        "Stays at a fresh pot",
        "stayed_fresh",
        "declared_fresh",
        "stays ÷ decisions, where the pot is no more than all antes",
    ),
    _bourre(
        "stay-twice",
        "Stays at a carried pot",
        "stayed_twice",
        "declared_twice",
        "stays ÷ decisions, where the pot is more than all antes and at most twice as much",
    ),
    _bourre(
        "stay-more",
        "Stays at a big pot",
        "stayed_more",
        "declared_more",
        "stays ÷ decisions, where the pot is more than twice all antes",
    ),
    _bourre("pat", "Stands pat", "pat", "played", "hands without a draw ÷ hands played"),
    _bourre("bourre", "Takes no trick", "bourred", "played", "bourrés ÷ hands played"),
    _bourre(
        "pot-win",
        "Wins the pot",
        "stayed_and_won",
        "stayed",
        "pots, or shares of one, of hands stayed in ÷ stays",
    ),
    _bourre("tie", "Ties for the pot", "tied", "played", "ties for most tricks ÷ hands played"),
    _bourre("lead-win", "Wins what is led", "led_and_won", "led", "tricks led and won ÷ led"),
    _bourre(
        "renege",
        "Reneges",
        " ".join(_PROVEN),
        "cards_seen",
        "proven reneges ÷ cards played face up, in hands that do not count as well",
    ),
)
"""Every rate, in the order in which a page shows them."""

AVERAGES: Final = (
    Average(
        "caves/100",
        "vying",
        "Rebuys",
        ("rebought",),
        ("hands",),
        100,
        "per 100 hands",
        "100 × rebuys ÷ hands",
    ),
    *(
        Average(
            f"q-at-{act}",
            "vying",
            f"Strength at {noun}",
            (f"q_at_{act}",),
            (f"{act}s_judged",),
            1e-4,
            "%",
            f"the mean of q at {noun}",
        )
        for act, noun in (
            ("open", "an opening"),
            ("call", "a call"),
            ("raise", "a raise"),
            ("fold", "a fold"),
        )
    ),
    Average(
        "price-at-call",
        "vying",
        "Price of a call",
        ("price_at_call",),
        ("calls_judged",),
        1e-4,
        "%",
        "the mean of to call ÷ pot after the call",
    ),
    Average(
        "draw-mean",
        "bourre",
        "Draws",
        ("drawn",),
        ("played",),
        1,
        "cards",
        "cards drawn ÷ hands played",
    ),
    Average(
        "tricks/stay",
        "bourre",
        "Tricks",
        ("tricks",),
        ("played",),
        1,
        "per hand played",
        "tricks ÷ hands played",
    ),
    Average(
        "pots/100",
        "bourre",
        "Pots",
        ("won_pot",),
        ("bourre_hands",),
        100,
        "per 100 hands",
        "100 × pots, or shares of one ÷ hands dealt in",
    ),
    Average(
        "bourre-cost",
        "bourre",
        "A bourré costs",
        ("bourre_chips",),
        ("bourred",),
        1,
        "chips",
        "chips paid for bourrés ÷ bourrés",
    ),
    Average(
        "stay-ROI",
        "bourre",
        "A stay returns",
        ("stayed_pot_chips", "-bourre_chips", "-renege_chips"),
        ("pot_at_stay",),
        100,
        "% of the pot",
        "(pots of hands stayed in − bourrés − reneges) ÷ the pots at the decisions to stay",
    ),
    Average(
        "double-dummy-gap",
        "bourre",
        "Tricks given away",
        ("sure_tricks", "-tricks_of_solved"),
        ("solved",),
        1,
        "per hand played",
        "(tricks that were sure with all cards seen − tricks) ÷ hands played for which that was"
        f" worked out, one in {ONE_IN}",
    ),
    _per_thousand("reneges/1000", "Reneges", _PROVEN, "proven reneges"),
    *(
        _per_thousand(f"renege-{kind}/1000", label, (f"reneged_{kind}",), "such reneges")
        for kind, label in _RENEGES.items()
    ),
    _per_thousand(
        "renege-corrected/1000",
        "Takes a renege back",
        ("reneged_corrected",),
        "reneges taken back in time, which are no others",
    ),
    Average(
        "decision-time",
        "vying",
        "Takes for a decision",
        ("decision_ms",),
        ("timed",),
        1e-3,
        "s",
        "the time of all timed decisions ÷ their number",
    ),
)
"""Every average, in the order in which a page shows them. ``hands`` is the number of hands."""
