"""Owns the filters of the list of uploads: what its form may say, read into conditions."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from dashboards import wording
from dashboards.language import gettext, later
from warehouse.upload_search import Held, UploadConditions, UploadSort

SORTS: Final[dict[UploadSort, str]] = {
    "-received_at": later("last received first"),
    "received_at": later("first received first"),
    "-size": later("largest first"),
    "size": later("smallest first"),
}
HELD: Final[dict[Held, str]] = {
    "illegal": later("illegal hands"),
    "unverifiable": later("unverifiable hands"),
    "unreadable": later("unreadable lines"),
    "duplicates": later("duplicates"),
    "conflicts": later("conflicts"),
}
LABELS: Final = {
    "name": later("Name"),
    "status": later("State"),
    "holds": later("With"),
    "from": later("Received from"),
    "until": later("Received before"),
}
_WORDS: Final[dict[tuple[str, str], str]] = {
    **{("status", status): word for status, word in wording.STATUSES.items()},
    **{("holds", held): word for held, word in HELD.items()},
}
_SORT: Final = "sort"
_FIRST: Final[UploadSort] = "-received_at"


class UploadFilters(Struct, frozen=True):
    """What the form asked for, and how it was ``written`` in the address.

    ``fault`` says what of it cannot be read; the conditions are none then.
    """

    written: dict[str, str]
    conditions: UploadConditions
    sort: UploadSort = _FIRST
    fault: str | None = None


def upload_filters(given: Mapping[str, str]) -> UploadFilters:
    """Read the filters of an address; what is empty is not asked for."""
    written = {name: text for name in (*LABELS, _SORT) if (text := given.get(name, "").strip())}
    asked = {name: text for name, text in written.items() if name != _SORT}
    sort = next((one for one in SORTS if one == written.get(_SORT, _FIRST)), None)
    fault = None
    for name, text in asked.items():
        try:
            msgspec.convert({name: text}, UploadConditions, strict=False)
        except msgspec.ValidationError:
            fault = _fault(name, text)
    if sort is None:
        fault = gettext("There is no order “%(order)s”.", order=written[_SORT][:40])
    if fault is not None or sort is None:
        return UploadFilters(written, UploadConditions(), fault=fault)
    return UploadFilters(written, msgspec.convert(asked, UploadConditions, strict=False), sort)


def said(name: str, text: str) -> str:
    """A filter's value in words."""
    known = _WORDS.get((name, text))
    return text if known is None else gettext(known)


def _fault(name: str, text: str) -> str:
    label = gettext(LABELS[name])
    if name in ("from", "until"):
        return gettext("%(filter)s should be a day, such as 2026-03-14.", filter=label)
    return gettext("%(filter)s cannot be “%(value)s”.", filter=label, value=text[:40])
