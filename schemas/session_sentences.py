"""The findings about a session in words: ints become names, fractions become text."""

import datetime as dt
from fractions import Fraction
from typing import Final

from engine.session.result import SessionFinding
from schemas.sentences import NOTHING
from schemas.session_verdict import Fractional
from schemas.session_wording import ACCOUNTS, SESSION_TEMPLATES
from schemas.wording import LANGUAGES

PLACES: Final = 4
"""Of a decimal for people."""


def fractional(value: Fraction) -> Fractional:
    """A number exactly and for people; the decimal is rounded half to even."""
    return Fractional(exact=str(value), decimal=decimal_of(value))


def decimal_of(value: Fraction) -> str:
    """The number with at most four decimals, none where there are none."""
    scaled = round(value * 10**PLACES)
    whole, part = divmod(abs(scaled), 10**PLACES)
    digits = f"{part:0{PLACES}}".rstrip("0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"


def plain(found: SessionFinding, value: object, names: list[str]) -> object:
    """A value of a finding as JSON: players by name, fractions as text, moments as RFC 3339."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, list):
        return [names[player] for player in value]
    if isinstance(value, int):
        if found.code == "dealer-break":
            return names[value]
        if found.code == "time-break":
            moment = dt.datetime.fromtimestamp(value / 1000, dt.UTC)
            return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value


def session_finding_in_words(found: SessionFinding, names: list[str]) -> dict[str, str]:
    """A finding as a sentence in every language, by language code."""
    wording = f"{found.code}/{found.part}"
    if wording not in SESSION_TEMPLATES:
        wording = found.code
    expected = _written(found, found.expected, names)
    seen = _written(found, found.seen, names)
    return {
        language: SESSION_TEMPLATES[wording][language].format(
            player=NOTHING if found.player < 0 else names[found.player],
            hand=NOTHING if found.number < 0 else found.number,
            expected=expected,
            seen=seen,
            account=ACCOUNTS[found.part][language] if found.part in ACCOUNTS else NOTHING,
        )
        for language in LANGUAGES
    }


def _written(found: SessionFinding, value: object, names: list[str]) -> str:
    said = plain(found, value, names)
    if said is None:
        return NOTHING
    if isinstance(said, list):
        return ", ".join(said)
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value} ({decimal_of(value)})"
    return str(said)
