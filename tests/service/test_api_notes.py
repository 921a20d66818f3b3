"""Notes and tags over HTTP: written, found by, and gone with the hand."""

import datetime as dt
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.registry import Registry
from tests.dashboards.evening import evening
from tests.service.client import keyed_app
from warehouse.intake import process_upload
from warehouse.notes import as_tag
from warehouse.settings import Settings
from warehouse.store import Store

NOW = dt.datetime.now(dt.UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(Settings(data=tmp_path)) as opened:
        receive(opened, evening())
        yield opened


@pytest.fixture
def client(store: Store) -> FlaskClient:
    return keyed_app(store.settings).test_client()


def receive(store: Store, content: bytes) -> str:
    upload = store.records.receive(store.blobs.store(iter([content])), None, NOW)
    assert process_upload(store, upload.id) == "done"
    return upload.id


def hand_of(client: FlaskClient, query: str = "") -> str:
    hand_id: str = client.get(f"/api/v1/hands?limit=1&{query}").get_json()["hands"][0]["hand_id"]
    return hand_id


def test_a_note_is_written_changed_and_erased(client: FlaskClient, store: Store) -> None:
    place = f"/api/v1/hands/{hand_of(client)}/notes"
    first = client.post(place, json={"text": "Why raise?"})
    second = client.post(place, json={"text": "<b>&\n"})
    assert first.status_code == HTTPStatus.CREATED
    changed = client.put(f"{place}/{first.get_json()['id']}", json={"text": "No: why call?"})
    assert changed.get_json()["author"] == "this machine"
    shown = client.get(place).get_json()
    assert {one["text"] for one in shown["notes"]} == {"No: why call?", "<b>&\n"}
    left = client.delete(f"{place}/{second.get_json()['id']}").get_json()
    assert [one["text"] for one in left["notes"]] == ["No: why call?"]
    assert client.delete(f"{place}/{second.get_json()['id']}").status_code == HTTPStatus.NOT_FOUND

    other = hand_of(client, "code=raise-below-minimum")
    elsewhere = f"/api/v1/hands/{other}/notes/{first.get_json()['id']}"
    assert client.put(elsewhere, json={"text": "x"}).status_code == HTTPStatus.NOT_FOUND
    _, reader = Registry(store.settings).keys.make("local", "reader", ("read",), NOW)
    refused = client.post(place, json={"text": "x"}, headers={"Authorization": f"Bearer {reader}"})
    assert refused.status_code == HTTPStatus.FORBIDDEN


def test_a_tag_finds_its_hands_and_no_others(client: FlaskClient) -> None:
    hand = hand_of(client, "code=raise-below-minimum")
    place = f"/api/v1/hands/{hand}/tags/odd-call"
    for _ in range(2):
        assert client.put(place).get_json()["tags"] == ["odd-call"]
    assert client.get("/api/v1/tags").get_json() == {"tags": [{"tag": "odd-call", "hands": 1}]}
    found = client.get("/api/v1/hands?tag=odd-call").get_json()["hands"]
    assert [one["hand_id"] for one in found] == [hand]
    assert client.get("/api/v1/exports/documents?tag=odd-call").text.count("\n") == 1
    assert client.get("/api/v1/exports/seats?format=csv&tag=odd-call").text.count(hand) == 4
    assert client.put(f"/api/v1/hands/{hand}/tags/Odd").status_code == HTTPStatus.BAD_REQUEST
    assert client.delete(place).get_json()["tags"] == []
    assert client.get("/api/v1/hands?tag=odd-call").get_json()["hands"] == []


def test_what_was_written_stays_where_the_hand_may_come_back(
    client: FlaskClient, store: Store
) -> None:
    hand = hand_of(client)
    store.notes.write(hand, "kept", "somebody", NOW)
    original = client.get(f"/api/v1/hands/{hand}/original").data
    [upload] = store.records.recent_uploads(2)
    receive(store, original)
    store.deletions.delete(upload.id, None, NOW)
    assert [note.text for note in store.notes.of_hand(hand)] == ["kept"]


def test_what_was_written_goes_with_the_hand(client: FlaskClient, store: Store) -> None:
    hand = hand_of(client)
    store.notes.write(hand, "gone", "somebody", NOW)
    store.notes.tag(hand, "gone")
    [upload] = store.records.recent_uploads(2)
    store.deletions.delete(upload.id, None, NOW)
    assert (store.notes.of_hand(hand), store.notes.tags()) == ([], [])


def test_words_become_a_tag() -> None:
    assert [as_tag(words) for words in (" Odd  call!", "À revoir", "…", "x" * 60)] == [
        "odd-call",
        "a-revoir",
        None,
        "x" * 40,
    ]
