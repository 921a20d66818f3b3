"""The report: the same bytes for the same input, whole in itself, in every language."""

import json
import re
from html.parser import HTMLParser

import pytest

from schemas.report import is_report, report_html, report_json, signed
from schemas.report.labels import labels
from schemas.session_verdict import SessionAudit
from schemas.wording import LANGUAGES
from tests.schemas.sessions import SESSIONS, VIOLATIONS, WORKED, audit_bytes, audit_of, worked

AUDITS = [*WORKED, *VIOLATIONS]


class Page(HTMLParser):
    """Collects what the tests ask of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        if given.get("href"):
            self.links.append(str(given["href"]))
        if given.get("id"):
            self.ids.add(str(given["id"]))


@pytest.mark.parametrize("path", AUDITS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_session_has_its_page_in_every_language(path: object, language: str) -> None:
    assert hasattr(path, "read_bytes")
    audit: SessionAudit = audit_bytes(path.read_bytes())
    made = report_html(audit, language)
    assert made == report_html(audit, language)
    text = made.decode()
    page = Page(text)
    assert f'<html lang="{language}">' in text
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert "http" not in text
    assert all(link[1:] in page.ids for link in page.links)
    for found in audit.findings:
        assert found.code in text
    for put in audit.inputs:
        assert put.sha256 in text


def test_the_page_tells_results_exactly_and_where_the_session_parts() -> None:
    text = report_html(audit_bytes((SESSIONS / "salon-broken-stack.json").read_bytes())).decode()
    assert "parts at hand 4" in text
    assert "Anna begins hand 4 with 111; the hand before left 101." in text
    text = report_html(audit_bytes((SESSIONS / "historico.json").read_bytes())).decode()
    assert "+101.75" in text
    assert "+407/4" in text
    assert "cave +100" in text
    german = report_html(audit_bytes((SESSIONS / "historico.json").read_bytes()), "de").decode()
    assert "+101,75" in german


def test_a_hand_after_a_gap_is_marked() -> None:
    document = worked("historico")
    del document["hands"][2]
    text = report_html(audit_of(document)).decode()
    assert text.count("unverified before this hand") == 1


def test_names_are_not_read_as_markup() -> None:
    raw = (SESSIONS / "salon-broken-stack.json").read_bytes().replace(b"Anna", b'<b>&\\"Anna')
    text = report_html(audit_bytes(raw)).decode()
    assert '<b>&\\"Anna' not in text
    assert "&lt;b&gt;&amp;&#34;Anna" in text


def test_the_report_as_json_is_the_audit() -> None:
    audit = audit_bytes((SESSIONS / "historico.json").read_bytes())
    made = json.loads(report_json(audit))
    assert made["session"] == "quinta-42"
    assert made["standings"][0]["ours"]["result"] == {"exact": "407/4", "decimal": "101.75"}
    assert set(made["versions"]) == {"engine", "rules", "format"}


def test_a_report_is_known_by_its_bytes() -> None:
    audit = audit_bytes((SESSIONS / "historico.json").read_bytes())
    other = audit_bytes((SESSIONS / "salon-broken-stack.json").read_bytes())
    for made in (report_json(audit), *(report_html(audit, language) for language in LANGUAGES)):
        assert is_report(made, audit)
        assert not is_report(made, other)
        assert not is_report(made + b" ", audit)


def test_labels_are_said_in_every_language() -> None:
    names = [set(labels(language)) for language in LANGUAGES]
    assert all(own == names[0] for own in names)
    assert all(text and not re.search(r"\s$", text) for text in labels("pt").values())


@pytest.mark.parametrize(
    ("chips", "text"), [(5, "+5"), (0, "0"), ("-1/4", "−1/4"), ("6.25", "+6.25")]
)
def test_chips_have_a_sign(chips: int | str, text: str) -> None:
    assert signed(chips) == text
