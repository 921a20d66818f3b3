"""Moments are said in UTC, and in a browser as its reader's clock and language have them."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.dashboards.conftest import House
from tests.dashboards.test_pages import text_of
from warehouse.intake import process_upload

PLAYED = '<time class="nowrap" datetime="2026-03-14T20:01:00+00:00" data-place="Europe/Paris">'


def test_a_moment_is_said_in_utc(house: House, upload_id: str) -> None:
    assert f"{PLAYED}14 Mar 2026, 20:01 UTC</time>" in text_of(house.client, "/hands")
    assert re.search(
        r"<time [^>]*>\d+ \w+ \d{4}, \d\d:\d\d UTC</time>",
        text_of(house.client, f"/uploads/{upload_id}"),
    )


@pytest.mark.browser
def test_a_reader_sees_their_own_clock_and_language(house: House, browser: Browser) -> None:
    context = browser.new_context(timezone_id="America/Montreal", locale="fr-CA")
    page = context.new_page()
    page.goto(f"{house.base_url}/hands?session=march/1&sort=played_at")
    time = page.locator("time").first
    # Eight in the evening in UTC: four in the afternoon there, and nine in Paris, by winter time.
    expect(time).to_have_text(re.compile(r"^14 mars 2026,? (à )?16\s?h\s?01$"))
    title = time.get_attribute("title") or ""
    assert "America/" in title
    assert re.search(r"sur place \(Europe/Paris\)\s?: 14 mars 2026,? (à )?21\s?h\s?01$", title)
    context.close()


@pytest.mark.browser
def test_what_is_swapped_in_later_is_written_as_well(empty_house: House, browser: Browser) -> None:
    upload = empty_house.receive(b"{}", "first.json")
    context = browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB")
    page = context.new_page()
    page.goto(f"{empty_house.base_url}/")
    expect(page.locator("#uploads")).to_contain_text("Waiting")
    process_upload(empty_house.store, upload)
    time = page.locator("#uploads time")
    expect(time).to_have_attribute("title", "Japan Standard Time (Asia/Tokyo)")
    assert "UTC" not in time.inner_text()
    context.close()
