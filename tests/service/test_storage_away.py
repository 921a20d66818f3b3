from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.outside import free_port
from tests.service.client import keyed_app
from warehouse.settings import Settings


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """Of a service whose store of objects does not answer."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        monkeypatch.setenv(name, "test")
    endpoint = f"http://127.0.0.1:{free_port()}"
    settings = Settings(data=tmp_path / "data", objects="s3://retourne", s3_endpoint=endpoint)
    return keyed_app(settings).test_client()


def problem(answer: TestResponse, code: str) -> TestResponse:
    assert (answer.status_code, answer.json["type"]) == (503, f"/api/v1/codes#{code}")  # type: ignore[index]
    return answer


def test_it_lives_and_is_not_ready(client: FlaskClient) -> None:
    assert client.get("/healthz").status_code == 200
    assert problem(client.get("/readyz"), "not-ready").json["part"] == "objects"  # type: ignore[index]


def test_an_upload_is_refused_for_now_and_not_recorded(client: FlaskClient, tmp_path: Path) -> None:
    answer = problem(client.post("/api/v1/uploads", data=b"{}"), "storage-unreachable")
    assert int(answer.headers["Retry-After"]) > 0
    assert client.get("/api/v1/uploads").json["uploads"] == []  # type: ignore[index]
    left = (tmp_path / "data" / "clubs").rglob("incoming/*")
    assert list(left) == []
