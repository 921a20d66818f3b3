"""The presets: named sets of option values of a game, and how many may sit at the table.

Each row follows its source as RULINGS' option table reads it. Nothing else in the project branches
on a preset's name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.bourre.options import BOURRE_OPTIONS, BourreOptions, bourre_options
from engine.options import VYING_OPTIONS, Option, OptionValue, VyingOptions, vying_options

TableOptions = VyingOptions | BourreOptions


@dataclass(frozen=True)
class Game:
    """A family of games with one table of options, and how their values become an object."""

    name: str
    options: dict[str, Option]
    make_options: Callable[[Mapping[str, OptionValue]], TableOptions]


VYING: Final = Game("vying", VYING_OPTIONS, vying_options)
BOURRE: Final = Game("bourre", BOURRE_OPTIONS, bourre_options)
GAMES: Final = (VYING, BOURRE)


@dataclass(frozen=True)
class Preset:
    """A game as one source plays it."""

    name: str
    game: Game
    min_players: int
    max_players: int
    values: dict[str, OptionValue]


SALON: Final = Preset(
    name="bouillotte/salon",
    game=VYING,
    min_players=3,
    max_players=5,
    values={
        "deck": "by-count",
        "ante": 1,
        "dealer-extra": 1,
        "carre": "chain",
        "open-minimum": 0,
        "no-more": True,
        "carry": "dealer",
        "favori": "off",
        "mistigri": "off",
        "brelans": True,
        "premium-simple": 1,
        "premium-carre": 2,
        "premium-favori": 1,
        "premium-favori-pot": 2,
        "premium-mistigri": 1,
        "premium-between-holders": "waive",
        "premium-holders": "shown",
        "premium-account": "stack",
        "side-pot-suit": "main",
        "heads-up-close": "state",
        "rebuy": 100,
        "session-hands": 0,
        "final-carried": "left",
        "session-seats": "open",
    },
)

HISTORICO: Final = Preset(
    name="bouillotte/historico",
    game=VYING,
    min_players=4,
    max_players=4,
    values={
        **SALON.values,
        "deck": "AKQ98",
        "ante": 0,
        "open-minimum": 1,
        "premium-between-holders": "net",
        "premium-holders": "live",
        "premium-account": "ledger",
        "session-hands": 12,
        "final-carried": "split",
        "session-seats": "fixed",
    },
)

ACADEMIE_1834: Final = Preset(
    name="bouillotte/academie-1834",
    game=VYING,
    min_players=3,
    max_players=5,
    values={
        **SALON.values,
        "premium-simple": 2,
        "premium-carre": 4,
        "premium-mistigri": 2,
    },
)

FOSTER: Final = Preset(
    name="bouillotte/foster",
    game=VYING,
    min_players=3,
    max_players=5,
    values={
        **SALON.values,
        "favori": "below-simple",
        "premium-carre": 4,
    },
)

MISTIGRI: Final = Preset(
    name="bouillotte/mistigri",
    game=VYING,
    min_players=3,
    max_players=5,
    values={**SALON.values, "mistigri": "queen"},
)

CLASSIQUE: Final = Preset(
    name="brelan/classique",
    game=VYING,
    min_players=2,
    max_players=5,
    values={
        **SALON.values,
        "deck": "AKQJT98",
        "dealer-extra": 0,
        "carre": "none",
        "open-minimum": 1,
        "no-more": False,
        "carry": "everyone",
        "premium-simple": 0,
        "premium-carre": 0,
        "premium-favori": 0,
        "premium-favori-pot": 0,
        "premium-mistigri": 0,
        "final-carried": "split",
    },
)

LOUISIANA: Final = Preset(
    name="bourre/louisiana",
    game=BOURRE,
    min_players=2,
    max_players=8,
    values={
        "ante": 1,
        "trump-card": "dealers-fifth",
        "declare": "in-turn",
        "maximum-draw": 5,
        "smaller-draw": 5,
        "smaller-draw-from": 0,
        "recycle": "discards",
        "opening-lead": "free",
        "cinch": False,
        "head-when-trumped": "required",
        "overtrump": "required",
        "undertrump": "forced",
        "tie": "carry",
        "ante-exemption": "none",
        "limit": "none",
        "cap": 20,
        "renege": "pays-pot",
        "cannot-pay": "pays-stack",
        "rebuy": 100,
        "session-hands": 0,
        "final-carried": "left",
        "session-seats": "open",
    },
)

PAGAT: Final = Preset(
    name="bourre/pagat",
    game=BOURRE,
    min_players=2,
    max_players=8,
    values={
        **LOUISIANA.values,
        "declare": "in-turn-with-count",
        "recycle": "discards-and-folded",
        "cinch": True,
        "head-when-trumped": "waived",
        "ante-exemption": "bourre-and-tied",
        "limit": "bourre-and-winner",
        "renege": "both",
    },
)

PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        SALON,
        HISTORICO,
        ACADEMIE_1834,
        FOSTER,
        MISTIGRI,
        CLASSIQUE,
        LOUISIANA,
        PAGAT,
    )
}


@dataclass(frozen=True)
class OptionError:
    """Why a set of overrides is refused: which option, what it may be, what was seen."""

    option: str
    expected: str
    seen: str


def options_of(preset: Preset, overrides: Mapping[str, OptionValue]) -> TableOptions | OptionError:
    """The options of a preset with a table's own values laid over them."""
    if not overrides:
        return preset_options(preset)
    for name, value in overrides.items():
        option = preset.game.options.get(name)
        if option is None:
            return OptionError(name, "one of " + ", ".join(preset.game.options), name)
        if not option.accepts(value):
            return OptionError(name, option.expected(), repr(value))
    return _with_overrides(preset.name, tuple(sorted(overrides.items())))


_OWN_OPTIONS: Final[dict[str, TableOptions]] = {
    preset.name: preset.game.make_options(preset.values) for preset in PRESETS.values()
}


def preset_options(preset: Preset) -> TableOptions:
    """The options of a preset as its source plays it."""
    return _OWN_OPTIONS[preset.name]


@lru_cache(maxsize=1024)
def _with_overrides(
    preset_name: str, overrides: tuple[tuple[str, OptionValue], ...]
) -> TableOptions:
    preset = PRESETS[preset_name]
    return preset.game.make_options({**preset.values, **dict(overrides)})
