import json
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import pytest
from msgspec import Struct

from tests.conftest import Until, processes_below
from tests.service.client import KEYS, ask
from tests.service.composed import OURS, Composed, Container, composed
from tests.service.test_losses import EXAMPLES

HANDS = 4_000
SMALL_CHUNKS = {"RETOURNE_CHUNK_HANDS": "200"}  # so that there is much to interrupt
CLUB = "salon"


class Interrupted(Struct):
    """An upload whose worker was killed, and how many hands it had when that was over."""

    path: str
    hands: int


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Composed]:
    with composed(tmp_path_factory.mktemp("composed"), workers=2, **SMALL_CHUNKS) as tree:
        tree.run("clubs", "add", CLUB)
        every = [f"--scope={scope}" for scope in ("upload", "read", "audit", "admin")]
        KEYS[tree.base_url] = tree.run("keys", "make", "--club", CLUB, *every, "tests")
        yield tree


@pytest.fixture(scope="module")
def interrupted(tree: Composed, until: Until) -> Interrupted:
    """An upload of many hands, whose worker is killed while it is at it."""
    path = post(tree, many_hands("killed"))
    until(lambda: counts(tree, path)["hands"] > 0)
    [worker] = [one for one in running(tree, "worker") if has_published(one, path)]
    worker.kill()
    hands = counts(tree, path)["hands"]
    assert 0 < hands < HANDS
    return Interrupted(path, hands)


def many_hands(name: str) -> bytes:
    hand = json.loads((EXAMPLES / "evening.ndjson").read_bytes().splitlines()[0])
    ids = ({**hand["id"], "hand": f"{name}-{number}"} for number in range(HANDS))
    return b"".join(json.dumps({**hand, "id": one}).encode() + b"\n" for one in ids)


def running(tree: Composed, service: str) -> list[Container]:
    """The containers of a service that run."""
    return [one for one in tree.started if one.service == service and one.process.poll() is None]


def has_published(worker: Container, path: str) -> bool:
    """Whether a worker says in its log that it has published some of an upload."""
    said = (json.loads(line) for line in worker.log.read_text().splitlines() if line[:1] == "{")
    upload = path.rpartition("/")[2]
    return any(one["event"] == "chunk published" and one.get("upload") == upload for one in said)


def post(tree: Composed, body: bytes) -> str:
    answer = ask(tree.base_url, "POST", "/api/v1/uploads", body)
    assert answer.status == 202, answer.body
    return answer.headers["location"]


def get(tree: Composed, path: str) -> Any:  # noqa: ANN401 - JSON
    answer = ask(tree.base_url, "GET", path)
    assert answer.status == 200, answer.body
    return answer.json


def counts(tree: Composed, path: str) -> dict[str, int]:
    found: dict[str, int] = get(tree, path)["counts"]
    return found


def test_an_upload_goes_all_the_way(tree: Composed, until: Until) -> None:
    body = (EXAMPLES / "evening.ndjson").read_bytes()
    path = post(tree, body)
    until(lambda: get(tree, path)["status"] == "done")
    found = counts(tree, path)
    assert found["hands"] == len(body.splitlines())
    hands = get(tree, f"/api/v1/hands?upload={path.rpartition('/')[2]}&limit=1000")["hands"]
    assert len(hands) == found["hands"] - found["duplicates"] - found["unreadable"]
    assert get(tree, f"/api/v1/hands/{hands[0]['hand_id']}")
    original = ask(tree.base_url, "GET", f"/api/v1/hands/{hands[0]['hand_id']}/original")
    assert original.body in body


def test_files_are_in_the_bucket_and_stay_nowhere_else(tree: Composed, until: Until) -> None:
    path = post(tree, b"no hand")
    until(lambda: get(tree, path)["status"] == "done")
    keys = tree.objects.keys("retourne")
    name = path.rpartition("/")[2]
    assert f"clubs/{CLUB}/blobs/{name[:2]}/{name[2:4]}/{name}" in keys
    assert {tuple(key.split("/")[:2]) for key in keys} == {("clubs", CLUB)}
    assert {key.split("/")[2] for key in keys} == {"blobs", "segments"}
    for one in tree.started:
        assert not [file for file in (one.data / "clubs").rglob("*") if file.is_file()]


def test_a_web_that_is_to_stop_ends_its_requests(
    tree: Composed, interrupted: Interrupted, until: Until
) -> None:
    del interrupted  # it waits meanwhile
    [web] = running(tree, "web")
    address = urlsplit(tree.base_url)
    body = b"{}\n" * 1_000
    head = (
        f"POST /api/v1/uploads HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: Bearer {KEYS[tree.base_url]}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(head.encode() + body[:100])
        until(lambda: list(web.data.rglob("incoming/*")))
        web.process.send_signal(signal.SIGTERM)
        until(lambda: len(processes_below(web.process.pid)) == 1)  # the idle one of two has ended
        connection.sendall(body[100:])
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 202 "), answer
    assert web.process.wait() == 0
    tree.start("web")
    tree.wait_for_web()
    assert get(tree, f"/api/v1/uploads/{sha256(body).hexdigest()}")["size"] == len(body)


def test_every_hand_is_there_once_whatever_became_of_its_worker(
    tree: Composed, interrupted: Interrupted, until: Until
) -> None:
    path = interrupted.path
    until(partial(has_more, tree, path, interrupted.hands))
    [worker] = running(tree, "worker")
    worker.process.send_signal(signal.SIGTERM)
    assert worker.process.wait() == 0
    assert counts(tree, path)["hands"] < HANDS
    tree.start("worker")
    for least in range(0, HANDS, 500):  # however slow it is, as long as it goes on
        until(partial(has_more, tree, path, least))
    until(lambda: get(tree, path)["status"] == "done")
    found = counts(tree, path)
    assert (found["hands"], found["legal"], found["duplicates"]) == (HANDS, HANDS, 0)
    assert Counter(every_hand(tree, path)) == Counter(f"killed-{n}" for n in range(HANDS))


def has_more(tree: Composed, path: str, hands: int) -> bool:
    return counts(tree, path)["hands"] > hands


def every_hand(tree: Composed, path: str) -> Iterator[str]:
    """The names of an upload's hands, page by page."""
    page = f"/api/v1/hands?upload={path.rpartition('/')[2]}&limit=1000"
    while page:
        found = get(tree, page)
        yield from (one["hand"] for one in found["hands"])
        page = found["next"]


@pytest.mark.parametrize("service", OURS)
def test_what_is_told_to_stop_ends_well(tree: Composed, service: str) -> None:
    for one in running(tree, service):
        one.process.send_signal(signal.SIGTERM)
        assert one.process.wait() == 0, one.log.read_text()
