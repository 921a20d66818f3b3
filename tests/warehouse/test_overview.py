"""The sums of a house, against numbers that are counted by hand."""

import json

from msgspec import UNSET
from msgspec.structs import replace

from engine.replay import replay
from schemas.audit import ExaminedHand, examine_hand
from schemas.errors import UnreadableHand
from schemas.record import to_record
from tests.dashboards.evening import Document, named, worked, wrong_stacks
from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import NOON, processed, renewed
from warehouse.examining import Examiner
from warehouse.overview import FoundCode, UploadTotals
from warehouse.queries import Warehouse
from warehouse.rulings import Conflict
from warehouse.settings import Settings
from warehouse.store import Store

pytestmark = BOTH_FORMS


def _lines(*hands: Document) -> bytes:
    return b"\n".join(json.dumps(hand).encode() for hand in hands)


def _overlooking(raw: bytes) -> ExaminedHand | UnreadableHand:
    """An engine that does not look at what is declared."""
    examined = examine_hand(raw, want_turns=True)
    assert isinstance(examined, ExaminedHand)
    record = to_record(replace(examined.hand, declared=UNSET))
    assert not isinstance(record, UnreadableHand)
    return ExaminedHand(examined.decoded, record, replay(record, want_turns=True))


def test_findings_are_summed_over_every_upload_and_hands_are_counted_once(
    store: Store, warehouse: Warehouse
) -> None:
    assert warehouse.overview.found() == []
    assert warehouse.overview.totals() == UploadTotals(0, 0, 0, 0)
    # W1 with two stacks wrong has that finding twice; in W2 somebody opens at par.
    par = named(worked("w2-any-shown"), "par")
    processed(store, _lines(named(wrong_stacks(), "one"), par, named(worked("w1"), "right")))
    processed(store, _lines(named(wrong_stacks(), "two")) + b"\nno hand")
    both = [
        FoundCode("declared-stacks", "discrepancy", 2),
        FoundCode("opened-at-par", "warning", 1),
    ]
    assert warehouse.overview.found() == both
    assert warehouse.overview.totals() == UploadTotals(2, 2, 0, 1)

    # Told otherwise, it comes second, and counts only when that is ruled.
    processed(store, _lines(named(wrong_stacks(), "right")))
    assert warehouse.overview.found() == both
    [conflict] = store.rulings.conflicts(10)
    theirs = conflict.contestants[1].hand_id
    assert isinstance(store.rulings.rule(conflict.hand_id, theirs, None, NOON), Conflict)
    assert [one.hands for one in warehouse.overview.found()] == [3, 1]


def test_what_was_found_before_hands_were_audited_anew_is_not_counted(
    settings: Settings, store: Store, warehouse: Warehouse
) -> None:
    with Store(settings, Examiner("0.9.0", _overlooking)) as old:
        upload = processed(old, _lines(named(wrong_stacks(), "one")))
    assert warehouse.overview.found() == []
    store.reaudits.ask([upload], {}, None, NOON)
    renewed(store)
    store.reaudits.ask([upload], {}, None, NOON)
    renewed(store)
    assert warehouse.overview.found() == [FoundCode("declared-stacks", "discrepancy", 1)]
