"""What is played in a session: a document's rules resolved to options and a session's terms."""

from msgspec import UNSET

from engine.options import OptionValue
from engine.presets import PRESETS, OptionError, TableOptions, options_of
from engine.session.record import SessionTerms
from schemas.document import Rules
from schemas.errors import UnreadableHand, step


class ResolvedRules:
    """A preset with a table's own options: by name, and as the engine has them."""

    def __init__(self, preset: str, values: dict[str, OptionValue], options: TableOptions) -> None:
        self.preset = preset
        self.values = values
        self.options = options

    def terms(self) -> SessionTerms:
        """What these rules say of a session."""
        return SessionTerms(
            cave=self.options.rebuy,
            hands=self.options.session_hands,
            final_carried=self.options.final_carried,
            seats=self.options.session_seats,
        )


def resolve_rules(rules: Rules) -> ResolvedRules | UnreadableHand:
    """The rules of a document, or why they name nothing that is known."""
    preset = PRESETS.get(rules.preset)
    if preset is None:
        expected = "one of " + ", ".join(PRESETS)
        return UnreadableHand("unknown-preset", "/rules/preset", expected, rules.preset)
    overrides: dict[str, OptionValue] = {} if rules.options is UNSET else rules.options
    options = options_of(preset, overrides)
    if isinstance(options, OptionError):
        pointer = step("/rules/options", options.option)
        return UnreadableHand("unknown-option", pointer, options.expected, options.seen)
    return ResolvedRules(preset.name, {**preset.values, **overrides}, options)
