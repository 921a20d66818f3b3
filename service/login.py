"""Signing in and out of the pages, and the page on which a club's keys are made and ended."""

import datetime as dt
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from dashboards import assets
from dashboards.language import later
from service.access import sign_in, token_fault
from service.registry import registry
from warehouse.keys import Key, Refusal

blueprint: Final = Blueprint("login", __name__, template_folder="templates")
blueprint.after_request(assets.add_headers)

_REFUSALS: Final[dict[Refusal, str]] = {
    "unknown": later("This key opens nothing: no key has this text."),
    "expired": later("This key opens nothing: it has expired."),
    "revoked": later("This key opens nothing: it was revoked."),
}


@blueprint.get("/login")
def ask() -> str:
    """The form that takes a key."""
    return _form()


@blueprint.post("/login")
def take() -> ResponseReturnValue:
    """Sign in whoever shows a key that opens something."""
    fault = token_fault()
    if fault is not None:
        return fault
    text = request.form.get("key", "").strip()
    found = registry().keys.check(text, dt.datetime.now(dt.UTC))
    if not isinstance(found, Key):
        return _form(refused=_REFUSALS[found]), HTTPStatus.FORBIDDEN
    sign_in(found)
    return redirect(_onward(), HTTPStatus.SEE_OTHER)


@blueprint.post("/logout")
def leave() -> ResponseReturnValue:
    """Forget who was signed in."""
    fault = token_fault()
    if fault is not None:
        return fault
    session.clear()
    return redirect(url_for("login.ask"), HTTPStatus.SEE_OTHER)


def _form(refused: str | None = None) -> str:
    return render_template("login.html", refused=refused, onward=_onward())


def _onward() -> str:
    """Where to go after signing in: a place of this site, whatever was asked for."""
    wanted = request.values.get("onward", "/")
    parts = urlsplit(wanted)
    inside = not parts.scheme and not parts.netloc and wanted.startswith("/")
    inside = inside and wanted.isprintable() and not wanted.startswith(("//", "/\\"))
    return wanted if inside else "/"
