"""What the warehouse's tests upload: hands of the generator, as a client would send them."""

import datetime as dt
from collections.abc import Iterable
from itertools import islice

import msgspec
from msgspec.structs import replace

from schemas.document import Hand
from schemas.generate import generate_hands
from warehouse.intake import Ending, process_upload
from warehouse.queries import HandSummary, Page, Warehouse
from warehouse.renewing import renew_upload
from warehouse.store import Store

NOON = dt.datetime(2026, 3, 14, 12, tzinfo=dt.UTC)


def some_hands(count: int, seed: int = 1) -> list[Hand]:
    return list(islice(generate_hands(count, seed), count))


def ndjson(hands: Iterable[Hand]) -> bytes:
    return b"".join(msgspec.json.encode(hand) + b"\n" for hand in hands)


def contradicted(hand: Hand) -> Hand:
    """The same hand, otherwise told: its players have other names."""
    return replace(hand, seats=[replace(seat, player=seat.player + "?") for seat in hand.seats])


def received(store: Store, content: bytes, now: dt.datetime = NOON) -> str:
    return store.records.receive(store.blobs.store([content]), None, now).id


def processed(store: Store, content: bytes, now: dt.datetime = NOON) -> str:
    upload = received(store, content, now)
    ending: Ending = process_upload(store, upload)
    assert ending == "done"
    return upload


def all_hands(warehouse: Warehouse) -> list[HandSummary]:
    page = warehouse.search_hands(limit=1000)
    assert isinstance(page, Page)
    assert page.next_cursor is None
    return page.hands


def renewed(store: Store) -> None:
    """Make anew whatever is due."""
    while due := store.renewals.unfinished(dt.datetime.max.replace(tzinfo=dt.UTC)):
        for upload in due:
            assert renew_upload(store, upload) in ("done", "resting")
