"""What became of every line of an upload, against an upload that was written by hand."""

import gzip
import json

from tests.dashboards.evening import low_raise, named, unseen_cards, worked
from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import processed
from warehouse.queries import Warehouse
from warehouse.source_lines import SourceLine, source_line
from warehouse.store import Store
from warehouse.upload_report import WANTED, ProblemCode, Wanted
from warehouse.upload_search import UploadConditions, UploadsFound

pytestmark = BOTH_FORMS

W1 = json.dumps(named(worked("w1"), "one"))
LINES = [
    W1,
    "",  # an empty line is no hand
    W1,
    json.dumps(named(low_raise(), "low")),
    '{"format"',
    json.dumps(named(unseen_cards(), "other")),
    W1,
    "[]",
    json.dumps(named(worked("w2-any-shown"), "one")),
]


def test_every_hand_has_its_line_and_its_fate(store: Store, warehouse: Warehouse) -> None:
    processed(store, json.dumps(named(worked("w1"), "other")).encode())
    upload = store.records.upload(processed(store, gzip.compress("\n".join(LINES).encode())))
    assert upload is not None

    def told(wanted: Wanted | None = None, after: int = 0, limit: int = 100) -> list[object]:
        found = warehouse.reports.lines(upload, wanted=wanted, after=after, limit=limit)
        return [(one.ordinal, one.line, one.outcome) for one in found]

    everything = [
        (1, 1, "legal"),
        (2, None, "duplicate"),
        (3, 4, "illegal"),
        (4, 5, "unreadable"),
        (5, 6, "unverifiable"),
        (6, None, "duplicate"),
        (7, 8, "unreadable"),
        (8, 9, "legal"),
    ]
    assert told() == everything
    assert told(after=2, limit=3) == everything[2:5]
    assert told(after=8) == []
    alone = {wanted: [line[0] for line in told(wanted)] for wanted in WANTED}  # type: ignore[index]
    assert alone == {
        "legal": [1, 8],
        "illegal": [3],
        "unverifiable": [5],
        "conflict": [5, 8],  # told otherwise in the upload before, and in its own first line
        "duplicate": [2, 6],
        "unreadable": [4, 7],
    }
    assert told("duplicate", after=2) == [everything[5]]
    [low] = warehouse.reports.lines(upload, wanted="illegal")
    assert low.hand is not None
    assert low.hand.hand == "low"
    assert "raise-below-minimum" in low.hand.codes
    codes = warehouse.reports.problem_codes(upload.id)
    assert codes == [ProblemCode("not-an-object", 1), ProblemCode("not-json", 1)]

    found = warehouse.search_uploads(UploadConditions(holds="duplicates"))
    assert isinstance(found, UploadsFound)
    assert [one.id for one in found.uploads] == [upload.id]

    def text(ordinal: int) -> SourceLine | None:
        return source_line(store.blobs, store.settings, upload, ordinal)

    [first] = warehouse.reports.lines(upload, limit=1)
    assert first.hand is not None
    assert text(2) == SourceLine(W1, len(W1), first.hand.hand_id)
    assert text(4) == SourceLine('{"format"', 9, None)
    assert text(9) is None
