"""The list of uploads and the report of one: filtered by their address, counted, exported."""

import csv
import html
import io
import re
from http import HTTPStatus

from flask.testing import FlaskClient

from dashboards.example import example
from tests.dashboards.conftest import House
from tests.dashboards.evening import evening
from tests.dashboards.test_pages import seen, text_of
from warehouse.intake import process_upload

FILES = {
    "first.ndjson": evening(),
    "second.ndjson": evening().split(b"\n")[0] + b"\n[]",
    "example.ndjson": example(),
}


def _rows(client: FlaskClient, url: str) -> list[dict[str, str]]:
    answer = client.get(url)
    assert answer.mimetype == "text/csv"
    return list(csv.DictReader(io.StringIO(answer.get_data(as_text=True))))


def _named(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a class="name"[^>]*><bdi>([^<]+)', page)


def test_uploads_are_found_by_what_their_address_says(empty_house: House) -> None:
    client = empty_house.client
    for name, raw in FILES.items():
        process_upload(empty_house.store, empty_house.receive(raw, name))
    assert _named(text_of(client, "/uploads")) == list(reversed(FILES))
    page = text_of(client, "/uploads?holds=duplicates&name=SECOND&sort=size")
    assert _named(page) == ["second.ndjson"]
    chips = re.findall(r'class="chip" href="([^"]+)"', page)
    assert [html.unescape(one) for one in chips] == [
        "/uploads?holds=duplicates&sort=size",
        "/uploads?name=SECOND&sort=size",
    ]
    rows = _rows(client, "/uploads?sort=received_at&csv=uploads")
    counts = [(row["name"], row["hands"], row["duplicates"], row["unreadable"]) for row in rows]
    # Of the example, four worked hands are legal, one is undecided, three have a fault.
    assert counts == [
        ("first.ndjson", "8", "0", "1"),
        ("second.ndjson", "2", "1", "1"),
        ("example.ndjson", "9", "0", "1"),
    ]
    assert [rows[2][name] for name in ("legal", "illegal", "unverifiable")] == ["4", "3", "1"]
    refused = client.get("/uploads?from=yesterday")
    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert "Received from should be a day" in seen(refused.get_data(as_text=True))


def test_a_report_tells_of_every_line_and_shows_it(empty_house: House) -> None:
    client = empty_house.client
    for name, raw in FILES.items():
        upload = empty_house.receive(raw, name)
        process_upload(empty_house.store, upload)
    second = next(
        one.id for one in empty_house.store.records.recent_uploads(9) if one.name == "second.ndjson"
    )
    told = seen(text_of(client, f"/uploads/{second}/report"))
    assert "#1 Duplicate The same hand was read before." in told
    assert "2 Unreadable Not a hand not-an-object Expected a JSON object Seen []" in told
    assert "Not a hand" not in text_of(client, f"/uploads/{second}/report?outcome=duplicate")
    assert "No line of this kind" in text_of(
        client, f"/uploads/{second}/report?outcome=unreadable&code=not-json"
    )
    line = text_of(client, f"/uploads/{second}/lines/1")
    assert html.unescape(line).count(evening().split(b"\n")[0].decode()) == 1
    assert f'href="/hands/{empty_house.hand_id("plain")}"' in line
    assert client.get(f"/uploads/{second}/lines/x").status_code == HTTPStatus.NOT_FOUND
    rows = _rows(client, f"/uploads/{upload}/report?csv=report")
    assert [row["outcome"] for row in rows] == [
        *["legal"] * 4,
        "unverifiable",
        *["illegal"] * 3,
        "unreadable",
    ]
    assert rows[5]["findings"] == "raise-below-minimum"
    assert (rows[8]["line"], rows[8]["problem"]) == ("9", "not-json")


def test_a_list_of_hands_carries_its_filters_wherever_it_leads(house: House) -> None:
    client = house.client
    page = html.unescape(text_of(client, "/hands?verdict=illegal&player=Ben&sort=pot"))
    assert 'class="chip" href="/hands?verdict=illegal&sort=pot"' in page
    assert "/api/v1/exports/hands?format=parquet&player=Ben&verdict=illegal" in page
    assert "/api/v1/exports/documents?player=Ben&verdict=illegal" in page
    assert re.search(r"/hands\?player=Ben&verdict=illegal&sort=pot&from=[^&]+&until=", page)
    assert seen(text_of(client, "/fragments/hands/count?verdict=illegal")) == "2 hands fit"
