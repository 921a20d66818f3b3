"""The sentence of each finding, for people, in four languages.

Values are put into words here: acts become infinitives, seats become players, winners become
players with what they took. The wordings themselves are in `schemas.wording`.
"""

import re
from typing import Final

from msgspec import UNSET

from engine.violations import Violation
from schemas.document import Hand
from schemas.errors import UnknownKey
from schemas.wording import ACT_WORDS, NOBODY, OR, TEMPLATES

Spoken = str | dict[str, str]
"""A value as it stands in a sentence: the same everywhere, or by language code."""

NOTHING: Final = "–"
"""What stands in a sentence where there is no value."""

_PARTING: Final = re.compile(r", | or ")


def sentences(
    wording: str, *, player: str, expected: Spoken, seen: Spoken, expected_player: str
) -> dict[str, str]:
    """A wording in every language, by language code."""
    return {
        language: template.format(
            player=player,
            expected=expected if isinstance(expected, str) else expected[language],
            seen=seen if isinstance(seen, str) else seen[language],
            expected_player=expected_player,
        )
        for language, template in TEMPLATES[wording].items()
    }


def finding_in_words(found: Violation, hand: Hand) -> dict[str, str]:
    """A finding of the engine, its seats named as the hand names them."""
    players = [seat.player for seat in hand.seats]
    return sentences(
        wording_of(found, hand),
        player=_player(found.seat, players),
        expected=_expected(found, players),
        seen=_seen(found, hand, players),
        expected_player=_player(found.expected, players),
    )


def unknown_key_in_words(key: UnknownKey) -> dict[str, str]:
    """The warning that the format does not know a key."""
    return sentences(
        "unknown-key" if key.suggestion else "unknown-key/no-suggestion",
        player=NOTHING,
        expected=key.suggestion or NOTHING,
        seen=key.pointer,
        expected_player=NOTHING,
    )


def seen_in(hand: Hand, found: Violation) -> object:
    """What was seen, by the document's own name where the engine knows an act as foreign only."""
    if found.code == "foreign-act":
        return hand.events[found.event].__struct_config__.tag
    return found.seen


def wording_of(found: Violation, hand: Hand) -> str:
    """The name of the wording that fits a finding: its code, or one of the code's wordings."""
    code = found.code
    if code == "declared-pots":
        part = found.pointer.rsplit("/", 1)[-1]
        return f"{code}/count" if part == "pots" else f"{code}/{part}"
    if code == "declared-stacks" and found.seat < 0:
        declared = UNSET if hand.declared is UNSET else hand.declared.stacks
        uncounted = declared is not UNSET and len(declared) == len(hand.seats)
        return f"{code}/sum" if uncounted else f"{code}/count"
    variant = _variant(found)
    return f"{code}/{variant}" if variant else code


def _variant(found: Violation) -> str:
    """The word of the wording that fits, empty for that of the code itself."""
    match found.code:
        case "wrong-stage" if found.expected == "nothing":
            return "over"
        case "out-of-turn" if found.ruling == "B4":
            return "play"
        case "declared-impossible":
            apart = "premium" if found.seat >= 0 else "together"
            return "winners" if found.pointer.endswith("/winners") else apart
        case "not-in-hand" if found.ruling.startswith("B"):
            return "out"
        case "declared-premiums" | "declared-tricks" | "declared-payments" if (
            found.expected is None
        ):
            return "no-seat" if found.seat >= 0 else "foreign"
        case _:
            return ""


def _expected(found: Violation, players: list[str]) -> Spoken:
    if found.code == "player-count":
        least, _, most = str(found.expected).partition(" to ")
        return least if least == most else f"{least}–{most}"
    if found.code in ("cards-missing", "cards-too-many"):
        return _places(found.expected, players)
    if found.code == "declared-impossible" and isinstance(found.expected, list):
        is_seats = found.pointer.endswith("/winners")
        return ", ".join(
            _player(part, players) if is_seats else str(part) for part in found.expected
        )
    return _written(found.expected, players)


def _places(missing: object, players: list[str]) -> str:
    """Whose cards are missing, and how many where that is told."""
    if isinstance(missing, dict):
        return ", ".join(
            f"{count} × {_player(place, players)}" if isinstance(place, int) else str(place)
            for place, count in missing.items()
        )
    return str(missing)


def _seen(found: Violation, hand: Hand, players: list[str]) -> Spoken:
    seen = seen_in(hand, found)
    return str(seen) if found.code == "foreign-act" else _written(seen, players)


def _player(seat: object, players: list[str]) -> str:
    return players[seat] if isinstance(seat, int) and 0 <= seat < len(players) else NOTHING


def _written(value: object, players: list[str]) -> Spoken:
    match value:
        case None:
            return NOTHING
        case str():
            return _acts_in_words(value)
        case list():
            return " ".join(str(part) for part in value)
        case dict():
            shares = [f"{_player(seat, players)} {chips}" for seat, chips in value.items()]
            return ", ".join(shares) or NOBODY
        case _:
            return str(value)


def _acts_in_words(text: str) -> Spoken:
    """A list of acts such as ``pass or open`` in each language; another text as it is."""
    acts = _PARTING.split(text)
    if any(act not in ACT_WORDS for act in acts):
        return text
    return {
        language: _either([ACT_WORDS[act][language] for act in acts], word)
        for language, word in OR.items()
    }


def _either(words: list[str], word_for_or: str) -> str:
    return ", ".join(words[:-1]) + word_for_or + words[-1] if words[1:] else words[0]
