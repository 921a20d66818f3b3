"""No club reaches what another one has: from every address that the application serves."""

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.routing import Rule

import schemas
from service.api.operations import OPERATIONS, Operation
from service.api.players import player_key
from service.registry import Registry
from service.web import create_app
from tests.dashboards.evening import evening
from warehouse import tables
from warehouse.custom import CustomStatistic
from warehouse.database import open_house
from warehouse.events import EVENTS
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.settings import Settings
from warehouse.store import Store
from workers.app import app as celery

NOW: Final = dt.datetime.now(dt.UTC)
HAND: Final = "0" * 24
TOURNAMENT: Final = (
    Path(schemas.__file__).parent / "examples" / "sessions" / "tournament-wrong-standings.json"
)
COUPE: Final[str] = msgspec.json.decode(TOURNAMENT.read_bytes())["session"]["id"]

BODIES: Final[dict[str, object]] = {
    "rule": {"stands": HAND},
    "rotate_key": {},
    "merge_alias": {"alias": "somebody"},
    "put_declared": {},
    "attach_hands": {"hand_ids": [{"source": "s", "table": "t", "hand": "h"}]},
    "change_webhook": {"active": False},
    "put_statistic": {"label": "Ours", "made": "folds", "chances": "decided"},
    "write_note": {"text": "ours"},
    "share_hand": {},
    "change_note": {"text": "ours"},
}
"""What the operations take that change something of an address; the others take nothing."""


class Club:
    """A club, its house and the headers by which its people come in."""

    def __init__(self, app: Flask, settings: Settings, name: str) -> None:
        registry: Registry = app.extensions["registry"]
        registry.clubs.add(name, name, NOW)
        self.registry = registry
        self.settings = settings.of(name)
        self.database = open_house(self.settings)
        self.key, text = registry.keys.make(name, "everything", ("admin",), NOW)
        self.headers = {"Authorization": f"Bearer {text}"}

    def fill(self) -> dict[str, str]:
        """Give the house something of everything; what leads to it, by the parameters' names."""
        with Store(self.settings) as store:
            document = msgspec.json.decode(evening().splitlines()[0])
            other = msgspec.json.encode({**document, "dealer": document["dealer"] - 1})
            uploads = []
            for content in (evening(), other, TOURNAMENT.read_bytes(), b"{}"):
                upload = store.records.receive(store.blobs.store([content]), "marked-name", NOW)
                assert process_upload(store, upload.id) == "done"
                uploads.append(upload.id)
            for session in store.session_runs.unsent(1_000):
                process_session(Warehouse(self.settings), session)
            webhook, _ = store.webhooks.add("https://8.8.8.8/marked", EVENTS, NOW)
            delivery = store.webhooks.ping(webhook.id, NOW)
            [conflict] = store.rulings.conflicts(10)
            note = store.notes.write(conflict.hand_id, "marked-note", "marked-author", NOW)
            store.notes.tag(conflict.hand_id, "marked-tag")
            reaudit, _ = store.reaudits.ask(uploads, {}, None, NOW, force=True)
        share = self.registry.shares.make(
            self.key.club, conflict.hand_id, "marked-author", NOW, masked=False, expires_at=None
        )
        warehouse = Warehouse(self.settings)
        warehouse.custom.put(CustomStatistic("marked-statistic", "Theirs", "calls", "1"), NOW)
        player = warehouse.players()[0].player
        warehouse.aliases.merge(player, "marked-alias", NOW)
        with store.database.read() as connection:
            declared = select(tables.sessions.c.key).where(tables.sessions.c.id == COUPE)
            session = connection.execute(declared).scalar_one()
        return {
            "upload_id": uploads[0],
            "hand_id": conflict.hand_id,
            "session_key": session,
            "webhook_id": webhook.id,
            "delivery_id": delivery.id,
            "key_id": self.key.id,
            "reaudit_id": reaudit.id,
            "note_id": note.id,
            "tag": "marked-tag",
            "share_id": share.id,
            "player": player_key(player),
            "statistic_id": "marked-statistic",
            "name": "marked-statistic",
            "place": "1",
            "alias": player_key("marked-alias"),
        }

    def records(self) -> dict[str, list[Any]]:
        """Everything that the house's records say."""
        with self.database.read() as connection:
            return {
                name: sorted(map(repr, connection.execute(select(table))))
                for name, table in tables.metadata.tables.items()
            }


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    data = tmp_path_factory.mktemp("clubs") / "data"
    enough = "1000000/minute"
    return Settings(data=data, stream_seconds=1, request_rate=enough, upload_rate=enough)


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[Flask]:
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(celery.conf, "broker_url", "memory://")
        yield create_app(settings)


@pytest.fixture(scope="module")
def theirs(app: Flask, settings: Settings) -> tuple[Club, dict[str, str], set[str]]:
    """A club with something of everything, what leads to it, and what would give it away."""
    club = Club(app, settings, "theirs")
    ids = club.fill()
    marks = {one for one in ids.values() if len(one) > 5} | {
        "marked-name",
        "marked-alias",
        "marked-note",
        "marked-author",
    }
    marks |= {one.player for one in Warehouse(club.settings).players() if len(one.player) > 2}
    return club, ids, marks


@pytest.fixture(scope="module")
def ours(app: Flask, settings: Settings) -> Club:
    return Club(app, settings, "ours")


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def address(path: str, ids: dict[str, str]) -> str:
    """The path with the other club's things in it; a parameter that is not known fails here."""
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: ids[found[1]], path)


def told(body: str, asked: str, marks: set[str]) -> set[str]:
    """What of the other club is in an answer that was not in the question."""
    return {mark for mark in marks if mark in body and mark not in asked}


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.name)
def test_no_operation_reaches_another_club(
    client: FlaskClient,
    ours: Club,
    theirs: tuple[Club, dict[str, str], set[str]],
    one: Operation,
) -> None:
    club, ids, marks = theirs
    before = club.records()
    asked = address(one.path, ids)
    body = {"json": BODIES[one.name]} if one.name in BODIES else {}
    answer = client.open(asked, method=one.method, headers=ours.headers, **body)  # type: ignore[arg-type] # json or nothing
    if "<" in one.path:
        # Of one name, each club has a statistic of its own.
        expected = 200 if one.name == "put_statistic" else 404
        assert answer.status_code == expected, answer.text
        if expected == 200:
            assert client.delete(asked, headers=ours.headers).status_code == 200
    assert told(answer.text, asked, marks) == set()
    assert club.records() == before
    if one.scope is not None and one.method == "GET":
        own = client.open(asked, headers=club.headers)
        assert own.status_code != 404


@pytest.mark.parametrize("mark", ["upload", "player", "session"])
def test_no_filter_leads_to_another_club(
    client: FlaskClient, ours: Club, theirs: tuple[Club, dict[str, str], set[str]], mark: str
) -> None:
    _, ids, marks = theirs
    value = {"upload": ids["upload_id"], "player": min(marks), "session": "marked"}[mark]
    for path in ("/api/v1/hands", "/api/v1/exports/hands", "/api/v1/exports/documents"):
        answer = client.get(path, query_string={mark: value}, headers=ours.headers)
        assert answer.status_code == 200
        assert told(answer.text, answer.request.url, marks) == set()


def pages(app: Flask) -> list[Rule]:
    everybody = ("static", "login", "reference", "metrics", "api.", "shared.", "example_file")
    return [
        rule
        for rule in app.url_map.iter_rules()
        if not any(part in rule.endpoint for part in everybody)
    ]


def test_no_page_shows_or_changes_another_club(
    app: Flask, client: FlaskClient, ours: Club, theirs: tuple[Club, dict[str, str], set[str]]
) -> None:
    club, ids, marks = theirs
    before = club.records()
    seen = 0
    for rule in pages(app):
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            asked = address(rule.rule, ids)
            headers = {**ours.headers, "Accept": "text/html"}
            answer = client.open(asked, method=method, headers=headers, data={"stands": HAND})
            assert answer.status_code < 500, (method, asked)
            if "<" in rule.rule:
                assert answer.status_code == 404 or not answer.text, (method, asked)
            assert told(answer.text, asked, marks) == set(), (method, asked)
            seen += 1
    assert seen > 20
    assert club.records() == before


def test_the_same_bytes_are_an_upload_of_each_club(
    client: FlaskClient, ours: Club, theirs: tuple[Club, dict[str, str], set[str]]
) -> None:
    club, ids, _ = theirs
    sent = client.post("/api/v1/uploads", data=evening(), headers=ours.headers)
    assert sent.status_code == 202
    assert sent.get_json()["id"] == ids["upload_id"]
    assert sent.get_json()["counts"]["hands"] == 0
    deleted = client.delete(f"/api/v1/uploads/{ids['upload_id']}", headers=ours.headers)
    assert deleted.status_code == 200
    kept = client.get(f"/api/v1/uploads/{ids['upload_id']}", headers=club.headers).get_json()
    assert kept["counts"]["hands"] > 0
    assert Path(club.settings.home, "blobs").exists()
