from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import NOON, ndjson, processed, received, some_hands
from warehouse.gauges import Gauges, read_gauges
from warehouse.store import Store

pytestmark = BOTH_FORMS


def test_a_house_is_counted(store: Store) -> None:
    nothing = dict.fromkeys(("legal", "illegal", "unverifiable", "duplicates", "unreadable"), 0)
    assert read_gauges(store.database) == Gauges({}, nothing, {}, None)
    webhook, _ = store.webhooks.add("https://receiver.example/", ("upload.finished",), NOON)
    processed(store, ndjson(some_hands(3)) + b"no hand\n")
    processed(store, ndjson(some_hands(2)))
    received(store, b"{}")
    store.webhooks.ping(webhook.id, NOON)
    gauges = read_gauges(store.database)
    assert gauges.uploads == {"done": 2, "received": 1}
    assert gauges.hands == {**nothing, "legal": 3, "duplicates": 2, "unreadable": 1}
    assert gauges.deliveries == {"pending": 3}
    assert gauges.waiting_since == NOON
