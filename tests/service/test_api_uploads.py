import gzip
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
import zstandard

from tests.conftest import ServedTree, Until
from tests.service.client import Answer, ask

ROOT = Path(__file__).parents[2]
EXAMPLE = json.loads((ROOT / "schemas" / "examples" / "w1-carre-and-side-pot.json").read_text())
UPLOADS = "/api/v1/uploads"

Json = dict[str, Any]
Audit = Callable[..., Json]


def hand(name: str, **changes: object) -> Json:
    """The example under a name of its own, without the session that all examples share."""
    document = {key: value for key, value in EXAMPLE.items() if key != "session"}
    return {**document, "id": {**document["id"], "table": "api", "hand": name}, **changes}


def raw(name: str, **changes: object) -> bytes:
    return json.dumps(hand(name, **changes)).encode()


@pytest.fixture
def send(process_tree: ServedTree) -> Callable[..., Answer]:
    def post(
        body: bytes | Iterator[bytes], query: str = "", headers: dict[str, str] | None = None
    ) -> Answer:
        return ask(process_tree.base_url, "POST", f"{UPLOADS}{query}", body, headers)

    return post


@pytest.fixture
def get(process_tree: ServedTree) -> Callable[[str], Any]:
    def read(path: str) -> Any:  # noqa: ANN401 - JSON
        answer = ask(process_tree.base_url, "GET", path)
        assert answer.status == 200, answer.body
        return answer.json

    return read


@pytest.fixture
def audit(send: Callable[..., Answer], get: Callable[[str], Any], until: Until) -> Audit:
    """Sends an upload and waits until its audit is over."""

    def run(
        body: bytes | Iterator[bytes], query: str = "", headers: dict[str, str] | None = None
    ) -> Json:
        answer = send(body, query, headers)
        assert answer.status in (200, 202), answer.body
        place = answer.headers["location"]
        until(lambda: get(place)["finished_at"])
        upload: Json = get(place)
        return upload

    return run


def test_an_upload_is_taken_in_audited_and_found_again(
    send: Callable[..., Answer], audit: Audit, get: Callable[[str], Any], process_tree: ServedTree
) -> None:
    body = raw("first") + b"\n" + raw("second")
    answer = send(body, "?name=evening.ndjson")
    assert answer.status == 202
    assert answer.json["status"] == "received"
    assert answer.headers["location"] == answer.json["links"]["self"]

    upload = audit(body)
    assert (upload["status"], upload["name"]) == ("done", "evening.ndjson")
    assert (upload["size"], upload["bytes_read"], upload["progress"]) == (len(body), len(body), 1.0)
    assert upload["counts"] == {
        "hands": 2,
        "legal": 2,
        "illegal": 0,
        "unverifiable": 0,
        "duplicates": 0,
        "unreadable": 0,
        "conflicts": 0,
    }
    assert upload["failure"] is None
    assert upload["id"] in [one["id"] for one in get(UPLOADS)["uploads"]]

    hands = get(upload["links"]["hands"])["hands"]
    assert sorted(one["hand"] for one in hands) == ["first", "second"]
    second = next(one for one in hands if one["hand"] == "second")
    assert get(second["links"]["original"]) == hand("second")
    original = ask(process_tree.base_url, "GET", second["links"]["original"])
    assert original.body == raw("second")
    verdict = get(second["links"]["self"])
    assert (verdict["hand_id"], verdict["verdict"]) == (second["hand_id"], "legal")
    assert verdict["ours"]["stacks"] == [85, 109, 48, 70]
    replay = get(second["links"]["replay"])
    assert replay["steps"][-1]["state"]["stacks"] == [85, 109, 48, 70]
    assert replay["audit"]["verdict"] == "legal"


def test_the_same_bytes_are_the_same_upload(send: Callable[..., Answer], audit: Audit) -> None:
    upload = audit(raw("twice"))
    again = send(raw("twice"), "?name=other")
    assert again.status == 200
    assert again.json == upload


def test_the_same_hands_in_other_bytes_are_duplicates_and_other_hands_conflicts(
    audit: Audit, get: Callable[[str], Any]
) -> None:
    audit(raw("d1"))
    second = audit(raw("d1") + b"\n" + raw("d1", dealer=2))
    assert second["counts"]["duplicates"] == 1
    assert second["counts"]["conflicts"] == 1
    (conflict,) = get(second["links"]["conflicts"])["conflicts"]
    assert conflict["hand"] == "d1"
    assert get(f"/api/v1/hands/{conflict['hand_id']}")["standing"] == "conflict"


@pytest.mark.parametrize(
    ("form", "headers"),
    [
        ("array", {}),
        ("envelope", {}),
        ("lines", {"Content-Type": "application/x-ndjson"}),
        ("gzip", {"Content-Encoding": "gzip"}),
        ("gzip", {}),
        ("zstd", {"Content-Encoding": "zstd"}),
    ],
)
def test_every_form_of_an_upload(audit: Audit, form: str, headers: dict[str, str]) -> None:
    hands = [hand(f"{form}{len(headers)}{n}") for n in range(3)]
    lines = b"\n".join(json.dumps(one).encode() for one in hands)
    body = {
        "array": json.dumps(hands, indent=1).encode(),
        "envelope": json.dumps({"format": "retourne/1.0", "hands": hands}).encode(),
        "lines": lines,
        "gzip": gzip.compress(lines),
        "zstd": zstandard.ZstdCompressor().compress(lines),
    }[form]
    assert audit(body, "", headers)["counts"]["legal"] == 3


def test_an_upload_in_chunks(audit: Audit) -> None:
    body = b"\n".join(raw(f"chunked{n}") for n in range(50))
    pieces = (body[at : at + 777] for at in range(0, len(body), 777))
    upload = audit(pieces)
    assert (upload["size"], upload["counts"]["legal"]) == (len(body), 50)


def test_a_list_of_uploads_goes_on_where_it_ended(audit: Audit, get: Callable[[str], Any]) -> None:
    sent = [audit(raw(f"page{n}"))["id"] for n in range(3)]
    seen: list[str] = []
    following = f"{UPLOADS}?limit=2"
    while following:
        page = get(following)
        assert len(page["uploads"]) <= 2
        seen += [one["id"] for one in page["uploads"]]
        following = page["next"]
    assert len(seen) == len(set(seen))
    assert [one for one in seen if one in sent] == sent[::-1]


def test_a_list_of_hands_goes_on_where_it_ended(audit: Audit, get: Callable[[str], Any]) -> None:
    upload = audit(b"\n".join(raw(f"list{n}") for n in range(5)))
    seen: list[str] = []
    following = f"{upload['links']['hands']}&limit=2"
    while following:
        page = get(following)
        seen += [one["hand"] for one in page["hands"]]
        following = page["next"]
    assert sorted(seen) == [f"list{n}" for n in range(5)]


def test_hands_are_found_by_every_condition(audit: Audit, get: Callable[[str], Any]) -> None:
    name = "Zoë & 😀/../?"
    seats = [{**EXAMPLE["seats"][0], "player": name}, *EXAMPLE["seats"][1:]]
    session = {"id": "found/1", "hand_no": 1}
    upload = audit(raw("found", seats=seats, session=session, dealer=2))
    (one,) = get(upload["links"]["hands"])["hands"]
    conditions = {
        "player": name,
        "session": "found/1",
        "verdict": one["verdict"],
        "preset": "bouillotte/salon",
        "code": one["codes"][0],
    }
    for parameter, value in conditions.items():
        hands = get(f"/api/v1/hands?{query({parameter: value})}&limit=1000")["hands"]
        assert one["hand_id"] in [found["hand_id"] for found in hands]
    assert [found["hand_id"] for found in get(f"/api/v1/hands?{query(conditions)}")["hands"]] == [
        one["hand_id"]
    ]
    assert get("/api/v1/hands?player=nobody")["hands"] == []


def query(conditions: dict[str, str]) -> str:

    return urlencode(conditions)


def test_a_verdict_that_has_not_changed_is_not_sent_again(
    audit: Audit, get: Callable[[str], Any], process_tree: ServedTree
) -> None:
    upload = audit(raw("etag"))
    (one,) = get(upload["links"]["hands"])["hands"]
    for link in ("self", "replay", "original"):
        first = ask(process_tree.base_url, "GET", one["links"][link])
        known = {"If-None-Match": first.headers["etag"]}
        again = ask(process_tree.base_url, "GET", one["links"][link], None, known)
        assert (again.status, again.body) == (304, b"")
        head = ask(process_tree.base_url, "HEAD", one["links"][link])
        assert (head.status, head.headers["etag"], head.body) == (200, first.headers["etag"], b"")


def test_a_body_far_over_the_limit(send: Callable[..., Answer]) -> None:
    limit, size = 128 << 20, 200 << 20
    pieces = (bytes(1 << 16) for _ in range(size >> 16))
    document = send(pieces, "", {"Content-Length": str(size)}).problem(413, "upload-too-large")
    assert (document["limit"], document["allowed"], document["seen"]) == (
        "max_upload_bytes",
        limit,
        size,
    )
    chunked = (bytes(1 << 16) for _ in range(size >> 16))
    document = send(chunked).problem(413, "upload-too-large")
    assert limit < document["seen"] <= limit + (1 << 16)


@pytest.mark.parametrize(
    "request_head",
    [
        b"Content-Length: 1000\r\n\r\n{",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\n{\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    ],
)
def test_a_body_that_breaks_off_is_not_kept(process_tree: ServedTree, request_head: bytes) -> None:
    place = urlsplit(process_tree.base_url)
    before = kept(process_tree.data)
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        key = f"Authorization: Bearer {process_tree.key}\r\n".encode()
        connection.sendall(b"POST /api/v1/uploads HTTP/1.1\r\nHost: x\r\n" + key + request_head)
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"type":"/api/v1/codes#incomplete-upload"' in answer
    assert kept(process_tree.data) == before


def test_the_bytes_come_back_as_they_were_sent(process_tree: ServedTree, audit: Audit) -> None:
    packed = gzip.compress(raw("back"))
    upload = audit(packed, "?" + urlencode({"name": "Été «1».json.gz"}))
    answer = ask(process_tree.base_url, "GET", upload["links"]["original"])
    assert answer.body == packed
    assert answer.headers["content-disposition"] == (
        "attachment; filename*=UTF-8''%C3%89t%C3%A9%20%C2%AB1%C2%BB.json.gz"
    )
    head = ask(process_tree.base_url, "HEAD", upload["links"]["original"])
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == str(len(packed))
    unknown = ask(process_tree.base_url, "GET", f"{UPLOADS}/{'0' * 64}/original")
    unknown.problem(404, "not-found")


def kept(data: Path) -> list[str]:
    return sorted(
        str(path) for path in (data / "clubs" / "local" / "blobs").rglob("*") if path.is_file()
    )


def test_without_a_broker_an_upload_is_taken_in_all_the_same(tmp_path: Path) -> None:
    script = """
from tests.service.client import keyed_app
from warehouse.settings import read_settings
answer = keyed_app(read_settings()).test_client().post("/api/v1/uploads", data=b"{}")
print(answer.status_code, answer.json["status"])
"""
    environment = {**os.environ, "RETOURNE_DATA": str(tmp_path), "RETOURNE_BROKER": ""}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "202 received"
