"""Which dialect a hand is in, told from the hand alone, with reasons; what is open is asked.

The shape is told by its members, the cards by the only language in which all of them read. Order
and amounts are told by replaying the hand each way.
"""

from itertools import product
from typing import Final

from msgspec import Struct

from engine.violations import CODES, WARNING
from schemas.audit import examine_hand
from schemas.dialects.cards import cards_of
from schemas.dialects.conversion import Converted, convert, draft_of
from schemas.dialects.draft import Draft
from schemas.dialects.jsonshapes import object_of
from schemas.dialects.notations import NOTATIONS, read_card
from schemas.dialects.rows import is_csv
from schemas.dialects.table import Dialect, traits_of
from schemas.errors import UnreadableHand

__all__ = ["DetectedDialect", "UndecidedDialect", "detect"]

_PROMISE: Final = "retourne/1."
_QUESTIONS: Final = {
    "amounts": "does a raise's amount name what is added, or all that the seat has put in?",
    "seats": "are the seats listed in turn order, or clockwise?",
}


class DetectedDialect(Struct, frozen=True):
    """The dialect of a hand.

    Attributes:
        name: The dialect's name, as `dialect_named` reads it.
        reasons: What it was told by, for people.
        assumptions: What is read otherwise than the hand document has it, for people.
    """

    name: str
    reasons: list[str]
    assumptions: list[str]


class UndecidedDialect(Struct, frozen=True):
    """A hand that may be in several dialects.

    Attributes:
        question: What its client must be asked, for people.
        candidates: The names of the dialects, one of which it may be.
    """

    question: str
    candidates: list[str]


def detect(raw: bytes) -> DetectedDialect | UndecidedDialect | UnreadableHand:
    """Tells the dialect of one hand, never by a guess.

    Returns:
        The dialect; or the question that it takes to know it; or why the hand is in none.
    """
    shape = _shape(raw)
    if isinstance(shape, UnreadableHand):
        return shape
    draft = draft_of(raw, shape)
    if isinstance(draft, UnreadableHand):
        return draft
    cards = _notations(draft)
    if isinstance(cards, UnreadableHand):
        return cards
    reasons = [_SHAPES[shape]]
    if len(cards) > 1:
        readable = ", ".join(cards)
        return UndecidedDialect(
            f"in which language are the cards? They read differently in {readable}.",
            [Dialect(shape, notation).name for notation in cards],
        )
    (notation,) = cards
    reasons.append(f"the cards are cards in {notation}")
    return _by_replay(raw, Dialect(shape, notation), reasons, promised=_promises(draft))


_SHAPES: Final = {
    "document": "it has the members of the hand document",
    "csv": "it begins with a header that has a column `do`",
    "ohh": "it has the rounds of an Open Hand History",
    "log": "it has players and actions",
}


def _shape(raw: bytes) -> str | UnreadableHand:
    if is_csv(raw):
        return "csv"
    tree = object_of(raw)
    if isinstance(tree, UnreadableHand):
        return tree
    inner = tree.get("ohh")
    if "rounds" in tree or (isinstance(inner, dict) and "rounds" in inner):
        return "ohh"
    if "actions" in tree and "players" in tree:
        return "log"
    if "events" in tree or "seats" in tree:
        return "document"
    expected = "`events`, or `rounds`, or `players` and `actions`, or a CSV header with `do`"
    return UnreadableHand("missing-key", "", expected, "none of them")


def _notations(draft: Draft) -> list[str] | UnreadableHand:
    """The notations that the cards may be in: one, or several that disagree on some card."""
    readings: dict[tuple[str, ...], str] = {}
    furthest = ("", "", -1)
    for name, notation in NOTATIONS.items():
        cards = []
        for place, (pointer, text) in enumerate(cards_of(draft, notation)):
            card = read_card(text, notation)
            if card is None:
                furthest = max(furthest, (pointer, text, place), key=lambda found: found[2])
                break
            cards.append(card)
        else:
            readings.setdefault(tuple(cards), name)
    if readings:
        return list(readings.values())
    pointer, text, _ = furthest
    expected = "a card in the language of the cards before it: " + ", ".join(NOTATIONS)
    return draft.error("unknown-card", pointer, expected, text)


def _promises(draft: Draft) -> bool:
    """Whether the document says by its format what its amounts and its order mean."""
    version = draft.tree.get("format")
    return isinstance(version, str) and version.startswith(_PROMISE)


class _Readings:
    """A hand read in every way that amounts and order may have.

    ``documents`` has a dialect by each document that comes of it, ``clean`` those in which nothing
    is wrong; of equal documents the dialect nearest to the hand document stands for all. ``error``
    is why the hand cannot be read as the hand document has it.
    """

    def __init__(self, raw: bytes, base: Dialect) -> None:
        self.documents: dict[bytes, Dialect] = {}
        self.error: UnreadableHand | None = None
        for amounts, seats in product(traits_of("amounts"), traits_of("seats")):
            dialect = Dialect(base.shape, base.cards, amounts, seats)
            converted = convert(raw, dialect)
            if isinstance(converted, Converted):
                self.documents.setdefault(converted.document, dialect)
            elif dialect == base:
                self.error = converted
        self.clean = [
            dialect for document, dialect in self.documents.items() if _is_clean(document)
        ]


def _by_replay(
    raw: bytes, base: Dialect, reasons: list[str], *, promised: bool
) -> DetectedDialect | UndecidedDialect | UnreadableHand:
    """Tells amounts and order: by the only way in which nothing of the hand is wrong."""
    promise = "its format says what amounts and the order mean"
    if promised:
        plain = convert(raw, base)
        if isinstance(plain, Converted) and _is_clean(plain.document):
            return _detected(base, [*reasons, promise])
    readings = _Readings(raw, base)
    clean, readable = readings.clean, list(readings.documents.values())
    if readings.error is not None and (not readable or (promised and not clean)):
        return readings.error
    decided = None
    if promised and not clean:
        decided = base, promise
    elif readable == [base]:
        decided = base, "amounts and order can mean but one thing in it"
    elif len(clean) == 1 and not promised:
        decided = clean[0], f"{_ways(clean[0])}, and in no other way, nothing in it is wrong"
    if decided is None:
        return _undecided(clean or readable, base)
    dialect, reason = decided
    return _detected(dialect, [*reasons, reason])


def _ways(dialect: Dialect) -> str:
    """How a dialect reads amounts and seats, for people."""
    seats = "with its seats clockwise" if dialect.seats == "clockwise" else "in turn order"
    raises = "raises to a total" if dialect.amounts == "raise-to" else "amounts as what is added"
    return f"{seats} and with {raises}"


def _is_clean(document: bytes) -> bool:
    """Whether nothing in the replay of a hand is wrong, nor anything declared."""
    examined = examine_hand(document)
    if isinstance(examined, UnreadableHand):
        return False
    return all(CODES[found.code].severity in _HARMLESS for found in examined.replay.violations)


_HARMLESS: Final = frozenset({WARNING, "unverifiable"})


def _detected(dialect: Dialect, reasons: list[str]) -> DetectedDialect:
    assumptions = []
    if dialect.cards != "english":
        assumptions.append(f"the cards are written in {dialect.cards}")
    if dialect.amounts == "raise-to":
        assumptions.append("a raise's amount is all that the seat has put in")
    if dialect.seats == "clockwise":
        assumptions.append("the seats are listed clockwise")
    return DetectedDialect(dialect.name, reasons, assumptions)


def _undecided(candidates: list[Dialect], base: Dialect) -> UndecidedDialect:
    asked = [*candidates, base]
    questions = [
        question
        for axis, question in _QUESTIONS.items()
        if len({getattr(dialect, axis) for dialect in asked}) > 1
    ]
    return UndecidedDialect(
        " And ".join(questions),
        [dialect.name for dialect in dict.fromkeys([base, *candidates])],
    )
