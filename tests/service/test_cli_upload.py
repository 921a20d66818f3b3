import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from service.cli import main
from tests.conftest import ServedTree

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"

Run = Callable[..., Result]


@pytest.fixture
def run(process_tree: ServedTree, tmp_path: Path) -> Run:
    (tmp_path / "fine.json").write_bytes(hand("fine", "w1-carre-and-side-pot"))
    (tmp_path / "fault.json").write_bytes(hand("fault", "fault-call-amount"))
    (tmp_path / "half.json").write_bytes(hand("half", "fault-call-amount")[:-9])

    def invoke(*arguments: str, stdin: bytes | None = None) -> Result:
        options = ["--url", process_tree.base_url, "--key", str(process_tree.key)]
        files = [str(tmp_path / one) if (tmp_path / one).exists() else one for one in arguments]
        return CliRunner().invoke(main, ["upload", *options, *files], input=stdin)

    return invoke


def hand(name: str, example: str) -> bytes:
    """An example under a name of its own, without the session that all examples share."""
    document = json.loads((EXAMPLES / f"{example}.json").read_text())
    document.pop("session", None)
    return json.dumps({**document, "id": {"source": "cli", "table": "t", "hand": name}}).encode()


def test_a_clean_file_ends_in_0_and_its_page(run: Run, process_tree: ServedTree) -> None:
    result = run("fine.json")
    assert result.exit_code == 0, result.output
    first, page = result.stdout.splitlines()
    assert first == "fine.json 1 hand: 1 legal"
    assert page.strip().startswith(f"{process_tree.base_url}/uploads/")


def test_what_was_found_is_told_and_the_worst_decides(run: Run) -> None:
    found = run("fine.json", "fault.json")
    assert found.exit_code == 1
    assert "fault.json 1 hand: 1 illegal\n  line 1 illegal call-amount\n" in found.stdout
    unreadable = run("half.json", "fault.json")
    assert unreadable.exit_code == 2
    assert "half.json 1 hand: 1 unreadable\n  line 1 unreadable not-json" in unreadable.stdout
    assert "    expected " in unreadable.stdout


def test_the_sessions_of_an_upload_are_waited_for_and_an_illegal_one_decides(run: Run) -> None:
    clean = (EXAMPLES / "sessions/historico.json").read_bytes()
    fine = run("-", stdin=clean)
    assert (fine.exit_code, "session" in fine.stdout) == (0, False), fine.output
    broken = run("-", stdin=(EXAMPLES / "sessions/salon-broken-stack.json").read_bytes())
    assert broken.exit_code == 1
    assert "illegal" not in broken.stdout.splitlines()[0]  # every hand for itself is legal
    assert " illegal 1 finding\n" in broken.stdout
    assert "/sessions/" in broken.stdout


def test_standard_input_is_sent_and_need_not_be_waited_for(run: Run) -> None:
    result = run("--no-wait", "--name", "piped", "-", stdin=hand("piped", "fault-call-amount"))
    assert result.exit_code == 0
    assert "standard input" in result.stdout
    assert "/uploads/" in result.stdout


def test_what_is_not_taken_does_not_keep_the_others(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    result = run("empty", "fine.json")
    assert result.exit_code == 2
    assert "empty failed" in result.stderr
    assert "(empty-upload, 400)" in result.stderr
    assert "fine.json 1 hand: 1 legal" in result.stdout


def test_what_cannot_be_is_said_before_anything_is_sent(run: Run) -> None:
    assert "does not exist" in run("fine.json", "nowhere.json").stderr
    result = run("--url", "127.0.0.1:8000", "fine.json")
    assert result.exit_code == 2
    assert "like http://127.0.0.1:8000" in result.stderr


def test_address_and_key_come_from_the_environment(
    process_tree: ServedTree, tmp_path: Path
) -> None:
    file = tmp_path / "environment.json"
    file.write_bytes(hand("environment", "w1-carre-and-side-pot"))
    command = [sys.executable, "-m", "service.cli", "upload", str(file)]
    environment = {
        **os.environ,
        "RETOURNE_URL": process_tree.base_url,
        "RETOURNE_KEY": str(process_tree.key),
    }
    made = subprocess.run(
        command,
        env=environment,
        cwd=EXAMPLES.parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "environment.json 1 hand: 1 legal" in made.stdout
    assert made.stderr == ""


@pytest.mark.parametrize("name", ["upload", "watch"])
def test_the_page_of_the_client_names_every_option(name: str) -> None:
    page = (EXAMPLES.parents[1] / "docs" / "client.md").read_text()
    command = main.get_command(click.Context(main), name)
    assert command is not None
    for option in (one for one in command.params if isinstance(one, click.Option)):
        assert any(f"`{text}`" in page for text in (*option.opts, *option.secondary_opts)), option
