"""The table of the vying options: what each may be, its ruling, and what each preset has."""

from engine.options import VYING_OPTIONS, Amount, Choice, Option, OptionValue
from engine.presets import PRESETS
from schemas.reference.tables import code, table


def option_table() -> str:
    """Every option with its values, its ruling and its value in each preset."""
    head = ["option", "values", "ruling", *(code(name) for name in PRESETS)]
    rows = [
        [
            code(name),
            _values(option),
            f"[{option.ruling}](#{option.ruling.lower()})",
            *(code(_written(preset.values[name])) for preset in PRESETS.values()),
        ]
        for name, option in VYING_OPTIONS.items()
    ]
    seats = ["players", "", "", *(_seats(name) for name in PRESETS)]
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
