"""Says what a finding expected and saw: seats as players, cards by their signs, acts as words."""

import re
from typing import Final

from dashboards import wording
from dashboards.language import language
from dashboards.telling import card_said, short_player
from schemas.verdict import HandReplay, Violation
from schemas.wording import ACT_WORDS, OR

_CARD: Final = re.compile(r"[2-9TJQKA][shdc]")
_PARTING: Final = re.compile(r", | or ")
_RANGE: Final = re.compile(r"(\d+) to (\d+)")


def act_said(do: str) -> str:
    """An act as an infinitive."""
    return ACT_WORDS[do][language()]


def said(replay: HandReplay, violation: Violation, thing: object) -> str:
    """What a finding expected or saw, as people read it."""
    match thing:
        case int() if violation.pointer.endswith("/seat"):
            return short_player(replay, thing)
        case dict():
            shares = (f"{short_player(replay, seat)} {amount}" for seat, amount in thing.items())
            return ", ".join(shares) or wording.NOTHING
        case list() if violation.pointer.endswith("/winners"):
            return ", ".join(short_player(replay, seat) for seat in thing)
        case list():
            return ", ".join(said(replay, violation, part) for part in thing) or wording.NOTHING
        case str():
            return _text_said(thing)
        case _:
            return wording.value(thing)


def _text_said(text: str) -> str:
    if _CARD.fullmatch(text) or text == "??":
        return card_said(text)
    between = _RANGE.fullmatch(text)
    if between is not None:
        return "–".join(between.groups())
    acts = _PARTING.split(text)
    if not all(act in ACT_WORDS for act in acts):
        return text
    *others, last = map(act_said, acts)
    return f"{', '.join(others)}{OR[language()]}{last}" if others else last
