"""The pages say what is so: generated parts, examples, links, settings and commands are checked."""

import hashlib
import json
import re
from pathlib import Path

import msgspec
import pytest

from engine.presets import GAMES
from engine.violations import CODES
from schemas.audit import ExaminedHand, audit_document, examine_hand
from schemas.errors import UnreadableHand
from schemas.reference import PARTS, refresh
from schemas.streams import StreamLimits, read_hands
from service.problems import PROBLEMS
from service.web import create_app
from warehouse.counters import COUNTERS
from warehouse.settings import Settings
from warehouse.statistics import AVERAGES, STATISTICS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "schemas/examples"
PAGES = sorted([*DOCS.glob("*.md"), EXAMPLES / "README.md", ROOT / "CHANGELOG.md"])


def judge(raw: bytes) -> tuple[str, set[str]]:
    """The verdict and the codes; for a hand that cannot be read, its reading code."""
    examined = examine_hand(raw)
    if isinstance(examined, UnreadableHand):
        return "unreadable", {examined.code}
    audit = audit_document(examined)
    return audit.verdict, {violation.code for violation in audit.violations}


def rows(page: Path, head: str) -> list[list[str]]:
    """The cells of the page's first table whose head begins so."""
    _, _, below = page.read_text().partition(f"| {head} |")
    lines = below.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def words(cell: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", cell))


def blocks(text: str, language: str) -> list[str]:
    """The text's blocks of code in a language."""
    return re.findall(rf"```{language}\n(.+?)```", text, re.DOTALL)


def anchors(page: Path) -> set[str]:
    """What a link into the page may name: its headings as GitHub names them, and its own ids."""
    text = page.read_text()
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([\w-]+)">', text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_generated_parts_are_current(page: Path) -> None:
    text = page.read_text()
    assert refresh(text) == text, "run: python -m schemas.reference docs/*.md"


def test_every_generated_part_is_on_a_page() -> None:
    pages = "".join(page.read_text() for page in PAGES)
    assert set(re.findall(r"<!-- generated: ([a-z-]+) -->", pages)) == set(PARTS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if target.startswith("http"):
            continue
        name, _, anchor = target.partition("#")
        linked = (page.parent / name).resolve() if name else page
        assert linked.exists(), target
        if anchor:
            assert anchor in anchors(linked), target


@pytest.mark.parametrize("row", rows(EXAMPLES / "README.md", "file"), ids=lambda row: row[0])
def test_an_example_is_judged_as_its_list_says(row: list[str]) -> None:
    (name,) = words(row[0])
    assert judge((EXAMPLES / name).read_bytes()) == (row[1], words(row[2]))


def test_every_example_is_listed() -> None:
    listed = {name for row in rows(EXAMPLES / "README.md", "file") for name in words(row[0])}
    assert listed == {path.name for path in EXAMPLES.glob("*.json")}


def test_every_code_has_its_example() -> None:
    named = {path.stem for path in (EXAMPLES / "violations").iterdir()}
    assert named == {*CODES, "unknown-key"}


def test_the_stream_loses_one_line() -> None:
    with (EXAMPLES / "evening.ndjson").open("rb") as stream:
        hands = list(read_hands(stream, StreamLimits()))
    judged = []
    for hand in hands:
        verdict, codes = judge(hand.raw)
        unreadable = f"unreadable: `{', '.join(codes)}`"
        judged.append([str(hand.line), unreadable if verdict == "unreadable" else verdict])
    assert judged == rows(EXAMPLES / "README.md", "line")


def test_the_document_on_the_format_page_is_legal() -> None:
    (document,) = blocks((DOCS / "format.md").read_text(), "json")
    assert judge(document.encode()) == ("legal", set())


def test_the_rules_page_names_every_ruling_and_every_code() -> None:
    page = DOCS / "rules.md"
    rulings = {code.ruling for code in CODES.values()}
    rulings |= {option.ruling for game in GAMES for option in game.options.values()}
    rulings |= {f"V{number}" for number in range(1, 20)} | {f"B{number}" for number in range(1, 9)}
    assert {ruling.lower() for ruling in rulings} <= anchors(page)
    assert set(CODES) <= words(page.read_text())


@pytest.mark.parametrize(
    "example", ["w1-carre-and-side-pot", "w2-no-more-and-premiums", "w4-a-tie-carries"]
)
def test_a_worked_hand_ends_as_the_rules_page_says(example: str) -> None:
    examined = examine_hand((EXAMPLES / f"{example}.json").read_bytes())
    assert isinstance(examined, ExaminedHand)
    outcome = examined.replay.outcome
    assert outcome is not None
    assert outcome.stacks is not None
    stacks = ", ".join(str(stack) for stack in outcome.stacks)
    assert f"Stacks {stacks}." in (DOCS / "rules.md").read_text()


def test_premiums_to_live_hands_alone_are_as_the_rules_page_says() -> None:
    document = json.loads((EXAMPLES / "w2-no-more-and-premiums.json").read_text())
    document["rules"]["options"] = {"premium-holders": "live"}
    document["declared"] = {"premiums": {"0": -3, "1": 4, "2": -3, "3": 2}}
    document["declared"]["stacks"] = [77, 145, 96, 82]
    assert judge(json.dumps(document).encode()) == ("legal", {"opened-at-par"})


def test_the_settings_page_has_every_limit_as_it_is() -> None:
    listed = {row[0]: row[1] for row in rows(DOCS / "operating.md", "variable")}
    settings = Settings()
    limits = {field: getattr(settings, field) for field in Settings.__struct_fields__}
    for field, value in limits.items():
        if isinstance(value, int):
            shown = listed[f"`RETOURNE_{field.upper()}`"].strip("`")
            assert shown == str(value).lower()


def test_the_commands_on_the_page_for_contributors_exist() -> None:
    targets = re.findall(r"^(\w+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    unlisted = {"help", "install"}
    listed = [name for row in rows(DOCS / "contributing.md", "command") for name in words(row[0])]
    assert listed == [f"make {target}" for target in targets if target not in unlisted]


def test_the_page_of_the_api_lists_its_addresses(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path))
    addresses = {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    listed = [min(words(row[0])) for row in rows(DOCS / "api.md", "address")]
    assert sorted(listed) == sorted(addresses)


def test_the_page_of_the_api_lists_its_problems() -> None:
    listed = [(min(words(row[0])), int(row[1])) for row in rows(DOCS / "api.md", "code")]
    assert listed == [(code, int(kind.status)) for code, kind in PROBLEMS.items()]


def test_the_upload_on_the_page_of_the_api_is_the_example() -> None:
    raw = (EXAMPLES / "fault-call-amount.json").read_bytes()
    assert hashlib.sha256(raw).hexdigest() in (DOCS / "api.md").read_text()


def test_the_verdict_on_the_page_of_the_api_is_the_example_s() -> None:
    examined = examine_hand((EXAMPLES / "fault-call-amount.json").read_bytes())
    assert isinstance(examined, ExaminedHand)
    audit = msgspec.to_builtins(audit_document(examined), str_keys=True)
    page = (DOCS / "api.md").read_text()
    shown = next(json.loads(block) for block in blocks(page, "json") if "violations" in block)
    assert shown["ours"]["stacks"] == audit["ours"]["stacks"]
    (violation,) = shown["violations"]
    message = violation.pop("message")
    assert message["en"] == audit["violations"][0].pop("message")["en"]
    assert violation == audit["violations"][0]


def test_the_page_of_statistics_lists_them_all() -> None:
    page = DOCS / "statistics.md"
    listed = rows(page, "rate") + rows(page, "rate of Bourré")
    rates = [(min(words(row[0])), row[1], row[2]) for row in listed]
    assert sorted(rates) == sorted((one.id, one.label, one.formula) for one in STATISTICS)
    averages = [(min(words(row[0])), *row[1:]) for row in rows(page, "average")]
    assert sorted(averages) == sorted(
        (one.id, one.label, one.formula, one.unit) for one in AVERAGES
    )
    counted = [(min(words(row[0])), row[1]) for row in rows(page, "counter")]
    assert counted == [(one.name, one.about) for one in COUNTERS]
