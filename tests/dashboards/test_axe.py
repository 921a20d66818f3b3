"""Every page, light and dark, wide and narrow: nothing in it keeps anybody out."""

import datetime as dt
import json
import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

import schemas
from schemas.season import TOURNAMENT, season_tournament
from tests.dashboards.conftest import House, serve_pages
from tests.dashboards.evening import evening
from tests.dashboards.test_pages import text_of
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.sessions.declarations import session_key

pytestmark = pytest.mark.browser

EXAMPLES: Final = Path(schemas.__file__).parent / "examples"
HEIGHT: Final = 900
EVERYTHING: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS: Final = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
LOOKS: Final[list[tuple[Literal["light", "dark"], int, Any]]] = [
    ("light", 1440, EVERYTHING),
    ("light", 390, EVERYTHING),
    ("dark", 390, COLOURS),
]
"""What is asked of a page in every look; a theme changes its colours, a width the layout."""

AXE: Final = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()
RUN: Final = """([context, rules]) =>
    axe.run(context, {runOnly: rules, resultTypes: ["violations"]}).then((results) =>
        results.violations.map((found) =>
            [found.id, found.help, ...found.nodes.map((node) => node.html)].join("\\n  ")))"""
CONTEXT: Final = {"exclude": [[".main-svg"]]}
"""All of a page but what charts draw: each is an image with a name, and its fills are no colours
that axe reads."""

MANY: Final = ".operation:nth-of-type(n+4)"
"""What is left out of a page that has hundreds alike, made by one template."""

NO_PAGES: Final = {
    "pages.static",
    "reference.static",
    "pages.glance_part",
    "pages.recent_uploads",
    "search.count",
    "uploads.example_file",
    "uploads.found",
    "uploads.line",
    "uploads.state",
    "sessions.state",
    "statistics.preview",
    "metrics.show",
}
"""What answers with a file, with a part of a page or with numbers."""


def _upload(house: House, name: str | None) -> str:
    found = house.store.records.recent_uploads(10)
    return next(one.id for one in found if one.name == name)


def _webhook(house: House) -> str:
    return house.store.webhooks.all()[0].id


def _shared(house: House) -> list[str]:
    page = text_of(house.client, f"/hands/{house.hand_id('low-raise')}")
    return re.findall(r'href="[^"]*(/shared/[^"]+)"', page)[:1]


PAGES: Final[dict[str, Callable[[House], list[str]]]] = {
    "pages.home": lambda _: ["/"],
    "pages.hands": lambda _: ["/hands?found=true", "/hands?min_pot=lots"],
    "pages.hand": lambda house: [
        f"/hands/{house.hand_id('low-raise')}?finding=raise-below-minimum",
        f"/hands/{house.hand_id('must-follow')}?finding=must-follow",
        f"/hands/{house.hand_id('player-count')}",
        "/hands/nope",
    ],
    "uploads.show": lambda house: [
        f"/uploads/{_upload(house, 'evening.ndjson')}",
        f"/uploads/{_upload(house, 'told otherwise')}",
        f"/uploads/{_upload(house, 'lost.ndjson')}",
    ],
    "uploads.index": lambda _: ["/uploads?holds=unreadable", "/uploads?from=nope"],
    "uploads.report": lambda house: [f"/uploads/{_upload(house, 'evening.ndjson')}/report"],
    "conflicts.index": lambda _: ["/conflicts"],
    "conflicts.show": lambda house: [
        f"/conflicts/{house.store.rulings.conflicts(1)[0].hand_id}",
    ],
    "life.dead_letters": lambda _: ["/dead-letters"],
    "sessions.index": lambda _: ["/sessions"],
    "sessions.show": lambda _: [f"/sessions/{session_key(TOURNAMENT)}"],
    "sessions.hands": lambda _: [f"/sessions/{session_key(TOURNAMENT)}/hands?player=Bastien"],
    "players.index": lambda _: ["/players"],
    "players.compare": lambda _: ["/players/compare?player=Anna&player=Ben"],
    "statistics.index": lambda _: ["/statistics?made=opened&chances=could", "/statistics"],
    "statistics.show": lambda _: ["/statistics/openings"],
    "players.show": lambda _: ["/players/Anna?whole=yes"],
    "settings.keys": lambda _: ["/settings/keys"],
    "webhook_settings.webhooks": lambda _: ["/settings/webhooks"],
    "webhook_settings.webhook": lambda house: [f"/settings/webhooks/{_webhook(house)}"],
    "login.ask": lambda _: ["/login"],
    "reference.page": lambda _: ["/docs/api"],
    "shared.show": _shared,
}


@pytest.fixture(scope="module")
def full_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with something of everything that a page shows."""
    for house in serve_pages(tmp_path_factory.mktemp("full") / "data"):
        now = dt.datetime.now(dt.UTC)
        otherwise = json.loads(evening().split(b"\n")[0])
        for seat in otherwise["seats"]:
            seat["player"] += "?"
        for name, raw in {
            "evening.ndjson": evening(),
            "told otherwise": json.dumps(otherwise).encode(),
            "tournament.json": season_tournament().content,
            **{
                f"{code}.json": (EXAMPLES / f"violations/{code}.json").read_bytes()
                for code in ("must-follow", "player-count")
            },
        }.items():
            assert process_upload(house.store, house.receive(raw, name)) == "done"
        assert process_session(Warehouse(house.store.settings), session_key(TOURNAMENT))
        lost = house.receive(b"{}", "lost.ndjson")
        house.store.blobs.delete(lost)
        assert process_upload(house.store, lost) == "failed"
        webhook, _ = house.store.webhooks.add("https://club.example/", ("upload.finished",), now)
        house.store.webhooks.ping(webhook.id, now)
        openings = {
            "id": "openings",
            "label": "Openings",
            "made": "opened",
            "chances": "could_open",
        }
        assert house.client.post("/statistics", data=openings).status_code == HTTPStatus.SEE_OTHER
        hand = f"/hands/{house.hand_id('low-raise')}"
        for what, form in {
            "notes": {"text": "Ben’s raise is short."},
            "tags": {"tag": "odd-raise"},
            "shares": {"days": "30", "masked": "on"},
        }.items():
            answer = house.client.post(f"{hand}/{what}", data=form)
            assert answer.status_code == HTTPStatus.SEE_OTHER
        yield house


@pytest.fixture(scope="module")
def reader(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page, and all that is said to its console."""
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page, said
    page.close()


def test_no_page_is_left_out(full_house: House) -> None:
    gets = {
        rule.endpoint
        for rule in full_house.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("api.")
    }
    assert gets == {*PAGES, *NO_PAGES}


@pytest.mark.parametrize("endpoint", PAGES)
def test_nothing_keeps_anybody_out(
    full_house: House, reader: tuple[Page, list[str]], endpoint: str
) -> None:
    urls = PAGES[endpoint](full_house)
    assert urls
    faults = [fault for url in urls for fault in _faults(reader, full_house.base_url, url)]
    assert not faults, "\n".join(faults)


def test_nor_does_the_first_page_of_an_empty_house(
    empty_house: House, reader: tuple[Page, list[str]]
) -> None:
    assert list(_faults(reader, empty_house.base_url, "/")) == []


def _faults(reader: tuple[Page, list[str]], base_url: str, url: str) -> Iterator[str]:
    page, said = reader
    said.clear()
    _show(page, 1440, "light")
    page.goto(base_url + url)
    for chart in page.locator("[data-figure]").all():
        expect(chart.locator(".main-svg").first).to_be_visible()
    page.evaluate("many => document.querySelectorAll(many).forEach(one => one.remove())", MANY)
    page.evaluate(AXE)
    for theme, width, rules in LOOKS:
        _show(page, width, theme)
        for violation in page.evaluate(RUN, [CONTEXT, rules]):
            yield f"{url}, {theme}, {width}: {violation}"
        if page.evaluate("document.documentElement.scrollWidth - window.innerWidth") > 0:
            yield f"{url} is wider than {width}"
    for text in said:
        if not _expected(url, text):
            yield f"{url} said: {text}"


def _show(page: Page, width: int, theme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme=theme)


def _expected(url: str, text: str) -> bool:
    """Whether it is the browser that tells of the status with which a page was to answer."""
    return url.endswith(("nope", "min_pot=lots")) and "status of 40" in text
