"""The tables of the page on dialects: traits, the words of the cards, CSV's columns, examples."""

from pathlib import Path
from typing import Final

from schemas.dialects.csvshape import KINDS
from schemas.dialects.notations import NOTATIONS
from schemas.dialects.rows import HEAD, IDENTITY, OF_ROW
from schemas.dialects.table import TRAITS, traits_of
from schemas.reference.tables import code, table

_RANKS: Final = "AKQJT"
_SUITS: Final = "cdhs"
_EXAMPLES: Final = Path(__file__).parents[1] / "examples"
_AT: Final = "../schemas/examples"
_UNDECIDED: Final = "undecided"


def trait_table() -> str:
    """Every trait with what it means and what it is told by."""
    return table(
        ("trait", "of", "what it means", "told by"),
        [
            (
                code(trait.name) + (" (usual)" if trait.name == traits_of(trait.axis)[0] else ""),
                trait.axis,
                trait.meaning,
                trait.told_by,
            )
            for trait in TRAITS.values()
        ],
    )


def notation_table() -> str:
    """The words of every language, a row a rank or suit."""
    names = list(NOTATIONS)
    rows = [
        [code(letter), *(_words(NOTATIONS[name].ranks, letter) for name in names)]
        for letter in _RANKS
    ]
    rows += [
        [code(letter), *(_words(NOTATIONS[name].suits, letter) for name in names)]
        for letter in _SUITS
    ]
    return table(("", *names), rows)


def _words(meanings: dict[str, str], letter: str) -> str:
    """The words of a letter as code."""
    return " ".join(code(word) for word, meant in meanings.items() if meant == letter)


def csv_columns() -> str:
    """The columns of a CSV by what they say, and what ``do`` may be."""
    groups = (
        ("which hand it is, on its first row at least", IDENTITY),
        ("what is played, on any row of the hand", HEAD),
        ("the row itself", OF_ROW),
    )
    columns = table(
        ("columns", "what they say"),
        [(" ".join(map(code, names)), meaning) for meaning, names in groups],
    )
    return f"{columns}\n`do` is one of {', '.join(map(code, KINDS))}.\n"


def example_table() -> str:
    """Every example of every dialect, and the document that it becomes."""
    rows = []
    for path in sorted((_EXAMPLES / "dialects").glob("*/*")):
        dialect = path.parent.name
        document = f"{path.stem}.json"
        if dialect != _UNDECIDED:
            example = f"[{path.name}]({_AT}/dialects/{dialect}/{path.name})"
            rows.append((code(dialect), example, f"[{document}]({_AT}/{document})"))
    return table(("dialect", "example", "becomes"), rows)
