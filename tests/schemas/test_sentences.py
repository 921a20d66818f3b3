"""Every finding can be said in every language, with the values that findings really have."""

import re
from pathlib import Path

import pytest

from engine.violations import CODES
from schemas.audit import ExaminedHand, audit_document, examine_hand
from schemas.sentences import NOTHING, sentences, wording_of
from schemas.wording import ACT_WORDS, LANGUAGES, OR, TEMPLATES

VIOLATIONS = Path(__file__).parents[2] / "schemas/examples/violations"
ALL_CODES = [*CODES, "unknown-key"]
PLACEHOLDERS = {"player", "expected", "seen", "expected_player"}


def examined(code: str) -> ExaminedHand:
    hand = examine_hand((VIOLATIONS / f"{code}.json").read_bytes())
    assert isinstance(hand, ExaminedHand), hand
    return hand


def named(template: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", template))


@pytest.mark.parametrize("wording", TEMPLATES)
def test_a_wording_says_the_same_in_every_language(wording: str) -> None:
    templates = TEMPLATES[wording]
    assert tuple(templates) == LANGUAGES
    assert len(set(templates.values())) == len(LANGUAGES)
    assert named(templates["en"]) <= PLACEHOLDERS
    for template in templates.values():
        assert template == template.strip()
        assert template[-1] in ".?"


def test_acts_are_said_in_every_language() -> None:
    for words in (*ACT_WORDS.values(), OR):
        assert tuple(words) == LANGUAGES


def test_every_wording_belongs_to_a_code() -> None:
    assert {wording.partition("/")[0] for wording in TEMPLATES} == set(ALL_CODES)


@pytest.mark.parametrize("code", ALL_CODES)
def test_a_real_finding_fills_every_place_of_its_sentence(code: str) -> None:
    audit = audit_document(examined(code))
    beside = {"cards-missing"} if code == "declared-impossible" else set()
    assert {violation.code for violation in audit.violations} == {code} | beside
    for violation in audit.violations:
        assert tuple(violation.message) == LANGUAGES
        for sentence in violation.message.values():
            assert NOTHING not in re.findall(r"[^\s.,;:()]+", sentence)
            assert "{" not in sentence


def test_acts_are_put_in_the_language_s_own_words() -> None:
    (violation,) = audit_document(examined("fold-before-opening")).violations
    assert violation.message == {
        "en": "Before the opening nobody folds; Ben may pass.",
        "fr": "Avant l'ouverture on n'abandonne pas, Ben peut passer.",
        "de": "Vor der Eröffnung steigt niemand aus, Ben kann passen.",
        "pt": "Antes da abertura não se desiste; Ben pode passar.",
    }


def test_a_choice_of_acts_is_listed_with_the_language_s_own_or() -> None:
    (violation,) = audit_document(examined("pass-after-opening")).violations
    assert violation.message["en"].endswith("only call, raise or fold.")
    assert violation.message["fr"].endswith("seulement suivre, relancer ou abandonner.")
    assert violation.message["de"].endswith("nur mitgehen, erhöhen oder aussteigen.")
    assert violation.message["pt"].endswith("só igualar, aumentar ou desistir.")


def test_an_act_of_another_game_is_named_as_the_document_names_it() -> None:
    (violation,) = audit_document(examined("foreign-act")).violations
    assert violation.seen == "play"
    assert violation.message["en"] == "“play” is not an act of this game."


def test_winners_and_missing_cards_are_named_by_player() -> None:
    _, winners = audit_document(examined("declared-pots")).violations
    assert (
        winners.message["en"] == "The winners of a pot are declared as Anna 12; they are Anna 13."
    )
    (missing,) = audit_document(examined("cards-missing")).violations
    assert missing.message["en"].endswith("(3 × Carla).")


def test_a_player_may_have_an_act_s_name() -> None:
    raw = (VIOLATIONS / "cards-missing.json").read_bytes().replace(b"Carla", b"pass")
    hand = examine_hand(raw)
    assert isinstance(hand, ExaminedHand)
    (violation,) = audit_document(hand).violations
    assert violation.message["de"].endswith("(3 × pass).")


def test_a_name_is_not_read_as_a_template() -> None:
    said = sentences("out-of-turn", player="{seen}", expected="1", seen="2", expected_player="{0}")
    assert said["en"] == "{seen} acted out of turn; {0} was to speak."


@pytest.mark.parametrize(
    ("declared", "wordings"),
    [
        ('{"pots": []}', ["declared-pots/count"]),
        ('{"pots": [{"amount": 13, "winners": {"1": 13}}]}', ["declared-pots/winners"]),
        ('{"pots": [{"amount": 12, "winners": {"0": 13}}]}', ["declared-pots/amount"]),
        ('{"premiums": {"7": 2}}', ["declared-premiums/no-seat"]),
        ('{"stacks": [108, 95, 99]}', ["declared-stacks/count"]),
        ('{"stacks": [108, 95, 99, 97]}', ["declared-stacks"]),
    ],
)
def test_a_declared_part_is_worded_by_what_differs(declared: str, wordings: list[str]) -> None:
    assert worded("declared-pots", declared) == wordings


def test_stacks_that_do_not_add_up_are_seen_without_the_cards() -> None:
    assert "declared-stacks/sum" in worded("cards-missing", '{"stacks": [104, 97, 99, 99]}')


def test_after_the_end_no_act_is_offered_instead() -> None:
    hand = examined("hand-over")
    raw = (VIOLATIONS / "hand-over.json").read_bytes()
    last = b'{"do": "call", "seat": 3, "add": 3}'
    assert last in raw
    late = examine_hand(raw.replace(last, b'{"do": "decline", "seat": 3}'))
    assert isinstance(late, ExaminedHand)
    (found,) = late.replay.violations
    assert wording_of(found, hand.hand) == "wrong-stage/over"
    assert wording_of(hand.replay.violations[0], hand.hand) == "hand-over"


def worded(example: str, declared: str) -> list[str]:
    """The wordings of the findings in an example with another declared result."""
    raw = (VIOLATIONS / f"{example}.json").read_bytes()
    head = raw[: raw.rindex(b"]") + 1].partition(b',\n  "declared"')[0]
    hand = examine_hand(b'%b, "declared": %b}' % (head, declared.encode()))
    assert isinstance(hand, ExaminedHand), hand
    return [wording_of(found, hand.hand) for found in hand.replay.violations]
