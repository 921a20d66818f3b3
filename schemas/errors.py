"""Why a hand could not be read: the values that decoding returns, and the codes they carry.

A hand that breaks the rules of its game is not here: that is a violation, found by the engine.
"""

from typing import Final

from msgspec import Struct

SEEN_LIMIT: Final = 200
KEY_LIMIT: Final = 200

READING_CODES: Final[dict[str, str]] = {
    "empty": "There is nothing to read.",
    "not-utf8": "The bytes are not text in UTF-8.",
    "not-json": "The text is not JSON.",
    "too-deep": "Objects and lists are nested too deeply.",
    "not-an-object": "A hand is a JSON object, and this is another kind of value.",
    "wrong-version": "The document does not name a version of the format that is read here.",
    "duplicate-key": "An object names the same key twice.",
    "missing-key": "A required key is absent.",
    "wrong-type": "The value is of another kind than the format says.",
    "out-of-range": "A number, a text or a list is smaller or larger than the format allows.",
    "unknown-value": "The value is not in the closed list of the format.",
    "unknown-preset": "No game goes by this preset's name.",
    "unknown-option": "The preset has no such option, or the option no such value.",
    "unknown-card": "No card goes by this name.",
    "too-many-events": "The hand has more events than it may have.",
    "line-too-long": "The line is longer than a hand may be.",
    "hand-too-long": "The hand is longer than a hand may be.",
    "corrupt-stream": "The compressed data is damaged from here on.",
    "truncated-stream": "The data ends too early.",
    "broken-array": "The list of hands is damaged from here on.",
    "broken-archive": "The ZIP, or its entry of this file, is damaged or lies about what it has.",
    "encrypted-file": "The file in the ZIP is encrypted.",
    "unknown-packing": "The file in the ZIP is packed in a way that is not read here.",
    "nested-archive": "The file in the ZIP is a ZIP itself.",
    "undecided-dialect": "The hand may be in several dialects that say different things.",
    "audit-failed": "The hand was read, and a mistake of ours kept it from being audited.",
}
"""Every code of `UnreadableHand` and its meaning, in English."""


class UnreadableHand(Struct, frozen=True):
    """Why one hand could not be read.

    Attributes:
        code: One of `READING_CODES`.
        pointer: RFC 6901 JSON pointer into the hand document; empty for the whole.
        expected: What the format says should be there, for people.
        seen: What is there, for people, at most `SEEN_LIMIT` characters.
    """

    code: str
    pointer: str
    expected: str
    seen: str


class UnknownKey(Struct, frozen=True):
    """A key that the format does not know, and the known key that it most resembles.

    Attributes:
        pointer: RFC 6901 JSON pointer of the key itself.
        suggestion: The nearest known key; none when nothing is near.
    """

    pointer: str
    suggestion: str | None


def clip(text: str, limit: int = SEEN_LIMIT) -> str:
    """The text, cut to ``limit`` characters with an ellipsis at the end."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def step(pointer: str, token: str | int) -> str:
    """The JSON pointer one step below ``pointer``; a key of absurd length is clipped."""
    key = clip(str(token), KEY_LIMIT)
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
