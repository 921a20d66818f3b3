"""The page on which a club's keys are made, rotated and ended."""

import datetime as dt
from http import HTTPStatus
from typing import Final, cast

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboards import assets
from dashboards.downloads import csv_file
from dashboards.figures import Cell
from dashboards.house import house, needs
from dashboards.language import gettext, later
from dashboards.pages import unknown_page
from service.registry import registry
from warehouse.keys import SCOPES, Key, Refusal, Scope

blueprint: Final = Blueprint(
    "settings", __name__, url_prefix="/settings", template_folder="templates"
)
blueprint.after_request(assets.add_headers)

_OVERLAP: Final = dt.timedelta(days=1)
_LABEL: Final = 200
_DAYS: Final = {"": None, "30": 30, "90": 90, "365": 365}
"""How long a key opens, by the choice's value; None is without end."""


@blueprint.get("/keys")
@needs("admin")
def keys() -> ResponseReturnValue:
    """The club's keys, and the form that makes one."""
    if "csv" in request.args:
        return csv_file("keys", _COLUMNS, [[_row(key) for key in _all()]])
    return _page()


@blueprint.post("/keys")
@needs("admin")
def make_key() -> ResponseReturnValue:
    """Make a key and show its text, this once."""
    label = request.form.get("label", "").strip()[:_LABEL]
    scopes = tuple(scope for scope in SCOPES if scope in request.form.getlist("scope"))
    if not label or not scopes:
        return _page(
            fault=gettext("A key needs a label and at least one scope.")
        ), HTTPStatus.BAD_REQUEST
    days = _DAYS.get(request.form.get("days", ""))
    now = _now()
    expires_at = None if days is None else now + dt.timedelta(days=days)
    return _made(*registry().keys.make(house().club, label, scopes, now, expires_at))


@blueprint.post("/keys/<key_id>/rotation")
@needs("admin")
def rotate_key(key_id: str) -> ResponseReturnValue:
    """Make a key like this one, which opens for one more day."""
    found = _find(key_id)
    return (
        unknown_page() if found is None else _made(*registry().keys.rotate(found, _OVERLAP, _now()))
    )


@blueprint.post("/keys/<key_id>/revocation")
@needs("admin")
def revoke_key(key_id: str) -> ResponseReturnValue:
    """End a key at once."""
    found = _find(key_id)
    if found is None:
        return unknown_page()
    registry().keys.revoke(found.id, _now())
    return redirect(url_for("settings.keys"), HTTPStatus.SEE_OTHER)


def _made(key: Key, text: str) -> ResponseReturnValue:
    return _page(made=key, text=text), HTTPStatus.CREATED


def _page(*, made: Key | None = None, text: str = "", fault: str = "") -> str:
    now = _now()
    listed = [(key, key.refusal(now)) for key in _all()]
    return render_template(
        "keys.html",
        club=registry().clubs.find(house().club),
        keys=listed,
        own=cast("Key", g.access.key).id,
        scopes=SCOPES,
        about=_ABOUT,
        refusals=_REFUSALS,
        made=made,
        text=text,
        fault=fault,
    )


def _all() -> list[Key]:
    return registry().keys.of_club(house().club)


def _row(key: Key) -> list[Cell]:
    moments = (key.created_at, key.used_at, key.expires_at, key.revoked_at)
    told = [None if one is None else one.isoformat() for one in moments]
    return [key.id, key.label, " ".join(key.scopes), *told]


def _find(key_id: str) -> Key | None:
    """The club's own key of this id; another club's is none."""
    found = registry().keys.find(key_id)
    return found if found is not None and found.club == house().club else None


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


_ABOUT: Final[dict[Scope, str]] = {
    "upload": later("send hands and sessions"),
    "read": later("see uploads, hands, players and reports"),
    "audit": later("rule on conflicts, retry, audit again, merge names"),
    "admin": later("everything: keys, webhooks, deletion too"),
}
_REFUSALS: Final[dict[Refusal, str]] = {
    "unknown": later("unknown"),
    "expired": later("expired"),
    "revoked": later("revoked"),
}
_COLUMNS: Final = ("id", "label", "scopes", "made", "last_used", "expires", "revoked")
