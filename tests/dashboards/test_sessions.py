"""The pages of sessions: which is wrong, where it parts from ours, and what was found."""

import csv
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from dashboards import wording
from schemas.season import TOURNAMENT, season_tournament
from tests.dashboards.conftest import House, OpenPage, serve_pages
from tests.dashboards.test_pages import seen
from tests.warehouse.sessions.material import COUPE, encoded, lines, tournament, with_hand_ids
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.sessions.auditing import process_session
from warehouse.sessions.declarations import session_key

HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The sample's tournament, a small one, one that has no hands yet, and one of an odd name."""
    hostile = [
        hand | {"id": {**hand["id"], "table": "odd"}, "session": {"id": HOSTILE, "hand_no": number}}
        for number, hand in enumerate(tournament()["hands"], 1)
    ]
    waiting = with_hand_ids(tournament()) | {"session": {"id": "waiting"}}
    for house in serve_pages(tmp_path_factory.mktemp("club") / "data"):
        for content in (
            season_tournament().content,
            encoded(tournament()),
            lines(hostile),
            encoded(waiting | {"hand_ids": [{"source": "a", "table": "b", "hand": "c"}]}),
        ):
            assert process_upload(house.store, house.receive(content, "session")) == "done"
        warehouse = Warehouse(house.store.settings)
        for name in (TOURNAMENT, COUPE, HOSTILE, "waiting"):
            assert process_session(warehouse, session_key(name)) == "settled"
        yield house


def page_of(name: str) -> str:
    return f"/sessions/{session_key(name)}"


def rows_of(club: House, url: str) -> list[list[str]]:
    answer = club.client.get(url)
    assert answer.headers["Content-Type"].startswith("text/csv")
    return list(csv.reader(answer.text.splitlines()))


def test_the_list_says_which_session_is_wrong(club: House) -> None:
    whole = club.client.get("/sessions").text
    assert whole.index(TOURNAMENT) < whole.index(COUPE)  # that one has no time of play
    wrong = club.client.get("/sessions?verdict=illegal").text
    assert TOURNAMENT in wrong
    assert "onerror=&#34;" not in wrong
    assert "No hands yet" in whole
    wrong = club.client.get("/sessions?result=wrong").text
    assert "from hand 6</a>" in wrong
    assert HOSTILE.replace("<", "&lt;").split()[0] not in wrong  # it declares nothing
    assert "No session fits." in club.client.get("/sessions?result=right").text
    line = next(row for row in rows_of(club, "/sessions?csv=x") if row[0] == TOURNAMENT)
    assert line[-3:] == ["no", "6", "Bastien"]
    assert club.client.get("/sessions?result=perhaps").status_code == 400
    assert club.client.get("/sessions?kind=circus").status_code == 400
    assert club.client.get("/sessions?from=yesterday").status_code == 400
    assert club.client.get("/sessions?cursor=x").status_code == 400
    assert club.client.get("/sessions/0").status_code == 404


@pytest.mark.browser
def test_a_session_shows_ours_beside_the_declared(club: House, open_page: OpenPage) -> None:
    page = open_page(club.base_url + page_of(TOURNAMENT))
    # The pot of 11 that Bastien took in the sixth hand is written down as Camille's.
    differing = page.locator("tr.differs")
    expect(differing).to_have_count(4)
    expect(differing.nth(0)).to_contain_text("Bastien")
    expect(differing.nth(0).locator(".result")).to_have_text("+6, says −5")
    expect(differing.nth(1).locator(".result")).to_have_text("0, says +11")
    expect(page.locator("#stacks-chart .scatterlayer .trace")).to_have_count(4)
    expect(page.locator("#stacks-chart .shapelayer path")).to_have_count(1)
    differing.nth(0).get_by_role("link", name="hand 6").click()
    expect(page.locator("h1")).to_have_text("Hand coupe-de-printemps-06")
    page.get_by_role("link", name=TOURNAMENT).click()
    expect(page.locator("h1")).to_have_text(TOURNAMENT)


def test_who_won_and_why_adds_up_hand_by_hand(club: House) -> None:
    page = page_of(TOURNAMENT)
    shown = seen(club.client.get(page).text)
    assert "it makes Camille the winner, and Bastien won" in shown
    assert "Bastien won with +6. Most of it was won at the showdown." in shown
    # Bastien: 6 at the showdown, 1 without, a premium of 1 paid in hand 4; and so to the hands.
    first = rows_of(club, f"{page}?csv=sources")[1]
    assert " ".join(first[:8]) == "1 Bastien 6 6 1 -1 0 0"
    for line, place in (("net", 2), ("showdown", 3), ("alone", 4), ("premium", 5)):
        hands = rows_of(club, f"{page}/hands?player=Bastien&line={line}&csv=x")[1:]
        total = {"net": 6, "showdown": 6, "alone": 1, "premium": -1}[line]
        assert sum(int(row[place]) for row in hands) == total
        told = seen(club.client.get(f"{page}/hands?player=Bastien&line={line}").text)
        brought = re.escape(f": {wording.signed(total)}.")
        assert re.search(f"What they brought Bastien ?{brought}", told)
    illegal = seen(club.client.get(f"{page}/hands?verdict=illegal").text)
    assert re.findall(r"hand \d+", illegal) == ["hand 6"]
    for query in ("line=luck", "verdict=odd"):
        assert club.client.get(f"{page}/hands?{query}").status_code == 400
    for table in ("standings", "stacks", "findings", "ledger", "declared"):
        assert len(rows_of(club, f"{page}?csv={table}")) > 1
    assert club.client.get(f"{page}?csv=luck").status_code == 404
    assert "Le résultat déclaré pour Bastien est -5" in club.client.get(f"{page}?lang=fr").text


def test_home_names_the_sessions_that_are_wrong(club: House) -> None:
    told = seen(club.client.get("/").text).partition("Sessions that are wrong")[2]
    wrong = "The declared result is wrong from hand 6 on."
    assert re.search(rf"{TOURNAMENT} \d+ findings {re.escape(wrong)}", told)


def test_exact_results_are_shown_as_fractions(club: House) -> None:
    page = club.client.get(page_of(COUPE)).text
    assert "+¾" in page
    assert "−¼" in page


def test_a_session_without_hands_says_so_and_what_is_declared(club: House) -> None:
    page = club.client.get(page_of("waiting")).text
    assert "Nothing that is stored is a hand of this session." in page
    assert "What is declared" in page
    assert club.client.get(f"{page_of('waiting')}/state").headers["HX-Refresh"] == "true"


@pytest.mark.browser
@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1440, "light")])
def test_the_pages_fit_and_have_nothing_to_complain_of(
    club: House, open_page: OpenPage, width: int, theme: str
) -> None:
    page = open_page(club.base_url, width=width, theme=theme)
    sessions = [page_of(name) for name in (TOURNAMENT, COUPE, HOSTILE, "waiting")]
    for url in ("/sessions", *sessions, f"{sessions[0]}/hands"):
        page.goto(club.base_url + url)
        for chart in page.locator("[data-figure]").all():
            expect(chart.locator(".main-svg").first).to_be_visible()
        too_wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert too_wide <= 0, url
        assert page.locator("main img").count() == 0
