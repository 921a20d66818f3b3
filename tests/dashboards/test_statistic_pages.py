"""A club's own statistics, written on their page: tried, refused, kept, shown and deleted."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.dashboards.conftest import House, OpenPage, serve_pages
from tests.dashboards.evening import evening
from tests.dashboards.test_pages import seen, text_of
from tests.dashboards.test_player_pages import table
from warehouse.intake import process_upload

BOLD = {
    "id": "bold-calls",
    "label": "Calls that won",
    "made": "CASE WHEN calls > 0 AND net > 0 THEN 1 ELSE 0 END",
    "chances": "CASE WHEN calls > 0 THEN 1 ELSE 0 END",
}


@pytest.fixture(scope="module")
def own_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("own") / "data"
    for served in serve_pages(folder):
        assert process_upload(served.store, served.receive(evening(), "evening.ndjson")) == "done"
        yield served


@pytest.fixture
def client(own_house: House) -> FlaskClient:
    return own_house.client


def test_a_statistic_is_tried_kept_shown_and_deleted(client: FlaskClient) -> None:
    tried = seen(client.get("/statistics/preview", query_string=BOLD).get_data(as_text=True))
    assert re.search(r"Ben \d+ / \d+", tried)
    kept = client.post("/statistics", data=BOLD)
    assert (kept.status_code, kept.location) == (HTTPStatus.SEE_OTHER, "/statistics/bold-calls")

    rows = {row["Player"]: row for row in table(client, "/statistics/bold-calls?csv=players")}
    part = text_of(client, "/players/Anna?part=own")
    assert f"Calls that won {rows['Anna']['k']} / {rows['Anna']['n']}" in seen(part)
    assert table(client, "/players/Anna?csv=own")[0]["k"] == rows["Anna"]["k"]
    assert "Calls that won" in seen(text_of(client, "/statistics"))
    assert BOLD["chances"] in seen(text_of(client, "/statistics?edit=bold-calls"))
    gone = client.post("/statistics/bold-calls/deletion")
    assert gone.status_code == HTTPStatus.SEE_OTHER
    assert client.get("/statistics/bold-calls").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/players/Anna?part=own").status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"made": "won_pots"}, "What was done: There is no column 'won_pots'."),
        ({"chances": "sum(net)"}, "How often it could be: It uses 'sum'"),
        ({"id": "entry"}, "There is a statistic of this id already"),
        ({"id": "1st"}, "The id should be 1 to 60 letters"),
        ({"label": "\0"}, "The name should have 1 to 100 characters that"),
    ],
)
def test_what_cannot_be_kept_is_said_precisely_and_stays_written(
    client: FlaskClient, changed: dict[str, str], said: str
) -> None:
    answer = client.post("/statistics", data={**BOLD, **changed})

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    page = answer.get_data(as_text=True)
    assert said in seen(page)
    assert 'rows="3"' in page
    assert "CASE WHEN calls" in page


@pytest.mark.browser
def test_what_is_written_is_answered_while_it_is_written(
    own_house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{own_house.base_url}/statistics")
    preview = page.locator("#preview")
    page.get_by_label("What was done").fill("opened +")

    expect(preview).to_contain_text("What was done: It is no expression: syntax error")
    page.get_by_label("What was done").fill("opened")
    page.get_by_label("How often it could be").fill("could_open")
    expect(preview.get_by_role("row", name="Anna")).to_be_visible()
