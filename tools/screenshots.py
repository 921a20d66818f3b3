"""Takes the pictures of the pages for the documentation: every page, in every look of `LOOKS`.

A service of its own, on a folder that goes with it, audits the season of the sample first. Where
pngquant is, it makes the pictures smaller.
"""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Literal

import httpx
from playwright.sync_api import Browser, expect, sync_playwright

from schemas.season import TOURNAMENT
from service.client import Client, HandSummary
from service.sample import load_sample
from warehouse.sessions.declarations import session_key

ROOT: Final = Path(__file__).resolve().parent.parent
IMAGES: Final = ROOT / "docs" / "images"
PATIENCE: Final = 300.0  # seconds for the audit of the sample

WIDTHS: Final = {"": (1440, 900), "-narrow": (390, 844)}
THEMES: Final[dict[str, Literal["light", "dark"]]] = {"": "light", "-dark": "dark"}
"""What is put behind the name of a page's picture, for each width and each theme."""

PLAYER: Final = "Camille"
STATISTIC: Final = {
    "label": "Opens as the dealer",
    "made": "CASE WHEN position = seats THEN opened ELSE 0 END",
    "chances": "CASE WHEN position = seats THEN could_open ELSE 0 END",
}

_TOLD: Final = re.compile(
    r"is at (\S+) .*?^Key of this machine[^\n]*: (\S+)$", re.DOTALL | re.MULTILINE
)
CHROMIUM: Final = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]


@contextlib.contextmanager
def served() -> Iterator[tuple[str, str]]:
    """A service on a folder of its own, as its address and its key."""
    command = [sys.executable, "-m", "service.cli", "serve", "--port", "0", "--no-sample"]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(  # noqa: S603 - the project's own command
                [*command, "--data", f"{folder}/data"], cwd=ROOT, stdout=output, stderr=output
            )
        try:
            yield _told(process, log)
        finally:
            process.terminate()
            process.wait()


def _told(process: subprocess.Popen[bytes], log: Path) -> tuple[str, str]:
    while True:
        ended = process.poll() is not None
        said = log.read_text()
        found = _TOLD.search(said)
        if found is not None:
            return found[1], found[2]
        if ended:
            raise SystemExit(f"The service does not start:\n{said}")
        time.sleep(0.1)


def audited(client: Client) -> dict[str, str]:
    """The sample's uploads by name, once they and their sessions are audited."""
    uploads = list(client.uploads())
    for upload in uploads:
        client.wait(upload, timeout=PATIENCE)
    for session in client.sessions():
        client.wait_for_session(session.id, timeout=PATIENCE)
    return {upload.name or "": upload.id for upload in uploads}


def pages(client: Client, api: httpx.Client) -> dict[str, str]:
    """The paths of the pages by the names of their pictures."""
    uploads = audited(client)

    def at_fault(preset: str, code: str) -> str:
        hand = next(client.hands(preset=preset, code=code))
        return f"/hands/{hand.hand_id}?finding={code}"

    def pot(hand: HandSummary) -> int:
        return hand.pot or 0

    brelan = max(client.hands(preset="brelan/classique", verdict="legal", showdown=True), key=pot)
    wrong = next(client.hands(session=TOURNAMENT, code="declared-pots"))
    conflict = next(client.conflicts(uploads["2026-02-27.zip"]))
    session = f"/sessions/{session_key(TOURNAMENT)}"
    spoilt = uploads["2026-02-06.ndjson"]
    shared = _made(api, "POST", f"/api/v1/hands/{wrong.hand_id}/shares", {"masked": True})
    _made(api, "PUT", "/api/v1/statistics/dealer-opens", STATISTIC)
    return {
        "home": "/",
        "uploads": "/uploads",
        "upload": f"/uploads/{spoilt}",
        "report": f"/uploads/{spoilt}/report",
        "hands": "/hands?found=true",
        "replayer": at_fault("bouillotte/academie-1834", "raise-below-minimum"),
        "brelan": f"/hands/{brelan.hand_id}?step={len(client.replay(brelan.hand_id).steps)}",
        "bourre": at_fault("bourre/louisiana", "must-follow"),
        "wrong-hand": f"/hands/{wrong.hand_id}?finding=declared-pots",
        "shared": f"{shared['links']['page']}?finding=declared-pots",
        "sessions": "/sessions",
        "session": session,
        "session-hands": f"{session}/hands?player=Bastien&line=showdown",
        "players": "/players?sort=winner-folded",
        "player": f"/players/{PLAYER}",
        "compare": f"/players/compare?player={PLAYER}&player=H%C3%A9l%C3%A8ne",
        "statistics": "/statistics",
        "statistic": "/statistics/dealer-opens",
        "conflicts": "/conflicts",
        "conflict": f"/conflicts/{conflict.hand_id}",
        "dead-letters": "/dead-letters",
        "keys": "/settings/keys",
        "webhooks": "/settings/webhooks",
        "login": "/login",
        "api": "/docs/api",
        "missing": "/nowhere",
    }


def _made(api: httpx.Client, method: str, path: str, wish: dict[str, Any]) -> dict[str, Any]:
    answer = api.request(method, path, json=wish)
    answer.raise_for_status()
    document: dict[str, Any] = answer.json()
    return document


class Photographer:
    """Takes pictures one after the other, and makes them smaller beside that."""

    def __init__(self, browser: Browser, base_url: str) -> None:
        self._browser = browser
        self._base_url = base_url
        self._makers = ThreadPoolExecutor()

    def take(self, paths: dict[str, str]) -> None:
        """Take the pictures of pages in every look."""
        for narrow, (width, height) in WIDTHS.items():
            page = self._browser.new_page(
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                locale="en-GB",
                timezone_id="Europe/Paris",
            )
            for name, path in paths.items():
                page.emulate_media(color_scheme="light")
                page.goto(path if "://" in path else self._base_url + path)
                for chart in page.locator("[data-figure]").all():
                    expect(chart.locator(".main-svg").first).to_be_visible()
                for behind, theme in THEMES.items():
                    page.emulate_media(color_scheme=theme)
                    file = IMAGES / f"{name}{narrow}{behind}.png"
                    page.screenshot(path=file, animations="disabled")
                    self._makers.submit(_make_smaller, file)
            page.close()

    def done(self) -> None:
        """Wait until all pictures are as small as they become."""
        self._makers.shutdown()


def _make_smaller(path: Path) -> None:
    pngquant = shutil.which("pngquant")
    if pngquant is not None:
        subprocess.run(  # noqa: S603 - what was just looked up, on our own picture
            [pngquant, "--force", "--ext", ".png", "--strip", "128", path], check=True
        )


def main() -> None:
    """Take the pictures of a service that is empty, and then has the season."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("There is no chromium to take pictures with.")
    shutil.rmtree(IMAGES, ignore_errors=True)
    IMAGES.mkdir()
    with (
        served() as (url, key),
        Client(url, key=key) as client,
        httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}) as api,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM)
        photographer = Photographer(browser, url)
        photographer.take({"first-visit": "/"})
        load_sample(url, key)
        photographer.take(pages(client, api))
        photographer.done()
        browser.close()


if __name__ == "__main__":
    main()
