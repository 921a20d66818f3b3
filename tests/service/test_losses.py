import json
import os
import shutil
import signal
import urllib.request
from pathlib import Path
from typing import Any

from tests.conftest import Serve, ServedTree, Until, processes_below
from workers import broker

EXAMPLES = Path(__file__).parent.parent.parent / "schemas" / "examples"
HANDS = 12_000


def evening() -> bytes:
    """An evening of many different hands."""
    hand = json.loads((EXAMPLES / "evening.ndjson").read_bytes().splitlines()[0])
    names = (f"loss-{number}" for number in range(HANDS))
    lines = ({**hand, "id": {**hand["id"], "hand": name}} for name in names)
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def get(url: str) -> Any:  # noqa: ANN401 - JSON
    with urllib.request.urlopen(url) as answer:  # noqa: S310 - the test's own service
        return json.load(answer)


def post(tree: ServedTree, body: bytes) -> str:
    request = urllib.request.Request(f"{tree.base_url}/api/v1/uploads", data=body)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - the test's own service
        return f"{tree.base_url}{answer.headers['Location']}"


def kill(tree: ServedTree, *words: str) -> None:
    for pid, line in processes_below(tree.pid).items():
        if any(word in line for word in words):
            os.kill(pid, signal.SIGKILL)


def test_every_hand_is_audited_once_whatever_dies(serve: Serve, until: Until) -> None:
    tree = serve()
    upload = post(tree, evening())
    until(lambda: get(upload)["counts"]["hands"] > 0)
    kill(tree, "celery", "valkey-server")
    read = get(upload)["counts"]["hands"]
    assert read < HANDS
    until(lambda: get(upload)["counts"]["hands"] > read)
    os.kill(tree.pid, signal.SIGKILL)
    tree.process.wait()
    until(lambda: not broker.answers(tree.data))
    shutil.rmtree(tree.data / "broker")

    again = serve()
    upload = upload.replace(tree.base_url, again.base_url)
    until(lambda: get(upload)["status"] == "done")
    counts = get(upload)["counts"]
    assert counts["hands"] == HANDS
    assert counts["legal"] == HANDS
    assert counts["duplicates"] == 0
