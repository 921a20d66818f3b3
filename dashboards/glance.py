"""Owns the numbers of the home page: what came in in total, and what was found in it of late."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from dashboards import wording
from engine.terms import Severity
from warehouse.conditions import HandConditions
from warehouse.cursors import BadCursor
from warehouse.queries import HandSummary, Warehouse
from warehouse.records import Records, Upload

_UPLOADS_AT_ONCE: Final = 1_000
_HANDS_OF_AN_UPLOAD: Final = 1_000
_VERDICTS: Final = ["illegal", "unverifiable", "legal"]


class Totals(Struct, frozen=True):
    """What was read of all uploads, in hands."""

    hands: int
    legal: int
    illegal: int
    unverifiable: int


class FoundCode(Struct, frozen=True):
    """How many of the hands looked at have a finding of this code."""

    code: str
    severity: Severity
    hands: int


def uploads_totals(records: Records) -> Totals:
    """The sums over every upload."""
    sums: Counter[str] = Counter()
    last: Upload | None = None
    while uploads := records.recent_uploads(_UPLOADS_AT_ONCE, last):
        last = uploads[-1]
        for upload in uploads:
            for field in Totals.__struct_fields__:
                sums[field] += getattr(upload, field)
    return Totals(**{field: sums[field] for field in Totals.__struct_fields__})


def recent_hands(warehouse: Warehouse, uploads: Iterable[Upload]) -> list[HandSummary]:
    """Hands of these uploads, of each those last played, in the order of the uploads."""
    hands: list[HandSummary] = []
    for upload in uploads:
        page = warehouse.search_hands(HandConditions(upload=upload.id), limit=_HANDS_OF_AN_UPLOAD)
        if not isinstance(page, BadCursor):
            hands.extend(page.hands)
    return hands


def found_codes(hands: Iterable[HandSummary]) -> list[FoundCode]:
    """The codes of these hands, the gravest first and of those the most frequent."""
    counts = Counter(code for hand in hands for code in hand.codes)
    found = [FoundCode(code, wording.severity(code), count) for code, count in counts.items()]
    return sorted(
        found, key=lambda one: (wording.GRAVEST_FIRST.index(one.severity), -one.hands, one.code)
    )


def with_findings(hands: Iterable[HandSummary]) -> list[HandSummary]:
    """Those of these hands that have a finding; the illegal ones first, the legal ones last."""
    found = [hand for hand in hands if hand.codes]
    return sorted(found, key=lambda hand: _VERDICTS.index(hand.verdict))
