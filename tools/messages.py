"""Keeps the catalogues of the pages' languages in step with what the pages say.

`make messages` finds every text in the templates, the Python and the scripts of the pages and in
the tables that they show, writes those that are new into ``dashboards/locale/*.po`` for somebody to
translate, and takes out those that are gone.
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from schemas.wording import LANGUAGES
from service.problems import PROBLEMS
from warehouse.statistics import AVERAGES, STATISTICS

ROOT: Final = Path(__file__).resolve().parent.parent
CATALOGUES: Final = ROOT / "dashboards" / "locale"
ROOMS: Final = ("dashboards", "service")

_METHODS: Final = [
    ("**.html", "jinja2.ext.babel_extract"),
    ("static/vendor/**", "ignore"),
    ("static/js/**.js", "javascript"),
    ("**.py", "python"),
]
_KEYWORDS: Final[dict[str, tuple[int, ...] | None]] = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "later": None,
}
_OF_NO_USE: Final = tuple(
    f'"{name}'.encode()
    for name in ("Project-", "Report-", "POT-", "PO-", "Last-", "Language-Team", "Generated-By")
)
"""Headers of times and people, which would only make every writing differ."""

_PLURALS: Final = {"fr": "n > 1", "de": "n != 1", "pt": "n != 1"}
"""Which form is said of a number: two forms each, for numbers are written in digits."""


def said() -> Catalog:
    """Everything that the pages say, with the files in which it stands."""
    catalog = Catalog(charset="utf-8")
    for room in ROOMS:
        found = extract_from_dir(ROOT / room, _METHODS, keywords=_KEYWORDS)
        for file, _, message, _, context in found:
            catalog.add(message, None, [(f"{room}/{file}", 0)], context=context)
    for table, text in _of_tables():
        catalog.add(text, None, [(table, 0)])
    return catalog


def _of_tables() -> Iterator[tuple[str, str]]:
    for statistic in STATISTICS:
        yield from _in("warehouse/statistics.py", statistic.label, statistic.formula)
    for average in AVERAGES:
        yield from _in("warehouse/statistics.py", average.label, average.unit, average.formula)
    for kind in PROBLEMS.values():
        yield from _in("service/problems.py", kind.title)


def _in(file: str, *texts: str) -> Iterator[tuple[str, str]]:
    return ((file, text) for text in texts)


def _empty(tongue: str) -> Catalog:
    catalog = Catalog(locale=tongue, charset="utf-8", fuzzy=False, header_comment="")
    catalog.mime_headers = [("Plural-Forms", f"nplurals=2; plural=({_PLURALS[tongue]});")]
    return catalog


def read(tongue: str) -> Catalog:
    """The catalogue of a language as it is on disk; an empty one if there is none."""
    path = CATALOGUES / f"{tongue}.po"
    if not path.exists():
        return _empty(tongue)
    with path.open("rb") as file:
        return read_po(file, locale=tongue, abort_invalid=True)


def step(tongue: str, template: Catalog) -> Catalog:
    """The catalogue of a language with every text of the template, and no other."""
    known = read(tongue)
    catalog = _empty(tongue)
    for message in template:
        if not message.id:
            continue
        had = known.get(message.id, message.context)
        string = (
            had.string if isinstance(had, Message) and type(had.id) is type(message.id) else None
        )
        places = sorted(dict.fromkeys(message.locations))
        catalog.add(message.id, string, places, context=message.context)
    return catalog


def written(catalog: Catalog) -> bytes:
    """A catalogue as its file has it."""
    out = io.BytesIO()
    write_po(out, catalog, width=100, sort_output=True, include_lineno=False)
    lines = out.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(_OF_NO_USE))


def forms(message: Message) -> tuple[list[str], list[str]]:
    """A text in English and in the catalogue's language: one form, or one and many."""
    if isinstance(message.id, str):
        return [message.id], [str(message.string or "")]
    return list(message.id), [*(message.string or ("", ""))]


def main() -> None:
    """Write every catalogue anew and say how many texts each still lacks."""
    template = said()
    for tongue in LANGUAGES:
        if tongue == "en":
            continue
        catalog = step(tongue, template)
        (CATALOGUES / f"{tongue}.po").write_bytes(written(catalog))
        lacking = sum(not _whole(message) for message in catalog if message.id)
        sys.stdout.write(f"{tongue}: {len(catalog)} texts, {lacking} not translated\n")


def _whole(message: Message) -> bool:
    """Whether a text is translated, in all its forms."""
    return all(forms(message)[1])


if __name__ == "__main__":
    main()
