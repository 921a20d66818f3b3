"""Statistics over the API: those that are there, and those that a club makes up."""

import datetime as dt
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.service.client import keyed_app
from warehouse.intake import process_upload
from warehouse.settings import Settings
from warehouse.store import Store

WORKED = Path(__file__).parents[1] / "rules" / "w3.json"
MINE = "/api/v1/statistics/gives-way"
WISH = {"label": "Gives way", "made": "folds", "chances": "decided"}


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    settings = Settings(data=tmp_path / "data")
    with Store(settings) as store:
        hand = b" ".join(WORKED.read_bytes().splitlines())
        upload = store.records.receive(store.blobs.store([hand]), None, dt.datetime.now(dt.UTC))
        assert process_upload(store, upload.id) == "done"
    return keyed_app(settings).test_client()


def test_one_is_made_up_and_told_for_every_player(client: FlaskClient) -> None:
    assert client.put(MINE, json=WISH).status_code == 200
    listed = client.get("/api/v1/statistics").get_json()
    assert [one["label"] for one in listed["own"]] == ["Gives way"]
    assert {"entry", "stay", "caves/100"} <= {one["id"] for one in listed["built_in"]}
    found = client.get(f"{MINE}/players").get_json()["players"]
    assert [(one["player"], one["k"], one["n"]) for one in found] == [
        ("A", 0, 1),
        ("B", 0, 1),
        ("C", 1, 1),
        ("D", 1, 1),
    ]
    assert client.delete(MINE).get_json()["made"] == "folds"
    assert client.delete(MINE).status_code == 404
    assert client.get(f"{MINE}/players").status_code == 404


def test_a_rate_that_is_always_there_is_told_as_well(client: FlaskClient) -> None:
    found = client.get("/api/v1/statistics/fold-to-raise/players").get_json()["players"]
    assert {one["player"]: (one["k"], one["n"]) for one in found} == {
        "A": (0, 1),
        "C": (1, 1),
        "D": (1, 1),
    }


def test_what_is_not_taken_is_told_why(client: FlaskClient) -> None:
    refused = client.put(MINE, json={**WISH, "chances": "read_text('x')"})
    assert refused.status_code == 422
    assert refused.get_json()["type"].endswith("#bad-expression")
    assert refused.get_json()["part"] == "chances"
    odd = client.put("/api/v1/statistics/caves%2F100", json=WISH)
    assert odd.status_code == 404
    foreign = client.put("/api/v1/statistics/%C3%A9t%C3%A9", json=WISH)
    assert (foreign.status_code, foreign.get_json()["parameter"]) == (400, "statistic_id")
    taken = client.put("/api/v1/statistics/entry", json=WISH)
    assert (taken.status_code, taken.get_json()["statistic"]) == (409, "entry")


@pytest.mark.parametrize("made", ["player", "net = player", "9223372036854775807 + net"])
def test_what_cannot_be_worked_out_is_told_why(client: FlaskClient, made: str) -> None:
    assert client.put(MINE, json={**WISH, "made": made}).status_code == 200
    refused = client.get(f"{MINE}/players")
    assert refused.status_code == 422
    assert refused.get_json()["type"].endswith("#bad-expression")
    assert "Error" in refused.get_json()["reason"]
