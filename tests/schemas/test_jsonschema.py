import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types

from schemas.decode import DecodedHand, decode_hand
from schemas.jsonschema import SCHEMA_FILE, hand_schema, schema_text

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"
FOLDERS = (EXAMPLES, EXAMPLES / "violations")
HANDS = sorted(
    path
    for folder in FOLDERS
    for path in folder.glob("*.json")
    if path.name != "unknown-key.json"  # that one is for the warning
)


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(hand_schema())
    return Draft202012Validator(hand_schema())


@pytest.fixture
def hand() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((EXAMPLES / "w1-carre-and-side-pot.json").read_text())
    return document


def test_the_schema_that_is_checked_in_is_current() -> None:
    assert SCHEMA_FILE.read_text() == schema_text()


@pytest.mark.parametrize("path", HANDS, ids=lambda path: path.stem)
def test_the_examples_meet_the_schema_and_are_read(
    path: Path, validator: Draft202012Validator
) -> None:
    assert list(validator.iter_errors(json.loads(path.read_text()))) == []
    assert isinstance(decode_hand(path.read_bytes()), DecodedHand)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "retourne/2.0"),
        ("dealer", 8),
        ("dealer", "0"),
        ("seats", []),
        ("events", [{"do": "jump", "seat": 0}]),
        ("events", [{"do": "fold"}]),
        ("events", [{"do": "open", "seat": 0, "add": 1.5}]),
        ("declared", {"premiums": {"8": 0}}),
        ("playd_at", "2026-03-14T20:15:03Z"),
    ],
)
def test_what_is_no_hand_document_does_not_meet_it(
    validator: Draft202012Validator, hand: dict[str, Any], key: str, value: object
) -> None:
    assert validator.is_valid(hand)
    assert not validator.is_valid({**hand, key: value})
