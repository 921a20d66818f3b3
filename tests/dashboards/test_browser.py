import re

import pytest
from playwright.sync_api import expect

from tests.conftest import ServedTree
from tests.dashboards.conftest import House, OpenPage
from tests.dashboards.evening import DOTS, LONG, MARKUP, SLASHES, evening
from warehouse.intake import process_upload

pytestmark = pytest.mark.browser


OTHER_LOOKS = [(390, "dark"), (1440, "light"), (1440, "dark")]
"""How `test_axe` looks at the pages as well."""


@pytest.fixture
def urls(house: House, upload_id: str) -> list[str]:
    return [
        "/",
        f"/uploads/{upload_id}",
        "/players",
        "/players/Anna?whole=yes",
        "/players/compare?player=Anna&player=Ben",
        "/hands",
        *(f"/hands/{house.hand_id(name)}" for name in ("plain", "low-raise", "unseen", "hostile")),
    ]


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (390, "light"),
        *(pytest.param(*look, marks=pytest.mark.proof) for look in OTHER_LOOKS),
    ],
)
def test_every_page_fits_and_has_nothing_to_complain_of(
    house: House, urls: list[str], open_page: OpenPage, width: int, theme: str
) -> None:
    page = open_page(house.base_url, width=width, theme=theme)
    for url in urls:
        page.goto(house.base_url + url)
        for chart in page.locator("[data-figure]").all():
            expect(chart.locator(".main-svg").first).to_be_visible()
        too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert too_wide <= 0, url


def test_names_are_text_and_never_markup(house: House, open_page: OpenPage) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('hostile')}?step=22")

    names = page.locator(".seat .who").all_text_contents()
    assert sorted(names) == sorted([MARKUP, LONG, SLASHES, DOTS])
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("name", [MARKUP, LONG, SLASHES, DOTS])
def test_a_player_of_any_name_can_be_opened_from_the_list(
    house: House, open_page: OpenPage, name: str
) -> None:
    page = open_page(f"{house.base_url}/players")
    page.locator("a.name").get_by_text(name.strip(), exact=True).click()

    expect(page.locator("#profit-chart .main-svg").first).to_be_visible()
    assert page.locator("h1").text_content() == name


def test_the_replayer_steps_by_keys_buttons_slider_and_list(
    house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('plain')}")
    count = page.locator("#count")
    sentence = page.locator("#sentence")

    expect(count).to_have_text("1 of 22")
    page.keyboard.press("ArrowRight")
    expect(sentence).to_have_text("Anna carres, adding 5")
    page.keyboard.press("End")
    expect(count).to_have_text("22 of 22")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("21 of 22")
    page.keyboard.press("Home")
    expect(page.locator("#back")).to_be_disabled()
    page.locator("#forward").click()
    expect(count).to_have_text("2 of 22")
    page.locator("#slider").fill("11")
    expect(sentence).to_have_text("Dan opens, adding 13")
    expect(page.locator("#who-may")).to_have_text("Anna may")
    expect(page.locator("#allowed li")).to_have_text(["call +9", "raise +10–94", "fold"])
    page.get_by_role("button", name="Carla calls, adding 11").click()
    expect(count).to_have_text("14 of 22")
    expect(page).to_have_url(re.compile(r"\?step=14$"))
    expect(page.locator("#steps [aria-current=step]")).to_contain_text("Carla calls")
    page.locator("#slider").fill("5")
    expect(page.locator("#heard")).to_have_text(
        "Anna is dealt, 8 of hearts, Q of hearts, 8 of clubs"
    )


def test_the_table_shows_the_state_that_the_server_computed(
    house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('plain')}?step=16")
    # W1 after Anna's fold: K 15, 30, 12 and 30, the pot 87.
    seats = page.locator(".seat")

    expect(page.locator(".centre .pot")).to_have_text("Pot 87")
    expect(page.locator(".centre")).to_contain_text("M 30")
    assert page.locator(".bet").all_text_contents() == ["K 15", "K 30", "K 12", "K 30"]
    assert page.locator(".chips-left").all_text_contents() == ["85", "70", "0", "70"]
    assert seats.locator(".state").all_text_contents() == ["folded", "va-tout", "to speak"]
    expect(seats.nth(3).locator(".dealer")).to_be_visible()
    expect(seats.nth(0).locator(".card")).to_have_count(3)
    expect(page.locator(".turned .card")).to_have_attribute("title", "9 of spades")


def test_the_end_shows_the_totals_by_suit_and_who_takes_the_pots(
    house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('plain')}#step=22")

    assert page.locator(".seat.won .says").all_text_contents() == ["takes 39", "takes 48"]
    expect(page.locator("#heard")).to_have_text("Pots are paid: Carla takes 48, Ben takes 39")
    expect(page.locator(".totals")).to_have_text(
        re.compile(r"40\s*Carla\s*39\s*Ben\s*30\s*Dan\s*18\s*Dan")
    )
    expect(page.locator(".centre")).to_contain_text("Main pot 48 → Carla")
    expect(page.locator(".centre")).to_contain_text("Side pot 39 → Ben")
    assert page.locator(".chips-left").all_text_contents() == ["85", "109", "48", "70"]


def test_a_finding_shows_at_its_step_and_only_there(house: House, open_page: OpenPage) -> None:
    hand = house.hand_id("low-raise")
    page = open_page(f"{house.base_url}/hands/{hand}?finding=raise-below-minimum")
    finding = page.locator(".finding", has_text="raise-below-minimum")

    expect(page.locator("#count")).to_contain_text("13 of")
    expect(finding).to_be_visible()
    expect(page.locator(".seat.broke .who")).to_have_text("Ben")
    page.keyboard.press("ArrowLeft")
    expect(finding).to_be_hidden()
    expect(page.locator("#previous-finding")).to_be_disabled()
    page.locator("#next-finding").click()
    expect(finding).to_be_visible()


def test_space_plays_and_stops(house: House, open_page: OpenPage) -> None:
    page = open_page(f"{house.base_url}/hands/{house.hand_id('plain')}?step=20")

    page.keyboard.press(" ")
    expect(page.locator("#count")).to_have_text("22 of 22")
    page.keyboard.press(" ")
    expect(page.locator("#count")).to_have_text("1 of 22")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_have_text("2 of 22")


def test_profit_is_drawn_with_its_lines_and_session_breaks(
    house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{house.base_url}/players/Anna")

    expect(page.locator("#profit-chart .scatterlayer .trace")).to_have_count(6)
    expect(page.locator("#profit-chart .shapelayer path")).to_have_count(1)
    page.get_by_role("button", name="Premiums").click()
    expect(page.locator("#profit-chart .scatterlayer .trace")).to_have_count(5)
    page.get_by_role("button", name="Premiums").click()
    expect(page.locator("#profit-chart .scatterlayer .trace")).to_have_count(6)


def test_the_theme_follows_the_choice_on_every_page_and_in_charts(
    house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{house.base_url}/players/Anna", theme="light")
    net = page.locator("#profit-chart .scatterlayer .trace .js-line").first
    ground = "getComputedStyle(document.body).backgroundColor"

    expect(net).to_have_css("stroke", "rgb(11, 102, 80)")
    assert page.evaluate(ground) == "rgb(245, 246, 243)"
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(net).to_have_css("stroke", "rgb(95, 202, 164)")
    page.goto(f"{house.base_url}/hands")
    assert page.evaluate(ground) == "rgb(15, 20, 18)"


def test_the_skip_link_is_the_first_stop_and_leads_to_the_content(
    house: House, open_page: OpenPage
) -> None:
    page = open_page(f"{house.base_url}/hands")

    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


def test_an_upload_page_follows_the_audit_without_a_reload(
    empty_house: House, open_page: OpenPage
) -> None:
    upload = empty_house.receive(evening(), "evening.ndjson")
    page = open_page(f"{empty_house.base_url}/uploads/{upload}")
    page.evaluate("window.untouched = true")

    expect(page.locator("#upload .badge").first).to_have_text("Waiting")
    process_upload(empty_house.store, upload)
    expect(page.locator("#upload .badge").first).to_have_text("Done")
    expect(page.locator("#upload")).to_contain_text("Lines that could not be read")
    assert page.evaluate("window.untouched")


def test_home_follows_uploads_and_then_the_findings(
    empty_house: House, open_page: OpenPage
) -> None:
    upload = empty_house.receive(evening(), "evening.ndjson")
    page = open_page(f"{empty_house.base_url}/")

    expect(page.locator("#uploads")).to_contain_text("Waiting")
    process_upload(empty_house.store, upload)
    expect(page.locator("#uploads")).to_contain_text("Done")
    expect(page.locator("#glance")).to_contain_text("raise-below-minimum")


def test_a_file_given_to_the_page_is_audited_while_one_watches(
    process_tree: ServedTree, open_page: OpenPage
) -> None:
    page = open_page(process_tree.base_url)
    page.set_input_files(
        "#file", {"name": "évening.ndjson", "mimeType": "", "buffer": evening() + b"\n"}
    )

    expect(page).to_have_url(re.compile(r"/uploads/[0-9a-f]{64}$"))
    expect(page.locator("h1")).to_have_text("évening.ndjson")
    expect(page.locator("#upload .badge").first).to_have_text("Done", timeout=60_000)
    page.locator("#upload").get_by_role("link", name="low-raise").click()
    expect(page.locator(".titled")).to_contain_text("Illegal")
