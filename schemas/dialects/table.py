"""The table of dialects: four traits that a dialect has one of each, and dialects by name.

A dialect's name is its traits, joined by ``+``; a trait that the hand document has itself is left
out: ``french``, ``csv+clockwise``, ``log+german+raise-to``.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Trait:
    """One way in which a client's hands differ from the hand document.

    Attributes:
        name: As part of a dialect's name.
        axis: ``shape``, ``cards``, ``amounts`` or ``seats``; a dialect has one trait of each.
        told_by: What `detect` tells it by, for people.
        meaning: What is read in another way, for people.
    """

    name: str
    axis: str
    told_by: str
    meaning: str


AXES: Final = ("shape", "cards", "amounts", "seats")

TRAITS: Final[dict[str, Trait]] = {
    trait.name: trait
    for trait in (
        Trait(
            "document",
            "shape",
            "an object with `seats` and `events`",
            "the members of the hand document",
        ),
        Trait("csv", "shape", "a header line with a column `do`", "a row an event"),
        Trait(
            "ohh",
            "shape",
            "an object with `rounds`, perhaps under `ohh`",
            "an Open Hand History object",
        ),
        Trait(
            "log", "shape", "an object with `players` and `actions`", "a list of actions by player"
        ),
        Trait(
            "english",
            "cards",
            "every card reads in English, and none otherwise in another language",
            "A K Q J; clubs, diamonds, hearts, spades",
        ),
        Trait(
            "french",
            "cards",
            "every card reads in French, and none otherwise in another language",
            "A R D V; trèfle, carreau (`k`, `ca`), cœur, pique",
        ),
        Trait(
            "german",
            "cards",
            "every card reads in German, and none otherwise in another language",
            "A K D B; Kreuz (`kr`), Karo (`k`, `ka`), Herz, Pik",
        ),
        Trait(
            "portuguese",
            "cards",
            "every card reads in Portuguese, and none otherwise in another language",
            "A R D V; paus, ouros, copas, espadas",
        ),
        Trait(
            "added",
            "amounts",
            "the hand replays so and in no other way",
            "an amount is what moves from the stack now",
        ),
        Trait(
            "raise-to",
            "amounts",
            "the hand replays so and in no other way",
            "a raise's amount is all that the seat has put in, antes and carres included",
        ),
        Trait(
            "in-turn",
            "seats",
            "the hand replays so and in no other way",
            "seats are listed in turn order",
        ),
        Trait(
            "clockwise",
            "seats",
            "the hand replays so and in no other way",
            "seats are listed clockwise; Bouillotte and Brelan go the other way",
        ),
    )
}
"""Every trait by its name; the first of each axis is that of the hand document."""


def traits_of(axis: str) -> list[str]:
    """The names of an axis's traits, the hand document's first."""
    return [trait.name for trait in TRAITS.values() if trait.axis == axis]


@dataclass(frozen=True, order=True)
class Dialect:
    """One trait of each axis, by name."""

    shape: str = "document"
    cards: str = "english"
    amounts: str = "added"
    seats: str = "in-turn"

    @property
    def name(self) -> str:
        """Its traits joined by ``+``, less those of the hand document; `PLAIN` if none is left."""
        own = [trait for axis, trait in self._by_axis() if trait != traits_of(axis)[0]]
        return "+".join(own) or PLAIN

    def _by_axis(self) -> list[tuple[str, str]]:
        return list(zip(AXES, (self.shape, self.cards, self.amounts, self.seats), strict=True))


PLAIN: Final = "v1"
"""The name of the dialect that is the hand document, with any English spelling of cards."""


def dialect_named(name: str) -> Dialect | None:
    """The dialect of a name, its traits in any order; None for no name, or two of an axis."""
    if name == PLAIN:
        return Dialect()
    chosen: dict[str, str] = {}
    for part in name.split("+"):
        trait = TRAITS.get(part)
        if trait is None or trait.axis in chosen:
            return None
        chosen[trait.axis] = trait.name
    return Dialect(**chosen)
