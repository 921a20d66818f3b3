"""Owns the numbers of the home page: what came in in total, and the latest findings by code."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from warehouse.queries import HandSummary
from warehouse.records import Records, Upload

_UPLOADS_AT_ONCE: Final = 1_000


class Totals(Struct, frozen=True):
    """What was read of all uploads, in hands."""

    hands: int
    legal: int
    illegal: int
    unverifiable: int


class FoundCode(Struct, frozen=True):
    """How many of the hands looked at have a finding of this code."""

    code: str
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


def found_codes(hands: Iterable[HandSummary]) -> list[FoundCode]:
    """The codes of these hands, the most frequent first."""
    counts = Counter(code for hand in hands for code in hand.codes)
    return [
        FoundCode(code, count)
        for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def with_findings(hands: Sequence[HandSummary], limit: int) -> list[HandSummary]:
    """The first of these hands that have a finding."""
    return [hand for hand in hands if hand.codes][:limit]
