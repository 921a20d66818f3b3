"""Sharing a hand by a link: made and ended on the hand's page, opened by whoever has it.

The page behind a link shows that one hand and leads nowhere. It sets no cookie, may stand in a
frame of any site, and asks not to be indexed.
"""

import datetime as dt
from http import HTTPStatus
from typing import Any, Final, cast

from flask import Blueprint, Response, g, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboards import assets, replayer
from dashboards.house import house, needs
from dashboards.language import later
from dashboards.masking import masked_document
from dashboards.note_pages import back_to
from dashboards.pages import unknown_page
from schemas.audit import replay_document
from schemas.errors import UnreadableHand
from schemas.verdict import HandReplay
from service.access import enter_shared
from service.registry import registry
from warehouse.shares import Share

blueprint: Final = Blueprint(
    "sharing", __name__, url_prefix="/hands/<hand_id>/shares", template_folder="templates"
)
blueprint.after_request(assets.add_headers)
public: Final = Blueprint("shared", __name__, template_folder="templates")

_LENGTHS: Final = {
    "7": later("a week"),
    "30": later("30 days"),
    "365": later("a year"),
    "": later("until it is ended"),
}
"""How long a link leads to the hand, by the choice's value in days."""

_POLICY: Final = assets.CONTENT_SECURITY_POLICY.replace(
    "frame-ancestors 'none'", "frame-ancestors *"
)


@blueprint.app_context_processor
def _shared() -> dict[str, Any]:
    return {"shares_of": _shares_of, "share_lengths": _LENGTHS}


@blueprint.post("")
@needs("audit")
def share(hand_id: str) -> ResponseReturnValue:
    """Make a link to the hand."""
    if not house().store.notes.knows(hand_id):
        return unknown_page()
    asked, now = request.form.get("days"), _now()
    days = asked if asked in _LENGTHS else "30"
    registry().shares.make(
        house().club,
        hand_id,
        cast("str", g.access.key.label),
        now,
        masked="masked" in request.form,
        expires_at=now + dt.timedelta(days=int(days)) if days else None,
    )
    return back_to(hand_id, "sharing")


@blueprint.post("/<share_id>/end")
@needs("audit")
def end(hand_id: str, share_id: str) -> ResponseReturnValue:
    """End a link at once."""
    done = registry().shares.revoke(house().club, hand_id, share_id, _now())
    return back_to(hand_id, "sharing") if done else unknown_page()


@public.after_request
def _open_up(response: Response) -> Response:
    """Let any site frame the page, and none index it."""
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response


@public.get("/shared/<token>")
def show(token: str) -> ResponseReturnValue:
    """The replayer of a shared hand."""
    found = registry().shares.find(token, _now())
    replay = None if found is None else _replay(found)
    if found is None or replay is None:
        return render_template("shared_nowhere.html"), HTTPStatus.NOT_FOUND
    view = replayer.hand_view(replay, request.args.get("finding"))
    return make_response(render_template("shared.html", masked=found.masked, **view))


def _replay(share: Share) -> HandReplay | None:
    """The shared hand as it may be shown; None where it is no longer there, or not readable."""
    enter_shared(share)
    stored = house().warehouse.find_hand(share.hand_id)
    if stored is None:
        return None
    document: bytes | UnreadableHand = stored.document
    if share.masked:
        document = masked_document(stored.document, house().warehouse.exporter.pseudonym)
    replay = document if isinstance(document, UnreadableHand) else replay_document(document)
    return None if isinstance(replay, UnreadableHand) else replay


def _shares_of(hand_id: str) -> list[tuple[Share, str]]:
    """The open links of a hand, each with its address."""
    shares = registry().shares
    return [
        (one, url_for("shared.show", token=shares.token(one), _external=True))
        for one in shares.of_hand(house().club, hand_id, _now())
    ]


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
