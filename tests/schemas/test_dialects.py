import json
import re
from pathlib import Path

import msgspec
import pytest

from engine.presets import BOURRE, PRESETS
from schemas.audit import audit_document, examine_hand
from schemas.dialects import (
    AXES,
    PLAIN,
    DetectedDialect,
    Dialect,
    UndecidedDialect,
    detect,
    dialect_named,
)
from schemas.dialects.table import traits_of
from schemas.document import Raise
from schemas.errors import UnreadableHand
from schemas.generate import generate_hands
from tests.schemas.dialect_reading import (
    CORPUS,
    EXAMPLES,
    W1,
    content,
    converted,
    read,
    refused,
    w1_in,
)
from tests.schemas.dialect_writing import ALL_DIALECTS, SPELLINGS, Tree, in_dialect

IN_CORPUS = sorted(path for path in CORPUS.rglob("*.*") if path.parent.name != "undecided")
FAULTY = [
    path
    for path in sorted([*EXAMPLES.glob("*.json"), *(EXAMPLES / "violations").glob("*.json")])
    if path.stem not in ("unknown-key", "no-such-seat")
]


@pytest.mark.parametrize("path", IN_CORPUS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_example_becomes_the_document_of_its_name(path: Path) -> None:
    raw = path.read_bytes()
    done = converted(raw, read(path.parent.name))
    assert content(done.document) == content((EXAMPLES / f"{path.stem}.json").read_bytes())
    assert done.assumptions == []
    detected = detect(raw)
    assert isinstance(detected, DetectedDialect)
    assert detected.name == path.parent.name


@pytest.mark.parametrize(
    ("name", "candidates", "question"),
    [
        ("french-or-portuguese", ["french", "portuguese"], "in which language"),
        ("raise-by-or-to", ["log", "log+raise-to"], "what is added, or all that"),
    ],
)
def test_a_hand_in_several_dialects_is_asked_about(
    name: str, candidates: list[str], question: str
) -> None:
    raw = (CORPUS / "undecided" / f"{name}.json").read_bytes()
    undecided = detect(raw)
    assert isinstance(undecided, UndecidedDialect)
    assert undecided.candidates == candidates
    assert question in undecided.question
    documents = [converted(raw, read(candidate)).document for candidate in candidates]
    assert documents[0] != documents[1]


@pytest.mark.parametrize("dialect", ALL_DIALECTS, ids=lambda dialect: dialect.name)
def test_the_first_worked_hand_is_the_same_and_legal_in_every_dialect(dialect: Dialect) -> None:
    for spelling in SPELLINGS:
        raw = in_dialect(W1, dialect, spelling)
        done = converted(raw, dialect)
        assert content(done.document) == content(W1)
        examined = examine_hand(done.document)
        assert not isinstance(examined, UnreadableHand)
        assert audit_document(examined).verdict == "legal"
        detected = detect(raw)
        assert isinstance(detected, DetectedDialect)
        assert content(converted(raw, read(detected.name)).document) == content(W1)
        if spelling == "letters":
            assert detected.name == dialect.name


def test_names_go_both_ways() -> None:
    for dialect in ALL_DIALECTS:
        assert dialect_named(dialect.name) == dialect
    assert dialect_named("clockwise+french") == dialect_named("french+clockwise")
    assert dialect_named(PLAIN) == Dialect()
    assert dialect_named("english+in-turn") == Dialect()


@pytest.mark.parametrize("name", ["", "klingon", "french+german", "french+", "auto", "v1+french"])
def test_what_names_no_dialect(name: str) -> None:
    assert dialect_named(name) is None


def test_a_card_of_another_language_is_pointed_at() -> None:
    error = refused(
        w1_in("french", lambda tree: tree["events"][4].update(cards=["Ac", "Kh", "9ca"])), "french"
    )
    assert (error.code, error.pointer, error.seen) == (
        "unknown-card",
        "/events/4/cards/1",
        '"Kh"',
    )
    assert "french" in error.expected


def test_a_total_below_what_is_in_is_refused() -> None:
    # Ben has put in an ante of 1 and a carre of 10 when he raises.
    error = refused(w1_in("raise-to", lambda tree: tree["events"][11].update(add=10)), "raise-to")
    assert (error.code, error.pointer, error.seen) == ("out-of-range", "/events/11/add", "10")
    assert "11" in error.expected


def test_a_total_is_a_total_in_every_dialect() -> None:
    def write(tree: Tree) -> None:
        del tree["events"][9]["add"]
        tree["events"][9]["to"] = 15  # Dan has put in 2
        tree["events"][11] |= {"to": 30}  # and beside it the 19 that it adds

    assert content(converted(w1_in("v1", write), Dialect()).document) == content(W1)


def test_a_total_and_an_amount_must_agree() -> None:
    error = refused(w1_in("v1", lambda tree: tree["events"][11].update(to=31)), "v1")
    assert (error.code, error.pointer, error.seen) == ("unknown-value", "/events/11/add", "19")
    assert "20" in error.expected


def test_an_error_in_a_turned_list_points_where_it_was_written() -> None:
    # Clockwise, Anna, who is first to act, is listed last.
    error = refused(w1_in("clockwise", lambda tree: tree["seats"][3].update(stack=-1)), "clockwise")
    assert (error.code, error.pointer) == ("out-of-range", "/seats/3/stack")


def test_a_player_whom_nobody_knows_is_pointed_at() -> None:
    error = refused(w1_in("log", lambda tree: tree["actions"][9].update(player="Dan2")), "log")
    assert (error.code, error.pointer, error.seen) == (
        "unknown-value",
        "/actions/9/player",
        '"Dan2"',
    )


def test_turns_that_go_back_are_refused() -> None:
    error = refused(w1_in("log", lambda tree: tree["actions"][9].update(turn=2)), "log")
    assert (error.code, error.pointer, error.seen) == ("out-of-range", "/actions/9/turn", "2")


def test_a_detail_says_itself_what_it_means() -> None:
    raw = w1_in("log", lambda tree: tree["actions"][11].update(detail="to 30"))
    assert content(converted(raw, read("log")).document) == content(W1)
    raw = w1_in("log", lambda tree: tree["actions"][11].update(detail="+19"))
    assert content(converted(raw, read("log+raise-to")).document) != content(W1)
    assert content(converted(raw, read("log")).document) == content(W1)


def test_an_error_of_open_hand_history_points_into_its_rounds() -> None:
    raw = w1_in("ohh", lambda tree: tree["ohh"]["rounds"][1]["actions"][2].update(amount=9.5))
    error = refused(raw, "ohh")
    assert (error.code, error.pointer, error.seen) == (
        "wrong-type",
        "/ohh/rounds/1/actions/2/amount",
        "9.5",
    )


def test_a_row_and_a_column_are_pointed_at() -> None:
    raw = in_dialect(W1, read("csv")).replace(b"8h; Qh; 8c", b"8h; Xh; 8c")
    error = refused(raw, "csv")
    assert (error.code, error.pointer, error.seen) == ("unknown-card", "/7/cards/1", '"Xh"')


def test_a_number_in_a_row_is_pointed_at() -> None:
    error = refused(in_dialect(W1, read("csv")).replace(b"Dan,13", b"Dan,13.5"), "csv")
    assert (error.code, error.pointer, error.seen) == ("wrong-type", "/13/amount", "13.5")


def test_what_has_no_place_is_told() -> None:
    done = converted(w1_in("log", lambda tree: tree.update(mood="good")), read("log"))
    assert done.assumptions == [
        "left out what the hand document has no place for: mood",
    ]
    done = converted(w1_in("v1", lambda tree: tree["seats"][1].update(mood="good")), Dialect())
    assert done.assumptions == ["left out /seats/1/mood"]


def test_bourre_keeps_its_order_and_says_so() -> None:
    (hand,) = generate_hands(1, 5, ("bourre/louisiana",))
    document = msgspec.json.encode(hand)
    done = converted(document, read("clockwise"))
    assert content(done.document) == content(document)
    assert done.assumptions == ["Bourré goes clockwise, so the seats keep their order"]


def test_a_fault_in_a_hand_document_makes_no_dialect_of_it() -> None:
    for example in ("fault-call-amount", "fault-out-of-turn", "fault-raise-too-small"):
        detected = detect((EXAMPLES / f"{example}.json").read_bytes())
        assert isinstance(detected, DetectedDialect)
        assert detected.name == PLAIN


def test_a_hand_document_that_another_reading_makes_right_is_asked_about() -> None:
    def promise(tree: Tree) -> None:
        tree["format"] = "retourne/1.0"

    undecided = detect(w1_in("clockwise", promise))
    assert isinstance(undecided, UndecidedDialect)
    assert undecided.candidates == ["v1", "clockwise"]
    assert undecided.question == "are the seats listed in turn order, or clockwise?"


def test_the_log_on_the_page_is_read() -> None:
    page = (EXAMPLES.parent.parent / "docs/dialects.md").read_text()
    (log,) = re.findall(r"```json\n(.+?)```", page, re.DOTALL)
    detected = detect(log.encode())
    assert isinstance(detected, DetectedDialect)
    assert detected.name == "log"
    examined = examine_hand(converted(log.encode(), read("log")).document)
    assert not isinstance(examined, UnreadableHand)
    assert examined.replay.violations == []
    (raised,) = [event for event in examined.hand.events if isinstance(event, Raise)]
    assert raised.add == 11  # to 12, of which the ante was 1


def test_the_question_on_the_page_is_the_one_that_is_asked() -> None:
    page = (EXAMPLES.parent.parent / "docs/dialects.md").read_text()
    undecided = detect((CORPUS / "undecided/french-or-portuguese.json").read_bytes())
    assert isinstance(undecided, UndecidedDialect)
    assert f"undecided {undecided.question}" in page


@pytest.mark.parametrize("dialect", sorted({path.parent.name for path in IN_CORPUS}))
def test_every_folder_of_examples_is_named_as_its_dialect(dialect: str) -> None:
    assert read(dialect).name == dialect


def test_every_trait_has_an_example() -> None:
    dialects = [read(path.parent.name) for path in IN_CORPUS]
    for axis in AXES:
        assert {getattr(dialect, axis) for dialect in dialects} == set(traits_of(axis))


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_a_faulty_hand_is_as_faulty_after(path: Path) -> None:
    tree = json.loads(path.read_bytes())
    tree["view"] = 1
    bourre = PRESETS[tree["rules"]["preset"]].game is BOURRE
    foreign = path.stem == "foreign-act"
    for dialect in ALL_DIALECTS:
        if dialect.shape == "ohh" and (bourre or foreign):
            continue
        tree.pop("x", None)
        if dialect.shape != "csv":
            tree["x"] = {"kept": [1.50, None, "\u00e9"]}
        document = json.dumps(tree).encode()
        assert content(converted(in_dialect(document, dialect), dialect).document) == content(
            document
        )


def test_what_open_hand_history_has_no_word_for_is_refused() -> None:
    bourre = (EXAMPLES / "fault-renege-shown-later.json").read_bytes()
    tree = json.loads(in_dialect(W1, read("ohh")))
    tree["ohh"]["rounds"][1]["actions"][0]["action"] = "stay"
    error = refused(json.dumps(tree).encode(), "ohh")
    assert (error.code, error.pointer, error.seen) == (
        "unknown-value",
        "/ohh/rounds/1/actions/0/action",
        '"stay"',
    )
    assert refused(bourre, "ohh").code == "missing-key"


@pytest.mark.parametrize("shape", ["log", "csv"])
def test_a_player_of_the_name_of_a_view_is_not_taken_for_it(shape: str) -> None:
    tree = json.loads(W1)
    tree["seats"][1]["player"] = "full"
    document = json.dumps(tree).encode()
    dialect = read(shape)
    assert content(converted(in_dialect(document, dialect), dialect).document) == content(document)


def test_a_number_with_a_fraction_of_nothing_is_whole() -> None:
    raw = W1.replace(b'"stack": 100', b'"stack": 100.0').replace(b'"add": 13', b'"add": 13.00')
    assert content(converted(raw, Dialect()).document) == content(W1)
    error = refused(W1.replace(b'"add": 13', b'"add": 13.5'), "v1")
    assert (error.code, error.pointer, error.seen) == ("wrong-type", "/events/9/add", "13.5")


def test_a_card_may_be_an_object() -> None:
    def write(tree: Tree) -> None:
        tree["events"][8]["card"] = {"rank": 9, "suit": "pique"}
        tree["events"][3]["cards"][1] = {"rank": "dame", "suit": "cœur"}

    assert content(converted(w1_in("french", write), read("french")).document) == content(W1)


def test_what_rows_lack_is_named() -> None:
    raw = in_dialect(W1, read("csv"))
    error = refused(raw.replace(b"raise,Ben,19", b"raise,Ben,"), "csv")
    assert (error.code, error.pointer) == ("missing-key", "/15/amount")
    error = refused(raw.replace(b"100,yes", b"100,"), "csv")
    assert (error.code, error.pointer, error.expected) == (
        "missing-key",
        "",
        "a row `seat` whose `dealer` is yes",
    )
    error = refused(raw.replace(b"preset", b"rules"), "csv")
    assert error.code == "missing-key"
    assert "`preset`" in error.expected
    error = refused(raw.replace(b"declared-stack,Ben,109", b"fold,Ben,"), "csv")
    assert error.expected == "a row `declared-stack` for every player"
