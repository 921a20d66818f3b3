"""The pages of players over the evening's hands: filters, what they lead to, CSV, side by side."""

import csv
import io
import re
from http import HTTPStatus
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from dashboards.player_filters import player_filters
from dashboards.players_grid import sparkline
from tests.dashboards.conftest import House, OpenPage
from tests.dashboards.evening import DOTS, MARKUP
from tests.dashboards.test_pages import seen, text_of

CHARTS = ("profit", "sessions", "strength", "opponents", "luck")
APART = ("position", "hour", "weekday", "month", "session")


@pytest.fixture
def client(house: House) -> FlaskClient:
    return house.client


def table(client: FlaskClient, url: str) -> list[dict[str, str]]:
    answer = client.get(url)
    assert answer.status_code == HTTPStatus.OK
    assert answer.mimetype == "text/csv"
    assert "attachment" in answer.headers["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(answer.get_data(as_text=True))))


def hands_counted(page: str) -> int:
    found = re.search(r"Hands that count (\d+)", seen(page))
    return int(found[1]) if found else 0


@pytest.mark.parametrize(
    ("query", "hands"),
    [
        ("", 3),
        ("preset=bouillotte/salon", 3),
        ("session=march/1", 2),
        ("session=march/2", 1),
        ("from=2026-03-14", 3),
        ("from=2026-03-15", 0),
        ("until=2026-03-14", 0),
        # 20:01 in UTC is the 15th already in Kiritimati, fourteen hours ahead.
        ("from=2026-03-15&tz=Pacific/Kiritimati", 3),
    ],
)
def test_filters_narrow_everything(client: FlaskClient, query: str, hands: int) -> None:
    page = text_of(client, f"/players/Anna?{query}")

    assert hands_counted(page) == hands
    assert ("No hand of this player that counts fits" in seen(page)) == (hands == 0)


def test_the_hands_of_all_places_are_all_hands(client: FlaskClient) -> None:
    pages = [
        text_of(client, f"/players/Anna?place={one}") for one in ("first", "between", "dealer")
    ]

    assert sum(map(hands_counted, pages)) == 3


@pytest.mark.parametrize("query", ["from=then", "preset=whist", "place=under", "tz=Mars/Olympus"])
def test_a_filter_that_cannot_be_read_is_said_to_be_so(client: FlaskClient, query: str) -> None:
    answer = client.get(f"/players/Anna?{query}")

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert 'role="alert"' in answer.get_data(as_text=True)


def test_a_day_begins_at_the_players_place() -> None:
    filters = player_filters({"from": "2026-03-14", "until": "2026-03-14T20:15:00Z"}, "Asia/Tokyo")

    # Tokyo is nine hours ahead; minutes are finer than figures are kept.
    assert filters.search == {"from": "2026-03-13T15:00:00Z", "until": "2026-03-14T20:00:00Z"}


def hands_behind(client: FlaskClient, page: str, label: str) -> set[str]:
    """The hands that a number leads to, by their ids at the table."""
    found = re.search(rf"{label}</(?:dt|th)>\s*<d?d?t?d?[^>]*><a[^>]* href=\"([^\"]+)\"", page)
    assert found is not None
    answer = client.get(f"/api/v1{found[1].replace('&amp;', '&')}")
    return {hand["hand"] for hand in answer.get_json()["hands"]}


def test_numbers_lead_to_the_hands_behind_them(client: FlaskClient) -> None:
    page = text_of(client, "/players/Anna?session=march/1")

    assert hands_behind(client, page, "Hands that count") == {"plain", "brelans"}


def test_every_chart_has_its_table_in_the_page_and_as_csv(client: FlaskClient) -> None:
    page = text_of(client, "/players/Anna?whole=yes")
    for chart in (*CHARTS, *APART):
        assert f'id="{chart}-chart"' in page, chart
        assert table(client, f"/players/Anna?csv={chart}"), chart

    profit = table(client, "/players/Anna?session=march/1&csv=profit")
    assert [row["Hand"] for row in profit] == ["1", "2"]
    for name in ("averages", "flags"):
        assert f"csv={name}" in page
        assert table(client, f"/players/Anna?csv={name}"), name
    rates = table(client, "/players/Anna?csv=rates")
    assert next(row for row in rates if row["Id"] == "entry")["n"] == "3"
    assert client.get("/players/Anna?csv=stays").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/players/Anna?csv=nothing").status_code == HTTPStatus.NOT_FOUND


def test_head_to_head_adds_up_to_the_net(client: FlaskClient) -> None:
    met = table(client, "/players/Anna?session=march/2&csv=opponents")
    profit = table(client, "/players/Anna?session=march/2&csv=profit")

    assert {row["Player"] for row in met} == {"Ben", "Carla", "Dan"}
    assert sum(float(row["Chips"]) for row in met) == float(profit[-1]["Net"])


def test_the_rate_taken_apart_is_the_one_asked_for(client: FlaskClient) -> None:
    assert "Enters, taken apart" in seen(text_of(client, "/players/Anna"))
    assert "Opens, taken apart" in seen(text_of(client, "/players/Anna?rate=open"))
    assert "Enters, taken apart" in seen(text_of(client, "/players/Anna?rate=whistle"))


def test_a_name_that_cannot_stand_in_a_path_keeps_its_filters(client: FlaskClient) -> None:
    page = text_of(client, f"/players?player={quote(DOTS)}&preset=bouillotte/salon")

    assert 'name="player" value=".."' in page
    assert table(client, f"/players?player={quote(DOTS)}&csv=profit")


def test_the_list_finds_sorts_and_comes_as_csv(client: FlaskClient) -> None:
    assert [row["Player"] for row in table(client, "/players?name=ann&csv=players")] == ["Anna"]
    rows = table(client, "/players?sort=entry&csv=players")
    lows = [float(row["Enters: Low %"]) for row in rows if row["Enters: Low %"]]
    assert lows == sorted(lows, reverse=True)
    anna = next(row for row in rows if row["Player"] == "Anna")
    assert (anna["Hands"], anna["Net"], anna["Premiums"]) == ("3", "-54", "-4")
    assert "No player fits" in seen(text_of(client, "/players?name=zoe"))
    assert 'class="spark"' in text_of(client, "/players?page=1")
    assert text_of(client, "/players?page=99")


def test_a_hand_is_opened_where_the_player_did_it(house: House) -> None:
    hand = f"/hands/{house.hand_id('plain')}"
    page = text_of(house.client, f"{hand}?player=Anna&made=winner-folded")

    # Anna folds at the sixteenth step, which is the first of which the table knows it.
    assert 'data-initial="16"' in page
    assert 'data-initial=""' in text_of(house.client, f"{hand}?player=Anna&made=stay")


@pytest.mark.parametrize(
    ("query", "hands"),
    [
        ("from=2026-03-14", "3"),
        ("preset=bouillotte/salon&least=3", "3"),
        ("least=4", None),
        ("until=2026-03-14", None),
        ("preset=bourre/pagat", None),
    ],
)
def test_the_list_is_filtered(client: FlaskClient, query: str, hands: str | None) -> None:
    rows = {row["Player"]: row["Hands"] for row in table(client, f"/players?{query}&csv=players")}

    assert rows.get("Anna") == hands


def test_who_folds_winning_hands_is_asked_and_answered_in_the_list(client: FlaskClient) -> None:
    page = text_of(client, "/players")
    [question] = re.findall(r'href="([^"]+)"[^>]*>Who folds winning hands\?', page)
    answer = text_of(client, question.replace("&amp;", "&"))

    # Of the evening's hands with all cards shown, Anna folds twice; W1's 8 8 would have lost.
    assert re.search(r'aria-sort="descending"><a[^>]*>Folds the best hand', answer)
    links = re.findall(r'href="(/hands\?[^"]*player=Anna&amp;[^"]*winner-folded)">(\d+)<', answer)
    for address, number in links:
        found = client.get(f"/api/v1{address.replace('&amp;', '&')}").get_json()["hands"]
        assert len(found) == int(number)
    assert len(links) == 2


def test_a_sparkline_lies_within_its_frame() -> None:
    line = sparkline([0, 10, -10])

    # From 10 at 2 to -10 at 26, with the zero in the middle.
    assert line is not None
    assert (line.points, line.zero) == ("0.0,14.0 60.0,2.0 120.0,26.0", 14.0)
    assert sparkline([0]) is None


def test_players_stand_side_by_side(client: FlaskClient) -> None:
    address = f"/players/compare?player=Anna&player=Ben&player={quote(MARKUP)}"
    told = seen(page := text_of(client, address))

    assert re.search(r"Enters \d+\.\d % \d / \d \d+\.\d–\d+\.\d %", told)
    assert "<img" not in page
    profit = table(client, f"{address}&csv=profit")
    last = {row["Player"]: row["Net"] for row in profit}
    assert last["Anna"] == "-54"
    assert {row["Player"] for row in table(client, f"{address}&csv=rates")} == set(last)
    assert table(client, f"{address}&csv=per-100")[0]["Hands"] == "3"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", HTTPStatus.OK),
        ("player=Anna", HTTPStatus.BAD_REQUEST),
        ("player=Anna&player=Anna", HTTPStatus.BAD_REQUEST),
        ("player=Anna&player=Nobody", HTTPStatus.BAD_REQUEST),
        ("player=Anna&player=Ben&from=then", HTTPStatus.BAD_REQUEST),
    ],
)
def test_who_cannot_be_compared_is_asked_again(
    client: FlaskClient, query: str, status: HTTPStatus
) -> None:
    answer = client.get(f"/players/compare?{query}")

    assert answer.status_code == status
    assert 'name="player"' in answer.get_data(as_text=True)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "theme"), [(390, "dark"), pytest.param(1440, "light", marks=pytest.mark.proof)]
)
def test_all_charts_are_drawn_and_fit(
    house: House, open_page: OpenPage, width: int, theme: str
) -> None:
    page = open_page(f"{house.base_url}/players/Anna?whole=yes", width=width, theme=theme)

    for chart in (*CHARTS, *APART):
        expect(page.locator(f"#{chart}-chart .main-svg").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    page.goto(f"{house.base_url}/players/compare?player=Anna&player=Ben")
    expect(page.locator("#profit-chart .scatterlayer .trace")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1440])
def test_charts_come_when_they_are_near_and_nothing_jumps(
    house: House, open_page: OpenPage, width: int
) -> None:
    page = open_page(f"{house.base_url}/players/Anna", width=width)
    height = "document.documentElement.scrollHeight"
    before = page.evaluate(height)

    expect(page.locator("#profit-chart .main-svg").first).to_be_attached()
    expect(page.locator("#luck-chart")).to_have_count(0)
    expect(page.get_by_role("button", name="SVG of: Luck of brelans")).to_be_disabled()
    for title in page.locator("section[aria-labelledby] h2").all():
        title.scroll_into_view_if_needed()
    for chart in (*CHARTS, *APART):
        expect(page.locator(f"#{chart}-chart .main-svg").first).to_be_attached()
    expect(page.get_by_role("button", name="SVG of: Luck of brelans")).to_be_enabled()
    assert abs(page.evaluate(height) - before) <= 2


@pytest.mark.browser
def test_a_part_that_does_not_come_can_be_asked_for_again(house: House, browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.route(re.compile("part="), lambda route: route.fulfill(status=503, body=""))
        page.goto(f"{house.base_url}/players/Anna")
        page.locator("#luck-title").scroll_into_view_if_needed()
        again = page.locator("section[aria-labelledby=luck-title] .waiting a")
        expect(again).to_have_text("This part could not be brought. Try again")
        page.unroute(re.compile("part="))
        again.click()

        expect(page.locator("#luck-chart .main-svg").first).to_be_attached()


@pytest.mark.browser
def test_a_chart_is_saved_as_a_picture(house: House, open_page: OpenPage) -> None:
    page = open_page(f"{house.base_url}/players/Anna")
    for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"{kind} of: Cumulative profit").click()

        assert saved.value.suggested_filename == f"profit.{kind.lower()}"
        assert saved.value.path().read_bytes().startswith(begins)


@pytest.mark.browser
def test_a_bar_leads_to_its_hands(house: House, open_page: OpenPage) -> None:
    page = open_page(f"{house.base_url}/players/Anna")
    page.locator("#sessions-title").scroll_into_view_if_needed()
    page.locator("#sessions-chart .bars .point").first.click(force=True)

    page.wait_for_url(re.compile(r"/hands\?.*session=march"))


@pytest.mark.browser
def test_players_are_ticked_in_the_list_to_be_compared(house: House, open_page: OpenPage) -> None:
    page = open_page(f"{house.base_url}/players")
    page.get_by_label("Compare Anna").check()
    page.get_by_label("Compare Ben").check()
    page.get_by_role("button", name="Compare those ticked").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Players side by side")
    expect(page.locator("#per-100-chart .main-svg").first).to_be_attached()
