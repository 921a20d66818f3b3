"""Webhooks over the API: whose they are, what they take, and what is never shown of them."""

import datetime as dt
import json
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.registry import registry
from tests.service.client import keyed_app
from warehouse.events import EVENTS, record_event
from warehouse.keys import Scope
from warehouse.settings import Settings
from warehouse.webhooks import MOST, Outcome
from workers.app import app as celery

URL = "https://8.8.8.8/hook?token=t"
HOOKS = "/api/v1/webhooks"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(celery.conf, "broker_url", "memory://")  # nobody delivers
    return keyed_app(Settings(data=tmp_path / "data"))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def as_key(app: Flask, club: str, *scopes: Scope) -> dict[str, str]:
    """The header of a key of a club, which is there afterwards."""
    now = dt.datetime.now(dt.UTC)
    with app.app_context():
        registry().clubs.add(club, club, now)
        _, text = registry().keys.make(club, "test", scopes, now)
    return {"Authorization": f"Bearer {text}"}


def make(client: FlaskClient, **wish: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    answer = client.post(HOOKS, json={"url": URL, **wish})
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    made: dict[str, Any] = loaded(answer)
    assert answer.headers["Location"] == made["links"]["self"]
    return made


def loaded(answer: TestResponse) -> Any:  # noqa: ANN401 - JSON
    return json.loads(answer.data)


def code(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, loaded(answer)["type"].rpartition("#")[2]


def test_a_secret_is_shown_once(client: FlaskClient) -> None:
    made = make(client)
    assert made["events"] == list(EVENTS)
    secret = made.pop("secret")
    assert loaded(client.get(made["links"]["self"])) == made
    assert loaded(client.get(HOOKS)) == {"webhooks": [made]}
    renewed = loaded(client.post(f"{made['links']['self']}/secret"))
    assert renewed.pop("secret") not in {secret, None}
    assert renewed.pop("old_secret_until") is not None
    assert renewed.items() <= made.items()


def test_a_webhook_is_changed_and_deleted(client: FlaskClient) -> None:
    made = make(client, events=["upload.failed", "upload.failed"])
    assert made["events"] == ["upload.failed"]
    at = made["links"]["self"]
    change = {"active": False, "events": ["session.audited", "upload.finished"]}
    changed = loaded(client.patch(at, json=change))
    assert changed["active"] is False
    assert changed["events"] == ["upload.finished", "session.audited"]
    assert changed["url"] == URL
    moved = loaded(client.patch(at, json={"url": "https://8.8.4.4/"}))
    assert moved["url"] == "https://8.8.4.4/"
    assert client.delete(at).status_code == HTTPStatus.OK
    for method, path in [
        ("GET", ""),
        ("DELETE", ""),
        ("POST", "/secret"),
        ("POST", "/test"),
        ("GET", "/deliveries"),
        ("GET", f"/deliveries/dlv_{'0' * 24}"),
        ("POST", f"/deliveries/dlv_{'0' * 24}/redelivery"),
    ]:
        assert code(client.open(f"{at}{path}", method=method)) == (404, "not-found")
    assert code(client.patch(at, json={})) == (404, "not-found")


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://127.0.0.1:8000/",
            "http://localhost/",
            "http://169.254.169.254/latest",
            "ftp://a",
        ),
        *("https://[::1]/", "http://10.1.2.3/", "https://nobody.invalid/", "8.8.8.8"),
    ],
)
def test_a_webhook_leads_nowhere_into_our_own_network(client: FlaskClient, url: str) -> None:
    answer = client.post(HOOKS, json={"url": url})
    assert code(answer) == (422, "bad-webhook")
    at = make(client)["links"]["self"]
    assert code(client.patch(at, json={"url": url})) == (422, "bad-webhook")
    assert loaded(client.get(at))["url"] == URL


@pytest.mark.parametrize(
    "wish",
    [{}, {"url": 1}, {"url": URL, "events": []}, {"url": URL, "events": ["ping"]}, {"uri": URL}],
)
def test_a_wish_that_is_none_is_refused(client: FlaskClient, wish: dict[str, Any]) -> None:
    assert code(client.post(HOOKS, json=wish)) == (422, "bad-body")


def test_a_club_s_webhooks_are_for_its_own_administrators(app: Flask, client: FlaskClient) -> None:
    made = make(client)
    sent = loaded(client.post(f"{made['links']['self']}/test"))
    auditor = as_key(app, "local", "upload", "read", "audit")
    stranger = as_key(app, "other", "admin")
    assert code(client.get(HOOKS, headers=auditor)) == (403, "missing-scope")
    assert loaded(client.get(HOOKS, headers=stranger)) == {"webhooks": []}
    for path in [made["links"]["self"], made["links"]["deliveries"], sent["links"]["self"]]:
        assert code(client.get(path, headers=stranger)) == (404, "not-found")
    assert code(client.delete(made["links"]["self"], headers=stranger)) == (404, "not-found")


def test_deliveries_are_listed_and_made_again(app: Flask, client: FlaskClient) -> None:
    at = make(client)["links"]["self"]
    webhook = at.rpartition("/")[2]
    store = app.extensions["registry"].houses.of("local").store
    now = dt.datetime.now(dt.UTC)
    with store.database.write() as connection:
        record_event(connection, "upload.finished", {"number": 1}, now)
    attempt = store.webhooks.take(webhook, now)
    store.webhooks.settle(attempt, Outcome(410, "The receiver answered 410.", final=True), now)
    pinged = client.post(f"{at}/test")
    assert pinged.status_code == HTTPStatus.ACCEPTED

    first = loaded(client.get(f"{at}/deliveries?limit=1"))
    assert [one["event"] for one in first["deliveries"]] == ["ping"]
    last = loaded(client.get(first["next"]))
    assert last["next"] is None
    [dead] = last["deliveries"]
    assert (dead["state"], dead["status"], dead["payload"]["data"]) == ("dead", 410, {"number": 1})
    assert loaded(client.get(dead["links"]["self"])) == dead
    assert loaded(client.get(at))["last"]["error"] == "The receiver answered 410."

    again = client.post(f"{dead['links']['self']}/redelivery")
    assert again.headers["Location"] == dead["links"]["self"]
    once_more = loaded(again)
    assert (once_more["id"], once_more["state"]) == (dead["id"], "pending")
    assert once_more["attempts"] == 0
    stray = client.get(f"{at}/deliveries?cursor=dlv_{'0' * 24}")
    assert code(stray) == (400, "bad-parameter")


def test_metrics_are_for_the_local_club_s_administrators(app: Flask, client: FlaskClient) -> None:
    assert client.get("/metrics").status_code == HTTPStatus.OK
    reader = as_key(app, "local", "read")
    stranger = as_key(app, "other", "admin")
    assert code(client.get("/metrics", headers=reader)) == (403, "missing-scope")
    assert code(client.get("/metrics", headers=stranger)) == (403, "missing-scope")
    assert code(app.test_client().get("/metrics", headers={"Authorization": "Bearer x"})) == (
        401,
        "bad-key",
    )


def test_a_club_has_so_many_webhooks_and_no_more(app: Flask, client: FlaskClient) -> None:
    webhooks = [make(client) for _ in range(MOST)]
    answer = client.post(HOOKS, json={"url": URL})
    assert code(answer) == (409, "too-many-webhooks")
    assert loaded(answer)["allowed"] == MOST
    page = client.post("/settings/webhooks", data={"url": URL, "event": EVENTS[0]})
    assert page.status_code == HTTPStatus.BAD_REQUEST
    other = as_key(app, "paris", "admin")
    assert client.post(HOOKS, json={"url": URL}, headers=other).status_code == HTTPStatus.CREATED
    client.delete(webhooks[0]["links"]["self"])
    make(client)
