import datetime as dt
import io
import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
import pytest
from click.testing import CliRunner
from msgspec import Struct
from msgspec.structs import fields

import service.client
from service.api.description import description
from service.cli import main
from service.client import (
    ChangedError,
    Client,
    Conflict,
    Counts,
    Failure,
    Fall,
    Figures,
    HandSummary,
    MissingError,
    Opponent,
    PlayedSession,
    PlayerHours,
    PlayerPositions,
    Problem,
    RateLimitedError,
    RefusedError,
    Replay,
    Session,
    SessionFacts,
    SessionVerdict,
    UnavailableError,
    UnexpectedAnswerError,
    UnreachableError,
    Upload,
    Verdict,
    VerdictCounts,
    WaitTimeoutError,
)
from service.client.figures import HourPart, NetPerHour, PositionPart, WeekdayPart
from tests.conftest import ServedTree
from tests.service.proxy import BREAK_OFF, Proxy, proxied

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "schemas" / "examples"
PAGE = (ROOT / "docs" / "client.md").read_text()


def hand(name: str, example: str = "fault-call-amount", **members: object) -> bytes:
    """An example under a name of its own, without the session that all examples share."""
    document = json.loads((EXAMPLES / f"{example}.json").read_text())
    document.pop("session", None)
    named = {"source": "client", "table": "t", "hand": name}
    return json.dumps({**document, "id": named, **members}).encode()


@pytest.fixture(scope="module")
def client(process_tree: ServedTree) -> Iterator[Client]:
    with Client(process_tree.base_url, key=process_tree.key) as one:
        yield one


@pytest.fixture
def proxy(process_tree: ServedTree) -> Iterator[Proxy]:
    with proxied(process_tree.base_url) as one:
        yield one


@pytest.fixture
def through(proxy: Proxy, process_tree: ServedTree) -> Iterator[Client]:
    with Client(proxy.url, key=process_tree.key, retries=3) as one:
        yield one


class ReadOnce(io.BytesIO):
    """A file that cannot go back, as a pipe."""

    def seekable(self) -> bool:
        return False


def test_it_loads_no_server_and_no_engine_room() -> None:
    heavy = {"flask", "duckdb", "polars", "sqlalchemy", "celery", "structlog", "service.web"}
    code = f"import service.client, sys; print(sorted({heavy!r} & set(sys.modules)))"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert made.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (Upload, "UploadDocument"),
        (Counts, "Counts"),
        (Failure, "Failure"),
        (Problem, "Problem"),
        (Conflict, "Conflict"),
        (HandSummary, "HandItem"),
        (Verdict, "HandVerdict"),
        (Replay, "HandSteps"),
        (Session, "SessionItem"),
        (SessionFacts, "SessionFacts"),
        (VerdictCounts, "HandCounts"),
        (SessionVerdict, "SessionVerdict"),
        (Figures, "PlayerFigures"),
        (NetPerHour, "NetPerHour"),
        (PlayerPositions, "PlayerPositions"),
        (PositionPart, "PositionPart"),
        (PlayerHours, "PlayerHours"),
        (HourPart, "HourPart"),
        (WeekdayPart, "WeekdayPart"),
        (PlayedSession, "PlayedSession"),
        (Fall, "Fall"),
        (Opponent, "Met"),
    ],
)
def test_its_types_are_those_of_the_api(kind: type[Struct], schema: str) -> None:
    said = description()["components"]["schemas"][schema]
    assert set(kind.__struct_fields__) <= set(said["properties"])
    required = {field.name for field in fields(kind) if field.required}
    assert required <= set(said["required"])


def test_from_a_file_to_the_verdict(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "evening.ndjson"
    raw = hand("whole", "w1-carre-and-side-pot")
    file.write_bytes(b"\n".join([raw, hand("fault"), b'{"half', hand("fault")]))
    sent = list[tuple[int, int | None]]()
    seen = list[Upload]()

    taken = client.upload(file, progress=lambda done, size: sent.append((done, size)))
    done = client.wait(taken, progress=seen.append)

    size = file.stat().st_size
    assert sent[-1] == (size, size)
    assert (done.name, done.size, done.status, done.progress) == (file.name, size, "done", 1.0)
    assert done.counts == Counts(4, 1, 1, 0, 1, 1, 0)
    assert seen[-1] == done
    assert client.state(taken) == done
    assert any(upload.id == taken.id for upload in client.uploads())
    (problem,) = client.problems(done)
    assert (problem.line, problem.code) == (3, "not-json")
    assert list(client.conflicts(done)) == []
    (summary,) = client.hands(upload=done, verdict="illegal", player="Dan")
    assert summary.codes == ["call-amount"]
    verdict = client.hand(summary.hand_id)
    assert verdict.violations[0].message["en"] == "Dan called with 14; the call was 15."
    replay = client.replay(summary.hand_id)
    assert replay.audit.verdict == "illegal"
    assert len(replay.steps) > len(json.loads(raw)["events"])
    (legal,) = client.hands(upload=done, verdict="legal")
    assert client.original(legal.hand_id) == raw


def test_what_is_chosen_is_exported(client: Client, tmp_path: Path) -> None:
    raw = hand("export", "w1-carre-and-side-pot", played_at="2026-03-14T21:15:00+01:00")
    upload = client.wait(client.upload(raw))
    (shown,) = client.hands(upload=upload, found=False, min_pot=1, from_="2026-03-14T20:15Z")
    assert shown.hand == "export"
    assert list(client.hands(upload=upload, until=dt.date(2026, 3, 14))) == []
    assert list(client.hands(upload=upload, showdown=False)) == []

    to = client.export_documents(tmp_path / "hands.ndjson", upload=upload)
    assert json.loads(to.read_bytes()) == json.loads(raw)
    seen = list[tuple[int, int | None]]()
    rows = client.export_rows(
        "seats", tmp_path / "seats.csv", progress=lambda *done: seen.append(done), upload=upload
    )
    assert len(rows.read_text().splitlines()) == 1 + len(shown.players)
    assert seen[-1] == (rows.stat().st_size, rows.stat().st_size)
    with pytest.raises(RefusedError):
        client.export_documents(tmp_path / "none", preset="poker")
    assert {path.name for path in tmp_path.iterdir()} == {"hands.ndjson", "seats.csv"}


def test_a_player_is_told_apart(client: Client) -> None:
    played_at = "2026-03-14T20:15:00Z"
    document = json.loads(hand("player", "w1-carre-and-side-pot", played_at=played_at))
    for seat in document["seats"]:
        seat["player"] = f"apart/{seat['player']}"
    client.wait(client.upload(json.dumps(document).encode()))
    # Carla, the third of four, wins 36; a hand alone has no length.
    player = client.player("apart/Carla")
    figures = player.figures(preset="bouillotte/salon")
    assert (figures.player, figures.totals.units, figures.per_hour) == ("apart/Carla", 36, None)
    [position] = player.positions().positions
    assert (position.position, position.place, position.net) == (3, "between", 36)
    assert player.positions(place="dealer").positions == []
    hours = player.hours(tz="Europe/Paris")
    assert (hours.tz, [one.hour for one in hours.hours]) == ("Europe/Paris", [21])
    [session] = player.sessions()
    assert (session.hands, session.net) == (1, 36)
    assert player.drawdown() is None
    [played] = client.hands(player=player.name)
    fall = client.player("apart/Anna").drawdown()
    assert fall == Fall(15, played.hand_id, played.hand_id)
    assert {one.player for one in player.opponents()} == {"apart/Anna", "apart/Ben", "apart/Dan"}
    with pytest.raises(MissingError):
        client.player("a/../b").hours()


def test_hands_are_sent_in_a_dialect(client: Client) -> None:
    example = "dialects/french/w1-carre-and-side-pot"
    upload = client.wait(client.upload(hand("french", example), dialect="french"))
    assert (upload.dialect, upload.counts.legal) == ("french", 1)
    assert upload.id != upload.sha256


def test_a_session_is_audited_and_reported(client: Client, tmp_path: Path) -> None:
    whole = (EXAMPLES / "sessions" / "salon-broken-stack.json").read_text()
    name = json.loads(whole)["session"]["id"]
    client.wait(client.upload(whole.replace(name, f"été/{name}").encode()))
    seen = client.wait_for_session(f"été/{name}", timeout=60)
    assert (seen.state, seen.verdict) == ("done", "illegal")
    assert seen.audit is not None
    assert seen.audit.findings
    (listed,) = client.sessions(id=f"été/{name}", verdict="illegal")
    assert listed.key == seen.key
    report = client.session_report(listed, tmp_path / "report.html", lang="fr")
    document = client.session_document(listed, tmp_path / "document.json")
    made = CliRunner().invoke(main, ["verify", str(report), str(document)])
    assert made.exit_code == 0, made.output


def test_a_list_is_followed_to_its_end(client: Client) -> None:
    upload = client.wait(client.upload(b"\n".join(b'{"no": %d}' % line for line in range(450))))
    assert upload.counts.unreadable == 450
    assert [problem.ordinal for problem in client.problems(upload)] == list(range(1, 451))


def test_what_is_wrong_is_an_exception_of_its_kind(client: Client) -> None:
    with pytest.raises(MissingError) as missing:
        client.hand("0" * 24)
    assert (missing.value.code, missing.value.status) == ("not-found", 404)
    assert missing.value.members == {"hand_id": "0" * 24}
    with pytest.raises(RefusedError, match="call-amont") as refused:
        next(client.hands(code="call-amont"))
    assert refused.value.code == "bad-parameter"
    assert refused.value.members["parameter"] == "code"
    assert refused.value.request_id
    with pytest.raises(RefusedError) as empty:
        client.upload(b"")
    assert empty.value.code == "empty-upload"
    with pytest.raises(ValueError, match="letters and digits"):
        client.hand("../uploads")
    with pytest.raises(ValueError, match=r"like http://127\.0\.0\.1:8000"):
        Client("127.0.0.1:8000")
    with pytest.raises(UnexpectedAnswerError, match="leads away"):
        client.address("https://elsewhere.example/")
    with (
        Client("http://127.0.0.1:9", retries=0) as nowhere,
        pytest.raises(UnreachableError, match="127"),
    ):
        nowhere.state("0" * 64)


def test_what_fails_on_the_way_is_sent_again_as_the_same(proxy: Proxy, through: Client) -> None:
    proxy.script = [503, BREAK_OFF, 429]
    raw = hand("again")
    upload = through.upload(raw, name="again")
    assert upload.name == "again"
    assert [size for *_, size in proxy.seen] == [len(raw)] * 4
    assert len({headers["idempotency-key"] for _, _, headers, _ in proxy.seen}) == 1


def test_a_file_is_sent_from_where_it_stands(client: Client) -> None:
    raw = hand("stands")
    file = io.BytesIO(b"before" + raw)
    file.seek(6)
    assert client.upload(file).size == len(raw)


def test_what_can_be_read_once_is_sent_once(proxy: Proxy, through: Client) -> None:
    raw = hand("once")
    proxy.script = [503]
    with pytest.raises(UnavailableError) as busy:
        through.upload(cast("BinaryIO", ReadOnce(raw)))
    assert (busy.value.code, busy.value.status) == ("about:blank", 503)
    assert through.upload(cast("BinaryIO", ReadOnce(raw))).size == len(raw)
    assert len(proxy.seen) == 2
    assert "idempotency-key" not in proxy.seen[0][2]


def test_who_is_to_stay_away_for_long_is_told(proxy: Proxy, through: Client) -> None:
    proxy.script, proxy.answer_headers = [429], {"Retry-After": "86400"}
    with pytest.raises(RateLimitedError) as limited:
        through.upload(hand("limited"))
    assert limited.value.retry_after == 86_400
    assert len(proxy.seen) == 1


def test_a_service_that_tells_nothing_is_asked(proxy: Proxy, through: Client) -> None:
    upload = through.upload(hand("asked"))
    proxy.missing = ["/events"]
    assert through.wait(upload, timeout=60).status == "done"


def test_a_service_may_be_away_while_it_is_waited_for(
    proxy: Proxy, process_tree: ServedTree
) -> None:
    with Client(proxy.url, key=process_tree.key, retries=0) as hasty:
        upload = hasty.upload(hand("away"))
        proxy.script = [503, 503, BREAK_OFF, BREAK_OFF]
        assert hasty.wait(upload).status == "done"
    assert proxy.script == []


def test_waiting_has_an_end(proxy: Proxy, through: Client) -> None:
    upload = through.upload(hand("never"))
    proxy.missing = ["/events"]
    proxy.answers = {f"/api/v1/uploads/{upload.id}": msgspec.json.encode(upload)}
    with pytest.raises(WaitTimeoutError) as late:
        through.wait(upload, timeout=0.5)
    assert late.value.seen == upload


def test_a_file_that_changes_on_its_way_is_not_taken_for_itself(
    client: Client, tmp_path: Path
) -> None:
    file = tmp_path / "growing.ndjson"
    file.write_bytes(hand("changing") * 2_000)

    def change(sent: int, size: int | None) -> None:
        if sent != size:
            file.write_bytes(b"other" * ((size or 0) // 5 + 1))

    with pytest.raises(ChangedError):
        client.upload(file, progress=change)


def test_a_large_file_is_never_held_whole(client: Client, tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.write(b'{"retourne/1.0":\n')
        file.truncate(64 << 20)
    tracemalloc.start()
    try:
        client.upload(large)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_the_page_of_the_client_lists_its_methods_and_errors() -> None:
    listed = set(re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE))
    public = {name for name in vars(Client) if not name.startswith("_")}
    assert listed == public - {"close"}
    errors = set(re.findall(r"^\| `(\w+Error)` \|", PAGE, re.MULTILINE))
    exported = {name for name in service.client.__all__ if name.endswith("Error")}
    assert errors == exported - {"RetourneError", "ProblemError"}


def test_the_example_on_the_page_runs(process_tree: ServedTree, tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    lines = hand("page"), b'{"half', hand("page 2", "w1-carre-and-side-pot")
    (tmp_path / "evening.ndjson").write_bytes(b"\n".join(lines))
    made = subprocess.run(
        [sys.executable, "-c", block],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "RETOURNE_URL": process_tree.base_url,
            "RETOURNE_KEY": process_tree.key,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert "2 not-json" in made.stdout
    assert "page /events/13/add Dan called with 14; the call was 15." in made.stdout
    assert "call-amount" in (tmp_path / "findings.csv").read_text()
