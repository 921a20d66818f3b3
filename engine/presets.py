"""The presets: named sets of option values, and how many may sit at the table.

Each row follows its source as RULINGS' option table reads it. Nothing else in the project branches
on a preset's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.options import VYING_OPTIONS, OptionValue, VyingOptions, vying_options


@dataclass(frozen=True)
class Preset:
    """A game as one source plays it."""

    name: str
    min_players: int
    max_players: int
    values: dict[str, OptionValue]


SALON: Final = Preset(
    name="bouillotte/salon",
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

PRESETS: Final[dict[str, Preset]] = {preset.name: preset for preset in (SALON, HISTORICO)}


@dataclass(frozen=True)
class OptionError:
    """Why a set of overrides is refused: which option, what it may be, what was seen."""

    option: str
    expected: str
    seen: str


def options_of(preset: Preset, overrides: Mapping[str, OptionValue]) -> VyingOptions | OptionError:
    """The options of a preset with a table's own values laid over them."""
    if not overrides:
        return preset_options(preset)
    for name, value in overrides.items():
        option = VYING_OPTIONS.get(name)
        if option is None:
            return OptionError(name, "one of " + ", ".join(VYING_OPTIONS), name)
        if not option.accepts(value):
            return OptionError(name, option.expected(), repr(value))
    return _with_overrides(preset.name, tuple(sorted(overrides.items())))


_OWN_OPTIONS: Final[dict[str, VyingOptions]] = {
    preset.name: vying_options(preset.values) for preset in PRESETS.values()
}


def preset_options(preset: Preset) -> VyingOptions:
    """The options of a preset as its source plays it."""
    return _OWN_OPTIONS[preset.name]


@lru_cache(maxsize=1024)
def _with_overrides(
    preset_name: str, overrides: tuple[tuple[str, OptionValue], ...]
) -> VyingOptions:
    return vying_options({**PRESETS[preset_name].values, **dict(overrides)})
