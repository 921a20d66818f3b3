"""Several files given to the home page at once: each is sent, and what is refused is named."""

import json

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from tests.dashboards.conftest import House, OpenPage
from tests.dashboards.evening import named, worked

pytestmark = pytest.mark.browser


def _file(name: str, hand: str) -> FilePayload:
    content = json.dumps(named(worked("w1"), hand)).encode()
    return {"name": name, "mimeType": "application/json", "buffer": content}


TWO = _file("two.json", "two")
DROP = """(node, files) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
    node.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
}"""


def test_several_files_are_sent_one_after_the_other(
    empty_house: House, open_page: OpenPage
) -> None:
    page = open_page(empty_house.base_url)
    files = [[one["name"], one["buffer"].decode()] for one in (_file("one.json", "one"), TWO)]
    page.locator("footer").evaluate(DROP, files)  # wherever on the page

    expect(page.locator("h1")).to_have_text("The audit at a glance")
    expect(page.locator("#uploads .title")).to_have_text(["two.json", "one.json"])


def test_files_that_are_not_taken_are_named(empty_house: House, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(empty_house.base_url)
    problem = {"title": "The disk is full", "detail": "There is no room for it."}
    page.route("**/uploads?name=no.json", lambda route: route.fulfill(status=507, json=problem))
    page.set_input_files("#file", [_file("no.json", "no"), _file("yes.json", "yes")])

    expect(page.locator(".drop .message")).to_have_text("Taken: 1 of 2 files. Not taken:")
    expect(page.locator(".drop .refused li")).to_have_text(["no.json: There is no room for it."])
    assert [one.name for one in empty_house.store.records.recent_uploads(9)] == ["yes.json"]
    page.close()
