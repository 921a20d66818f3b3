"""The rules of the games: pure functions over small ints, no I/O, no clock, no framework."""

ENGINE_VERSION = "1.0.0"
