"""Exports over HTTP: what a client gets, with which headers, and nothing left when it goes away."""

import contextlib
import datetime as dt
import http.client
import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import ServedTree, Until, processes_below
from tests.dashboards.evening import evening
from tests.service.client import KEYS, ask, keyed_app
from warehouse.exports import IN_LINE
from warehouse.intake import process_upload
from warehouse.settings import Settings
from warehouse.store import Store


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    settings = Settings(data=tmp_path_factory.mktemp("exported"))
    with Store(settings) as store:
        blob = store.blobs.store(iter([evening()]))
        upload = store.records.receive(blob, "evening", dt.datetime.now(dt.UTC))
        assert process_upload(store, upload.id) == "done"
        yield keyed_app(settings)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize(
    ("what", "media", "name"),
    [
        ("hands", "text/csv; charset=utf-8", "hands"),
        ("seats?format=parquet", "application/vnd.apache.parquet", "seats"),
        ("findings?format=ndjson&masked=true", "application/x-ndjson", "findings"),
        ("documents", "application/x-ndjson", "documents"),
    ],
)
def test_a_file_says_what_it_is(client: FlaskClient, what: str, media: str, name: str) -> None:
    answer = client.get(f"/api/v1/exports/{what}")
    assert answer.status_code == HTTPStatus.OK
    assert answer.headers["Content-Type"] == media
    assert answer.headers["Content-Length"] == str(len(answer.data))
    kind = {"text/csv; charset=utf-8": "csv", "application/x-ndjson": "ndjson"}.get(
        media, "parquet"
    )
    wanted = rf'attachment; filename="retourne-{name}-\d{{8}}T\d{{6}}Z\.{kind}"'
    assert re.fullmatch(wanted, answer.headers["Content-Disposition"])
    assert answer.headers["Cache-Control"] == "no-store"

    head = client.head(f"/api/v1/exports/{what}")
    assert head.status_code == HTTPStatus.OK
    assert head.data == b""
    assert head.headers["Content-Type"] == media
    assert re.fullmatch(wanted, head.headers["Content-Disposition"])
    assert "Content-Length" not in head.headers


def test_conditions_are_those_of_the_search(client: FlaskClient) -> None:
    query = "severity=illegal&sort=pot"
    hands = client.get(f"/api/v1/hands?{query}").json
    assert hands is not None
    lines = client.get("/api/v1/exports/hands?severity=illegal&format=ndjson").data.splitlines()
    assert [json.loads(line)["hand_id"] for line in lines] == [
        hand["hand_id"] for hand in hands["hands"]
    ]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("hands?format=xlsx", "format"),
        ("hands?masked=perhaps", "masked"),
        ("hands?sort=pot", "sort"),
        ("hands?from=yesterday", "from"),
        ("hands?until=2026-02-30", "until"),
        ("documents?masked=true", "masked"),
        ("documents?format=csv", "format"),
    ],
)
def test_what_is_not_taken_is_named(client: FlaskClient, query: str, parameter: str) -> None:
    answer = client.get(f"/api/v1/exports/{query}")
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer.json is not None
    assert answer.json["parameter"] == parameter


def test_who_waits_too_long_is_told_to_come_again(app: Flask, client: FlaskClient) -> None:
    exporter = app.extensions["registry"].houses.of("local").warehouse.exporter
    exporter.patience = 0
    with exporter.turn:
        answer = client.get("/api/v1/exports/hands")
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert answer.headers["Retry-After"] == "10"
    assert client.get("/api/v1/exports/hands").status_code == HTTPStatus.OK


def test_a_club_s_exports_do_not_take_every_thread(app: Flask, client: FlaskClient) -> None:
    exporter = app.extensions["registry"].houses.of("local").warehouse.exporter
    with contextlib.ExitStack() as waiting:
        for _ in range(IN_LINE):
            waiting.enter_context(exporter.line)
        answer = client.get("/api/v1/exports/hands")  # in no line, at once
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert client.get("/api/v1/exports/hands").status_code == HTTPStatus.OK


def test_documents_are_sent_again_as_duplicates(process_tree: ServedTree, until: Until) -> None:
    base = process_tree.base_url

    def audited(body: bytes) -> dict[str, int]:
        links = ask(base, "POST", "/api/v1/uploads", body).json["links"]
        until(lambda: ask(base, "GET", links["self"]).json["finished_at"])
        counts: dict[str, int] = ask(base, "GET", links["self"]).json["counts"]
        return counts

    audited(evening())
    documents = ask(base, "GET", "/api/v1/exports/documents?source=salon&table=T7")
    hands = documents.body.count(b"\n")
    assert hands >= 7
    counts = audited(documents.body)
    assert (counts["hands"], counts["duplicates"]) == (hands, hands)


def test_a_client_that_goes_away_leaves_nothing(process_tree: ServedTree, until: Until) -> None:
    connection = http.client.HTTPConnection(urlsplit(process_tree.base_url).netloc, timeout=60)
    key = {"Authorization": f"Bearer {KEYS[process_tree.base_url]}"}
    connection.request("GET", "/api/v1/exports/seats?format=ndjson", headers=key)
    response = connection.getresponse()
    assert response.status == HTTPStatus.OK
    response.read(1)
    connection.close()
    until(lambda: not open_exports(process_tree))


def open_exports(tree: ServedTree) -> list[str]:
    """The files of exports that are there, or that a process of the tree holds open."""
    named = [str(path) for path in tree.data.rglob("exports/*") if path.is_file()]
    held = []
    for pid in processes_below(tree.pid):
        for link in Path(f"/proc/{pid}/fd").glob("*"):
            with contextlib.suppress(OSError):
                target = str(link.readlink())
                if f"{tree.data}/" in target and "/exports/" in target:
                    held.append(target)
    return named + held
