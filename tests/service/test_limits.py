"""Rates of requests, counted in a real broker by two applications as by two processes."""

import datetime as dt
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.registry import Registry
from service.web import create_app
from tests.conftest import Until
from warehouse.settings import Settings
from workers import broker
from workers.tether import tied

NOW = dt.datetime.now(dt.UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, request_rate="4/day", upload_rate="2/day")


@pytest.fixture
def counting(settings: Settings, until: Until) -> Iterator[None]:
    """A broker for the test's data folder."""
    process = subprocess.Popen(tied(broker.server_command(settings.data)))
    until(lambda: broker.answers(settings.data))
    yield
    process.kill()
    process.wait()


def client(settings: Settings) -> FlaskClient:
    return create_app(settings).test_client()


def key(settings: Settings) -> dict[str, str]:
    registry = Registry(settings)
    registry.clubs.add("local", "Local", NOW)
    return {"Authorization": f"Bearer {registry.keys.make('local', 'x', ('admin',), NOW)[1]}"}


@pytest.mark.usefixtures("counting")
def test_a_key_s_requests_are_counted_by_all_processes_together(settings: Settings) -> None:
    one, other = client(settings), client(settings)
    mine = key(settings)
    left = [
        (answer.status_code, answer.headers["X-RateLimit-Remaining"])
        for asked in (one, other, one, other)
        for answer in [asked.get("/api/v1/hands", headers=mine)]
    ]
    assert left == [(200, "3"), (200, "2"), (200, "1"), (200, "0")]
    refused = one.get("/api/v1/hands", headers=mine)
    assert refused.status_code == 429
    assert refused.get_json()["type"] == "/api/v1/codes#rate-limited"
    assert refused.get_json()["allowed"] == "4 per 1 day"
    assert int(refused.headers["Retry-After"]) > 0
    assert other.get("/api/v1/hands", headers=key(settings)).status_code == 200


@pytest.mark.usefixtures("counting")
def test_uploads_have_a_rate_of_their_own(settings: Settings) -> None:
    mine, asked = key(settings), client(settings)
    sent = [asked.post("/api/v1/uploads", data=b"{}", headers=mine).status_code for _ in range(3)]
    assert sent == [202, 202, 429]
    assert asked.get("/api/v1/hands", headers=mine).status_code == 200


@pytest.mark.usefixtures("counting")
def test_who_has_no_key_counts_by_address(settings: Settings) -> None:
    asked = client(settings)
    seen = [asked.get("/api/v1/codes").status_code for _ in range(5)]
    assert seen == [200, 200, 200, 200, 429]
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    assert asked.get("/api/v1/codes", environ_overrides=elsewhere).status_code == 200


def test_without_the_broker_a_process_counts_for_itself(settings: Settings) -> None:
    mine, asked = key(settings), client(settings)
    seen = [asked.get("/api/v1/hands", headers=mine).status_code for _ in range(5)]
    assert seen == [200, 200, 200, 200, 429]
