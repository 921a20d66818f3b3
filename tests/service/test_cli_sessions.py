"""`retourne audit` and `retourne verify` on sessions: what they say, write and end with."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main

SESSIONS = Path(__file__).parents[2] / "schemas/examples/sessions"
CLEAN, BROKEN = SESSIONS / "historico.json", SESSIONS / "salon-broken-stack.json"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_a_session_that_follows_ends_with_0() -> None:
    result = run("audit", CLEAN)
    assert result.exit_code == 0
    assert "session quinta-42 legal, 12 hands" in result.output
    assert "1. Anna 407/4" in result.output


def test_a_broken_session_of_legal_hands_ends_with_1() -> None:
    result = run("audit", BROKEN, "--lang", "de")
    assert result.exit_code == 1
    assert "stack-break" in result.output
    assert "Anna beginnt Hand 4 mit 111, aus der Hand davor waren es 101." in result.output
    assert "5 legal, 0 illegal" in result.output


def test_a_session_part_that_cannot_be_read_ends_with_2(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    document = json.loads(CLEAN.read_bytes())
    document["standings"][0]["result"] = "a lot"
    path.write_text(json.dumps(document))
    result = run("audit", path)
    assert result.exit_code == 2
    assert "/standings/0/result" in result.output
    assert "12 legal" in result.output


def test_an_excerpt_of_a_session_without_its_document_need_not_be_whole(tmp_path: Path) -> None:
    hands = json.loads(CLEAN.read_bytes())["hands"]
    path = tmp_path / "hands.ndjson"
    path.write_text("\n".join(json.dumps(hand) for hand in hands[3:6]))
    result = run("audit", path)
    assert result.exit_code == 0
    assert "Missing: hand 1–3." in result.output


def test_as_json_a_session_is_the_last_line() -> None:
    lines = run("audit", CLEAN, "--json").output.splitlines()
    assert len(lines) == 13
    assert json.loads(lines[-1])["session"]["session"] == "quinta-42"


@pytest.mark.parametrize("suffix", [".html", ".json"])
@pytest.mark.parametrize("session", [CLEAN, BROKEN], ids=lambda path: path.stem)
def test_a_report_is_verified(tmp_path: Path, suffix: str, session: Path) -> None:
    report = tmp_path / f"report{suffix}"
    assert run("audit", session, "--report", report, "--lang", "fr").exit_code < 2
    same = run("verify", report, session)
    assert same.exit_code == 0
    assert "Same bytes" in same.output
    report.write_bytes(report.read_bytes().replace(b"Anna", b"Ann"))
    changed = run("verify", report, session)
    assert changed.exit_code == 1
    assert "It was changed, or made by another version" in changed.output


def test_a_report_of_another_input_differs(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    run("audit", CLEAN, "--report", report)
    result = run("verify", report, BROKEN)
    assert result.exit_code == 1
    assert "another input" in result.output


def test_what_holds_no_session_cannot_be_verified(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_bytes(b"")
    assert run("verify", report, SESSIONS.parent / "w3-ledger.json").exit_code == 2


def test_a_report_has_a_form_that_is_known(tmp_path: Path) -> None:
    result = run("audit", CLEAN, "--report", tmp_path / "report.pdf")
    assert result.exit_code == 2
    assert "neither in .html nor in .json" in result.output


def test_hands_by_identity_are_looked_for_where_told(tmp_path: Path) -> None:
    document = json.loads(CLEAN.read_bytes())
    hands, session = tmp_path / "hands.ndjson", tmp_path / "session.json"
    hands.write_text("\n".join(json.dumps(hand) for hand in document["hands"]))
    document["hand_ids"] = [hand["id"] for hand in document.pop("hands")]
    session.write_text(json.dumps(document))
    assert "--hands says where" in run("audit", session).output
    report = tmp_path / "report.html"
    assert run("audit", session, "--hands", hands, "--report", report).exit_code == 0
    assert run("verify", report, session, "--hands", hands).exit_code == 0


def test_standard_input_is_read_like_a_file() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "audit", "-"],
        input=CLEAN.read_bytes(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"session quinta-42 legal" in done.stdout


def test_the_schema_of_sessions_is_printed() -> None:
    assert json.loads(run("schema", "--session").output)["title"].startswith("Session document")
