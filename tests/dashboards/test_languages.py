"""The pages speak four languages, and say in each of them everything that they say in English."""

import re

import pytest
from playwright.sync_api import Browser, expect

from dashboards.language import catalogue
from tests.dashboards.conftest import House
from tools.messages import CATALOGUES, forms, said, step, written

OTHERS = ("fr", "de", "pt")
_VALUE = re.compile(r"%\((\w+)\)s|%%")


def values(text: str) -> list[str]:
    return sorted(_VALUE.findall(text))


@pytest.mark.parametrize("tongue", OTHERS)
def test_a_catalogue_has_every_text_and_no_other(tongue: str) -> None:
    there = (CATALOGUES / f"{tongue}.po").read_bytes()
    assert there == written(step(tongue, said())), "run `make messages`"


@pytest.mark.parametrize("tongue", OTHERS)
def test_every_text_is_translated_with_its_values(tongue: str) -> None:
    for message in catalogue(tongue):
        if not message.id:
            continue
        english, other = forms(message)
        assert all(other), f"not translated: {message.id}"
        # A form for one may leave its number out.
        for one, there in zip(english, other, strict=True):
            assert values(there) == values(one), there


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("", "en"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("fr-CA,en;q=0.9", "fr"),
        ("pt-BR", "pt-PT"),
        ("ja,en;q=0.2,de;q=0.1", "en"),
        ("fr;q=0,de;q=0.1", "de"),
    ],
)
def test_a_page_is_in_the_language_that_the_browser_prefers(
    house: House, asked: str, answered: str
) -> None:
    page = house.client.get("/", headers={"Accept-Language": asked}).text
    assert f'<html lang="{answered}">' in page


def test_a_chosen_language_is_kept(house: House) -> None:
    client = house.client
    german = {"Accept-Language": "de"}
    assert '<html lang="fr">' in client.get("/?lang=fr", headers=german).text
    assert '<html lang="fr">' in client.get("/players", headers=german).text
    assert '<html lang="fr">' in client.get("/?lang=xx", headers=german).text


@pytest.mark.browser
def test_another_language_keeps_what_the_page_shows(house: House, browser: Browser) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{house.base_url}/hands?session=march/1&verdict=legal")
    rows = page.locator("tbody tr").count()
    page.get_by_role("link", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("tbody tr")).to_have_count(rows)
    assert "session=march%2F1" in page.url
    page.get_by_role("navigation", name="Hauptnavigation").get_by_role(
        "link", name="Spieler"
    ).click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    context.close()
