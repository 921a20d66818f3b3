"""Pages and their files come packed; what is asked for again by a validator does not change."""

import gzip
from http import HTTPStatus
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dashboards.assets import STATIC_FOLDER
from tests.service.client import keyed_app
from warehouse.settings import Settings

PACKED = {"Accept-Encoding": "gzip"}
SCRIPT = "js/replayer.js"


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return keyed_app(Settings(data=tmp_path)).test_client()


def test_a_page_is_packed_for_those_who_can_unpack_it(client: FlaskClient) -> None:
    plain = client.get("/login")
    packed = client.get("/login", headers=PACKED)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert b"<h1>" in gzip.decompress(packed.data)
    assert "Accept-Encoding" in packed.headers["Vary"]


def test_a_static_file_is_packed_and_known_again(client: FlaskClient) -> None:
    packed = client.get(f"/assets/{SCRIPT}", headers={"Accept-Encoding": "br"})
    assert packed.headers["Content-Encoding"] == "br"
    assert len(packed.data) < (STATIC_FOLDER / SCRIPT).stat().st_size / 2
    again = {"Accept-Encoding": "br", "If-None-Match": packed.headers["ETag"]}
    assert client.get(f"/assets/{SCRIPT}", headers=again).status_code == HTTPStatus.NOT_MODIFIED
    some = client.get(f"/assets/{SCRIPT}", headers={"Accept-Encoding": "br", "Range": "bytes=0-9"})
    assert some.data == (STATIC_FOLDER / SCRIPT).read_bytes()[:10]


def test_an_answer_with_a_validator_stays_as_it_is(client: FlaskClient) -> None:
    answer = client.get("/api/v1/codes", headers=PACKED)
    assert "Content-Encoding" not in answer.headers
    again = {**PACKED, "If-None-Match": answer.headers["ETag"]}
    assert client.get("/api/v1/codes", headers=again).status_code == HTTPStatus.NOT_MODIFIED
