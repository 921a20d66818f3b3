"""An event is recorded with its change or not at all; a delivery lives until taken or dead."""

import base64
import datetime as dt

import msgspec
import pytest

from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import NOON
from warehouse.events import record_event
from warehouse.store import Store
from warehouse.webhooks import (
    KEPT,
    LEASE,
    MAX_ATTEMPTS,
    OVERLAP,
    Attempt,
    Outcome,
    Webhook,
)

pytestmark = BOTH_FORMS
TAKEN = Outcome(204, None)
DOWN = Outcome(503, "The receiver answered 503.")
URL = "https://receiver.example/hook"
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def hook(store: Store) -> Webhook:
    return store.webhooks.add(URL, ("upload.finished",), NOON)[0]


def tell(store: Store, what: int = 1, at: dt.datetime = NOON) -> None:
    with store.database.write() as connection:
        record_event(connection, "upload.finished", {"number": what}, at, request_id="r-1")


def take(store: Store, hook: Webhook, at: dt.datetime) -> Attempt:
    attempt = store.webhooks.take(hook.id, at)
    assert attempt is not None
    return attempt


def test_an_event_is_for_the_active_webhooks_that_want_it(store: Store, hook: Webhook) -> None:
    other = store.webhooks.add(URL, ("upload.failed", "session.audited"), NOON)[0]
    resting = store.webhooks.add(URL, ("upload.finished",), NOON)[0]
    store.webhooks.change(resting.id, active=False)
    tell(store)
    assert store.webhooks.deliveries(other.id, 10) == []
    assert store.webhooks.deliveries(resting.id, 10) == []
    [delivery] = store.webhooks.deliveries(hook.id, 10)
    assert (delivery.event, delivery.state, delivery.attempts) == ("upload.finished", "pending", 0)
    assert msgspec.json.decode(delivery.payload) == {
        "type": "upload.finished",
        "timestamp": "2026-03-14T12:00:00Z",
        "data": {"number": 1},
    }


def test_an_event_is_undone_with_its_change(store: Store, hook: Webhook) -> None:
    def fail_after_it() -> None:
        with store.database.write() as connection:
            record_event(connection, "upload.finished", {}, NOON)
            raise KeyError

    with pytest.raises(KeyError):
        fail_after_it()
    assert store.webhooks.deliveries(hook.id, 10) == []


def test_deliveries_go_out_in_their_order_by_one_worker_at_a_time(
    store: Store, hook: Webhook
) -> None:
    tell(store, 1)
    tell(store, 2, NOON + SECOND)
    now = NOON + 2 * SECOND
    first = take(store, hook, now)
    assert b'"number":1' in first.delivery.payload.encode()
    assert first.request_id == "r-1"
    assert store.webhooks.take(hook.id, now) is None  # somebody has the webhook in hand
    settled = store.webhooks.settle(first, TAKEN, now)
    assert settled is not None
    assert (settled.state, settled.status, settled.finished_at) == ("delivered", 204, now)
    second = take(store, hook, now)
    assert '"number":2' in second.delivery.payload
    store.webhooks.settle(second, TAKEN, now)
    assert store.webhooks.take(hook.id, now) is None


def test_a_delivery_comes_later_and_later_for_a_day_and_is_dead_then(
    store: Store, hook: Webhook
) -> None:
    tell(store)
    now = NOON
    pauses = []
    for number in range(1, MAX_ATTEMPTS + 1):
        assert store.webhooks.waiting(now) == [hook.id]
        attempt = take(store, hook, now)
        assert attempt.delivery.attempts == number
        settled = store.webhooks.settle(attempt, DOWN, now)
        assert settled is not None
        if settled.next_at is not None:
            assert store.webhooks.waiting(settled.next_at - SECOND) == []
            pauses.append((settled.next_at - now).total_seconds())
            now = settled.next_at
    assert [5 * 5**k <= pause <= 5 * 5**k * 1.25 for k, pause in enumerate(pauses)] == [True] * 7
    assert sum(pauses) > dt.timedelta(days=1).total_seconds()
    [dead] = store.webhooks.deliveries(hook.id, 10)
    assert (dead.state, dead.status, dead.error) == ("dead", 503, DOWN.error)
    assert store.webhooks.take(hook.id, now + dt.timedelta(days=9)) is None
    stands = store.webhooks.find(hook.id)
    assert stands is not None
    assert (stands.failures, stands.last_status) == (MAX_ATTEMPTS, 503)

    again = store.webhooks.redeliver(hook.id, dead.id, now)
    assert again is not None
    assert (again.id, again.state, again.attempts) == (dead.id, "pending", 0)
    store.webhooks.settle(take(store, hook, now), TAKEN, now)
    stands = store.webhooks.find(hook.id)
    assert stands is not None
    assert (stands.failures, stands.last_status, stands.last_error) == (0, 204, None)


def test_what_can_never_be_taken_is_dead_at_once(store: Store, hook: Webhook) -> None:
    tell(store)
    gone = Outcome(410, "The receiver answered 410.", final=True)
    settled = store.webhooks.settle(take(store, hook, NOON), gone, NOON)
    assert settled is not None
    assert (settled.state, settled.next_at) == ("dead", None)


def test_a_worker_that_dies_loses_its_hold_and_its_attempt_counts(
    store: Store, hook: Webhook
) -> None:
    tell(store)
    lost = take(store, hook, NOON)
    assert store.webhooks.take(hook.id, NOON + LEASE - SECOND) is None
    now = NOON + LEASE
    assert take(store, hook, now).delivery.attempts == 2
    assert store.webhooks.settle(lost, TAKEN, now) is None  # too late: it counts as lost
    for _ in range(MAX_ATTEMPTS - 2):
        now += LEASE
        take(store, hook, now)
    assert store.webhooks.take(hook.id, now + LEASE) is None
    [dead] = store.webhooks.deliveries(hook.id, 10)
    assert (dead.state, dead.error) == ("dead", "worker-lost")


def test_who_is_woken_up_is_not_woken_again_at_once(store: Store, hook: Webhook) -> None:
    tell(store)
    store.webhooks.mark_woken(hook.id, NOON)
    assert store.webhooks.waiting(NOON + 10 * SECOND) == []
    assert store.webhooks.waiting(NOON + 20 * SECOND) == [hook.id]


def test_a_renewed_secret_signs_beside_the_old_one_for_a_day(store: Store) -> None:
    hook, old = store.webhooks.add(URL, ("upload.finished",), NOON)
    assert len(base64.b64decode(old.removeprefix("whsec_"))) == 32
    renewed = store.webhooks.renew_secret(hook.id, NOON)
    assert renewed is not None
    assert renewed[0].old_secret_until == NOON + OVERLAP
    tell(store)
    attempt = take(store, hook, NOON)
    assert attempt.secrets == (renewed[1], old)
    store.webhooks.settle(attempt, TAKEN, NOON)
    tell(store)
    assert take(store, hook, NOON + OVERLAP).secrets == (renewed[1],)


def test_what_came_to_its_end_is_forgotten_and_a_removed_webhook_with_all_of_it(
    store: Store, hook: Webhook
) -> None:
    tell(store)
    store.webhooks.settle(take(store, hook, NOON), TAKEN, NOON)
    tell(store)
    store.webhooks.forget(hook.id, NOON + KEPT)
    assert [one.state for one in store.webhooks.deliveries(hook.id, 10)] == ["pending"]
    assert store.webhooks.remove(hook.id)
    assert store.webhooks.all() == []
    assert not store.webhooks.remove(hook.id)
