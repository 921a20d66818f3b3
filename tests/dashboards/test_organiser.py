"""What a club's organiser does with the season, following only what can be seen on the pages."""

import pytest
from playwright.sync_api import Page, expect

from schemas.season import CALENDAR, TOURNAMENT
from tests.dashboards.conftest import House, OpenPage
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.sessions.declarations import session_key

pytestmark = pytest.mark.browser

WRONG = "The winners of a pot are declared as Camille 11; they are Bastien 11."


def audit_everything(house: House) -> None:
    """What the workers do."""
    for upload in house.store.records.recent_uploads(len(CALENDAR)):
        assert process_upload(house.store, upload.id) == "done"
    for event in CALENDAR:
        assert process_session(Warehouse(house.store.settings), session_key(event.session))


def goes_to(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Main").get_by_role("link", name=name).click()


def test_the_organiser_finds_the_wrong_result_and_tells_a_colleague(
    empty_house: House, open_page: OpenPage
) -> None:
    page = open_page(empty_house.base_url)
    page.get_by_role("button", name="Try it with a sample season").click()
    expect(page.locator("h1")).to_have_text("The audit at a glance")
    audit_everything(empty_house)

    # Which tournament's result is wrong?
    goes_to(page, "Sessions")
    wrong = page.get_by_role("row").filter(has=page.get_by_text("wrong", exact=True))
    expect(wrong).to_have_count(1)
    wrong.get_by_role("link", name=TOURNAMENT).click()
    expect(page.locator("#content")).to_contain_text(
        "The declared result is wrong from hand 6 on: it makes Camille the winner, and Bastien won."
    )

    # Who won, and why?
    why = page.locator("#why")
    expect(why).to_contain_text("Bastien won with +6. Most of it was won at the showdown.")
    why.get_by_role("row", name="Bastien").get_by_role("link", name="+6").last.click()
    expect(page.locator("h1")).to_have_text("The hands behind it")
    expect(page.locator("tfoot")).to_contain_text("+6")
    page.get_by_role("link", name=TOURNAMENT).click()

    # At which hand and step?
    page.get_by_role("link", name="See the step in hand 6").click()
    expect(page.locator("h1")).to_contain_text("coupe-de-printemps-06")
    expect(page.get_by_text(WRONG).first).to_be_visible()

    # A link for a colleague, who is not signed in.
    page.get_by_label("Pseudonyms in place of names").uncheck()
    page.get_by_role("button", name="Make a link").click()
    address = page.locator("a[href*='/shared/']").first.get_attribute("href")
    assert address is not None
    theirs = open_page(address)
    expect(theirs.get_by_text(WRONG).first).to_be_visible()
    expect(theirs.get_by_role("navigation", name="Main")).to_have_count(0)
    assert theirs.context.cookies() == []

    # Who folds winning hands?
    goes_to(page, "Players")
    page.get_by_role("link", name="Who folds winning hands?").click()
    first = page.locator("tbody tr").first
    expect(first).to_contain_text("Camille")
    first.get_by_role("link", name="95", exact=True).click()
    expect(page.locator("tbody tr").first).to_contain_text("Camille")
