"""A stream in one process: how long it lasts, how many there are, what becomes of a lost upload."""

import contextlib
import datetime as dt
from http import HTTPStatus
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.service.client import keyed_app
from warehouse.settings import Settings
from workers.app import app as celery


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(celery.conf, "broker_url", "memory://")  # nobody audits
    return keyed_app(Settings(data=tmp_path / "data", stream_seconds=1, max_streams=1))


@pytest.fixture
def events(app: Flask) -> str:
    """Where an upload is followed that is never finished."""
    upload = app.test_client().post("/api/v1/uploads", data=b"{}\n").json
    assert upload is not None
    return f"{upload['links']['self']}/events"


def read(app: Flask, events: str, known: str = "") -> str:
    """All of a stream, to its end."""
    answer = app.test_client().get(events, headers={"Last-Event-ID": known}, buffered=True)
    assert answer.status_code == HTTPStatus.OK
    return answer.text


def test_a_stream_without_an_end_is_cut_and_goes_on_where_it_was(app: Flask, events: str) -> None:
    first = read(app, events)
    retry, progress, rest = first.split("\n\n", 2)
    assert retry.startswith("retry: ")
    name, mark, data = progress.split("\n")
    assert (name, data[:7]) == ("event: progress", "data: {")
    assert rest.replace(":\n\n", "") == ""  # comments at the most
    assert "event:" not in read(app, events, mark.removeprefix("id: "))
    assert progress in read(app, events, "of another time")


def test_a_stream_takes_its_place_and_gives_it_back(app: Flask, events: str) -> None:
    client: FlaskClient = app.test_client()
    held = client.get(events, buffered=False)
    refused = app.test_client().get(events)
    assert refused.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert refused.headers["Retry-After"] == "10"
    assert refused.json is not None
    assert refused.json["allowed"] == 1
    held.close()
    # Not even a stream of which nobody reads a word keeps its place.
    app.test_client().head(events).close()
    read(app, events)


def test_one_club_s_streams_leave_room_for_another_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(celery.conf, "broker_url", "memory://")
    app = keyed_app(Settings(data=tmp_path / "data", max_streams=4))
    registry, now = app.extensions["registry"], dt.datetime.now(dt.UTC)
    registry.clubs.add("paris", "Paris", now)
    _, text = registry.keys.make("paris", "x", ("upload", "read"), now)
    paris = {"Authorization": f"Bearer {text}"}

    def follow(headers: dict[str, str], many: int) -> list[int]:
        """The statuses of so many streams, open all at once."""
        upload = app.test_client().post("/api/v1/uploads", data=b"{}\n", headers=headers).json
        assert upload is not None
        place = f"{upload['links']['self']}/events"
        opened = [app.test_client().get(place, headers=headers) for _ in range(many)]
        for one in opened:
            still.callback(one.close)
        return [one.status_code for one in opened]

    with contextlib.ExitStack() as still:
        assert follow({}, 3) == [200, 200, 503]
        assert follow(paris, 3) == [200, 200, 503]
