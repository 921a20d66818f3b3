"""The tables of the options by game: what each may be, its ruling, and what each preset has."""

from engine.options import Amount, Choice, Option, OptionValue
from engine.presets import BOURRE, PRESETS, VYING, Game
from schemas.reference.tables import code, table


def vying_option_table() -> str:
    """Every option of Bouillotte and Brelan with its values, its ruling and each preset's value."""
    return _table(VYING)


def bourre_option_table() -> str:
    """Every option of Bourré with its values, its ruling and each preset's value."""
    return _table(BOURRE)


def _table(game: Game) -> str:
    presets = {name: preset for name, preset in PRESETS.items() if preset.game is game}
    head = ["option", "values", "ruling", *(code(name) for name in presets)]
    rows = [
        [
            code(name),
            _values(option),
            f"[{option.ruling}](#{option.ruling.lower()})",
            *(code(_written(preset.values[name])) for preset in presets.values()),
        ]
        for name, option in game.options.items()
    ]
    seats = ["players", "", "", *(_seats(name) for name in presets)]
    return table(head, [seats, *rows])


def _values(option: Option) -> str:
    match option:
        case Choice():
            return ", ".join(code(_written(value)) for value in option.values)
        case Amount():
            return f"a whole number from {option.least}"
        case _:
            return "`by-count`, or the ranks in play from the highest down, such as `AKQ98`"


def _seats(name: str) -> str:
    preset = PRESETS[name]
    least, most = preset.min_players, preset.max_players
    return str(least) if least == most else f"{least}–{most}"


def _written(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
