"""The JSON Schema of sessions: current, and at one with what the audit reads."""

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from referencing import Registry, Resource

from schemas.jsonschema import hand_schema
from schemas.session_jsonschema import SESSION_SCHEMA_FILE, session_schema, session_schema_text
from tests.schemas.sessions import VIOLATIONS, WORKED, generated

HAND: Resource[object] = Resource.from_contents(hand_schema())
REGISTRY: Registry[object] = Registry().with_resource("hand-1.0.json", HAND)
VALIDATOR = jsonschema.Draft202012Validator(session_schema(), registry=REGISTRY)


def test_the_schema_that_is_checked_in_is_current() -> None:
    assert SESSION_SCHEMA_FILE.read_text() == session_schema_text()


@pytest.mark.parametrize("path", [*WORKED, *VIOLATIONS], ids=lambda path: path.stem)
def test_an_example_is_valid(path: Path) -> None:
    if path.stem != "hand-unreadable":
        VALIDATOR.validate(json.loads(path.read_bytes()))


def test_a_generated_session_is_valid() -> None:
    VALIDATOR.validate(generated(3))


@pytest.mark.parametrize(
    "document",
    [
        {"session": {"id": "a"}},
        {"hands": []},
        {"session": {"id": "a"}, "hands": [{}]},
        {"session": {"id": "a"}, "hands": [], "standings": [{"player": "a", "result": "6.25"}]},
    ],
)
def test_what_the_audit_refuses_is_invalid(document: object) -> None:
    assert not VALIDATOR.is_valid(document)
