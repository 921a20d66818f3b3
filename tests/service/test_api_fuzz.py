"""What the API's document allows, and what it does not, sent to the real application.

The warehouse holds the evening of the pages' tests, the examples, a few hands of the generator, and
a hand in conflict with another.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIEnvironment

import msgspec
import pytest
import schemathesis
from flask import Flask
from schemathesis import BaseSchema, Case, Config, SerializationContext

from schemas.generate import generate_hands
from service.api.description import description
from service.api.players import player_key
from tests.dashboards.evening import evening
from tests.service.client import keyed_app
from warehouse.events import EVENTS
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.settings import Settings
from warehouse.store import Store
from workers.app import app as celery

RATE: Final = "1000000/minute"
# Most hands are in no conflict, of most sessions nothing is declared, and some are being audited.
OTHERWISE: Final = {
    "/api/v1/conflicts/{hand_id}": HTTPStatus.NOT_FOUND,
    "/api/v1/sessions/{session_key}/declared": HTTPStatus.NOT_FOUND,
    "/api/v1/sessions/{session_key}/audit": HTTPStatus.ACCEPTED,
    "/api/v1/sessions/{session_key}/report": HTTPStatus.CONFLICT,
}
EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"
CONFIG = Config.from_dict(
    {
        "seed": 20260314,
        "generation": {
            "max-examples": 5,
            "deterministic": True,
            "no-shrink": True,
            # Every request gets the key below; that there has to be one is held elsewhere.
            "with-security-parameters": False,
        },
        # What a cursor or an id leads to is not in its schema.
        "checks": {
            "positive_data_acceptance": {"enabled": False},
            "ignored_auth": {"enabled": False},
        },
        "operations": [
            {
                "include-operation-id": "post_upload",
                # Every edge of every part of a hand would be a thousand uploads.
                "phases": {"coverage": {"enabled": False}},
                # A body that is no hand is taken in, and its problems are told later.
                "checks": {"negative_data_rejection": {"enabled": False}},
            },
            # The edges of their conditions are tried on the list of hands, and on figures.
            *(
                {"include-operation-id": name, "phases": {"coverage": {"enabled": False}}}
                for name in (
                    *("export_hands", "export_seats", "export_findings", "export_documents"),
                    *("ask_reaudit", "show_positions", "list_sittings", "list_opponents"),
                )
            ),
        ],
    }
)


@schemathesis.serializer("application/x-ndjson")
def hand_a_line(_context: SerializationContext, value: str) -> bytes:
    return value.encode(errors="replace") if isinstance(value, str) else msgspec.json.encode(value)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    data = tmp_path_factory.mktemp("fuzzed") / "data"
    settings = Settings(data=data, stream_seconds=1, request_rate=RATE, upload_rate=RATE)
    with Store(settings) as store:
        for content in contents():
            blob = store.blobs.store(iter([content]))
            upload = store.records.receive(blob, None, dt.datetime.now(dt.UTC))
            assert process_upload(store, upload.id) == "done"
        for key in store.session_runs.unsent(1_000):
            assert process_session(Warehouse(settings), key) == "settled"
        webhook, _ = store.webhooks.add("https://8.8.8.8/", EVENTS, dt.datetime.now(dt.UTC))
        store.webhooks.ping(webhook.id, dt.datetime.now(dt.UTC))
    app = keyed_app(settings)
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(celery.conf, "broker_url", "memory://")  # what is sent, nobody works on
        yield app


def contents() -> Iterator[bytes]:
    """Uploads: hands with every finding, hands of all games, unreadable ones, and a conflict."""
    yield evening()
    paths = sorted([*EXAMPLES.glob("*.json"), *EXAMPLES.glob("violations/*.json")])
    examples = [msgspec.json.decode(path.read_bytes()) for path in paths]
    yield b"\n".join(map(msgspec.json.encode, examples))
    yield b"\n".join(map(msgspec.json.encode, generate_hands(20, 1)))
    yield msgspec.json.encode({**examples[0], "dealer": examples[0]["dealer"] + 1})
    yield (EXAMPLES / "sessions" / "tournament-wrong-standings.json").read_bytes()


SERVED: list[Flask] = []


def serve(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    """The application, which is there only when the tests run."""
    app = SERVED[-1]
    environ.setdefault("HTTP_AUTHORIZATION", f"Bearer {app.config['KEY']}")
    environ["HTTP_ACCEPT_ENCODING"] = "identity"  # this way nobody unpacks
    return app(environ, start)


SCHEMA = schemathesis.openapi.from_dict(description(), config=CONFIG)
SCHEMA.app = serve


@pytest.fixture(scope="module")
def schema(app: Flask) -> BaseSchema:
    SERVED.append(app)
    return SCHEMA


@SCHEMA.parametrize()
@pytest.mark.usefixtures("schema")
def test_whatever_is_asked_the_answer_is_one_that_is_described(case: Case[Any]) -> None:
    case.call_and_validate()


def test_hands_and_uploads_are_answered_as_described(app: Flask, schema: BaseSchema) -> None:
    hands = listed(app, "hands")
    uploads = listed(app, "uploads")
    assert {one["verdict"] for one in hands} == {"legal", "illegal", "unverifiable"}
    assert any(one["counts"]["conflicts"] for one in uploads)
    assert any(one["problems"] for one in uploads)
    [webhook] = listed(app, "webhooks")
    [delivery] = listed(app, f"webhooks/{webhook['id']}/deliveries")
    known = [
        *({"hand_id": one["hand_id"]} for one in hands[::4]),
        *({"upload_id": one["id"]} for one in uploads),
        *({"player": player_key(one["player"])} for one in listed(app, "players")),
        *({"session_key": one["key"]} for one in listed(app, "sessions")),
        {"webhook_id": webhook["id"]},
        {"webhook_id": webhook["id"], "delivery_id": delivery["id"]},
    ]
    for path, methods in description()["paths"].items():
        names = set(re.findall(r"{(\w+)}", path))
        for one in known:
            if "get" in methods and one.keys() == names:
                answer = schema[path]["GET"].Case(path_parameters=one).call_and_validate()
                assert answer.status_code in {HTTPStatus.OK, OTHERWISE.get(path)}


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/api/v1/uploads?", 1),
        ("/api/v1/hands?", 30),
        ("/api/v1/hands?verdict=illegal&", 20),
        ("/api/v1/hands?sort=-pot&found=true&", 40),
        ("/api/v1/players?sort=net&", 3),
        ("/api/v1/sessions?", 1),
        ("/api/v1/uploads/{upload_id}/problems?", 1),
        ("/api/v1/uploads/{upload_id}/conflicts?", 1),
    ],
)
def test_every_list_is_gone_through_to_its_end(app: Flask, path: str, limit: int) -> None:
    client = app.test_client()
    several = 0
    for one in {path.replace("{upload_id}", upload["id"]) for upload in listed(app, "uploads")}:
        whole = msgspec.json.decode(client.get(f"{one}limit=1000").data)
        name = next(iter(whole))
        gone_through: list[Any] = []
        following = f"{one}limit={limit}"
        while following:
            page = msgspec.json.decode(client.get(following).data)
            gone_through += page[name]
            following = page["next"]
        assert gone_through == whole[name]
        several += len(gone_through)
    assert several


def test_the_document_is_openapi() -> None:
    SCHEMA.validate()
    with pytest.raises(ValueError, match="is not of type"):
        schemathesis.openapi.from_dict({**description(), "paths": []}).validate()


def listed(app: Flask, name: str) -> list[dict[str, Any]]:
    query = "" if name == "webhooks" else "?limit=1000"
    answer = app.test_client().get(f"/api/v1/{name}{query}")
    entries: list[dict[str, Any]] = msgspec.json.decode(answer.data)[name.rpartition("/")[2]]
    return entries
