"""Runs over a session: what a change in between does, who may write, and when it is given up."""

import datetime as dt

import msgspec

from schemas.session_verdict import SessionAudit
from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.sessions.material import (
    COUPE,
    audited,
    encoded,
    later,
    lines,
    session,
    tournament,
)
from tests.warehouse.uploads import processed
from warehouse.queries import Warehouse
from warehouse.records import LEASE, MAX_ATTEMPTS
from warehouse.sessions.auditing import audit_composed
from warehouse.sessions.declarations import session_key
from warehouse.sessions.runs import AuditedSession, NoSessionRun, SessionRun
from warehouse.store import Store

pytestmark = BOTH_FORMS

KEY = session_key(COUPE)
TODAY = dt.datetime.now(dt.UTC)
HOUR = dt.timedelta(hours=1)


def begun(store: Store, when: dt.datetime = TODAY) -> SessionRun:
    run = store.session_runs.begin(KEY, when)
    assert isinstance(run, SessionRun), run
    return run


def made(warehouse: Warehouse, run: SessionRun) -> AuditedSession | None:
    hands = warehouse.session_hands
    return audit_composed(hands.compose(run.session), hands, lambda: None)


def hands_of(warehouse: Warehouse) -> int:
    stored = warehouse.session_runs.audit(KEY)
    assert stored is not None
    audit: SessionAudit = stored.audited.audit
    return len(audit.hands)


def test_what_changes_during_a_run_is_audited_by_the_next(
    store: Store, warehouse: Warehouse
) -> None:
    hands = tournament()["hands"]
    processed(store, lines(hands[:2]))
    run = begun(store)
    found = made(warehouse, run)
    processed(store, lines(hands[2:]))
    assert session(warehouse, COUPE).state == "auditing"

    assert not store.session_runs.finish(run, found, TODAY)

    assert (session(warehouse, COUPE).state, hands_of(warehouse)) == ("stale", 2)
    audited(warehouse, COUPE)
    assert (session(warehouse, COUPE).state, hands_of(warehouse)) == ("done", 3)


def test_a_late_result_does_not_overwrite_a_newer_one(store: Store, warehouse: Warehouse) -> None:
    hands = tournament()["hands"]
    processed(store, lines(hands[:2]))
    slow = begun(store)
    found = made(warehouse, slow)
    assert store.session_runs.begin(KEY, TODAY) == NoSessionRun("busy")
    processed(store, lines(hands[2:]))
    fast = begun(store, TODAY + LEASE)
    assert store.session_runs.finish(fast, made(warehouse, fast), TODAY + LEASE)

    store.session_runs.finish(slow, found, TODAY + LEASE)

    assert (session(warehouse, COUPE).state, hands_of(warehouse)) == ("done", 3)
    assert store.session_runs.begin(KEY, TODAY + HOUR) == NoSessionRun("settled")


def test_a_session_is_given_up_until_something_of_it_changes(
    store: Store, warehouse: Warehouse
) -> None:
    processed(store, lines(tournament()["hands"][:2]))
    for _ in range(MAX_ATTEMPTS):
        begun(store)
        store.session_runs.fail_attempt(KEY, "too-slow", "It took too long.", TODAY)
    failed = session(warehouse, COUPE)
    assert (failed.state, failed.failure_code) == ("failed", "too-slow")
    assert store.session_runs.begin(KEY, TODAY) == NoSessionRun("settled")
    assert store.session_runs.due(TODAY + HOUR, TODAY + HOUR, 10) == []

    processed(store, lines(tournament()["hands"][2:]))

    stands = session(warehouse, COUPE)
    assert (stands.state, stands.attempts, stands.failure_code) == ("stale", 0, None)


def test_every_attempt_that_kills_its_worker_counts(store: Store, warehouse: Warehouse) -> None:
    processed(store, lines(tournament()["hands"]))
    for attempt in range(MAX_ATTEMPTS):
        begun(store, TODAY + attempt * LEASE)
    assert store.session_runs.begin(KEY, TODAY + MAX_ATTEMPTS * LEASE) == NoSessionRun("settled")
    stands = session(warehouse, COUPE)
    assert (stands.state, stands.failure_code) == ("failed", "worker-lost")


def test_a_session_is_sent_when_it_has_changed_and_again_when_it_was_lost(store: Store) -> None:
    processed(store, encoded(tournament()))
    runs = store.session_runs
    now = dt.datetime.now(dt.UTC)
    assert runs.unsent(10) == [KEY]
    assert runs.due(now - HOUR, now - HOUR, 10) == []  # it may change again
    assert runs.due(now + HOUR, now, 10) == [KEY]
    runs.mark_sent([KEY], now)
    assert runs.unsent(10) == []
    assert runs.due(now + HOUR, now - HOUR, 10) == []  # it may be waiting for its turn
    assert runs.due(now + HOUR, now + HOUR, 10) == [KEY]
    run = begun(store, now)
    runs.touch_run(run, now + HOUR)
    assert runs.due(now + HOUR, now + HOUR, 10) == []
    runs.let_go(run, now)
    assert runs.due(now + HOUR, now + HOUR, 10) == [KEY]


def test_webhooks_are_told_of_an_audit(store: Store, warehouse: Warehouse) -> None:
    hook = store.webhooks.add("https://receiver.example/hook", ("session.audited",), later(0))[0]
    processed(store, encoded(tournament()))
    fingerprint = audited(warehouse, COUPE).fingerprint
    (delivery,) = store.webhooks.deliveries(hook.id, 10)
    message = msgspec.json.decode(delivery.payload)
    assert message["type"] == "session.audited"
    assert message["data"] == {
        "session": COUPE,
        "key": KEY,
        "kind": "tournament",
        "verdict": "illegal",
        "preset": "bouillotte/historico",
        "hands": 3,
        # Carla's share, place and result, and the places of Ben and Dan.
        "findings": 4,
        "fingerprint": fingerprint,
    }
