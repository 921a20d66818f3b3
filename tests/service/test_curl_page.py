"""Everything on docs/curl.md is run as it stands there, and what it shows is what comes."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from msgspec import Struct

from tests.conftest import ServedTree, start_tree, stop_tree

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "curl.md").read_text()
SERVICE, RECEIVER = "http://127.0.0.1:8000", "http://127.0.0.1:9000"
ANYTHING = "…"


class Example(Struct):
    """A block of commands, and what the page shows of what it writes."""

    commands: str
    language: str | None
    shown: str


EXAMPLES = [
    Example(one["commands"], one["language"], one["shown"] or "")
    for one in re.finditer(
        r"```sh\n(?P<commands>.+?)```(\n\n```(?P<language>json|text)\n(?P<shown>.+?)```)?",
        PAGE,
        re.DOTALL,
    )
]


def agrees(shown: object, seen: object) -> bool:
    """Whether an answer is as it is shown, where an ellipsis stands for anything."""
    if isinstance(shown, dict) and isinstance(seen, dict):
        whole = ANYTHING in shown or shown.keys() == seen.keys()
        named = shown.keys() - {ANYTHING}
        return whole and all(key in seen and agrees(shown[key], seen[key]) for key in named)
    if isinstance(shown, list) and isinstance(seen, list):
        return len(shown) == len(seen) and all(map(agrees, shown, seen))
    if isinstance(shown, str) and isinstance(seen, str):
        pattern = re.escape(shown).replace(ANYTHING, ".*")
        return re.fullmatch(pattern, seen, re.DOTALL) is not None
    return type(shown) is type(seen) and shown == seen


class Receiver(BaseHTTPRequestHandler):
    """Keeps what it gets as the page says that a receiver does."""

    folder: Path

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        (self.folder / "headers").write_text(str(self.headers))
        (self.folder / "body").write_bytes(body)
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Says nothing."""


@pytest.fixture(scope="module")
def tree(
    tmp_path_factory: pytest.TempPathFactory,
    serve_command: list[str],
    serve_environment: dict[str, str],
) -> Iterator[ServedTree]:
    """A service of its own, since the page begins with nothing."""
    environment = {**serve_environment, "RETOURNE_WEBHOOK_PRIVATE": "1"}
    folder = tmp_path_factory.mktemp("curl")
    started = start_tree(serve_command, environment, folder / "data")
    yield started
    stop_tree(started)


@pytest.fixture(scope="module")
def written(tree: ServedTree, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each example writes, when all are run in one shell where the service's folder is."""
    missing = [
        name for name in ("bash", "curl", "openssl", "gzip", "zstd") if shutil.which(name) is None
    ]
    if missing:
        pytest.skip(f"the page needs {', '.join(missing)}")
    folder = tree.data.parent
    out = tmp_path_factory.mktemp("written")
    (folder / "schemas").symlink_to(ROOT / "schemas")
    Receiver.folder = folder
    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as receiver:
        Thread(target=receiver.serve_forever, daemon=True).start()
        script = "\n".join(
            f"{{ {example.commands.rstrip()}\n}} > {out / str(number)}"
            for number, example in enumerate(EXAMPLES)
        )
        script = script.replace(SERVICE, tree.base_url)
        script = script.replace(RECEIVER, f"http://127.0.0.1:{receiver.server_port}")
        made = subprocess.run(
            [str(shutil.which("bash")), "-euo", "pipefail", "-c", script],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )
        receiver.shutdown()
    assert made.returncode == 0, made.stderr
    (error,) = made.stderr.splitlines()
    assert error.endswith("400")  # of the problem on purpose
    return [(out / str(number)).read_text() for number in range(len(EXAMPLES))]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_writes_what_is_shown(number: int, written: list[str]) -> None:
    example, seen = EXAMPLES[number], written[number]
    if example.language == "json":
        assert agrees(json.loads(example.shown), json.loads(seen)), seen
    elif example.language == "text":
        lines = iter(seen.splitlines())
        for line in example.shown.splitlines():
            pattern = re.escape(line).replace(ANYTHING, ".*")
            assert any(re.fullmatch(pattern, one) for one in lines), (line, seen)


def test_nothing_but_the_problem_on_purpose_is_a_problem(written: list[str]) -> None:
    problems = [text for text in written if '"type":"/api/v1/codes#' in text]
    assert [json.loads(text)["status"] for text in problems] == [400]


def test_every_block_is_run_or_shown() -> None:
    assert PAGE.count("```") == 2 * (
        len(EXAMPLES) + sum(example.language is not None for example in EXAMPLES)
    )
