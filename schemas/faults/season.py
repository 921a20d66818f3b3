"""Hands out of legal seasons with one fault each, and the key that says which."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import UNSET, Struct

from engine.presets import PRESETS
from schemas import document
from schemas.errors import UnreadableHand
from schemas.faults.kinds import Case, Kind, Planted, opened_at_par
from schemas.generate import generate_hands
from schemas.record import to_record

SOURCE: Final = "retourne-faults"
MOST_HANDS: Final = 5_000
"""So many hands are looked at for a place for one fault."""
TRIES_EACH: Final = 3
"""A hand is played anew for a fault in the play, so that it is worth more than one try."""

_ENDLESS: Final = 10**9


class Answer(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """What is planted in a hand, as a line of the answer key.

    Attributes:
        hand: The hand's name, `id.hand` of its document.
        line: Its line in the stream, from 1.
        kind: The kind of fault, by name.
        code: The code that it is to be found under.
        pointer: Where: an RFC 6901 JSON pointer into the hand document.
        seat: The seat that the finding concerns; none where it concerns none.
        before: What stood there in the legal hand; none where something was added.
        after: What stands there now; none where something was taken away.
        besides: The codes that stand beside it by its nature.
    """

    hand: str
    line: int
    kind: str
    code: str
    pointer: str
    seat: int | None
    before: object
    after: object
    besides: tuple[str, ...]


@dataclass(frozen=True)
class FaultyHand:
    """A hand's bytes, one line without its end, and what is planted in it."""

    raw: bytes
    answer: Answer


class NoPlaceError(Exception):
    """A kind of fault has no place in thousands of hands of the presets."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind.name)
        self.kind = kind


def generate_faults(
    hands: int, seed: int, kinds: Sequence[Kind], presets: Sequence[str] = tuple(PRESETS)
) -> Iterator[FaultyHand]:
    """That many hands, the kinds of faults in turn; the same seed gives the same hands.

    Each hand comes out of a legal season and stands alone, without a session, so that nothing but
    its own fault is to be found.

    Raises:
        NoPlaceError: A kind has no place in the hands of the presets.
    """
    rng = random.Random(seed)  # noqa: S311 -- games to look at, not secrets
    seasons = _seasons(seed, presets)
    for number in range(hands):
        kind = kinds[number % len(kinds)]
        games = [game for game in kind.games if game in seasons]
        if not games:
            raise NoPlaceError(kind)
        name = f"F{seed}-{number + 1:06d}"
        planted = _planted(kind, seasons[rng.choice(games)], f"F{seed}", name, rng)
        yield FaultyHand(
            planted.raw,
            Answer(
                hand=name,
                line=number + 1,
                kind=kind.name,
                code=kind.code,
                pointer=planted.pointer,
                seat=planted.seat,
                before=planted.before,
                after=planted.after,
                besides=kind.besides,
            ),
        )


def _seasons(seed: int, presets: Sequence[str]) -> dict[str, Iterator[document.Hand]]:
    """An endless legal season of each game, by the game's name."""
    by_game: dict[str, list[str]] = {}
    for preset in presets:
        by_game.setdefault(PRESETS[preset].game.name, []).append(preset)
    return {game: generate_hands(_ENDLESS, seed, names) for game, names in by_game.items()}


def _planted(
    kind: Kind, season: Iterator[document.Hand], table: str, name: str, rng: random.Random
) -> Planted:
    for _, legal in zip(range(MOST_HANDS), season, strict=False):
        if opened_at_par(legal.events):
            continue
        hand = msgspec.structs.replace(
            legal, id=document.HandId(source=SOURCE, table=table, hand=name), session=UNSET
        )
        record = to_record(hand)
        if isinstance(record, UnreadableHand):
            raise TypeError(f"a generated hand cannot be read: {record}")
        for _ in range(TRIES_EACH):
            planted = kind.plant(Case(hand, record, rng))
            if planted is not None:
                return planted
    raise NoPlaceError(kind)
