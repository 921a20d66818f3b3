"""What can be done on a hand's page: write on it, share it, look at it otherwise, picture it."""

import datetime as dt
import json
import re
import struct
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from werkzeug.serving import make_server
from werkzeug.wrappers import Request, Response

from service.registry import Registry
from tests.dashboards.conftest import House, OpenPage
from tests.dashboards.evening import evening, worked
from warehouse.intake import process_upload

pytestmark = pytest.mark.browser

NOW = dt.datetime.now(dt.UTC)


@pytest.fixture
def own_house(empty_house: House) -> House:
    """A house of this test's own, with the evening's hands and one of Bourré."""
    content = b"\n".join([evening(), json.dumps(worked("w4")).encode()])
    upload = empty_house.receive(content, "hands")
    assert process_upload(empty_house.store, upload) == "done"
    return empty_house


@pytest.fixture
def framing() -> Iterator[Callable[[str], str]]:
    """Gives the address of a page on another site that frames an address."""
    framed: list[str] = []

    @Request.application
    def site(_request: Request) -> Response:
        body = f'<iframe src="{framed[-1]}" width="1000" height="700"></iframe>'
        return Response(body, mimetype="text/html")

    server = make_server("localhost", 0, site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def frame(address: str) -> str:
        framed.append(address)
        return f"http://localhost:{server.server_port}/"

    yield frame
    server.shutdown()
    thread.join()


def picture(page: Page) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name="PNG").click()
    return download.value.path().read_bytes()


def test_notes_and_tags_are_written_without_losing_the_step(
    own_house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{own_house.base_url}/hands/{own_house.hand_id('plain')}?step=14")
    note = page.get_by_label("Write a note")
    note.press_sequentially("n <b>p</b> ")
    note.press("ArrowLeft")
    expect(page.locator("#count")).to_have_text("14 of 22")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.locator(".written .text")).to_have_text("n <b>p</b>")
    expect(page.locator("#count")).to_have_text("14 of 22")
    page.get_by_label("A tag", exact=True).fill("Odd call!")
    page.get_by_role("button", name="Add the tag").click()
    page.get_by_role("link", name="odd-call").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("link", name="plain").click()
    expect(page.locator("#count")).to_have_text("1 of 22")
    page.get_by_role("button", name="Take off the tag odd-call").click()
    expect(page.get_by_role("link", name="odd-call")).to_have_count(0)
    page.get_by_role("button", name="Delete the note of this machine").click()
    expect(page.locator(".written")).to_have_count(0)


def test_a_shared_hand_is_replayed_in_a_frame_of_another_site(
    own_house: House,
    browser: Browser,
    open_page: OpenPage,
    framing: Callable[[str], str],
) -> None:
    hand = own_house.hand_id("plain")
    page = open_page(f"{own_house.base_url}/hands/{hand}?step=11")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert link.endswith("?step=11")
    with browser.new_context() as stranger:
        elsewhere = stranger.new_page()
        elsewhere.goto(framing(link))
        shown = elsewhere.frame_locator("iframe")
        expect(shown.locator("#count")).to_have_text("11 of 22")
        expect(shown.locator("#sentence")).to_have_text(
            re.compile(r"^player-[0-9a-f]{12} opens, adding 13$")
        )
        shown.locator("#forward").click()
        expect(shown.locator("#count")).to_have_text("12 of 22")
        assert "Dan" not in shown.locator("body").inner_text()
        assert stranger.cookies() == []
    page.get_by_role("button", name="End this link").click()
    expect(page.get_by_label("Link", exact=True)).to_have_count(0)
    assert Registry(own_house.store.settings).shares.of_hand("local", hand, NOW) == []


def test_four_colours_are_kept_and_the_cards_that_may_be_played_are_marked(
    own_house: House, open_page: OpenPage
) -> None:
    # W4 after the 9 of spades: P3 has to beat it, which the ace alone does.
    page = open_page(f"{own_house.base_url}/hands/{own_house.hand_id('w4')}?step=19")
    legal = page.locator(".seat .card.legal")
    expect(legal).to_have_count(1)
    expect(legal).to_have_attribute("title", "A of spades")
    expect(page.locator(".seat .card.barred")).to_have_count(4)
    expect(page.locator("#allowed")).to_have_text("play A♠")
    club = page.locator(".turned .card")
    expect(club).to_have_css("color", "rgb(21, 24, 28)")
    page.get_by_role("button", name="Four colours").click()
    expect(club).to_have_css("color", "rgb(28, 122, 61)")
    page.reload()
    expect(club).to_have_css("color", "rgb(28, 122, 61)")
    expect(page.get_by_role("button", name="Four colours")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_the_table_is_saved_as_a_picture_of_the_step(house: House, open_page: OpenPage) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('plain')}?step=16", width=390)
    first = picture(page)
    assert first.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", first[16:24])
    felt = page.locator("#felt").bounding_box()
    assert felt is not None
    assert width >= 1600
    assert height / width == pytest.approx((felt["height"] + 56) / felt["width"], rel=0.01)
    page.locator("#forward").click()
    assert picture(page) != first


def test_chips_move_unless_somebody_wants_none_of_it(house: House, open_page: OpenPage) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('plain')}?step=10")
    flights = """document.getElementById("forward").click(),
        document.querySelectorAll(".flying, .leaving").length"""
    assert page.evaluate(flights) == 1
    expect(page.locator(".flying")).to_have_count(0)
    page.locator("#slider").fill("16")
    assert page.evaluate(flights) == 4  # what lay before the seats is cut into pots
    page.locator("#slider").fill("21")
    assert page.evaluate(flights) == 2  # two pots to two winners
    page.emulate_media(reduced_motion="reduce")
    page.locator("#slider").fill("10")
    assert page.evaluate(flights) == 0


def test_pots_are_cut_while_others_go_on_and_nothing_covers_what_the_suits_come_to(
    house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('plain')}?step=13", width=390)
    pots = page.locator("#pots li")
    expect(pots).to_have_count(0)
    page.locator("#forward").click()  # Carla is all-in
    expect(pots).to_have_text(
        ["Main pot 48: Anna, Ben, Carla, Dan may win it", "Side pot 24: Anna, Ben, Dan may win it"]
    )
    expect(page.locator("#felt .cut")).to_have_text(["Main pot 48", "Side pot 24"])
    page.locator("#slider").fill("18")  # Anna, who sits beside the totals, shows
    bubble = page.locator(".sayings").bounding_box()
    totals = [total.bounding_box() for total in page.locator(".totals > span").all()]
    assert bubble is not None
    assert len(totals) == 4
    for box in totals:
        assert box is not None
        assert box["y"] + box["height"] <= bubble["y"]


def test_nothing_moves_beside_the_table_while_one_steps(house: House, open_page: OpenPage) -> None:
    hand = house.hand_id("low-raise")
    for width in (1440, 390):
        page = open_page(f"{house.base_url}/hands/{hand}?step=1", width=width)
        places = page.evaluate(
            """() => {
                const look = () => [...document.querySelectorAll(
                    ".seat .plate, .turned, #felt, #slider, #forward, #next-finding"
                )].map((node) => {
                    const box = node.getBoundingClientRect();
                    return [Math.round(box.top + scrollY), box.height];
                }).join(";");
                const seen = new Set();
                do seen.add(look());
                while (document.getElementById("forward").click(),
                    !document.getElementById("forward").disabled);
                seen.add(look());
                return [...seen];
            }"""
        )
        assert len(places) == 1, places


def test_one_goes_from_hand_to_hand_of_the_list_or_else_of_the_session(
    house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('plain')}")
    way = page.get_by_role("navigation", name="In the session")
    way.get_by_role("link", name="Next hand").click()
    expect(page.locator("h1")).to_have_text("Hand brelans")
    expect(way.get_by_role("link")).to_have_text(["Previous hand"])
    page.goto(f"{house.base_url}/hands?verdict=illegal&code=raise-below-minimum")
    page.locator("tbody th a").first.click()
    expect(page).to_have_url(re.compile("code=raise-below-minimum.*step="))
    page.goto(f"{house.base_url}/hands/{house.hand_id('plain')}?player=Anna&sort=played_at")
    way = page.get_by_role("navigation", name="In the list")
    names: list[str] = []
    while way.get_by_role("link", name="Next hand").count():
        page.keyboard.press("Shift+ArrowRight")
        expect(page.locator("h1")).not_to_have_text(names[-1] if names else "Hand plain")
        names.append(page.locator("h1").inner_text())
    assert names == ["Hand brelans", "Hand again"]


def test_whoever_has_a_link_sees_the_finding_explained_in_their_language(
    own_house: House, browser: Browser, open_page: OpenPage
) -> None:
    page = open_page(f"{own_house.base_url}/hands/{own_house.hand_id('low-raise')}?step=2")
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("button", name="Next finding").click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copy the link")).to_have_text("Copied")
    link = page.get_by_label("Link", exact=True).input_value()
    assert re.search(r'src="[^"]*\?step=13"', page.get_by_label("To embed it").input_value())
    with browser.new_context(locale="de-DE", viewport={"width": 1440, "height": 900}) as stranger:
        shown = stranger.new_page()
        shown.goto(link)
        finding = shown.locator(".finding:visible")
        expect(finding).to_be_in_viewport(ratio=1)
        expect(finding).to_contain_text("erhöht, das Mindeste war 5.")
        for told in ("raise-below-minimum", "V7 – The least raise", "/events/11/add"):
            expect(finding).to_contain_text(told)
        expect(shown.locator(".what")).to_contain_text("Retourne")
        assert stranger.cookies() == []
