"""Owns what stands around the list of hands: chips of filters, ranges of days, exports, count."""

import datetime as dt
from typing import Any, Final, get_args

from flask import Blueprint, render_template, request, url_for
from msgspec import Struct

from dashboards import assets, filters
from dashboards.chips import chips
from dashboards.day_ranges import day_ranges
from dashboards.house import house
from dashboards.language import gettext, later
from warehouse.exports import Format

blueprint = Blueprint("search", __name__)
blueprint.after_request(assets.add_headers)

_HANDS: Final = "pages.hands"
_KINDS: Final = {
    "api.export_hands": later("Hands, a row each"),
    "api.export_seats": later("Seats, a row each"),
    "api.export_findings": later("Findings, a row each"),
}
_FORMATS: Final[tuple[Format, ...]] = get_args(Format)
_NAMES: Final[dict[Format, str]] = {"csv": "CSV", "ndjson": "NDJSON", "parquet": "Parquet"}


class Export(Struct, frozen=True):
    """A kind of rows of the hands in a list, and where they are had in each form."""

    text: str
    urls: dict[str, str]


def around(asked: filters.HandFilters) -> dict[str, Any]:
    """What the template shows around the hands, by the names that it uses."""
    labels = {name: gettext(label) for name, label in filters.LABELS.items()}
    conditions: dict[str, Any] = {
        name: text for name, text in asked.written.items() if name != "sort"
    }
    return {
        "chips": chips(_HANDS, asked.written, labels, filters.said),
        "ranges": day_ranges(_HANDS, asked.written, dt.datetime.now(dt.UTC).date()),
        "exports": _exports(conditions),
        "csv_url": url_for("api.export_hands", format="csv", **conditions),
        "count_url": url_for("search.count", **conditions),
    }


@blueprint.get("/fragments/hands/count")
def count() -> str:
    """How many hands fit, which a list is told of once it is shown."""
    asked = filters.hand_filters(request.args)
    number = house().warehouse.count_hands(asked.conditions)
    return render_template("parts/count.html", number=number)


def _exports(conditions: dict[str, Any]) -> list[Export]:
    rows = [
        Export(
            gettext(text),
            {_NAMES[one]: url_for(endpoint, format=one, **conditions) for one in _FORMATS},
        )
        for endpoint, text in _KINDS.items()
    ]
    documents = {"NDJSON": url_for("api.export_documents", **conditions)}
    return [*rows, Export(gettext("The hands as they came"), documents)]
