"""Bad hands over the whole service: each an error in its place, its neighbours unhurt."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import ServedTree, Until
from tests.service.client import ask
from tests.service.test_api_uploads import EXAMPLE, Json, hand, raw

Sent = tuple[Json, list[Json], list[Json]]
Send = Callable[[bytes], Sent]


@pytest.fixture
def sent(process_tree: ServedTree, until: Until) -> Send:
    """Sends an upload; gives it with its problems and its hands once its audit is over."""

    def get(path: str) -> Any:  # noqa: ANN401 - JSON
        answer = ask(process_tree.base_url, "GET", path)
        assert answer.status == 200, answer.body
        return answer.json

    def run(body: bytes) -> Sent:
        answer = ask(process_tree.base_url, "POST", "/api/v1/uploads", body)
        assert answer.status == 202, answer.body
        links = answer.json["links"]
        until(lambda: get(links["self"])["finished_at"])
        problems = get(links["problems"])["problems"]
        return get(links["self"]), problems, get(links["hands"])["hands"]

    return run


def events(index: int, **changes: object) -> list[Json]:
    made: list[Json] = [dict(event) for event in EXAMPLE["events"]]
    made[index].update(changes)
    return made


OPENING = next(n for n, event in enumerate(EXAMPLE["events"]) if event["do"] == "open")
DEAL = next(n for n, event in enumerate(EXAMPLE["events"]) if event["do"] == "deal")

UNREADABLE = {
    "not-json": (b"hello", "not-json", "", "'hello' at offset 0"),
    "not-utf8": (raw("u").replace(b"Anna", b"Ann\xe9"), "not-utf8", "", "byte 0xe9 at offset"),
    "wrong-version": (
        raw("v", format="retourne/2.0"),
        "wrong-version",
        "/format",
        '"retourne/2.0"',
    ),
    "unknown-preset": (
        raw("p", rules={"preset": "bouillotte/salle"}),
        "unknown-preset",
        "/rules/preset",
        "bouillotte/salle",
    ),
    "unknown-option": (
        raw("o", rules={"preset": "bouillotte/salon", "options": {"anti": 1}}),
        "unknown-option",
        "/rules/options/anti",
        "anti",
    ),
    "unknown-card": (
        raw("c", events=events(DEAL, cards=["8h", "1h", "8c"])),
        "unknown-card",
        f"/events/{DEAL}/cards/1",
        "1h",
    ),
    "negative": (
        raw("n", events=events(OPENING, add=-13)),
        "out-of-range",
        f"/events/{OPENING}/add",
        "-13",
    ),
    "fraction": (
        raw("f", events=events(OPENING, add=12.5)),
        "wrong-type",
        f"/events/{OPENING}/add",
        "12.5",
    ),
    "far-too-many": (
        raw("m", events=events(OPENING, add=10**30)),
        "out-of-range",
        f"/events/{OPENING}/add",
        "1" + "0" * 30,
    ),
    "unknown-act": (
        raw("a", events=events(OPENING, do="opne")),
        "unknown-value",
        f"/events/{OPENING}/do",
        '"opne"',
    ),
    "duplicate-key": (
        raw("k").replace(b'"dealer": 3', b'"dealer": 3, "dealer": 2'),
        "duplicate-key",
        "/dealer",
        "the key twice",
    ),
    "deep": (raw("x")[:-1] + b', "x": ' + b"[" * 5000 + b"]" * 5000 + b"}", "too-deep", "", ""),
    "no-object": (b"[]", "not-an-object", "", "[]"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_bad_line_is_an_error_with_its_place_and_costs_no_neighbour(
    sent: Send, case: str
) -> None:
    line, code, pointer, seen = UNREADABLE[case]
    before = raw(f"{case}-before") + b"\n\n"
    upload, problems, hands = sent(before + line + b"\n" + raw(f"{case}-after"))
    assert upload["status"] == "done"
    (problem,) = problems
    assert (problem["line"], problem["offset"]) == (3, len(before))
    assert (problem["code"], problem["pointer"]) == (code, pointer)
    assert seen in problem["seen"]
    assert problem["expected"]
    assert upload["problems"] == upload["counts"]["unreadable"] == 1
    assert sorted(one["hand"] for one in hands) == [f"{case}-after", f"{case}-before"]
    assert upload["counts"]["legal"] == 2


@pytest.mark.parametrize(
    ("case", "changes", "code"),
    [
        ("twice", {"events": events(DEAL + 1, cards=["8h", "Kh", "9d"])}, "card-twice"),
        ("over-stack", {"events": events(OPENING, add=10**12)}, "over-stack"),
        ("no-chip", {"events": events(OPENING, add=0)}, "open-below-minimum"),
        ("declared", {"declared": {"stacks": [0, 0, 0, 0]}}, "declared-stacks"),
        ("unknown-key", {"delaer": 1}, "unknown-key"),
    ],
)
def test_a_hand_that_breaks_the_rules_is_found_to(
    sent: Send, case: str, changes: Json, code: str
) -> None:
    upload, problems, hands = sent(raw(f"{case}-good") + b"\n" + raw(case, **changes))
    assert problems == []
    assert upload["counts"]["hands"] == 2
    codes = {one["hand"]: one["codes"] for one in hands}
    assert code in codes[case]
    assert codes[f"{case}-good"] == []


def test_a_broken_list_gives_the_hands_before_it_broke(sent: Send) -> None:
    body = b"[" + raw("broken1") + b',{"a":,},' + raw("broken2") + b',{"a": [}'
    upload, problems, hands = sent(body)
    assert upload["status"] == "done"
    assert [(one["line"], one["code"]) for one in problems] == [
        (2, "not-json"),
        (4, "broken-array"),
    ]
    assert problems[1]["offset"] == len(body) - 1
    assert sorted(one["hand"] for one in hands) == ["broken1", "broken2"]


def test_packed_data_that_breaks_off_gives_the_hands_before(sent: Send) -> None:
    upload, problems, hands = sent(gzip.compress(raw("cut") + b"\n")[:-4])
    assert upload["status"] == "done"
    assert [one["code"] for one in problems] == ["truncated-stream"]
    assert [one["hand"] for one in hands] == ["cut"]


def test_a_bomb_fails_with_the_limit_it_met(sent: Send) -> None:
    upload, problems, hands = sent(gzip.compress(raw("bomb") + b"\n" + b" " * (200 << 20)))
    assert (upload["status"], upload["failure"]["code"]) == ("failed", "max_ratio")
    assert [one["hand"] for one in hands] == ["bomb"]
    assert problems == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b" \n ", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not-json"),
        (json.dumps(hand("wide")).encode("utf-16"), "not-utf8"),
        (b'{"format": "retourne/9.0", "hands": []}', "wrong-version"),
    ],
)
def test_an_upload_that_is_nothing_we_read(sent: Send, body: bytes, code: str) -> None:
    upload, problems, hands = sent(body)
    assert (upload["status"], hands) == ("done", [])
    assert [one["code"] for one in problems] == [code]


def test_problems_go_on_where_the_page_ended(sent: Send, process_tree: ServedTree) -> None:
    upload, _, _ = sent(b"\n".join(b"bad %d" % n for n in range(5)))
    seen: list[int] = []
    following = f"{upload['links']['problems']}?limit=2"
    while following:
        page = ask(process_tree.base_url, "GET", following).json
        seen += [one["line"] for one in page["problems"]]
        following = page["next"]
    assert seen == [1, 2, 3, 4, 5]
