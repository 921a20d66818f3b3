import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.cli.folder import Folder
from service.cli.ledger import Fingerprint, Ledger
from service.client import Client
from tests.conftest import ServedTree, Until
from tests.service.proxy import Proxy, proxied
from workers.tether import tied

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "schemas" / "examples"
STATE = ".retourne-watch.ndjson"

Once = Callable[..., Result]


@pytest.fixture
def proxy(process_tree: ServedTree) -> Iterator[Proxy]:
    with proxied(process_tree.base_url) as one:
        yield one


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "logs"
    made.mkdir()
    return made


@pytest.fixture
def once(proxy: Proxy, folder: Path, process_tree: ServedTree) -> Once:
    def run(*options: str) -> Result:
        given = ["--url", proxy.url, "--key", process_tree.key, "--settle", "0.1", "--once"]
        return CliRunner().invoke(main, ["watch", str(folder), *given, *options])

    return run


def hand(name: str, example: str = "w1-carre-and-side-pot") -> bytes:
    """An example under a name of its own, without the session that all examples share."""
    document = json.loads((EXAMPLES / f"{example}.json").read_text())
    document.pop("session", None)
    return json.dumps({**document, "id": {"source": "watch", "table": "t", "hand": name}}).encode()


def sent(proxy: Proxy) -> list[str]:
    """The names under which uploads were sent, in their order."""
    found = (
        re.search(r"name=([^&]+)", path) for method, path, *_ in proxy.seen if method == "POST"
    )
    return [name[1] for name in found if name]


def test_what_is_there_is_sent_once_whatever_it_is_called(
    once: Once, proxy: Proxy, folder: Path
) -> None:
    for name in ("a.json", "b.json", ".hidden", "half.part", "half.TMP", "half.json.crdownload"):
        (folder / name).write_bytes(hand(name))
    (folder / "empty.json").touch()
    (folder / "link.json").symlink_to(EXAMPLES / "w3-ledger.json")
    (folder / "below").mkdir()
    (folder / "below" / "c.json").write_bytes(hand("c"))

    first = once()
    assert first.exit_code == 0, first.output
    assert sorted(sent(proxy)) == ["a.json", "b.json"]
    assert "a.json 1 hand: 1 legal" in first.stdout
    assert first.stdout.endswith("2 sent, 0 known before, 0 failed\n")

    (folder / "a.json").rename(folder / "renamed.json")
    (folder / "copy.json").write_bytes((folder / "b.json").read_bytes())
    again = once()
    assert again.stdout == "0 sent, 2 known before, 0 failed\n"
    assert once().stdout == "0 sent, 0 known before, 0 failed\n"

    (folder / "b.json").write_bytes(hand("another"))
    assert once("--recursive").stdout.endswith("2 sent, 0 known before, 0 failed\n")
    assert sorted(sent(proxy)[2:]) == ["b.json", "below%2Fc.json"]


def test_what_was_found_is_told_and_the_file_stays(once: Once, folder: Path) -> None:
    (folder / "fault.json").write_bytes(hand("fault", "fault-call-amount"))
    found = once()
    assert found.exit_code == 1
    assert "fault.json 1 hand: 1 illegal\n  line 1 illegal call-amount\n" in found.stdout
    (folder / "half.json").write_bytes(hand("half")[:-9])
    broken = once()
    assert broken.exit_code == 2
    assert "half.json 1 hand: 1 unreadable\n  line 1 unreadable not-json" in broken.stdout
    assert {path.name for path in folder.iterdir()} == {"fault.json", "half.json", STATE}


def test_a_service_that_is_away_loses_nothing(once: Once, proxy: Proxy, folder: Path) -> None:
    (folder / "a.json").write_bytes(hand("away"))
    proxy.script = [503] * 5
    away = once()
    assert away.exit_code == 2
    assert "a.json failed was not sent" in away.stderr
    assert once().stdout.startswith("a.json 1 hand: 1 legal\n1 sent,")


def test_what_is_refused_does_not_keep_the_others(once: Once, proxy: Proxy, folder: Path) -> None:
    for name in ("a.json", "b.json", "c.json"):
        (folder / name).write_bytes(hand(f"refused {name}"))
    proxy.script = [413, 500]
    refused = once()
    assert refused.exit_code == 2
    assert refused.stderr.count("failed") == 2
    assert refused.stdout.endswith("1 sent, 0 known before, 2 failed\n")
    assert once().stdout.endswith("2 sent, 0 known before, 0 failed\n")


def test_a_key_that_may_not_send_ends_it(once: Once, folder: Path) -> None:
    (folder / "a.json").write_bytes(hand("no key"))
    result = once("--key", "rtn_wrong")
    assert result.exit_code == 2
    assert "does not let us in" in result.stderr


def test_the_state_survives_a_line_cut_off_and_is_held_by_one(once: Once, folder: Path) -> None:
    (folder / "a.json").write_bytes(hand("cut"))
    once()
    state = folder / STATE
    lines = state.read_bytes()
    state.write_bytes(lines + b'{"is":"file","name":"b')
    assert once().stdout == "0 sent, 0 known before, 0 failed\n"
    assert state.read_bytes() == lines
    other = once("--url", "http://127.0.0.1:9")
    assert other.exit_code == 2
    assert "--state names another file" in other.stderr
    assert "would be sent as well" in once("--state", str(folder / "state")).stderr


def test_it_sends_what_comes_while_it_watches_and_ends_cleanly(
    proxy: Proxy, folder: Path, process_tree: ServedTree, tmp_path: Path, until: Until
) -> None:
    (folder / "before.json").write_bytes(hand("before"))
    log = tmp_path / "log"
    command = [*(sys.executable, "-m", "service.cli", "watch", str(folder)), "--settle", "0.3"]
    environment = {**os.environ, "RETOURNE_URL": proxy.url, "RETOURNE_KEY": process_tree.key}

    def says(text: str) -> Callable[[], bool]:
        return lambda: text in log.read_text()

    with log.open("wb") as output:
        process = subprocess.Popen(
            tied(command), env=environment, cwd=ROOT, stdout=output, stderr=output
        )
    try:
        until(says("before.json 1 hand: 1 legal"))
        proxy.script = [503, 503]
        part = folder / "moved.json.part"
        part.write_bytes(hand("moved"))
        part.rename(folder / "moved.json")
        until(says("moved.json 1 hand: 1 legal"))
        assert "waiting" in log.read_text()
        with (folder / "grows.ndjson").open("ab", buffering=0) as file:
            for line in range(8):
                file.write(hand(f"grows {line}") + b"\n")
        until(says("grows.ndjson 8 hands: 8 legal"))
        other = CliRunner().invoke(main, ["watch", str(folder), "--url", proxy.url, "--once"])
        assert "Another `retourne watch` is using" in other.stderr
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert says("3 sent, 0 known before, 0 failed")()
        assert "Traceback" not in log.read_text()
    finally:
        process.kill()
        process.wait()


def test_many_files_are_sent_each_once(process_tree: ServedTree, folder: Path) -> None:
    for number in range(70):
        (folder / f"{number}.json").write_bytes(hand(f"many {number}"))
    given = ["--url", process_tree.base_url, "--key", process_tree.key, "--settle", "0", "--once"]
    result = CliRunner().invoke(main, ["watch", str(folder), *given])
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("70 sent, 0 known before, 0 failed\n")
    with Client(process_tree.base_url, key=process_tree.key) as client:
        found = {
            hand.hand
            for hand in client.hands(player=json.loads(hand("x"))["seats"][0]["player"])
            if hand.source == "watch"
        }
    assert {f"many {number}" for number in range(70)} <= found


def test_a_long_state_is_written_anew_and_is_of_one_dialect(tmp_path: Path) -> None:
    state, url = tmp_path / "state", "http://127.0.0.1:8000"
    with Ledger.held(state, url, None) as ledger:
        ledger.add("a.json", Fingerprint(5, 7), "aa", "aa")
        ledger.add("b.json", Fingerprint(6, 8), "bb", "bb")
        ledger.end("aa", "done")
    head, *lines = state.read_bytes().splitlines(keepends=True)
    state.write_bytes(head + b"".join(lines * 400))
    with Ledger.held(state, url, None) as ledger:
        assert len(state.read_bytes().splitlines()) == 1 + len(lines)
        assert ledger.has("a.json", Fingerprint(5, 7))
        assert not ledger.has("a.json", Fingerprint(6, 7))
        assert ledger.upload_of("bb") == "bb"
        assert ledger.open_uploads() == {"bb": "b.json"}
        ledger.end("bb", "done")
    with Ledger.held(state, url, "french") as ledger:
        assert not ledger.has("a.json", Fingerprint(5, 7))
        assert ledger.upload_of("aa") is None
        assert ledger.open_uploads() == {}


def test_a_file_is_whole_when_it_has_stood_still(tmp_path: Path, until: Until) -> None:
    file = tmp_path / "a.json"
    folder = Folder(tmp_path, recursive=False, settle=0.1)

    def settled() -> bool:
        seen = folder.look("a.json")
        return seen is not None and folder.settled("a.json", seen)

    file.write_bytes(b"x")
    os.utime(file, (4e9, 4e9))  # far ahead: the time of the file alone never tells
    assert not settled()
    file.write_bytes(b"xx")
    os.utime(file, (4e9, 4e9))
    assert not settled()
    until(settled)
    os.utime(file, (1e9, 1e9))
    assert settled()
