"""A shared hand: what the link shows, to whom, and what it never shows."""

import datetime as dt
import html
import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from dashboards.masking import masked_document
from service.registry import Registry
from service.tracing import told_path
from service.web import create_app
from tests.dashboards.evening import evening, worked, wrong_stacks
from tests.service.client import keyed_app
from warehouse.intake import process_upload
from warehouse.queries import Page, Warehouse
from warehouse.settings import Settings
from warehouse.store import Store

NOW = dt.datetime.now(dt.UTC)
NAMES = ("Anna", "Ben", "Carla", "Dan")
ELSEWHERE = ("T7", "march/1", "plain", "wrong-stacks")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(Settings(data=tmp_path)) as opened:
        upload = opened.records.receive(opened.blobs.store(iter([evening()])), "secret-name", NOW)
        assert process_upload(opened, upload.id) == "done"
        yield opened


@pytest.fixture
def app(store: Store) -> Flask:
    return keyed_app(store.settings)


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """Somebody without a key."""
    return FlaskClient(app)


def hand_id(store: Store, hand: str) -> str:
    page = Warehouse(store.settings).search_hands(limit=100)
    assert isinstance(page, Page)
    return next(found.hand_id for found in page.hands if found.hand == hand)


def share(app: Flask, hand: str, **form: str) -> str:
    """Share a hand by the form of its page; the path of the newest link."""
    place = f"/hands/{hand}"
    made = app.test_client().post(f"{place}/shares", data=form)
    assert made.headers["Location"] == f"{place}#sharing"
    page = html.unescape(app.test_client().get(place).text)
    link = re.search(r"/shared/[0-9a-f.A-Za-z_-]+", page)
    assert link is not None
    return link[0]


def test_a_masked_link_names_nobody_and_nothing_of_the_house(
    app: Flask, store: Store, stranger: FlaskClient
) -> None:
    hand = hand_id(store, "wrong-stacks")
    link = share(app, hand, masked="on", days="7")
    shown = stranger.get(link)
    assert shown.status_code == HTTPStatus.OK
    text = html.unescape(shown.text)
    assert not [name for name in (*NAMES, *ELSEWHERE, "secret-name", hand) if name in text]
    ben = Warehouse(store.settings).exporter.pseudonym("Ben")
    assert f"The final stack of {ben} is declared as 100; it is 109." in text
    assert re.findall(r'href="(/(?!assets/)[^"]*)"', text) == []


def test_a_link_with_names_shows_them(app: Flask, store: Store, stranger: FlaskClient) -> None:
    shown = stranger.get(share(app, hand_id(store, "wrong-stacks"), days=""))
    assert "The final stack of Ben is declared as 100; it is 109." in shown.text


def test_the_page_may_be_framed_and_leaves_nothing_behind(
    app: Flask, store: Store, stranger: FlaskClient
) -> None:
    link = share(app, hand_id(store, "plain"), masked="on")
    for path, status in ((link, HTTPStatus.OK), ("/shared/nothing", HTTPStatus.NOT_FOUND)):
        shown = stranger.get(path, headers={"Accept": "text/html"})
        assert shown.status_code == status
        assert "Set-Cookie" not in shown.headers
        assert "X-Frame-Options" not in shown.headers
        assert "frame-ancestors *" in shown.headers["Content-Security-Policy"]
        assert "script-src 'self'" in shown.headers["Content-Security-Policy"]
        assert shown.headers["X-Robots-Tag"] == "noindex, nofollow"
        assert "X-RateLimit-Remaining" in shown.headers
    own = app.test_client().get("/hands")
    assert own.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in own.headers["Content-Security-Policy"]


def test_a_link_ends_when_it_is_ended_or_expires_or_is_changed(
    app: Flask, store: Store, stranger: FlaskClient
) -> None:
    hand = hand_id(store, "plain")
    shares = Registry(store.settings).shares
    link = share(app, hand, masked="on")
    token = link.removeprefix("/shared/")
    name, _, signature = token.partition(".")
    other = shares.make("local", hand, "x", NOW, masked=True, expires_at=None)
    for changed in (f"{other.id}.{signature}", f"{name}.{'A' * 22}", f"{name}.", token + "\n"):
        assert shares.find(changed, NOW) is None
    assert stranger.get(link).status_code == HTTPStatus.OK
    ended = app.test_client().post(f"/hands/{hand}/shares/{name}/end")
    assert ended.status_code == HTTPStatus.SEE_OTHER
    assert stranger.get(link).status_code == HTTPStatus.NOT_FOUND
    week = dt.timedelta(days=7)
    short = shares.make("local", hand, "x", NOW, masked=True, expires_at=NOW + week)
    assert shares.find(shares.token(short), NOW) == short
    assert shares.find(shares.token(short), NOW + week) is None


def test_links_are_made_and_ended_over_the_api(
    app: Flask, store: Store, stranger: FlaskClient
) -> None:
    place = f"/api/v1/hands/{hand_id(store, 'plain')}/shares"
    client = app.test_client()
    made = client.post(place, json={"masked": False}).get_json()
    assert "Carla" in stranger.get(made["links"]["page"]).text
    assert client.get(place).get_json() == {"shares": [made]}
    assert client.delete(f"{place}/{made['id']}").get_json() == {"shares": []}
    assert stranger.get(made["links"]["page"]).status_code == HTTPStatus.NOT_FOUND


def test_a_club_shares_and_ends_nothing_of_another(app: Flask, store: Store) -> None:
    registry = Registry(store.settings)
    registry.clubs.add("other", "Other", NOW)
    _, key = registry.keys.make("other", "all", ("admin",), NOW)
    hand = hand_id(store, "plain")
    name = share(app, hand, masked="on").removeprefix("/shared/").partition(".")[0]
    client = FlaskClient(create_app(store.settings))
    headers = {"Authorization": f"Bearer {key}", "Accept": "text/html"}
    for path in (f"/hands/{hand}/shares", f"/hands/{hand}/shares/{name}/end"):
        assert client.post(path, headers=headers).status_code == HTTPStatus.NOT_FOUND
    # A link that names the hand by the other club opens that club's house, which has no such hand.
    wrong = registry.shares.make("other", hand, "x", NOW, masked=False, expires_at=None)
    shown = client.get(f"/shared/{registry.shares.token(wrong)}")
    assert shown.status_code == HTTPStatus.NOT_FOUND
    assert len(registry.shares.of_hand("local", hand, NOW)) == 1


@pytest.mark.parametrize("document", [worked("w1"), worked("w4"), wrong_stacks()])
def test_masking_changes_nothing_but_who_it_was(document: dict[str, object]) -> None:
    extended = {**document, "x": {"who": "Anna"}, "Anna": 1}
    masked = masked_document(json.dumps(extended).encode(), lambda name: f"<{name}>")
    assert isinstance(masked, bytes)
    seen = json.loads(masked)
    kept = ("rules", "dealer", "events")
    assert {name: seen[name] for name in kept} == {name: document[name] for name in kept}
    assert all(seat["player"].startswith("<") for seat in seen["seats"])
    assert not {"x", "Anna", "session", "played_at"} & seen.keys()


def test_the_log_does_not_tell_what_opens_a_shared_hand() -> None:
    assert told_path("/shared/eyJrIjoxfQ.x") == "/shared/…"
    assert told_path("/hands/shared/") == "/hands/shared/"
