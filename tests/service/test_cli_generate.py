"""`retourne generate`: legal hands, styles, sessions, and hands with a fault each and their key."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from schemas.audit import ExaminedHand, audit_document, examine_hand
from schemas.faults import season
from schemas.faults.table import KINDS
from service.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["generate", *arguments])


def found(raw: bytes, besides: list[str]) -> tuple[str, str, int | None]:
    """The one thing that is wrong with a hand, apart from the codes that stand beside it."""
    examined = examine_hand(raw)
    if not isinstance(examined, ExaminedHand):
        return examined.code, examined.pointer, None
    violations = audit_document(examined).violations
    (violation,) = [each for each in violations if each.code not in besides]
    return violation.code, violation.pointer, violation.seat


def test_the_hands_are_legal_and_the_same_for_a_seed() -> None:
    result = run("--hands", "12", "--seed", "3", "--preset", "bouillotte/salon")
    assert result.exit_code == 0
    lines = result.stdout_bytes.splitlines()
    assert len(lines) == 12
    for line in lines:
        examined = examine_hand(line)
        assert isinstance(examined, ExaminedHand)
        assert examined.replay.verdict == "legal"
    again = run("--hands", "12", "--seed", "3", "--preset", "bouillotte/salon")
    assert again.stdout_bytes == result.stdout_bytes


def test_players_who_always_stay_never_fold() -> None:
    result = run("--hands", "40", "--seed", "1", "--style", "always-stay")
    events = [event for line in result.stdout.splitlines() for event in json.loads(line)["events"]]
    assert result.exit_code == 0
    assert not {"fold", "out"} & {event["do"] for event in events}
    mixed = run("--hands", "40", "--seed", "1", "--style", "always-stay", "--style", "tight")
    assert '"fold"' in mixed.stdout


def test_a_tournament_is_one_document_with_standings() -> None:
    arguments = ["--kind", "tournament", "--seed", "2", "--preset", "bouillotte/historico"]
    document = json.loads(run(*arguments).stdout)
    assert document["session"]["kind"] == "tournament"
    assert len(document["hands"]) == 12
    assert len(document["standings"]) == 4


def test_faults_come_with_their_key(tmp_path: Path) -> None:
    hands, key = tmp_path / "hands.ndjson", tmp_path / "key.ndjson"
    count = str(len(KINDS))
    arguments = ["--hands", count, "--seed", "4", "--faults", "all"]
    result = run(*arguments, "--key", str(key), "--out", str(hands))
    assert result.exit_code == 0, result.output
    answers = [json.loads(line) for line in key.read_bytes().splitlines()]
    raws = hands.read_bytes().splitlines()
    assert [answer["kind"] for answer in answers] == list(KINDS)
    assert len(raws) == len(answers)
    for raw, answer in zip(raws, answers, strict=True):
        assert set(answer) == {
            "hand",
            "line",
            "kind",
            "code",
            "pointer",
            "seat",
            "from",
            "to",
            "besides",
        }
        assert found(raw, answer["besides"]) == (answer["code"], answer["pointer"], answer["seat"])


def test_a_fault_of_a_session_comes_with_its_key(tmp_path: Path) -> None:
    key = tmp_path / "key.ndjson"
    arguments = ["--kind", "session", "--seed", "1", "--faults", "other-dealer"]
    result = run(*arguments, "--key", str(key))
    assert result.exit_code == 0
    answer = json.loads(key.read_bytes())
    assert (answer["kind"], answer["code"]) == ("other-dealer", "dealer-break")
    assert json.loads(result.stdout)["hands"][-1]["dealer"] == answer["to"]


def test_chosen_kinds_take_turns(tmp_path: Path) -> None:
    key = tmp_path / "key.ndjson"
    arguments = ["--hands", "4", "--seed", "1", "--faults", "other-call,other-stack"]
    assert run(*arguments, "--key", str(key)).exit_code == 0
    kinds = [json.loads(line)["kind"] for line in key.read_bytes().splitlines()]
    assert kinds == ["other-call", "other-stack", "other-call", "other-stack"]


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    key = ["--key", str(tmp_path / "key")]
    base = ["--hands", "1", "--seed", "1"]
    refused = {
        "--faults needs --key": [*base, "--faults", "all"],
        "--key goes with --faults": [*base, *key],
        "--hands is missing": ["--seed", "1"],
        "--kind writes one whole session": ["--kind", "session", *base],
        "--kind with --faults plants one": ["--kind", "session", *base, "--faults", "hand-again"],
        "'other-call' is no fault of a session": [
            *("--kind", "session", "--seed", "1", *key),
            *("--faults", "other-call"),
        ],
        "'nonsense' is no kind of fault": [*base, *key, "--faults", "other-call,nonsense"],
        "is planted in other games": [
            *base,
            *key,
            *("--faults", "other-call"),
            *("--preset", "bourre/louisiana"),
        ],
    }
    for message, arguments in refused.items():
        result = run(*arguments)
        assert result.exit_code == 2
        assert message in " ".join(result.output.split()), result.output


def test_a_fault_that_the_presets_have_no_place_for_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(season, "MOST_HANDS", 200)
    arguments = ["--hands", "1", "--seed", "1", "--preset", "bouillotte/historico"]
    result = run(*arguments, "--faults", "opening-at-par", "--key", str(tmp_path / "key"))
    assert result.exit_code == 1
    assert "No place for opening-at-par" in result.output
