"""Processes killed at any point of an upload: every hand is there in the end, and once."""

import csv
import gzip
import io
import json
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Serve, ServedTree, processes_below
from tests.service.client import ask
from workers import broker

EXAMPLES = Path(__file__).parent.parent.parent / "schemas" / "examples"
PARTS = ("celery", "valkey-server", "gunicorn", "workers.sweeper")

Json = dict[str, Any]


def evening(hands: int) -> bytes:
    """So many different hands, packed."""
    hand = json.loads((EXAMPLES / "evening.ndjson").read_bytes().splitlines()[0])
    names = (f"loss-{number}" for number in range(hands))
    lines = ({**hand, "id": {**hand["id"], "hand": name}} for name in names)
    return gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines), 1)


def get(tree: ServedTree, path: str) -> Json | None:
    """What is at the address; None while nobody answers there."""
    try:
        answer = ask(tree.base_url, "GET", path)
    except (OSError, HTTPException):
        return None
    found: Json = answer.json
    return found if answer.status == 200 else None


def read(tree: ServedTree, path: str) -> int:
    """How many hands of an upload are read; -1 while nobody can tell."""
    found = get(tree, path)
    return -1 if found is None else int(found["counts"]["hands"])


def kill(tree: ServedTree, *words: str) -> None:
    for pid, line in processes_below(tree.pid).items():
        if any(word in line for word in words):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("hands", "kills"),
    [
        (3_000, 2),
        pytest.param(100_000, 12, marks=[pytest.mark.proof, pytest.mark.timeout(1800)]),
    ],
)
def test_every_hand_is_there_once_whatever_dies(serve: Serve, hands: int, kills: int) -> None:
    chance = random.Random(hands)  # noqa: S311 - the order of deaths
    tree = serve()
    sent = ask(tree.base_url, "POST", "/api/v1/uploads", evening(hands))
    assert sent.status == 202, sent.body
    upload = sent.headers["location"]
    for number in range(kills):
        # Somewhere in the next stretch of the upload, whatever is under way then.
        due = (number + chance.random()) * hands / (kills + 1)
        wait_long(lambda due=due: read(tree, upload) > due)  # type: ignore[misc] # bound now
        kill(tree, *chance.sample(PARTS, chance.randint(1, len(PARTS))))

    # And all of it at once, with the broker's journal lost.
    os.kill(tree.pid, signal.SIGKILL)
    tree.process.wait()
    wait_long(lambda: not broker.answers(tree.data))
    shutil.rmtree(tree.data / "broker")
    again = serve(tree.data)
    wait_long(lambda: (get(again, upload) or {}).get("status") == "done")

    found = get(again, upload)
    assert found is not None
    counts = found["counts"]
    assert (counts["hands"], counts["legal"], counts["duplicates"]) == (hands, hands, 0)
    rows = ask(again.base_url, "GET", f"/api/v1/exports/hands?upload={found['id']}")
    names = [row["hand"] for row in csv.DictReader(io.StringIO(rows.body.decode()))]
    assert len(names) == hands
    assert set(names) == {f"loss-{number}" for number in range(hands)}


def wait_long(condition: Callable[[], object]) -> None:
    """Wait until a condition holds; a killed worker's hold on its upload is over after a while."""
    deadline = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < deadline, "it did not come to hold"
        time.sleep(0.2)
