"""Owns the pages of statistics: those that are always there, and those that the club makes up."""

import datetime as dt
import re
from collections import defaultdict
from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, url_for
from msgspec import Struct
from werkzeug.wrappers import Response as BaseResponse

from dashboards import assets
from dashboards.downloads import csv_file
from dashboards.figures import Cell
from dashboards.house import house, needs
from dashboards.language import gettext, later
from dashboards.profile import certainty
from warehouse.counters import COUNTERS
from warehouse.custom import ID, TAKEN, CustomRate, CustomStatistic, UncountableError
from warehouse.custom import MOST_OF_A_LABEL as LABEL
from warehouse.expressions import LONGEST, NAMES
from warehouse.statistics import AVERAGES, STATISTICS

blueprint = Blueprint("statistics", __name__)
blueprint.after_request(assets.add_headers)

Page = str | BaseResponse | tuple[str, HTTPStatus]

PARTS: Final = {"made": later("What was done"), "chances": later("How often it could be")}

_SHOWN: Final = 20
_OF_SEATS: Final = {
    "played_at": "when the hand was played, in UTC",
    "session": "the session, by its id",
    "hand_no": "the number of the hand in its session",
    "preset": "the preset of the rules, such as 'bouillotte/salon'",
    "seat": "the seat, from 0",
    "player": "the name that was written",
    "position": "1 right of the dealer … the dealer last",
    "seats": "how many sat at the table",
    "deck": "the cards of the pack",
    "unit": "the chips of a unit",
    "stack": "the chips at the beginning",
    "net": "what the hand brought, in chips",
    "net_showdown": "of that, at the showdown",
    "net_uncontested": "of that, without one",
    "premium": "of that, premiums",
    "q": "the chance to win a showdown of the whole table, in millionths",
}


class Draft(Struct, frozen=True):
    """A statistic as somebody is writing it, and what is wrong with it, by its field."""

    wanted: CustomStatistic
    faults: dict[str, str]


@blueprint.get("/statistics")
def index() -> Page:
    """All statistics, and the form in which one is written; what is asked for is in it."""
    known = house().warehouse.custom.find(request.args.get("edit", ""))
    asked = {name: request.args[name] for name in ("id", *PARTS) if name in request.args}
    if known is None and not asked:
        return _index(None)
    return _index(_draft({**asked, "label": request.args.get("label", "")}, known))


@blueprint.get("/statistics/preview")
def preview() -> Page:
    """What a statistic that is being written comes to, or what is wrong with it."""
    draft = _draft(request.args.to_dict(), None)
    return render_template("parts/statistic_preview.html", draft=draft, parts=PARTS, **_told(draft))


@blueprint.post("/statistics")
@needs("audit")
def put() -> Page:
    """Add a statistic of the club's own, or change it."""
    draft = _draft(request.form.to_dict(), None)
    wanted, faults = draft.wanted, dict(draft.faults)
    if not re.fullmatch(ID, wanted.id):
        faults["id"] = gettext(
            "The id should be 1 to 60 letters A–Z, digits and hyphens, beginning with a letter."
        )
    elif wanted.id in TAKEN:
        faults["id"] = gettext("There is a statistic of this id already, which is always there.")
    if not 1 <= len(wanted.label) <= LABEL or not wanted.label.isprintable():
        faults["label"] = gettext(
            "The name should have 1 to %(most)s characters that can be shown.", most=LABEL
        )
    if faults:
        return _index(Draft(wanted, faults)), HTTPStatus.BAD_REQUEST
    house().warehouse.custom.put(wanted, dt.datetime.now(dt.UTC))
    return redirect(url_for("statistics.show", name=wanted.id), HTTPStatus.SEE_OTHER)


@blueprint.get("/statistics/<name>")
def show(name: str) -> Page:
    """A statistic of the club's own: what it comes to for every player."""
    found = house().warehouse.custom.find(name)
    if found is None:
        return _missing()
    told = _told(Draft(found, {}), most=None)
    if "csv" in request.args:
        columns = [gettext("Player"), "k", "n", gettext("Low %"), gettext("High %")]
        return csv_file(found.id, columns, [[_cells(one) for one in told["rates"]]])
    return render_template("statistic.html", statistic=found, **told)


@blueprint.post("/statistics/<name>/deletion")
@needs("audit")
def delete(name: str) -> Page:
    """Delete a statistic of the club's own."""
    if not house().warehouse.custom.remove(name):
        return _missing()
    return redirect(url_for("statistics.index"), HTTPStatus.SEE_OTHER)


def _missing() -> Page:
    headline, advice = gettext("No such statistic"), gettext("It may have been deleted.")
    page = render_template("missing.html", headline=headline, advice=advice)
    return page, HTTPStatus.NOT_FOUND


def _index(draft: Draft | None) -> str:
    return render_template(
        "statistics.html",
        draft=draft,
        parts=PARTS,
        own=house().warehouse.custom.all(),
        built_in=[*STATISTICS, *AVERAGES],
        columns=_columns(),
        longest=LONGEST,
        most_of_a_label=LABEL,
        **(_told(draft) if draft else {"rates": [], "count": 0}),
    )


def _columns() -> list[tuple[str, str]]:
    """The columns that an expression may name, and what each has."""
    known = {**_OF_SEATS, **{counter.name: counter.about for counter in COUNTERS}}
    return [(name, about) for name, about in known.items() if name in NAMES]


def _draft(given: dict[str, str], known: CustomStatistic | None) -> Draft:
    usual = known or CustomStatistic("", "", "", "")
    wanted = CustomStatistic(
        *(
            given.get(name, "").strip() or getattr(usual, name)
            for name in CustomStatistic.__struct_fields__
        )
    )
    refused = house().warehouse.custom.refused(wanted)
    return Draft(wanted, {part: why.reason for part, why in refused.items()})


def _told(draft: Draft, most: int | None = _SHOWN) -> dict[str, Any]:
    """What a statistic comes to for all people, or why it comes to nothing."""
    if draft.faults:
        return {"rates": [], "count": 0, "certainty": certainty}
    warehouse = house().warehouse
    try:
        by_name = warehouse.custom.by_player(draft.wanted)
    except UncountableError as error:
        return {"rates": [], "count": 0, "uncountable": str(error), "certainty": certainty}
    rates = _by_person([one for one in by_name if one.n or one.k], warehouse.aliases.all())
    return {"rates": rates[:most], "count": len(rates), "certainty": certainty}


def _by_person(rates: list[CustomRate], person_of: dict[str, str]) -> list[CustomRate]:
    """The same by person, whatever names they played under; those with most chances first."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in rates:
        name = one.player or ""
        of_person = sums[person_of.get(name, name)]
        of_person[0] += one.k
        of_person[1] += one.n
    found = [CustomRate.of(person, k, n) for person, (k, n) in sums.items()]
    return sorted(found, key=lambda one: (-one.n, one.player or ""))


def _cells(one: CustomRate) -> list[Cell]:
    ends = (None if end is None else round(100 * end, 1) for end in (one.low, one.high))
    return [one.player, one.k, one.n, *ends]
