import datetime as dt
from collections.abc import Iterator

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from engine.replay import replay
from schemas.audit import ExaminedHand, examine_hand
from schemas.errors import UnreadableHand
from schemas.record import to_record
from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import (
    NOON,
    all_hands,
    contradicted,
    ndjson,
    processed,
    renewed,
    some_hands,
)
from warehouse.examining import Examiner
from warehouse.queries import Warehouse
from warehouse.reaudits import Reaudit
from warehouse.records import LEASE, MAX_ATTEMPTS
from warehouse.renewals import NoRenewal, Renewal
from warehouse.renewing import renew_upload
from warehouse.settings import Settings
from warehouse.store import Store

pytestmark = BOTH_FORMS

SECOND = dt.timedelta(seconds=1)


def _overlooking(raw: bytes) -> ExaminedHand | UnreadableHand:
    """An engine that does not look at what is declared, and cannot read hands of a table."""
    examined = examine_hand(raw, want_turns=True)
    if isinstance(examined, UnreadableHand):
        return examined
    if examined.hand.id.table == "unread":
        return UnreadableHand("unknown-value", "/id/table", "another table", "unread")
    record = to_record(replace(examined.hand, declared=UNSET))
    assert not isinstance(record, UnreadableHand)
    return ExaminedHand(examined.decoded, record, replay(record, want_turns=True))


OLD = Examiner("0.9.0", _overlooking)


@pytest.fixture
def old(settings: Settings) -> Iterator[Store]:
    """The storage as an older version of the engine works with it."""
    with Store(settings, OLD) as opened:
        yield opened


def _reaudited(store: Store, uploads: list[str] | None = None) -> Reaudit:
    made, sent = store.reaudits.ask(uploads, {}, "anna", NOON)
    assert sorted(sent) == store.renewals.unfinished(NOON + SECOND)
    renewed(store)
    found = store.reaudits.reaudit(made.id)
    assert found is not None
    return found


def test_a_newer_engine_judges_anew_and_the_old_verdict_stays_known(
    store: Store, old: Store, warehouse: Warehouse
) -> None:
    hands = some_hands(25)
    wrong = msgspec.json.decode(ndjson([hands[12]]))
    wrong["declared"]["carried"] += 1
    unread = replace(hands[3], id=replace(hands[3].id, table="unread"))
    lines = ndjson([*hands[:3], unread, *hands[4:12]]) + msgspec.json.encode(wrong) + b"\n"
    upload = processed(old, lines + b"{broken\n" + ndjson(hands[13:]))
    counts = old.records.upload(upload)
    assert counts is not None
    assert (counts.hands, counts.legal, counts.unreadable) == (26, 24, 2)

    assert store.reaudits.outdated(upload) == 26
    done = _reaudited(store)
    assert store.reaudits.outdated(upload) == 0
    assert (done.status, done.uploads, done.hands, done.hands_done) == ("done", 1, 26, 26)
    assert (done.changed, done.engine, done.asked_by) == (2, "1.0.0", "anna")
    first, second = store.reaudits.differences(done.id, 10)
    assert (first.ordinal, first.old_verdict, first.old_codes) == (
        4,
        "unreadable",
        ["unknown-value"],
    )
    assert (first.new_verdict, first.new_codes) == ("legal", [])
    assert (second.ordinal, second.old_verdict, second.new_verdict) == (13, "legal", "illegal")
    assert (second.old_codes, second.new_codes) == ([], ["declared-carried"])
    assert (second.old_engine, second.new_engine) == ("0.9.0", "1.0.0")
    assert store.reaudits.differences(done.id, 10, after=first.place) == [second]

    found = all_hands(warehouse)
    assert {one.engine for one in found} == {"1.0.0"}
    assert sorted(one.ordinal for one in found) == [*range(1, 14), *range(15, 27)]
    assert {one.hand_id for one in found if one.verdict == "illegal"} == {second.hand_id}
    counts = store.records.upload(upload)
    assert counts is not None
    assert (counts.hands, counts.legal, counts.illegal, counts.unreadable) == (26, 24, 1, 1)
    assert [problem.ordinal for problem in store.records.problems(upload, 10)] == [14]
    history = warehouse.history.verdicts(second.hand_id or "")
    assert [(one.engine, one.verdict, one.codes) for one in history] == [
        ("1.0.0", "illegal", ["declared-carried"]),
        ("0.9.0", "legal", []),
    ]
    assert warehouse.history.verdicts("0" * 24) == []

    again = _reaudited(store)
    assert (again.status, again.hands, again.changed) == ("done", 0, 0)
    assert store.reaudits.reaudits(10) in ([again, done], [done, again])  # asked at one moment


def test_only_what_was_asked_for_is_audited_anew(
    store: Store, old: Store, warehouse: Warehouse
) -> None:
    hands = some_hands(20)
    first = processed(old, ndjson(hands[:10]))
    processed(old, ndjson(hands[10:]))
    done = _reaudited(store, [first])
    assert (done.uploads, done.hands) == (1, 10)
    engines = {(one.upload == first, one.engine) for one in all_hands(warehouse)}
    assert engines == {(True, "1.0.0"), (False, "0.9.0")}


def test_a_hand_that_a_newer_engine_does_not_read_gives_way_to_those_that_repeat_it(
    store: Store, warehouse: Warehouse
) -> None:
    hands = some_hands(3)

    def blind(raw: bytes) -> ExaminedHand | UnreadableHand:
        examined = examine_hand(raw, want_turns=True)
        if isinstance(examined, UnreadableHand) or b' "x"' not in raw:
            return examined
        return UnreadableHand("unknown-value", "/x", "nothing", "x")

    marked = ndjson(hands).replace(b'"format"', b' "x":{"a":1},"format"')
    first = processed(store, marked)
    second = processed(store, ndjson(hands[:2]))
    third = processed(store, ndjson([contradicted(hands[2])]))
    with Store(store.settings, Examiner("2.0.0", blind)) as newer:
        made, _ = newer.reaudits.ask([first], {}, None, NOON)
        renewed(newer)
        done = newer.reaudits.reaudit(made.id)
        assert done is not None
        assert (done.status, done.uploads, done.hands, done.changed) == ("done", 2, 5, 3)
    found = {(one.hand, one.upload, one.standing) for one in all_hands(warehouse)}
    assert found == {
        (hands[0].id.hand, second, "first"),
        (hands[1].id.hand, second, "first"),
        (hands[2].id.hand, third, "first"),
    }
    stands = [store.records.upload(one) for one in (first, second, third)]
    assert [(one.legal, one.unreadable, one.duplicates) for one in stands if one] == [
        (0, 3, 0),
        (2, 0, 0),
        (1, 0, 0),
    ]
    assert [one.conflicts for one in stands if one] == [0, 0, 0]


def test_a_renewal_rests_and_goes_on(store: Store, old: Store, warehouse: Warehouse) -> None:
    upload = processed(old, ndjson(some_hands(25)))
    made, _ = store.reaudits.ask(None, {}, None, NOON)
    for so_far in (10, 20):
        assert renew_upload(store, upload, seconds=0) == "resting"
        stands = store.reaudits.reaudit(made.id)
        assert stands is not None
        assert (stands.status, stands.hands_done) == ("working", so_far)
        assert len(all_hands(warehouse)) == 25
    assert renew_upload(store, upload, seconds=0) == "done"
    assert renew_upload(store, upload) == "unknown"


def test_one_run_holds_a_renewal_and_a_silent_one_loses_it(store: Store, old: Store) -> None:
    upload = processed(old, ndjson(some_hands(3)))
    store.reaudits.ask(None, {}, None, NOON)
    held = store.renewals.begin(upload, NOON)
    assert isinstance(held, Renewal)
    assert store.renewals.begin(upload, NOON + SECOND) == NoRenewal("busy")
    assert isinstance(store.renewals.begin(upload, NOON + LEASE), Renewal)
    store.renewals.fail(held, "bytes-missing", "", NOON + LEASE)
    assert store.renewals.begin(upload, NOON + LEASE) == NoRenewal("busy")


def test_a_renewal_that_fails_every_attempt_is_given_up_and_may_be_tried_again(
    store: Store, old: Store
) -> None:
    upload = processed(old, ndjson(some_hands(3)))
    made, _ = store.reaudits.ask(None, {}, None, NOON)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert isinstance(store.renewals.begin(upload, NOON), Renewal)
        failed = store.renewals.fail_attempt(upload, "internal-error", "", NOON)
        assert failed is not None
        assert failed.attempts == attempt
    stands = store.renewals.state(upload)
    assert stands is not None
    assert stands.status == "quarantined"
    assert store.renewals.begin(upload, NOON) == NoRenewal("finished")
    given_up = store.reaudits.reaudit(made.id)
    assert given_up is not None
    assert given_up.status == "failed"
    [dead] = store.dead_letters.page(10)
    assert (dead.upload, dead.work, dead.status, dead.code, dead.attempts, dead.since) == (
        upload,
        "re-audit",
        "quarantined",
        "internal-error",
        MAX_ATTEMPTS,
        NOON,
    )
    assert store.dead_letters.retry(upload, NOON) == ["re-audit"]
    renewed(store)
    done = store.reaudits.reaudit(made.id)
    assert done is not None
    assert done.status == "done"
    assert store.dead_letters.page(10) == []


def test_bytes_that_are_lost_cannot_be_audited_anew(
    store: Store, old: Store, warehouse: Warehouse
) -> None:
    upload = processed(old, ndjson(some_hands(3)))
    made, _ = store.reaudits.ask(None, {}, None, NOON)
    store.blobs.delete(upload)
    assert renew_upload(store, upload) == "failed"
    stands = store.reaudits.reaudit(made.id)
    assert stands is not None
    assert stands.status == "failed"
    assert {one.engine for one in all_hands(warehouse)} == {"0.9.0"}
