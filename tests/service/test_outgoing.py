"""What goes out by itself, of a real tree: events, messages to webhooks, metrics and log lines."""

import http.client
import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.conftest import ServedTree, Until, processes_below, start_tree, stop_tree
from tests.service.client import ask
from tests.service.receiver import receiving

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"
STREAMS = 2  # of each of the two web processes

Event = dict[str, str]


@pytest.fixture(scope="module")
def tree(
    tmp_path_factory: pytest.TempPathFactory,
    serve_command: list[str],
    serve_environment: dict[str, str],
) -> Iterator[ServedTree]:
    environment = {
        **serve_environment,
        "RETOURNE_WEBHOOK_PRIVATE": "1",
        "RETOURNE_MAX_STREAMS": str(STREAMS),
        "RETOURNE_CHUNK_HANDS": "500",
        "RETOURNE_LOG": "json",
    }
    data = tmp_path_factory.mktemp("outgoing") / "data"
    started = start_tree([*serve_command, "--workers", "1"], environment, data)
    yield started
    stop_tree(started)


def hands(prefix: str, count: int) -> bytes:
    hand = json.loads((EXAMPLES / "evening.ndjson").read_bytes().splitlines()[0])
    names = (f"{prefix}-{number}" for number in range(count))
    lines = ({**hand, "id": {**hand["id"], "hand": name}} for name in names)
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def post(tree: ServedTree, body: bytes, request_id: str = "") -> str:
    headers = {"X-Request-Id": request_id}
    answer = ask(tree.base_url, "POST", "/api/v1/uploads", body, headers)
    assert answer.status == HTTPStatus.ACCEPTED
    return answer.headers["location"]


def of_worker(tree: ServedTree) -> list[int]:
    return [pid for pid, line in processes_below(tree.pid).items() if "celery" in line]


def lines_of(tree: ServedTree, process: str) -> list[dict[str, Any]]:
    lines = [line for line in tree.log.read_text().splitlines() if line.startswith("{")]
    return [line for line in map(json.loads, lines) if line.get("process") == process]


class Stream:
    """One stream of events, read as it comes."""

    def __init__(self, tree: ServedTree, upload: str, known: str = "") -> None:
        self.connection = http.client.HTTPConnection(urlsplit(tree.base_url).netloc, timeout=60)
        headers = {"Authorization": f"Bearer {tree.key}", "Last-Event-ID": known}
        self.connection.request("GET", f"{upload}/events", headers=headers)
        self.response = self.connection.getresponse()

    def events(self) -> Iterator[Event]:
        """The events to the stream's clean end; comments and the time to wait are left out."""
        event: Event = {}
        while line := self.response.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if line == "\n":
                if "event" in event:
                    yield event
                event = {}
            elif name:
                event[name] = value

    def close(self) -> None:
        self.connection.close()


def test_a_message_reaches_its_receiver_though_it_fails_and_the_worker_dies(
    tree: ServedTree, until: Until
) -> None:
    with receiving(500, 204) as receiver:
        wish = json.dumps({"url": receiver.url, "events": ["upload.finished"]}).encode()
        made = ask(tree.base_url, "POST", "/api/v1/webhooks", wish)
        assert made.status == HTTPStatus.CREATED
        webhook, secret = made.headers["location"], made.json["secret"]
        upload = post(tree, hands("told", 3), "told-by-the-client")
        until(lambda: len(receiver.messages) == 1)
        until(lambda: ask(tree.base_url, "GET", webhook).json["failures"] == 1)
        for pid in of_worker(tree):
            os.kill(pid, signal.SIGKILL)
        until(lambda: len(receiver.messages) == 2)

        def delivery() -> dict[str, Any]:
            listed = ask(tree.base_url, "GET", f"{webhook}/deliveries").json
            [one] = listed["deliveries"]
            assert listed["next"] is None
            found: dict[str, Any] = one
            return found

        until(lambda: delivery()["state"] == "delivered")
        first, second = receiver.messages
        assert first.is_signed_by(secret)
        assert second.is_signed_by(secret)
        assert (first.id, first.body) == (second.id, second.body)
        assert second.timestamp > first.timestamp
        assert second.json == delivery()["payload"]
        assert second.json["type"] == "upload.finished"
        told = second.json["data"]
        assert upload.endswith(told["upload"])
        assert (told["status"], told["counts"]["legal"]) == ("done", 3)
        assert told["request_id"] == "told-by-the-client"
        assert (delivery()["attempts"], delivery()["status"]) == (2, 204)

        again = ask(tree.base_url, "POST", f"{delivery()['links']['self']}/redelivery")
        assert again.status == HTTPStatus.ACCEPTED
        until(lambda: len(receiver.messages) == 3)
        assert receiver.messages[2].id == first.id
        tested = ask(tree.base_url, "POST", f"{webhook}/test")
        assert tested.status == HTTPStatus.ACCEPTED
        until(lambda: len(receiver.messages) == 4)
        assert receiver.messages[3].json["type"] == "ping"
        gone = ask(tree.base_url, "DELETE", webhook)
        assert gone.status == HTTPStatus.OK
        ask(tree.base_url, "GET", webhook).problem(404, "not-found")


def test_the_request_s_id_is_in_the_log_from_the_request_to_the_worker(
    tree: ServedTree, until: Until
) -> None:
    answer = ask(tree.base_url, "POST", "/api/v1/uploads", hands("followed", 2))
    followed, upload = answer.headers["x-request-id"], answer.json["id"]

    def said(process: str) -> Counter[str]:
        of_it = [one for one in lines_of(tree, process) if one.get("request_id") == followed]
        assert {(one["upload"], one["club"]) for one in of_it} <= {(upload, "local")}
        return Counter(one["event"] for one in of_it)

    until(lambda: said("worker")["run ended"] == 1)
    assert said("worker")["chunk published"] == 1
    assert said("web")["request"] == 1


def test_an_upload_is_followed_to_its_end(tree: ServedTree) -> None:
    upload = post(tree, hands("streamed", 5_000))
    stream = Stream(tree, upload)
    assert stream.response.status == HTTPStatus.OK
    assert stream.response.headers["Content-Type"].startswith("text/event-stream")
    *progress, end = stream.events()
    stream.close()
    assert {one["event"] for one in progress} == {"progress"}
    documents = [json.loads(one["data"]) for one in progress]
    read = [one["counts"]["hands"] for one in documents]
    assert read == sorted(read)
    assert len(set(read)) > 2
    assert len({one["id"] for one in progress}) == len(progress)
    assert documents[-1] == ask(tree.base_url, "GET", upload).json
    assert (end["event"], json.loads(end["data"])) == ("end", {"status": "done"})

    known = Stream(tree, upload, progress[-1]["id"])
    assert [one["event"] for one in known.events()] == ["end"]
    known.close()
    ask(tree.base_url, "GET", f"/api/v1/uploads/{'0' * 64}/events").problem(404, "not-found")


def metrics(tree: ServedTree) -> Callable[..., float]:
    """Adds up the samples of a name whose labels are these."""
    answer = ask(tree.base_url, "GET", "/metrics", headers={"Authorization": ""})
    assert answer.status == HTTPStatus.OK
    families = list(text_string_to_metric_families(answer.body.decode()))
    samples = [sample for family in families for sample in family.samples]

    def value(name: str, **labels: str) -> float:
        found = [
            one.value
            for one in samples
            if one.name == f"retourne_{name}" and labels.items() <= one.labels.items()
        ]
        assert found, name
        return sum(found)

    return value


def test_the_metrics_are_those_of_all_processes(tree: ServedTree, until: Until) -> None:
    upload = post(tree, hands("measured", 7))
    until(lambda: ask(tree.base_url, "GET", upload).json["status"] == "done")
    route = {"route": "/api/v1/codes", "method": "GET"}
    for _ in range(20):  # whichever process answers
        ask(tree.base_url, "GET", "/api/v1/codes")
    value = metrics(tree)
    assert value("http_requests_total", **route, status="200") == 20
    assert value("http_request_seconds_count", **route) == 20
    assert value("uploads", status="done") >= 1
    assert value("hands", outcome="legal") >= 7
    assert value("backlog_uploads") == value("backlog_oldest_seconds") == 0
    assert value("dead_letters") == 0
    assert value("clubs") == value("build_info") == 1
    assert value("webhook_deliveries", state="dead") == 0


def test_streams_leave_room_for_others_and_end_with_the_service(
    tree: ServedTree, until: Until
) -> None:
    stopped = of_worker(tree)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    upload = post(tree, hands("waiting", 3))
    open_ones: list[Stream] = []

    def refused() -> bool:
        stream = Stream(tree, upload)
        if stream.response.status == HTTPStatus.OK:
            open_ones.append(stream)
            assert len(open_ones) <= 2 * STREAMS
            return False
        assert stream.response.status == HTTPStatus.SERVICE_UNAVAILABLE
        assert stream.response.headers["Retry-After"] == "10"
        assert b"too-many-streams" in stream.response.read()
        stream.close()
        return True

    until(refused)
    assert ask(tree.base_url, "GET", upload).status == HTTPStatus.OK
    for stream in open_ones:
        stream.close()
    open_ones.clear()
    until(lambda: not refused())  # those who went away have made room

    for pid in stopped:
        os.kill(pid, signal.SIGCONT)
    [last] = open_ones
    os.kill(tree.pid, signal.SIGTERM)
    list(last.events())  # to its clean end: nobody had to cut it off
    last.close()
    assert tree.process.wait() == 0
    assert not [one for one in lines_of(tree, "supervisor") if one["event"] == "part killed"]
