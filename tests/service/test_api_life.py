"""What is stored lives on: ruled upon, deleted, taken up again, audited anew; over the API."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import ServedTree, Until
from tests.service.client import Answer, ask
from tests.service.test_api_uploads import hand

Json = dict[str, Any]
Call = Callable[..., Answer]


@pytest.fixture
def call(process_tree: ServedTree) -> Call:
    def send(method: str, path: str, document: object = None, body: bytes | None = None) -> Answer:
        if document is not None:
            body = json.dumps(document).encode()
        return ask(process_tree.base_url, method, path, body)

    return send


@pytest.fixture
def audited(call: Call, until: Until) -> Callable[..., Json]:
    """Sends hands and waits until their audit is over."""

    def run(*hands: Json) -> Json:
        body = b"\n".join(json.dumps(one).encode() for one in hands)
        place = call("POST", "/api/v1/uploads", body=body).json["links"]["self"]
        until(lambda: call("GET", place).json["finished_at"])
        upload: Json = call("GET", place).json
        return upload

    return run


def _hands(call: Call, upload: Json) -> list[Json]:
    found: list[Json] = call("GET", upload["links"]["hands"]).json["hands"]
    return found


def _stands(call: Call, hand_id: str) -> str:
    return str(call("GET", f"/api/v1/hands/{hand_id}").json["standing"])


def test_a_conflict_is_ruled_upon(call: Call, audited: Callable[..., Json]) -> None:
    first = audited(hand("ruled"))
    second = audited(hand("ruled", unit=2))
    [conflict] = call("GET", f"/api/v1/conflicts?upload={second['id']}&ruled=false").json[
        "conflicts"
    ]
    assert conflict["hand"] == "ruled"
    assert conflict["ruling"] is None
    ours, theirs = conflict["contestants"]
    assert (ours["upload"], theirs["upload"]) == (first["id"], second["id"])
    assert conflict["hand_id"] == ours["hand_id"]
    place = conflict["links"]["ruling"]
    ruled = call("POST", place, {"stands": theirs["hand_id"]})
    assert ruled.status == 200
    assert ruled.json["ruling"]["stands"] == theirs["hand_id"]
    assert ruled.json["ruling"]["ruled_by"]
    assert [_stands(call, one["hand_id"]) for one in (ours, theirs)] == ["conflict", "first"]
    assert call("POST", place, {"stands": theirs["hand_id"]}).json == ruled.json
    assert call("GET", f"/api/v1/conflicts?upload={first['id']}&ruled=true").json["conflicts"] == [
        ruled.json
    ]
    assert call("GET", f"/api/v1/conflicts/{theirs['hand_id']}").json == ruled.json
    none = call("POST", place, {"stands": "none"})
    assert [one["standing"] for one in none.json["contestants"]] == ["conflict", "conflict"]

    wrong = call("POST", place, {"stands": "0" * 24}).problem(422, "not-a-contestant")
    assert wrong["contestants"] == [ours["hand_id"], theirs["hand_id"]]
    call("POST", place, {"stands": "nobody"}).problem(422, "bad-body")
    call("POST", place, {}).problem(422, "bad-body")
    nowhere = f"/api/v1/conflicts/{'0' * 24}"
    call("POST", f"{nowhere}/ruling", {"stands": "none"}).problem(404, "not-found")
    call("GET", nowhere).problem(404, "not-found")


def test_a_deleted_hand_comes_back_from_the_upload_that_repeats_it(
    call: Call, audited: Callable[..., Json], until: Until
) -> None:
    first = audited(hand("gone"), hand("shared"))
    second = audited(hand("shared"), hand("kept"))
    assert second["counts"]["duplicates"] == 1
    [gone] = [one for one in _hands(call, first) if one["hand"] == "gone"]
    deleted = call("DELETE", first["links"]["self"])
    assert deleted.status == 200
    assert deleted.json["deletion"]["upload"] == first["id"]
    assert deleted.json["deletion"]["hands"] == 2
    assert deleted.json["renewed"] == [second["id"]]
    call("GET", first["links"]["self"]).problem(404, "not-found")
    call("GET", gone["links"]["self"]).problem(404, "not-found")
    until(lambda: len(_hands(call, second)) == 2)
    counts = call("GET", second["links"]["self"]).json["counts"]
    assert (counts["hands"], counts["duplicates"]) == (2, 0)
    assert call("GET", "/api/v1/deletions?limit=1").json["deletions"] == [deleted.json["deletion"]]
    again = call("DELETE", first["links"]["self"]).problem(404, "not-found")
    assert "was deleted" in again["detail"]
    reaudits = call("GET", "/api/v1/reaudits").json["reaudits"]
    [renewal] = [one for one in reaudits if one["asked"] == {"deleted": first["id"]}]
    until(lambda: call("GET", renewal["links"]["self"]).json["status"] == "done")
    assert audited(hand("gone"), hand("shared"))["id"] == first["id"]  # it may come again


def test_what_was_given_up_is_listed_and_taken_up_again(call: Call, until: Until) -> None:
    body = gzip.compress(b" " * 80_000_000)  # unfolds too far
    place = call("POST", "/api/v1/uploads", body=body).json["links"]["self"]
    until(lambda: call("GET", place).json["status"] == "failed")
    upload = call("GET", place).json

    def dead() -> list[Json]:
        letters: list[Json] = call("GET", "/api/v1/dead-letters?limit=1000").json["dead_letters"]
        return [one for one in letters if one["upload"] == upload["id"]]

    [letter] = dead()
    assert (letter["work"], letter["status"]) == ("audit", "failed")
    assert (letter["code"], letter["since"]) == (upload["failure"]["code"], upload["finished_at"])
    retried = call("POST", letter["links"]["retry"])
    assert (retried.status, retried.json["work"]) == (200, ["audit"])
    until(lambda: dead() and dead()[0]["since"] > letter["since"])
    call("DELETE", place)
    assert dead() == []
    call("POST", letter["links"]["retry"]).problem(404, "not-found")


def test_only_what_was_given_up_can_be_taken_up_again(
    call: Call, audited: Callable[..., Json]
) -> None:
    upload = audited(hand("retried"))
    call("POST", f"{upload['links']['self']}/retry").problem(409, "not-given-up")


def test_uploads_are_audited_anew_on_demand(
    call: Call, audited: Callable[..., Json], until: Until
) -> None:
    upload = audited(hand("anew-1"), hand("anew-2"))
    nothing = call("POST", "/api/v1/reaudits", {"uploads": [upload["id"]]})
    assert nothing.status == 200
    assert (nothing.json["status"], nothing.json["hands"]) == ("done", 0)

    wanted = {"uploads": [upload["id"]], "force": True, "verdict": "legal"}
    asked = call("POST", "/api/v1/reaudits", wanted)
    assert asked.status == 202
    assert (asked.json["asked"], asked.json["hands"]) == (wanted, 2)
    place = asked.headers["location"]
    until(lambda: call("GET", place).json["status"] == "done")
    done = call("GET", place).json
    assert (done["progress"], done["hands_done"], done["changed"]) == (1.0, 2, 0)
    assert call("GET", f"{place}/differences").json == {"differences": [], "next": None}
    first = _hands(call, upload)[0]
    history = call("GET", f"/api/v1/hands/{first['hand_id']}/verdicts").json["verdicts"]
    assert [(one["verdict"], one["current"]) for one in history] == [
        ("legal", True),
        ("legal", False),
    ]
    page = call("GET", "/api/v1/reaudits?limit=1").json
    assert page["reaudits"] == [done]
    assert call("GET", page["next"]).status == 200


@pytest.mark.parametrize(
    "wanted",
    [
        {"uploads": ["0" * 64]},
        {"uploads": ["x"]},
        {"uploads": []},
        {"preset": "nobody/nothing"},
        {"code": "no-code"},
        {"from": "2026-99-99"},
        {"forced": True},
    ],
)
def test_a_reaudit_of_what_is_not_there_is_refused(call: Call, wanted: Json) -> None:
    call("POST", "/api/v1/reaudits", wanted).problem(422, "bad-body")


def test_what_does_not_exist_is_said_not_to(call: Call) -> None:
    for path in ("reaudits/" + "0" * 16, "reaudits/" + "0" * 16 + "/differences"):
        call("GET", f"/api/v1/{path}").problem(404, "not-found")
    call("GET", f"/api/v1/hands/{'0' * 24}/verdicts").problem(404, "not-found")
    call("GET", "/api/v1/reaudits?cursor=" + "0" * 16).problem(400, "bad-parameter")
