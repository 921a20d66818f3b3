"""Every kind of finding has an example; each has a page that shows it at its step."""

import json
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from playwright.sync_api import expect

import schemas
from tests.dashboards.conftest import House, OpenPage, serve_pages
from warehouse.intake import process_upload

FOLDER = Path(schemas.__file__).parent / "examples" / "violations"
CODES = sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    lines = [json.dumps(json.loads((FOLDER / f"{code}.json").read_bytes())) for code in CODES]
    for served in serve_pages(tmp_path_factory.mktemp("examples") / "data"):
        upload = served.receive("\n".join(lines).encode(), "examples.ndjson")
        assert process_upload(served.store, upload) == "done"
        yield served


@pytest.mark.parametrize("code", CODES)
def test_every_finding_has_a_page(examples: House, code: str) -> None:
    response = examples.client.get(f"/hands/{examples.hand_id(code)}?finding={code}")

    assert response.status_code == HTTPStatus.OK
    assert f">{code}<" in response.get_data(as_text=True)


@pytest.mark.browser
@pytest.mark.parametrize(
    "codes", [list(CODES)[::6], pytest.param(list(CODES), marks=pytest.mark.proof)], ids=len
)
def test_every_finding_shows_where_its_link_leads(
    examples: House, open_page: OpenPage, codes: list[str]
) -> None:
    page = open_page(examples.base_url, width=390)
    for code in codes:
        page.goto(f"{examples.base_url}/hands/{examples.hand_id(code)}?finding={code}")

        expect(page.locator(".finding:visible", has_text=code).first).to_be_visible()
        too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert too_wide <= 0, code
