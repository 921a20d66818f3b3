"""Owns the language of the pages: which one a request is answered in, and what a text is in it.

English texts are their own names. The other languages' catalogues lie in ``locale``, and
``tools/messages.py`` keeps them in step with what the pages say.
"""

import functools
import gettext as catalogues
import io
import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import Flask, Response, has_request_context, request

from dashboards.assets import in_script
from schemas.wording import LANGUAGES

NAMES: Final = {"en": "English", "fr": "Français", "de": "Deutsch", "pt": "Português"}
TAGS: Final = {"en": "en", "fr": "fr", "de": "de", "pt": "pt-PT"}
"""What the languages are called in the pages' markup."""

FOLDER: Final = Path(__file__).parent / "locale"
CHOICE: Final = "lang"
"""The parameter that chooses a language, and the cookie that keeps the choice."""

_KEPT_SECONDS: Final = 365 * 24 * 3600
_SHARED: Final = "shared"
_SCRIPTS: Final = "static/js/"


def language() -> str:
    """The language to answer in: the one chosen, else what the browser prefers, else English."""
    if not has_request_context():
        return "en"
    for chosen in (request.args.get(CHOICE), request.cookies.get(CHOICE)):
        if chosen in LANGUAGES:
            return chosen
    for tag, quality in request.accept_languages:
        preferred = tag.partition("-")[0].lower()
        if quality and preferred in LANGUAGES:
            return preferred
    return "en"


def here() -> Locale:
    """How dates are written in the request's language."""
    return Locale.parse(TAGS[language()], sep="-")


def gettext(message: str, /, **values: object) -> str:
    """A text in the request's language; ``%(name)s`` in it stands for a value.

    In a text with values, and in every text of a template, ``%%`` stands for %.
    """
    text = _texts(language()).gettext(message)
    return text % values if values else text


def ngettext(one: str, many: str, num: int, /, **values: object) -> str:
    """A text that is another for one than for many; ``%(num)s`` in it stands for the number."""
    return _texts(language()).ngettext(one, many, num) % {"num": num, **values}


def later(message: str) -> str:
    """Marks a text of a table for the catalogues; it is put into a language where it is shown."""
    return message


@functools.cache
def catalogue(tongue: str) -> Catalog:
    """All texts of a language other than English."""
    with (FOLDER / f"{tongue}.po").open("rb") as file:
        return read_po(file, locale=tongue, abort_invalid=True)


@functools.cache
def _texts(tongue: str) -> catalogues.NullTranslations:
    if tongue == "en":
        return catalogues.NullTranslations()
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(tongue))
    compiled.seek(0)
    return catalogues.GNUTranslations(compiled)


@functools.cache
def _words(tongue: str) -> str:
    """What the pages' scripts say, as JSON that is safe inside a ``script`` element."""
    if tongue == "en":
        return "{}"
    words: dict[str, Any] = {}
    for message in catalogue(tongue):
        if message.string and any(_SCRIPTS in name for name, _ in message.locations):
            key = message.id if isinstance(message.id, str) else message.id[0]
            words[key] = message.string
    return in_script(json.dumps(words, ensure_ascii=False))


def _elsewhere(tongue: str) -> str:
    """The address of the page that is shown, in another language."""
    if request.method != "GET":
        return f"/?{CHOICE}={tongue}"
    asked = [(key, value) for key, value in request.args.items(multi=True) if key != CHOICE]
    return f"{request.path}?{urlencode([*asked, (CHOICE, tongue)])}"


def _keep(response: Response) -> Response:
    """Keeps a language that was chosen, but with nobody who only looks at what is shared."""
    chosen = request.args.get(CHOICE)
    kept = request.cookies.get(CHOICE)
    if chosen in LANGUAGES and chosen != kept and request.blueprint != _SHARED:
        response.set_cookie(CHOICE, chosen, _KEPT_SECONDS, httponly=True, samesite="Lax")
    return response


def speak(app: Flask) -> None:
    """Lets the templates of an application speak the language of the request."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined] # the extension's
        lambda message: _texts(language()).gettext(message),
        lambda one, many, num: _texts(language()).ngettext(one, many, num),
        newstyle=True,
    )
    app.jinja_env.filters["translated"] = gettext
    app.jinja_env.globals.update(
        language=language,
        language_names=NAMES,
        language_tags=TAGS,
        in_language=_elsewhere,
        words=lambda: _words(language()),
    )
    app.after_request(_keep)
