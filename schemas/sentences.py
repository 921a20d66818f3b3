"""The sentence of each finding, for people, in four languages.

A template may name ``{player}`` (whose act it is), ``{expected}``, ``{seen}`` and
``{expected_player}`` (where what was expected is a seat).
"""

from typing import Final

LANGUAGES: Final = ("en", "fr", "de", "pt")

SENTENCES: Final[dict[str, dict[str, str]]] = {
    "out-of-turn": {
        "en": "{player} acted out of turn; {expected_player} was to speak.",
        "fr": "{player} a joué hors de son tour ; c'était à {expected_player} de parler.",
        "de": "{player} war nicht an der Reihe; {expected_player} war dran.",
        "pt": "{player} jogou fora da vez; cabia a {expected_player} falar.",
    },
}


def sentences(
    code: str, *, player: str, expected: str, seen: str, expected_player: str
) -> dict[str, str]:
    """The finding's sentence in every language, by language code."""
    return {
        language: template.format(
            player=player, expected=expected, seen=seen, expected_player=expected_player
        )
        for language, template in SENTENCES[code].items()
    }
