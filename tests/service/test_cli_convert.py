import gzip
import json
import zipfile
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from schemas.decode import DecodedHand, decode_hand
from service.cli import main

EXAMPLES = Path(__file__).parent.parent.parent / "schemas/examples"
DIALECTS = EXAMPLES / "dialects"
W1 = "w1-carre-and-side-pot"


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["convert", *arguments], input=stdin)


def contents(text: bytes) -> list[object]:
    hands = []
    for line in text.splitlines():
        decoded = decode_hand(line)
        assert isinstance(decoded, DecodedHand)
        hands.append(msgspec.to_builtins(decoded.hand, str_keys=True))
    return hands


def example(name: str) -> object:
    (hand,) = contents(one_line((EXAMPLES / f"{name}.json").read_bytes()))
    return hand


def one_line(raw: bytes) -> bytes:
    return json.dumps(json.loads(raw)).encode()


def test_a_file_of_rows_becomes_lines_and_what_was_assumed_is_told(tmp_path: Path) -> None:
    out = tmp_path / "hands.ndjson"
    result = run(
        str(DIALECTS / "csv+german+clockwise/w3-ledger.csv"), "--to", "v1", "--out", str(out)
    )
    assert result.exit_code == 1
    assert contents(out.read_bytes()) == [example("w3-ledger")]
    assert "dialect: csv+german+clockwise (line 2)" in result.stderr
    assert "assumed: the cards are written in german (line 2)" in result.stderr
    assert "assumed: the seats are listed clockwise (line 2)" in result.stderr
    assert "1 written, 0 not written" in result.stderr


def test_a_dialect_that_is_named_assumes_nothing() -> None:
    result = run(str(DIALECTS / f"french/{W1}.json"), "--dialect", "french")
    assert result.exit_code == 0
    assert contents(result.stdout_bytes) == [example(W1)]
    assert "assumed" not in result.stderr


@pytest.mark.parametrize("dialect", ["auto", "csv"])
def test_the_hands_of_a_packed_csv_are_told_apart(dialect: str) -> None:
    header, _, rows = (DIALECTS / f"csv/{W1}.csv").read_text().partition("\n")
    others = rows.replace(",w1,", ",w1b,")
    packed = gzip.compress(f"{header}\n{rows}\n{others}".encode())
    result = run("-", "--dialect", dialect, stdin=packed)
    assert result.exit_code == 0
    first, second = contents(result.stdout_bytes)
    assert first == example(W1)
    assert isinstance(second, dict)
    assert second["id"]["hand"] == "w1b"


def test_lines_of_several_dialects_and_a_broken_one() -> None:
    lines = [
        one_line((DIALECTS / "french" / f"{W1}.json").read_bytes()),
        b'{"events": [',
        one_line((DIALECTS / "undecided/raise-by-or-to.json").read_bytes()),
        one_line((DIALECTS / "ohh" / f"{W1}.json").read_bytes()),
    ]
    result = run("-", stdin=b"\n".join(lines))
    assert result.exit_code == 2
    assert contents(result.stdout_bytes) == [example(W1), example(W1)]
    assert "line 2 unreadable not-json" in result.stderr
    assert "line 3 undecided does a raise's amount name what is added" in result.stderr
    assert "--dialect says which: log, log+raise-to" in result.stderr
    assert "2 written, 2 not written" in result.stderr


def test_a_list_is_read(tmp_path: Path) -> None:
    file = tmp_path / "hands.json"
    hand = (DIALECTS / "log" / f"{W1}.json").read_bytes()
    file.write_bytes(b"[" + hand + b"," + hand + b"]")
    result = run(str(file), "--dialect", "log")
    assert result.exit_code == 0
    assert contents(result.stdout_bytes) == [example(W1)] * 2
    assert "dialect: log (2 hands, from line 1)" in result.stderr


def test_a_hand_document_stays_what_it_is() -> None:
    result = run(str(EXAMPLES / f"{W1}.json"))
    assert result.exit_code == 0
    assert contents(result.stdout_bytes) == [example(W1)]


def test_a_card_that_is_none_is_pointed_at() -> None:
    result = run(str(DIALECTS / f"french/{W1}.json"), "--dialect", "german")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "line 1 unreadable unknown-card /events/3/cards/0" in result.stderr
    assert 'expected a card in german, seen "8c"' in result.stderr


def test_a_name_of_no_dialect_is_refused() -> None:
    result = run(str(EXAMPLES / f"{W1}.json"), "--dialect", "klingon")
    assert result.exit_code == 2
    assert "'klingon' is no dialect" in result.stderr
    assert "clockwise" in result.stderr


@pytest.mark.parametrize("junk", [b"", b"\x00\x01", b"do,player\n", b"do,do\n", b"\xff\xfed\x00"])
def test_junk_is_told_of_and_nothing_more(junk: bytes) -> None:
    result = run("-", stdin=junk)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "unreadable" in result.stderr


def test_the_files_of_a_zip_are_converted_and_a_bad_line_is_told_by_its_file(
    tmp_path: Path,
) -> None:
    packed, out = tmp_path / "evening.zip", tmp_path / "evening.ndjson"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(DIALECTS / f"french/{W1}.json", "one.json")
        archive.writestr("[red].ndjson", "{broken\n")
        archive.write(DIALECTS / "csv+german+clockwise/w3-ledger.csv", "two.csv")
    result = run(str(packed), "--dialect", "auto", "--to", "v1", "--out", str(out))
    assert result.exit_code == 2
    assert contents(out.read_bytes()) == [example(W1), example("w3-ledger")]
    assert "[red].ndjson line 1 unreadable not-json" in result.stderr
    audited = CliRunner().invoke(main, ["audit", "--json", str(packed)])
    places = [json.loads(line) for line in audited.stdout.splitlines()]
    assert {"[red].ndjson", "one.json", "two.csv"} == {place["file"] for place in places}
