"""The pages over a real storage, filled by the real intake, and a real browser before them."""

import datetime as dt
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright
from werkzeug.serving import make_server

from tests.dashboards.evening import evening
from tests.service.client import keyed_app
from warehouse.intake import process_upload
from warehouse.queries import Page as HandPage
from warehouse.queries import Warehouse
from warehouse.settings import Settings
from warehouse.store import Store

LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class House(Struct, frozen=True):
    """One installation with its pages served."""

    store: Store
    app: Flask
    base_url: str

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def receive(self, raw: bytes, name: str) -> str:
        """Keeps and records bytes as an upload without working on it; its id."""
        blob = self.store.blobs.store(iter([raw]))
        self.store.records.receive(blob, name, dt.datetime.now(dt.UTC))
        return blob.sha256

    def hand_id(self, hand: str) -> str:
        page = Warehouse(self.store.settings).search_hands(limit=1_000)
        assert isinstance(page, HandPage)
        return next(found.hand_id for found in page.hands if found.hand == hand)


def serve_pages(folder: Path) -> Iterator[House]:
    settings = Settings(data=folder, login="open")
    with Store(settings) as store:
        app = keyed_app(settings)
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield House(store, app, f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


@pytest.fixture
def empty_house(tmp_path: Path) -> Iterator[House]:
    yield from serve_pages(tmp_path / "data")


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An installation with the evening's hands; tests only read it."""
    for served in serve_pages(tmp_path_factory.mktemp("evening") / "data"):
        assert process_upload(served.store, served.receive(evening(), "evening.ndjson")) == "done"
        yield served


@pytest.fixture(scope="session")
def upload_id(house: House) -> str:
    return house.store.records.recent_uploads(1)[0].id


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium_path, args=LAUNCH)
        yield opened
        opened.close()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens a URL in a context of its own; whatever the page complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def open_url(url: str, *, width: int = 1440, theme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if theme == "dark" else "light",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        return page

    yield open_url
    for context in contexts:
        context.close()
    assert complaints == []
