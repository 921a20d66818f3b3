"""Takes the pictures of the pages for the documentation: docs/images/NAME.png and NAME-narrow.png.

A service of its own, on a folder that goes with it, audits the sample data first. Every page is
taken light and wide, and dark and narrow. Where pngquant is, it makes the pictures smaller.
"""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from playwright.sync_api import Browser, Page, expect, sync_playwright

from service.client import Client, HandSummary
from service.sample import TOURNAMENT, load_sample
from warehouse.sessions.declarations import session_key

ROOT: Final = Path(__file__).resolve().parent.parent
IMAGES: Final = ROOT / "docs" / "images"
PATIENCE: Final = 300.0  # seconds for the audit of the sample

LOOKS: Final = {"": (1440, 900, "light"), "-narrow": (390, 844, "dark")}
"""Width, height and theme by what is put behind the name."""

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


def pages(client: Client, uploads: dict[str, str], player: str) -> dict[str, str]:
    """The paths of the pages by the names of their pictures."""

    def at_fault(preset: str, code: str) -> str:
        hand = next(client.hands(preset=preset, code=code))
        return f"/hands/{hand.hand_id}?finding={code}"

    def pot(hand: HandSummary) -> int:
        return hand.pot or 0

    brelan = max(client.hands(preset="brelan/classique", verdict="legal", showdown=True), key=pot)
    return {
        "home": "/",
        "hands": "/hands?found=true",
        "replayer": at_fault("bouillotte/salon", "raise-below-minimum"),
        "brelan": f"/hands/{brelan.hand_id}?step={len(client.replay(brelan.hand_id).steps)}",
        "bourre": at_fault("bourre/louisiana", "must-follow"),
        "players": "/players",
        "player": player,
        "sessions": "/sessions",
        "session": f"/sessions/{quote(session_key(TOURNAMENT))}",
        "upload": f"/uploads/{uploads['planted-faults.ndjson']}",
        "keys": "/settings/keys",
    }


def take(browser: Browser, base_url: str, paths: dict[str, str]) -> None:
    """Take all pictures."""
    for behind, (width, height, theme) in LOOKS.items():
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="Europe/Paris",
        )
        for name, path in paths.items():
            page.goto(base_url + path)
            for chart in page.locator("[data-figure]").all():
                expect(chart.locator(".main-svg").first).to_be_visible()
            _keep(page, IMAGES / f"{name}{behind}.png")
        page.close()


def _keep(page: Page, path: Path) -> None:
    page.screenshot(path=path, animations="disabled")
    pngquant = shutil.which("pngquant")
    if pngquant is not None:
        subprocess.run(  # noqa: S603 - what was just looked up, on our own picture
            [pngquant, "--force", "--ext", ".png", "--strip", "128", path], check=True
        )


def main() -> None:
    """Take the pictures of a service with the sample data."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("There is no chromium to take pictures with.")
    IMAGES.mkdir(exist_ok=True)
    with served() as (url, key), Client(url, key=key) as client, sync_playwright() as playwright:
        load_sample(url, key)
        uploads = audited(client)
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM)
        page = browser.new_page()
        page.goto(f"{url}/players")
        player = page.locator("tbody th a.name").first.get_attribute("href") or "/players"
        page.close()
        take(browser, url, pages(client, uploads, player))
        browser.close()


if __name__ == "__main__":
    main()
