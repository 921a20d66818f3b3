"""The API's document says what there is: every address, no other, and as it is checked in."""

import json
import re
from http import HTTPStatus
from typing import Any

import pytest
from flask import Flask
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # has no types

from service.api.description import DOCUMENT_FILE, description, description_text
from service.api.openapi import TAGS
from service.api.operations import OPERATIONS
from service.problems import PROBLEMS
from tests.service.client import keyed_app
from warehouse.settings import Settings

LISTS = (
    *("list_uploads", "list_problems", "list_conflicts", "list_hands", "list_sessions"),
    *("list_players", "list_profit"),
)
HAND = ("show_hand", "show_replay", "show_original")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return keyed_app(Settings(data=tmp_path_factory.mktemp("described")))


def described() -> dict[str, dict[str, Any]]:
    """The document's operations by their id."""
    return {
        one["operationId"]: {**one, "method": method.upper(), "path": path}
        for path, methods in description()["paths"].items()
        for method, one in methods.items()
        if method != "parameters"
    }


def references(part: object) -> set[str]:
    if isinstance(part, list):
        return set().union(*map(references, part))
    if not isinstance(part, dict):
        return set()
    found = set().union(*map(references, part.values()))
    return found | ({part["$ref"]} if isinstance(part.get("$ref"), str) else set())


def test_the_document_is_current() -> None:
    assert DOCUMENT_FILE.read_text() == description_text(), "run: python -m service.api"


def test_every_route_is_described_and_nothing_else(app: Flask) -> None:
    routed = {
        (method, re.sub(r"<(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.") or rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {(one["method"], one["path"]) for one in described().values()} == routed
    assert {(one.method, re.sub(r"<(\w+)>", r"{\1}", one.path)) for one in OPERATIONS} == routed


def test_the_document_is_served_as_it_is(app: Flask) -> None:
    client = app.test_client()
    answer = client.get("/api/v1/openapi.json")
    assert answer.text == description_text()
    known = {"If-None-Match": answer.headers["ETag"]}
    assert client.get("/api/v1/openapi.json", headers=known).status_code == HTTPStatus.NOT_MODIFIED


def secured(document: dict[str, Any]) -> list[dict[str, list[str]]]:
    """What the operations say that they take, each scheme with its scopes."""
    operations = [one for path in document["paths"].values() for one in path.values()]
    return [taken for one in operations if "security" in one for taken in one["security"]]


def test_every_reference_leads_to_a_part_and_every_part_is_referred_to() -> None:
    document = description()
    parts = {
        f"#/components/{kind}/{name}" for kind, of in document["components"].items() for name in of
    }
    schemes = {f"#/components/securitySchemes/{name}" for one in secured(document) for name in one}
    assert references(document) | schemes == parts


def test_every_schema_is_one() -> None:
    for schema in description()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_part_is_said_in_words() -> None:
    document = description()
    assert [tag["name"] for tag in document["tags"]] == list(TAGS)
    assert {one.tag for one in OPERATIONS} == set(TAGS)
    for schema in document["components"]["schemas"].values():
        assert schema["description"]
    for one in described().values():
        assert one["summary"]
        assert all(parameter["description"] for parameter in one["parameters"])


def test_every_list_is_gone_through_in_the_same_way() -> None:
    for name in LISTS:
        parameters = {one["name"]: one["schema"] for one in described()[name]["parameters"]}
        assert parameters["limit"] == {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 50,
            "description": "a whole number, 1 to 1000",
        }
        assert parameters["cursor"]["type"] == "string"
        assert parameters["cursor"]["description"] == "the cursor of a link next"


def test_what_is_said_of_a_hand_has_an_entity_tag() -> None:
    for name in HAND:
        responses = described()[name]["responses"]
        assert "ETag" in responses["200"]["headers"]
        assert "304" in responses


def test_every_problem_is_described_where_it_may_come_from() -> None:
    types = set(re.findall(r"/api/v1/codes#([a-z-]+)", json.dumps(description()["paths"])))
    # no operation of its own: the method is wrong before there is one
    assert types == set(PROBLEMS) - {"method-not-allowed"}
