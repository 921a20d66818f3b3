"""Conditions as addresses have them."""

import datetime as dt
from collections.abc import Mapping


def named(given: Mapping[str, object]) -> dict[str, str]:
    """Parameters by the names that they have in addresses."""
    return {name.removesuffix("_"): text(value) for name, value in given.items()}


def text(value: object) -> str:
    """A parameter as it is written in an address."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        value = value.astimezone(dt.UTC)
    return value.isoformat() if isinstance(value, dt.date) else str(value)
