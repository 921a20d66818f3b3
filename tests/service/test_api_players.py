"""Players over HTTP, and their names merged and split."""

import datetime as dt
import json
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.players import player_key, player_name
from tests.dashboards.evening import DOTS, LONG, MARKUP, SLASHES, evening
from tests.service.client import keyed_app
from warehouse.intake import process_upload
from warehouse.settings import Settings
from warehouse.store import Store

ODD = [MARKUP, LONG, SLASHES, DOTS]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    settings = Settings(data=tmp_path)
    with Store(settings) as store:
        blob = store.blobs.store(iter([evening()]))
        upload = store.records.receive(blob, "evening", dt.datetime.now(dt.UTC))
        assert process_upload(store, upload.id) == "done"
        yield keyed_app(settings).test_client()


def got(client: FlaskClient, url: str) -> Any:  # noqa: ANN401 - JSON
    answer = client.get(url)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json


def test_a_list_leads_to_every_player_whatever_the_name(client: FlaskClient) -> None:
    players = got(client, "/api/v1/players?sort=player&limit=3")
    seen = players["players"]
    while players["next"]:
        players = got(client, players["next"])
        seen += players["players"]
    assert sorted(one["player"] for one in seen) == sorted(["Anna", "Ben", "Carla", "Dan", *ODD])
    for one in seen:
        profile = got(client, one["links"]["self"])
        assert {**one, "aliases": [], "statistics": profile["statistics"]} == profile
        points = got(client, one["links"]["profit"])["points"]
        assert sum(point["net"] for point in points) == one["net"]
        hands = got(client, one["links"]["hands"])["hands"]
        assert all(one["player"] in hand["players"] for hand in hands)
        assert len(hands) >= one["hands"]
        assert client.get(one["links"]["page"]).status_code == HTTPStatus.OK


def test_a_player_has_rates_with_their_counts_and_intervals(client: FlaskClient) -> None:
    anna = got(client, "/api/v1/players/Anna")
    assert (anna["hands"], anna["net"], anna["premium"]) == (3, -54, -4)
    entry = next(rate for rate in anna["statistics"] if rate["id"] == "entry")
    # In each of W1, W2 and W1 she calls. Wilson: 3 of 3 is 43.85 % at the least.
    assert (entry["k"], entry["n"], entry["high"]) == (3, 3, 1.0)
    assert entry["low"] == pytest.approx(0.4385, abs=0.0001)


def test_what_is_told_apart_leads_to_its_hands(client: FlaskClient) -> None:
    """Anna plays W1, W2 and W1 at 20:01, 20:02 and 20:03, first of four, on a Saturday."""
    links = got(client, "/api/v1/players/Anna")["links"]

    def hands(part: dict[str, Any]) -> set[str]:
        return {hand["hand"] for hand in got(client, part["links"]["hands"])["hands"]}

    everything = {"plain", "brelans", "again"}
    [position] = got(client, links["positions"])["positions"]
    assert (position["seats"], position["position"], position["place"]) == (4, 1, "first")
    assert (position["hands"], position["net"], position["per_100"]) == (3, -54, -1800)
    assert hands(position) == everything
    entry = next(rate for rate in position["rates"] if rate["id"] == "entry")
    assert (entry["k"], entry["n"]) == (3, 3)

    hours = got(client, links["hours"])
    assert hours["tz"] == "Europe/Paris"
    [hour], [weekday] = hours["hours"], hours["weekdays"]
    assert (hour["hour"], weekday["weekday"], hour["net"], weekday["hands"]) == (21, 6, -54, 3)
    assert hands(hour) == hands(weekday) == everything
    tokyo = got(client, links["hours"] + "?tz=Asia/Tokyo&session=march/1")
    [weekday] = tokyo["weekdays"]
    assert (weekday["weekday"], weekday["hands"]) == (7, 2)
    assert hands(weekday) == {"plain", "brelans"}

    first = got(client, links["sessions"] + "?limit=1")
    [session] = first["sessions"]
    assert (session["session"], session["hands"], session["net"]) == ("march/1", 2, -39)
    assert (session["begun"], session["hours"]) == ("2026-03-14T20:01:00Z", 1 / 60)
    assert hands(session) == {"plain", "brelans"}
    [session] = got(client, first["next"])["sessions"]
    assert (session["session"], session["net"], hands(session)) == ("march/2", -15, {"again"})
    assert first["drawdown"]["amount"] == 54  # she loses in all three

    opponents = got(client, links["opponents"])["opponents"]
    assert [(one["player"], one["hands"]) for one in opponents] == [
        ("Ben", 3),
        ("Carla", 3),
        ("Dan", 3),
    ]
    assert sum(one["chips"] for one in opponents) == pytest.approx(-54)
    assert hands(opponents[0]) == everything
    answer = client.get(links["hours"] + "?tz=Europe")
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    answer = client.get("/api/v1/players/Nobody/positions")
    assert answer.status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize(
    "name", ["Anna", *ODD, "~", "~x", "é b", "%2F", "a?b#c", "\x00", "\u202e", "a\\b", "."]
)
def test_every_name_can_stand_in_a_path(name: str) -> None:
    key = player_key(name)
    assert player_name(key) == name
    assert "/" not in key
    assert key not in (".", "..")


def test_names_are_merged_and_split_again(client: FlaskClient) -> None:
    merged = client.post("/api/v1/players/Anna/aliases", json={"alias": DOTS})
    assert merged.json is not None
    assert (merged.json["player"], merged.json["aliases"]) == ("Anna", [DOTS])
    assert got(client, "/api/v1/players/Anna")["net"] == -54 - 30
    dots = got(client, f"/api/v1/players/{player_key(DOTS)}")
    assert (dots["player"], dots["aliases"], dots["hands"]) == ("Anna", [DOTS], 4)
    hands = got(client, "/api/v1/hands?player=Anna")["hands"]
    assert [hand["players"][3] for hand in hands if hand["hand"] == "hostile"] == [DOTS]

    again = client.post("/api/v1/players/Anna/aliases", json={"alias": DOTS})
    assert again.json == merged.json
    split = client.delete(f"/api/v1/players/Anna/aliases/{player_key(DOTS)}")
    assert split.json is not None
    assert split.json["aliases"] == []
    assert got(client, "/api/v1/players/Anna")["net"] == -54


def test_what_cannot_be_merged_is_said(client: FlaskClient) -> None:
    assert client.post("/api/v1/players/Anna/aliases", json={"alias": "Ben"}).status_code == 200
    cases = [
        ("Anna", "Anna", 409, "alias-conflict", "itself"),
        ("Ben", "Carla", 409, "alias-conflict", "'Ben' is an alias of 'Anna'"),
        ("Dan", "Ben", 409, "alias-conflict", "'Ben' is an alias of 'Anna'"),
        ("Anna", "nobody", 422, "unknown-player", "'nobody'"),
        ("nobody", "Dan", 404, "not-found", "Nobody"),
        ("~!", "Dan", 404, "not-found", "Nobody"),
    ]
    for player, alias, status, code, says in cases:
        answer = client.post(f"/api/v1/players/{player}/aliases", json={"alias": alias})
        problem = json.loads(answer.data)
        assert (answer.status_code, problem["type"]) == (status, f"/api/v1/codes#{code}")
        assert says in problem["detail"]
    assert got(client, "/api/v1/players/Anna")["aliases"] == ["Ben"]


def test_what_is_no_alias_cannot_be_split(client: FlaskClient) -> None:
    answer = client.delete("/api/v1/players/Anna/aliases/Ben")
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert client.delete("/api/v1/players/~!/aliases/Ben").status_code == HTTPStatus.NOT_FOUND


def test_the_figures_of_a_player_are_of_the_hands_asked_for(client: FlaskClient) -> None:
    address = got(client, "/api/v1/players/Anna")["links"]["figures"]
    everything, nothing = got(client, address), got(client, f"{address}?session=none")
    assert everything["totals"]["hands"] == 3
    assert everything["totals"]["sums"]["net"] == -54
    assert everything["player"] == "Anna"
    assert nothing["totals"]["hands"] == 0
    assert (nothing["per_100"], nothing["rates"], nothing["flags"]) == (None, [], [])

    # W1 and W2 were played at 20:01 and 20:02, W1 again at 20:03; hours are as fine as it gets.
    of_march = got(client, f"{address}?session=march/1")
    assert of_march["totals"]["hands"] == 2
    assert got(client, f"{address}?from=2026-03-14T20:59:00Z")["totals"]["hands"] == 3
    assert got(client, f"{address}?until=2026-03-14T20:59:00Z")["totals"]["hands"] == 0
    places = [got(client, f"{address}?place={one}") for one in ("first", "between", "dealer")]
    assert sum(one["totals"]["hands"] for one in places) == 3
    for wrong in ("preset=whist", "place=under", "from=then"):
        assert client.get(f"{address}?{wrong}").status_code == HTTPStatus.BAD_REQUEST
