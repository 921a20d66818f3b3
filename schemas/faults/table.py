"""All kinds of faults by name, and the codes that no kind of them plants."""

from typing import Final

from engine.presets import PRESETS
from schemas.faults import bourre, hands, hidden, reading, vying
from schemas.faults.kinds import Kind

KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        *vying.KINDS,
        *bourre.KINDS,
        *hands.KINDS,
        *hidden.KINDS,
        *reading.KINDS,
    )
}
"""Every kind of fault, by its name."""

NOT_OF_ONE_HAND: Final[dict[str, str]] = {
    "empty": "There is no hand.",
    "line-too-long": "It is of a stream: the line is given up before it is read as a hand.",
    "hand-too-long": "It is of a stream: the hand is given up before it is read.",
    "corrupt-stream": "It is of a compressed stream.",
    "truncated-stream": "It is of a stream.",
    "broken-array": "It is of a list of hands.",
    "broken-archive": "It is of a ZIP.",
    "encrypted-file": "It is of a ZIP.",
    "unknown-packing": "It is of a ZIP.",
    "nested-archive": "It is of a ZIP.",
    "undecided-dialect": "It is of hands in a dialect.",
    "audit-failed": "It is a mistake of ours, which no document makes.",
}
"""The reading codes that the document of one hand cannot show, and why."""


def kinds_for(presets: tuple[str, ...]) -> list[Kind]:
    """The kinds that can be planted in hands of the presets, as far as their games tell."""
    games = {PRESETS[preset].game.name for preset in presets}
    return [kind for kind in KINDS.values() if games & set(kind.games)]
