import html
import json
import re
from html.parser import HTMLParser
from http import HTTPStatus

import pytest
from flask.testing import FlaskClient

from dashboards.assets import CONTENT_SECURITY_POLICY
from dashboards.wording import GRAVEST_FIRST, severity
from tests.dashboards.conftest import House
from tests.dashboards.evening import DOTS, LONG, MARKUP, SLASHES, evening, named, one_seat_too_few
from warehouse.intake import process_upload

DATA = "application/json"


class Tags(HTMLParser):
    """The start tags of a page with their attributes, as a browser reads them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


@pytest.fixture
def client(house: House) -> FlaskClient:
    return house.client


def text_of(client: FlaskClient, url: str) -> str:
    response = client.get(url)
    assert response.status_code == HTTPStatus.OK, url
    return response.get_data(as_text=True)


def seen(page: str) -> str:
    """What a reader sees of a page, on one line."""
    body = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", body).split()))


@pytest.fixture
def urls(house: House, upload_id: str) -> list[str]:
    return [
        "/",
        f"/uploads/{upload_id}",
        f"/uploads/{upload_id}/state",
        "/fragments/uploads",
        "/fragments/glance",
        "/players",
        "/players/Anna",
        "/players/compare?player=Anna&player=Ben",
        "/hands",
        "/hands?verdict=illegal",
        *(f"/hands/{house.hand_id(name)}" for name in ("plain", "low-raise", "unseen", "hostile")),
    ]


def test_an_empty_installation_teaches_the_first_upload(empty_house: House) -> None:
    page = text_of(empty_house.client, "/")

    line = (
        'curl -H "Authorization: Bearer $RETOURNE_KEY" --data-binary @hands.ndjson'
        " http://localhost/api/v1/uploads"
    )
    assert line in seen(page)
    assert "local.key" not in page
    assert 'type="file" id="file" multiple' in page


@pytest.mark.parametrize("url", ["/players", "/hands", "/fragments/uploads", "/fragments/glance"])
def test_other_pages_of_an_empty_installation_open_too(empty_house: House, url: str) -> None:
    assert empty_house.client.get(url).status_code == HTTPStatus.OK


def test_home_says_what_came_in_what_was_found_and_who_plays(client: FlaskClient) -> None:
    page = text_of(client, "/")
    told = seen(page)

    assert "evening.ndjson" in told
    [count] = re.findall(r"Hands (\d+) Legal", told)
    assert f"{count} hands fit" in seen(text_of(client, "/fragments/hands/count"))
    assert "/players/Anna" in page
    # The worked hand with two wrong stacks has that finding once for this list, as a hand.
    assert "declared-stacks discrepancy 1 hand" in told
    found = re.findall(r'href="/hands\?code=([a-z-]+)&amp;standing=first"', page)
    grave = [severity(code) for code in found]
    assert grave == sorted(grave, key=GRAVEST_FIRST.index)
    assert {"raise-below-minimum", "opened-at-par", "cards-missing"} < set(found)
    assert shown(text_of(client, "/hands?code=declared-stacks&standing=first")) == ["wrong-stacks"]
    illegal = told.partition("Illegal hands")[2].partition("Who plays")[0]
    assert "low-raise" in illegal
    assert "brelans" not in illegal


def test_an_upload_tells_its_counts_and_its_unreadable_lines(
    client: FlaskClient, upload_id: str
) -> None:
    told = seen(text_of(client, f"/uploads/{upload_id}"))

    assert "Hands 8" in told
    assert "Unreadable 1" in told
    assert "Unverifiable 1" in told
    assert re.search(r"Lines that could not be read .* 8 Not JSON not-json Expected", told)


def test_an_upload_through_is_not_followed_and_one_waiting_is(
    client: FlaskClient, empty_house: House, upload_id: str
) -> None:
    waiting = empty_house.receive(b"{}", "waiting.ndjson")

    over = text_of(client, f"/uploads/{upload_id}/state")
    assert "data-follow" not in over
    assert "upload-over" not in over
    followed = text_of(empty_house.client, f"/uploads/{waiting}")
    assert f'data-follow="/api/v1/uploads/{waiting}/events"' in followed
    assert 'data-hx-trigger="upload-over"' in followed


def test_home_is_told_when_something_new_is_through(client: FlaskClient, upload_id: str) -> None:
    known = client.get(f"/fragments/uploads?seen={upload_id[:12]}")
    new = client.get("/fragments/uploads?seen=busy")

    assert "HX-Trigger" not in known.headers
    assert new.headers["HX-Trigger"] == "uploads-settled"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("sort=net&order=desc", "Carla"),
        ("sort=net&order=asc", "Dan"),
        ("sort=player&order=asc", DOTS),
    ],
)
def test_players_sort_by_any_column(client: FlaskClient, query: str, first: str) -> None:
    page = text_of(client, f"/players?{query}")
    rows = re.findall(r'<th scope="row"><a class="name"[^>]*><bdi>(.*?)</bdi>', page)

    assert html.unescape(rows[0]) == first


@pytest.mark.parametrize("query", ["sort=__class__", "sort=&order=sideways"])
def test_an_unknown_order_of_players_is_the_usual_one(client: FlaskClient, query: str) -> None:
    assert text_of(client, f"/players?{query}")


def test_a_player_page_shows_rates_with_their_counts(client: FlaskClient) -> None:
    told = seen(text_of(client, "/players/Anna"))

    # W1 twice without premiums, W2 with the four that Anna pays.
    assert "Premiums −4" in told
    assert "Complete, legal hands count" in told
    assert re.search(r"Enters \d+ / \d+ \d+\.\d % \d+\.\d–\d+\.\d %", told)


def test_a_rate_without_a_chance_is_a_dash(client: FlaskClient) -> None:
    told = seen(text_of(client, "/players/Dan"))

    assert re.search(r"Carres — — —", told)


@pytest.mark.parametrize("name", [MARKUP, LONG, SLASHES, DOTS])
def test_a_player_of_any_name_has_a_page_that_every_list_links(
    client: FlaskClient, name: str
) -> None:
    page = text_of(client, "/players")
    link = re.search(
        rf'href="([^"]+)" title="{re.escape(html.escape(name))}', page.replace("&#34;", "&quot;")
    )
    assert link is not None
    url = html.unescape(link[1])

    told = text_of(client, url)

    assert name in seen(told) or " ".join(name.split()) in seen(told)
    assert "<img" not in told


def test_hands_can_be_filtered_by_everything_in_the_url(
    client: FlaskClient, upload_id: str
) -> None:
    query = (
        f"/hands?player=Ben&verdict=illegal&code=raise-below-minimum"
        f"&preset=bouillotte/salon&upload={upload_id}"
    )
    page = text_of(client, query)

    assert shown(page) == ["low-raise"]
    assert "No hand fits." in seen(text_of(client, "/hands?player=Nobody"))


def shown(page: str) -> list[str]:
    """The names of the hands that a page lists."""
    return re.findall(r'title="salon / T7 / ([^"]+)"', page)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("from=2026-03-14&sort=played_at", ["plain", "brelans", "again"]),
        ("from=2026-03-14&until=2026-03-15&sort=pot", ["brelans", "plain", "again"]),
        ("until=2026-03-14", []),
        ("severity=discrepancy", ["wrong-stacks"]),
        ("found=false&session=march/1&standing=first&showdown=true&min_pot=62", ["plain"]),
        ("hour=1&weekday=7&tz=Asia/Tokyo&sort=pot", []),
        ("hour=5&weekday=7&tz=Asia/Tokyo&dated=true&sort=pot", ["brelans", "plain", "again"]),
        ("made=raise&place=first", ["brelans"]),
        ("made=carre&position=1&seats=4&opponent=Dan&sort=played_at", ["plain", "again"]),
    ],
)
def test_hands_can_be_filtered_by_time_and_gravity_and_be_sorted(
    client: FlaskClient, query: str, expected: list[str]
) -> None:
    page = text_of(client, f"/hands?{query}&player=&code=")

    assert shown(page) == expected
    for name, value in (part.split("=") for part in query.split("&")):
        kept = rf'name="{name}"[^>]*value="{value}"|name="{name}".*?value="{value}" selected'
        assert re.search(kept, page, re.DOTALL), name


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("from=yesterday", "Played from should be a day"),
        ("min_pot=lots", "Pot of at least should be a whole number"),
        ("upload=nope", "64 digits"),
        ("sort=sideways", "There is no order"),
        ("verdict=maybe", "Verdict cannot be “maybe”"),
        ("hour=24", "Hour should be a number from 0 to 23"),
        ("tz=Europe", "Time zone should be one such as"),
    ],
)
def test_a_filter_that_cannot_be_read_is_named_and_kept(
    client: FlaskClient, query: str, says: str
) -> None:
    answer = client.get(f"/hands?{query}&player=Anna")
    page = answer.get_data(as_text=True)

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert says in seen(page)
    assert 'value="Anna"' in page


def test_names_are_merged_and_split_on_the_page_of_a_player(empty_house: House) -> None:
    process_upload(empty_house.store, empty_house.receive(evening(), "evening.ndjson"))
    client = empty_house.client

    def asked(**form: str) -> tuple[int, str]:
        answer = client.post("/players", data=form, follow_redirects=True)
        return answer.status_code, seen(answer.get_data(as_text=True))

    assert asked(player="Anna", alias="Ben", do="merge")[0] == HTTPStatus.OK
    page = text_of(client, "/players/Anna")
    assert re.search(r"<bdi>Ben</bdi>.*Split off", page, re.DOTALL)
    assert "Net +7 " in seen(page)  # Anna's -54 and Ben's 61
    assert client.get("/players/Ben").headers["Location"] == "/players/Anna"
    assert "/players/Ben" not in text_of(client, "/players")

    for form, says in [
        ({"player": "Dan", "alias": "Ben", "do": "merge"}, "Ben is another name of Anna already"),
        ({"player": "Anna", "alias": "Zoe", "do": "merge"}, "Nobody called Zoe"),
        ({"player": "Anna", "alias": "Dan", "do": "split"}, "Dan is no other name of Anna"),
    ]:
        status, told = asked(**form)
        assert status == HTTPStatus.CONFLICT
        assert says in told
    assert asked(player="Anna", alias="Ben", do="split")[0] == HTTPStatus.OK
    assert "Net −54 " in seen(text_of(client, "/players/Anna"))


@pytest.mark.parametrize(
    ("url", "status", "headline"),
    [
        ("/hands/nope", 404, "No such hand"),
        ("/hands/%00", 404, "No such hand"),
        ("/uploads/nope", 404, "No such upload"),
        ("/uploads/nope/state", 404, "No such upload"),
        ("/players/Nobody", 404, "No such player"),
        ("/players/%00%F0%9F%83%8F", 404, "No such player"),
        ("/players?player=Nobody", 404, "No such player"),
        ("/hands?cursor=nonsense", 400, "No such page of hands"),
    ],
)
def test_what_is_not_there_is_said_kindly(
    client: FlaskClient, url: str, status: int, headline: str
) -> None:
    response = client.get(url)

    assert response.status_code == status
    assert headline in seen(response.get_data(as_text=True))


def test_the_replayer_says_what_is_wrong_and_what_was_allowed(
    house: House, client: FlaskClient
) -> None:
    told = seen(text_of(client, f"/hands/{house.hand_id('low-raise')}"))

    assert "raise-below-minimum illegal" in told
    assert "Allowed call, adding 4; raise, adding 5–89; fold" in told
    assert "Rule V7 – The least raise" in told


def test_a_hand_that_could_not_begin_says_so(empty_house: House) -> None:
    raw = json.dumps(named(one_seat_too_few(), "two")).encode()
    process_upload(empty_house.store, empty_house.receive(raw, "two.json"))
    page = text_of(empty_house.client, f"/hands/{empty_house.hand_id('two')}")

    assert "The hand could not begin" in seen(page)
    assert "player-count illegal, about the whole hand" in seen(page)
    assert "replayer.js" not in page


def test_the_declared_stands_beside_ours(house: House, client: FlaskClient) -> None:
    told = seen(text_of(client, f"/hands/{house.hand_id('wrong-stacks')}"))

    assert "Carla 12 0 48 57 differs +36" in told


def test_no_page_needs_inline_script_or_style(client: FlaskClient, urls: list[str]) -> None:
    for url in urls:
        tags = Tags(text_of(client, url)).found
        for tag, attributes in tags:
            assert tag != "style", url
            assert tag != "script" or "src" in attributes or attributes["type"] == DATA, url
            for name, value in attributes.items():
                assert name != "style", url
                assert not name.startswith("on"), url
                assert not value.lower().startswith("javascript:"), url


def test_every_page_has_a_strict_policy(client: FlaskClient, urls: list[str]) -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    for url in urls:
        headers = client.get(url).headers
        assert headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_pages_name_only_files_that_are_there_and_may_be_kept(
    client: FlaskClient, urls: list[str]
) -> None:
    named = {
        link for url in urls for link in re.findall(r'"(/assets/[^"]+)"', text_of(client, url))
    }

    assert named
    for link in named:
        response = client.get(html.unescape(link))
        assert response.status_code == HTTPStatus.OK
        assert "immutable" in response.headers["Cache-Control"]
