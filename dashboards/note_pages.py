"""Owns what people write on a hand on its page: notes and tags."""

import datetime as dt
from http import HTTPStatus
from typing import Any, Final, cast

from flask import Blueprint, Response, g, redirect, render_template, request, url_for

from dashboards import assets, filters
from dashboards.house import house, needs
from dashboards.language import gettext
from warehouse.notes import MOST_OF_A_NOTE, Notes, as_tag

blueprint: Final = Blueprint("notes", __name__, url_prefix="/hands/<hand_id>")
blueprint.after_request(assets.add_headers)

Page = Response | tuple[str, HTTPStatus]


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {"written_on": _notes, "most_of_a_note": MOST_OF_A_NOTE}


@blueprint.post("/notes")
@needs("audit")
def write(hand_id: str) -> Page:
    """Write a note; one without words is none."""
    if not _notes().knows(hand_id):
        return _missing()
    text = request.form.get("text", "").replace("\r\n", "\n").strip()[:MOST_OF_A_NOTE]
    if text:
        _notes().write(hand_id, text, cast("str", g.access.key.label), dt.datetime.now(dt.UTC))
    return back_to(hand_id, "notes")


@blueprint.post("/notes/<note_id>/erase")
@needs("audit")
def erase(hand_id: str, note_id: str) -> Page:
    """Delete a note."""
    return back_to(hand_id, "notes") if _notes().erase(hand_id, note_id) else _missing()


@blueprint.post("/tags")
@needs("audit")
def tag(hand_id: str) -> Page:
    """Put a tag on the hand, made of whatever words were written."""
    if not _notes().knows(hand_id):
        return _missing()
    made = as_tag(request.form.get("tag", ""))
    if made is not None:
        _notes().tag(hand_id, made)
    return back_to(hand_id, "notes")


@blueprint.post("/tags/<tag>/take")
@needs("audit")
def untag(hand_id: str, tag: str) -> Page:
    """Take a tag off the hand."""
    return back_to(hand_id, "notes") if _notes().untag(hand_id, tag) else _missing()


def back_to(hand_id: str, part: str) -> Response:
    """Lead back to the hand's page, at the step that was shown, in the list one came from."""
    step = request.form.get("step", "")
    asked: dict[str, Any] = {**filters.hand_filters(request.args).written}
    if step.isascii() and step.isdigit():
        asked["step"] = step
    address = url_for("pages.hand", hand_id=hand_id, _anchor=part, **asked)
    return cast("Response", redirect(address, HTTPStatus.SEE_OTHER))


def _notes() -> Notes:
    return house().store.notes


def _missing() -> Page:
    advice = gettext("It may have been deleted since the page was loaded.")
    headline = gettext("Nothing to be done here")
    return (
        render_template("missing.html", headline=headline, advice=advice),
        HTTPStatus.NOT_FOUND,
    )
