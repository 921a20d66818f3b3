"""The rules of the games: pure functions over small ints, no I/O, no clock, no framework."""

ENGINE_VERSION = "1.0.0"
RULES_VERSION = "1.0"
"""The version of the rules page (docs/rules.md) that the engine follows."""
