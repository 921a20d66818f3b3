"""What comes in at the API: forms, ZIPs, dialects, limits, and requests that are sent again."""

import datetime as dt
import hashlib
import io
import zipfile
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from sqlalchemy import update
from werkzeug.test import TestResponse

from schemas.document import Hand
from tests.service.client import keyed_app
from tests.warehouse.uploads import ndjson, some_hands
from warehouse.identity import content_hash
from warehouse.intake import process_upload
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.tables import repeats
from workers.app import app as celery

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"
DIALECTS = EXAMPLES / "dialects"
W1 = "w1-carre-and-side-pot"
UPLOADS = "/api/v1/uploads"
FORM = "multipart/form-data"

Json = dict[str, Any]
Files = list[tuple[str, bytes]]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    data = tmp_path_factory.mktemp("intake") / "data"
    return Settings(data=data, max_upload_bytes=200_000, max_form_parts=3, chunk_hands=5)


@pytest.fixture(scope="module")
def store(settings: Settings) -> Iterator[Store]:
    with Store(settings) as opened:
        yield opened


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[Flask]:
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(celery.conf, "broker_url", "memory://")  # the tests work themselves
        yield keyed_app(settings)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def audited(client: FlaskClient, store: Store) -> Callable[..., Json]:
    """Sends an upload, works on it, and gives it as it stands then."""

    def run(body: bytes, **query: str) -> Json:
        answer = client.post(UPLOADS, data=body, query_string=query)
        assert answer.status_code in {HTTPStatus.OK, HTTPStatus.ACCEPTED}, answer.data
        upload = json_of(answer)["id"]
        process_upload(store, upload)
        return json_of(client.get(f"{UPLOADS}/{upload}"))

    return run


def json_of(answer: TestResponse) -> Json:
    document: Json = msgspec.json.decode(answer.data)
    return document


def problem_of(answer: TestResponse, status: int, code: str) -> Json:
    document = json_of(answer)
    assert (answer.status_code, document["type"]) == (status, f"/api/v1/codes#{code}"), document
    return document


def problems(client: FlaskClient, upload: Json) -> list[Json]:
    found: list[Json] = json_of(client.get(f"{UPLOADS}/{upload['id']}/problems"))["problems"]
    return found


def dialect_example(dialect: str, name: str) -> bytes:
    """The worked hand W1 in a dialect, under a name of its own."""
    [path] = (DIALECTS / dialect).glob(f"{W1}.*")
    return path.read_bytes().replace(b"w1", name.encode())


@pytest.mark.parametrize(
    ("dialect", "asked"),
    [
        ("french", "french"),
        ("csv", "auto"),
        ("csv+french", "french+csv"),
        ("french+raise-to+clockwise", "french raise-to clockwise"),  # pluses that nobody escaped
        ("ohh", "auto"),
        ("log+portuguese+raise-to", "auto"),
        ("v1", "v1"),
    ],
)
def test_an_upload_is_read_in_the_dialect_that_is_asked_for(
    client: FlaskClient, audited: Callable[..., Json], dialect: str, asked: str
) -> None:
    named = f"read-{dialect}"
    body = dialect_example(dialect, named)
    upload = audited(body, dialect=asked)
    name = "auto" if asked == "auto" else dialect
    assert upload["dialect"] == name
    assert upload["sha256"] == hashlib.sha256(body).hexdigest()
    assert upload["id"] == hashlib.sha256(f"{name}:{upload['sha256']}".encode()).hexdigest()
    assert (upload["counts"]["hands"], upload["counts"]["unreadable"]) == (1, 0)
    [told] = upload["reading"]["dialects"]
    assert told == {"text": dialect, "hands": 1, "first": 1}
    assert bool(upload["reading"]["reasons"]) == (asked == "auto")
    [hand] = json_of(client.get("/api/v1/hands", query_string={"upload": upload["id"]}))["hands"]
    original = client.get(f"/api/v1/hands/{hand['hand_id']}/original").data
    page = client.get(upload["links"]["page"]).text
    assert "Read as" in page
    assert f'<td lang="en">{dialect}</td>' in page
    expected = (EXAMPLES / f"{W1}.json").read_bytes().replace(b"w1", named.encode())
    assert content_hash(decoded(original)) == content_hash(decoded(expected))


def decoded(raw: bytes) -> Hand:
    return msgspec.json.decode(raw, type=Hand)


@pytest.mark.parametrize(
    ("dialect", "named"),
    [("french", "`french`"), ("csv", "`csv` or `auto`"), ("log", "`log`"), ("ohh", "`ohh`")],
)
def test_what_is_not_in_our_format_is_told_which_dialect_it_is_in(
    client: FlaskClient, audited: Callable[..., Json], dialect: str, named: str
) -> None:
    body = dialect_example(dialect, f"told-{dialect}")
    upload = audited(body)
    assert (upload["id"], upload["dialect"]) == (hashlib.sha256(body).hexdigest(), None)
    assert upload["counts"]["unreadable"] == 1
    [told] = problems(client, upload)
    assert f"the dialect {named}" in told["expected"]
    again = audited(body, dialect=dialect)
    assert again["id"] != upload["id"]
    assert again["sha256"] == upload["sha256"]
    assert again["counts"]["legal"] == 1


def test_a_hand_that_may_be_in_several_dialects_is_asked_about(
    client: FlaskClient, audited: Callable[..., Json]
) -> None:
    body = (DIALECTS / "undecided" / "french-or-portuguese.json").read_bytes()
    [asked] = problems(client, audited(body, dialect="auto"))
    assert asked["code"] == "undecided-dialect"
    assert asked["expected"] == "its dialect named: french, portuguese"
    assert "in which language" in asked["seen"]
    assert audited(body, dialect="french")["counts"]["unreadable"] == 0


@pytest.mark.parametrize("dialect", ["klingon", "french+german", "auto+csv", "csv++french", ""])
def test_a_dialect_that_there_is_not(client: FlaskClient, dialect: str) -> None:
    answer = client.post(UPLOADS, data=b"{}", query_string={"dialect": dialect})
    assert problem_of(answer, 400, "bad-parameter")["parameter"] == "dialect"


def test_an_upload_goes_on_reading_where_another_run_ended(
    client: FlaskClient, store: Store
) -> None:
    body = ndjson(some_hands(12, 11)) + b"{broken\n"
    upload = json_of(client.post(UPLOADS, data=body, query_string={"dialect": "auto"}))["id"]
    while process_upload(store, upload, seconds=0) == "resting":
        pass
    shown = json_of(client.get(f"{UPLOADS}/{upload}"))
    assert (shown["counts"]["legal"], shown["counts"]["unreadable"]) == (12, 1)
    assert shown["reading"]["dialects"] == [{"text": "v1", "hands": 12, "first": 1}]


def test_a_hand_and_a_problem_in_a_zip_name_their_file_and_the_line_in_it(
    client: FlaskClient, audited: Callable[..., Json]
) -> None:
    lines = ndjson(some_hands(4, 12)).splitlines(keepends=True)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("first.ndjson", b"".join(lines[:2]))
        archive.writestr("in/second.ndjson", lines[2] + b"{broken\n" + lines[3])
    upload = audited(packed.getvalue())
    assert (upload["counts"]["legal"], upload["counts"]["unreadable"]) == (4, 1)
    [broken] = problems(client, upload)
    assert (broken["file"], broken["line"], broken["offset"]) == (
        "in/second.ndjson",
        2,
        len(lines[2]),
    )
    found = json_of(client.get(f"/api/v1/hands?upload={upload['id']}"))["hands"]
    places = sorted((one["ordinal"], one["file"], one["line"]) for one in found)
    first, second = "first.ndjson", "in/second.ndjson"
    assert places == [(1, first, 1), (2, first, 2), (3, second, 1), (5, second, 3)]
    verdict = json_of(client.get(f"/api/v1/hands/{found[0]['hand_id']}"))
    assert (verdict["file"], verdict["line"]) == (found[0]["file"], found[0]["line"])
    rows = client.get("/api/v1/exports/hands").text.splitlines()
    assert sum(f",{second}," in row for row in rows) == 2
    plain = audited(ndjson(some_hands(1, 15)))
    [hand] = json_of(client.get(f"/api/v1/hands?upload={plain['id']}"))["hands"]
    assert (hand["file"], hand["line"]) == (None, 1)


def test_hands_before_the_limit_of_hands_are_kept(settings: Settings, client: FlaskClient) -> None:
    upload = json_of(client.post(UPLOADS, data=ndjson(some_hands(12, 13))))["id"]
    with Store(replace(settings, max_hands=7)) as limited:
        assert process_upload(limited, upload) == "failed"
    shown = json_of(client.get(f"{UPLOADS}/{upload}"))
    assert (shown["status"], shown["counts"]["legal"]) == ("failed", 7)
    assert shown["failure"] == {"code": "max_hands", "detail": "At most 7 allowed, 8 seen."}


def test_a_hand_beyond_its_limits_costs_no_other(settings: Settings, client: FlaskClient) -> None:
    hands = some_hands(3, 14)
    deep = msgspec.json.encode(replace(hands[1], x=msgspec.Raw(b"[[[[[[[]]]]]]]")))
    body = b"\n".join([msgspec.json.encode(hands[0]), deep, msgspec.json.encode(hands[2])])
    upload = json_of(client.post(UPLOADS, data=body))
    with Store(replace(settings, max_depth=7)) as limited:
        process_upload(limited, upload["id"])
    assert [(one["line"], one["code"]) for one in problems(client, upload)] == [(2, "too-deep")]
    most = max(len(hand.events) for hand in hands)
    body = ndjson(hand for hand in hands)
    upload = json_of(client.post(UPLOADS, data=body))
    with Store(replace(settings, max_events=most - 1)) as limited:
        process_upload(limited, upload["id"])
    long = [line for line, hand in enumerate(hands, 1) if len(hand.events) == most]
    told = [(one["line"], one["code"]) for one in problems(client, upload)]
    assert told == [(line, "too-many-events") for line in long]


def sent_form(client: FlaskClient, files: Files, **options: Any) -> TestResponse:  # noqa: ANN401 - Flask's own
    data = [(f"part{at}", (io.BytesIO(raw), name)) for at, (name, raw) in enumerate(files)]
    return client.post(UPLOADS, data=dict(data), content_type=FORM, **options)


def kept(settings: Settings) -> set[Path]:
    return {path for path in (settings.home / "blobs").rglob("*") if path.is_file()}


def test_every_file_of_a_form_becomes_an_upload_of_its_own(
    client: FlaskClient, store: Store
) -> None:
    first, second = ndjson(some_hands(3, 15)), dialect_example("csv+french", "form")
    answer = sent_form(client, [("C:/logs/one.ndjson", first), ("two.csv", second)])
    assert answer.status_code == HTTPStatus.ACCEPTED
    uploads = json_of(answer)["uploads"]
    assert [one["name"] for one in uploads] == ["one.ndjson", "two.csv"]
    assert [one["id"] for one in uploads] == [
        hashlib.sha256(raw).hexdigest() for raw in (first, second)
    ]
    assert answer.headers["Location"] == uploads[0]["links"]["self"]
    for one in uploads:
        assert process_upload(store, one["id"]) == "done"
    again = sent_form(client, [("one.ndjson", first)], query_string={"dialect": "v1"})
    assert json_of(again)["uploads"][0]["dialect"] == "v1"
    assert sent_form(client, [("one.ndjson", first)]).status_code == HTTPStatus.OK


BAD_FORMS: list[tuple[Files, int, str, Json]] = [
    ([("a.json", b"{}"), ("b.json", b"")], 400, "empty-upload", {"file": "b.json"}),
    (
        [("a.json", b"{}"), ("b.json", b" " * 200_000)],
        413,
        "upload-too-large",
        {"limit": "max_upload_bytes"},
    ),
    (
        [(f"{at}.json", b"{}") for at in range(4)],
        413,
        "upload-too-large",
        {"limit": "max_form_parts", "allowed": 3, "seen": 4, "file": "3.json"},
    ),
]


@pytest.mark.parametrize(("files", "status", "code", "members"), BAD_FORMS)
def test_of_a_form_that_is_refused_nothing_is_kept(
    client: FlaskClient, settings: Settings, files: Files, status: int, code: str, members: Json
) -> None:
    before = kept(settings), json_of(client.get(UPLOADS))
    told = problem_of(sent_form(client, files), status, code)
    assert {key: told.get(key) for key in members} == members
    assert (kept(settings), json_of(client.get(UPLOADS))) == before


HEAD = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.json"\r\n\r\n'


@pytest.mark.parametrize(
    ("body", "code", "file"),
    [
        (HEAD + b"{}", "incomplete-upload", "a.json"),
        (HEAD[:-4], "incomplete-upload", None),
        (b"--x--\r\n", "empty-upload", None),
        (b"nothing of the kind", "incomplete-upload", None),
        (b"--x\r\nContent-Type: x\r\n\r\n{}\r\n--x--", "bad-form", None),
        (b'--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n1\r\n--x--', "bad-form", None),
        (HEAD + b"{}\r\n--x\r\nA: " + b"b" * 190_000, "incomplete-upload", "a.json"),
    ],
)
def test_a_form_that_cannot_be_read(
    client: FlaskClient, settings: Settings, body: bytes, code: str, file: str | None
) -> None:
    before = kept(settings)
    answer = client.post(UPLOADS, data=body, content_type=f"{FORM}; boundary=x")
    assert problem_of(answer, 400, code).get("file") == file
    assert kept(settings) == before


def test_a_form_over_the_limit_whose_length_nobody_said(
    client: FlaskClient, settings: Settings
) -> None:
    before = kept(settings)
    answer = client.post(
        UPLOADS,
        input_stream=io.BytesIO(HEAD + b" " * 300_000),
        content_type=f"{FORM}; boundary=x",
        environ_overrides={"CONTENT_LENGTH": "", "wsgi.input_terminated": True},
    )
    told = problem_of(answer, 413, "upload-too-large")
    assert (told["limit"], told["file"]) == ("max_upload_bytes", "a.json")
    assert kept(settings) == before


def test_what_does_not_go_with_a_form(client: FlaskClient) -> None:
    answer = sent_form(client, [("a.json", b"{}")], query_string={"name": "b"})
    assert problem_of(answer, 400, "bad-parameter")["parameter"] == "name"
    answer = sent_form(client, [("a.json", b"{}")], headers={"Content-Encoding": "gzip"})
    assert problem_of(answer, 415, "unsupported-media")["allowed"] == ["identity"]
    answer = client.post(UPLOADS, input_stream=io.BytesIO(b"--x--"), content_type=FORM)
    problem_of(answer, 400, "bad-form")


def keyed(client: FlaskClient, key: str, body: bytes, **query: str) -> TestResponse:
    headers = {"Idempotency-Key": key}
    return client.post(UPLOADS, data=body, headers=headers, query_string=query)


def test_a_request_that_is_sent_again_is_answered_as_the_first_time(
    client: FlaskClient, settings: Settings, store: Store
) -> None:
    body = ndjson(some_hands(2, 16))
    first, again = (keyed(client, "key-1", body, name="a") for _ in range(2))
    assert json_of(first)["id"] == json_of(again)["id"]
    assert (first.status_code, again.status_code) == (202, 202)
    before = kept(settings)
    for other in (
        keyed(client, "key-1", body + b"\n", name="a"),
        keyed(client, "key-1", body, name="b"),
        keyed(client, "key-1", body, name="a", dialect="auto"),
    ):
        problem_of(other, 422, "idempotency-key-reused")
    assert kept(settings) == before
    with store.database.write() as connection:  # a day goes by
        yesterday = dt.datetime.now(dt.UTC) - dt.timedelta(hours=24, seconds=1)
        connection.execute(update(repeats).values(asked_at=yesterday))
    assert keyed(client, "key-1", body + b"\n").status_code == HTTPStatus.ACCEPTED


def test_a_form_with_a_key_is_taken_once(client: FlaskClient) -> None:
    files = [("a.json", b"[1]"), ("b.json", b"[2]")]
    headers = {"Idempotency-Key": "key-2"}
    first, again = (json_of(sent_form(client, files, headers=headers)) for _ in range(2))
    assert [one["id"] for one in first["uploads"]] == [one["id"] for one in again["uploads"]]
    answer = sent_form(client, files[:1], headers=headers)
    problem_of(answer, 422, "idempotency-key-reused")


def test_what_was_deleted_does_not_come_back_with_its_request(
    client: FlaskClient, store: Store, settings: Settings
) -> None:
    body = b"[3]"
    upload = json_of(keyed(client, "key-3", body))["id"]
    process_upload(store, upload)
    assert store.deletions.delete(upload, None, dt.datetime.now(dt.UTC)) is not None
    store.deletions.sweep()
    before = kept(settings)
    problem_of(keyed(client, "key-3", body), 410, "upload-deleted")
    assert kept(settings) == before


@pytest.mark.parametrize("key", ["", "a b", "x" * 201, "ä"])
def test_a_key_that_is_none(client: FlaskClient, key: str) -> None:
    problem_of(keyed(client, key, b"[4]"), 400, "bad-idempotency-key")
