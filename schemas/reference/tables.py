"""Markdown tables."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a row a line; ``|`` inside a cell is escaped."""
    rule = ["---"] * len(head)
    return "\n".join(_row(cells) for cells in (head, rule, *rows)) + "\n"


def code(text: object) -> str:
    """The text as code."""
    return f"`{text}`"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
