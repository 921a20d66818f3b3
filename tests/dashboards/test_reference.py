"""The reference page of the API as a browser shows it, under the policy of all pages."""

from http import HTTPStatus

import pytest

from service.api.description import description
from tests.dashboards.conftest import House, OpenPage


def test_every_page_leads_to_it(house: House) -> None:
    for path in ("/", "/hands", "/nowhere", "/docs/api"):
        assert 'href="/docs/api"' in house.client.get(path, headers={"Accept": "text/html"}).text


@pytest.mark.parametrize("path", ["/docs/api", "/docs/api/"])
def test_it_has_every_operation_and_every_schema(house: House, path: str) -> None:
    answer = house.client.get(path)
    assert answer.status_code == HTTPStatus.OK
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    document = description()
    for methods in document["paths"].values():
        for method, one in methods.items():
            if method != "parameters":
                assert f'id="{one["operationId"]}"' in answer.text
    for name in document["components"]["schemas"]:
        assert f'id="schema-{name.replace(".", "-")}"' in answer.text


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_it_fits_and_its_links_lead_somewhere(
    house: House, open_page: OpenPage, width: int, theme: str
) -> None:
    page = open_page(f"{house.base_url}/docs/api", width=width, theme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    dangling = """[...document.querySelectorAll('a[href^="#"]')]
        .map(link => link.hash.slice(1)).filter(id => !document.getElementById(id))"""
    assert page.evaluate(dangling) == []


@pytest.mark.browser
def test_an_operation_can_be_tried(house: House, open_page: OpenPage) -> None:
    page = open_page(f"{house.base_url}/docs/api")
    hands = page.locator("#list_hands")
    hands.get_by_text("Try it").click()
    hands.get_by_label("verdict").select_option("unverifiable")
    hands.get_by_label("limit").fill("5")
    hands.get_by_role("button", name="Send").click()
    told = hands.locator(".told")
    told.wait_for()
    assert told.locator(".badge").inner_text() == "200"
    assert told.locator(".asked").inner_text() == "/api/v1/hands?limit=5&verdict=unverifiable"
    assert '"verdict": "unverifiable"' in told.locator("pre").inner_text()

    hand = page.locator("#show_hand")
    hand.get_by_text("Try it").click()
    hand.get_by_label("hand_id").fill(house.hand_id("low-raise"))
    hand.get_by_role("button", name="Send").click()
    hand.locator(".told").wait_for()
    assert '"verdict": "illegal"' in hand.locator(".told pre").inner_text()
