from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.headers import SECURITY_HEADERS
from tests.service.client import Answer, keyed_app
from warehouse.settings import Settings

HANDS = "/api/v1/hands"
UPLOADS = "/api/v1/uploads"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return keyed_app(Settings(data=tmp_path_factory.mktemp("api") / "data", max_upload_bytes=1000))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def ask(client: FlaskClient, method: str, path: str, **request: object) -> Answer:
    response = client.open(path, method=method, **request)  # type: ignore[arg-type] # passed on
    headers = {name.lower(): value for name, value in response.headers}
    return Answer(response.status_code, headers, response.get_data())


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", UPLOADS, ["GET", "HEAD", "OPTIONS", "POST"]),
        ("POST", HANDS, ["GET", "HEAD", "OPTIONS"]),
        ("PUT", "/healthz", ["GET", "HEAD", "OPTIONS"]),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(
    client: FlaskClient, method: str, path: str, allowed: list[str]
) -> None:
    answer = ask(client, method, path)
    assert answer.problem(405, "method-not-allowed")["allowed"] == allowed
    assert answer.headers["allow"] == ", ".join(allowed)


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1",
        "/api/v2/hands",
        "/api/v1/nowhere",
        f"{UPLOADS}/{'0' * 64}",
        f"{UPLOADS}/{'0' * 64}/problems",
        f"{UPLOADS}/{'0' * 64}/conflicts",
        f"{UPLOADS}/%00",
        f"{UPLOADS}/{'é' * 3000}",
        f"{HANDS}/{'0' * 24}",
        f"{HANDS}/{'0' * 24}/replay",
        f"{HANDS}/%00/original",
        f"{HANDS}/..%2f..%2fetc%2fpasswd",
        "/%ff",
    ],
)
def test_where_nothing_is(client: FlaskClient, path: str) -> None:
    ask(client, "GET", path).problem(404, "not-found")


@pytest.mark.parametrize(
    ("path", "parameter", "members"),
    [
        (f"{HANDS}?limit=0", "limit", {"expected": "a whole number, 1 to 1000", "seen": "0"}),
        (f"{HANDS}?limit=1001", "limit", {"seen": "1001"}),
        (f"{HANDS}?limit=ten", "limit", {"seen": "ten"}),
        (f"{HANDS}?limit=1.5", "limit", {"seen": "1.5"}),
        (f"{HANDS}?limit={'9' * 5000}", "limit", {"seen": "9" * 199 + "…"}),
        (f"{HANDS}?limit=", "limit", {"seen": ""}),
        (f"{HANDS}?limit=5&limit=6", "limit", {"expected": "given once"}),
        (
            f"{HANDS}?verdict=lega",
            "verdict",
            {"expected": "one of `illegal`, `legal`, `unverifiable`", "seen": "lega"},
        ),
        (f"{HANDS}?verdict=null", "verdict", {"seen": "null"}),
        (f"{HANDS}?code=card-thrice", "code", {"seen": "card-thrice"}),
        (f"{HANDS}?preset=bouillotte", "preset", {"seen": "bouillotte"}),
        (f"{HANDS}?made=opens", "made", {"seen": "opens"}),
        (f"{HANDS}?weekday=0", "weekday", {}),
        (f"{HANDS}?tz=../etc/passwd", "tz", {"expected": "a time zone such as Europe/Paris"}),
        (f"{HANDS}?upload=abc", "upload", {"expected": "the 64 hex digits of an upload's id"}),
        (f"{HANDS}?player=", "player", {"expected": "text of 1 to 200 characters"}),
        (f"{HANDS}?player={'a' * 201}", "player", {}),
        (f"{HANDS}?cursor=abc", "cursor", {"expected": "the cursor of a link next"}),
        (f"{HANDS}?cursor=%ff%00", "cursor", {}),
        (
            f"{HANDS}?playr=anna",
            "playr",
            {
                "allowed": [
                    *("sort", "limit", "cursor"),
                    *("upload", "player", "session", "source", "table", "preset", "verdict"),
                    *("standing", "code", "severity", "found", "tag", "showdown", "min_pot"),
                    *("from", "until", "hour", "weekday", "tz", "dated", "in_session"),
                    *("seats", "opponent", "place", "position", "made", "chance"),
                ]
            },
        ),
        (f"{HANDS}/{'0' * 24}?full=1", "full", {"allowed": []}),
        (f"{UPLOADS}?cursor={'0' * 64}", "cursor", {"expected": "the cursor of a link next"}),
        (f"{UPLOADS}?limit=-1", "limit", {}),
        (f"{UPLOADS}/abc/problems?cursor=x", "cursor", {"expected": "the cursor of a link next"}),
        (f"{UPLOADS}/abc/problems?cursor={'9' * 30}", "cursor", {}),
        (f"{UPLOADS}/abc/conflicts?cursor=X", "cursor", {}),
        ("/api/v1/codes?x", "x", {"allowed": []}),
    ],
)
def test_a_parameter_that_is_not_right_is_named(
    client: FlaskClient, path: str, parameter: str, members: dict[str, object]
) -> None:
    document = ask(client, "GET", path).problem(400, "bad-parameter")
    assert document["parameter"] == parameter
    assert {name: document[name] for name in members} == members
    assert parameter in document["detail"]


def test_a_closed_parameter_lists_what_is_allowed(client: FlaskClient) -> None:
    document = ask(client, "GET", f"{HANDS}?preset=x").problem(400, "bad-parameter")
    assert "bouillotte/salon" in document["allowed"]
    document = ask(client, "GET", f"{HANDS}?code=x").problem(400, "bad-parameter")
    assert {"card-twice", "unknown-key"} <= set(document["allowed"])


def test_a_misspelt_parameter_gets_a_suggestion(client: FlaskClient) -> None:
    document = ask(client, "GET", f"{HANDS}?playr=anna").problem(400, "bad-parameter")
    assert document["detail"].endswith("Did you mean player?")


def test_an_empty_upload(client: FlaskClient) -> None:
    ask(client, "POST", UPLOADS, data=b"").problem(400, "empty-upload")


@pytest.mark.parametrize("size", [1001, 70_000, 5_000_000])
def test_an_upload_over_the_limit_by_its_announced_size(client: FlaskClient, size: int) -> None:
    document = ask(client, "POST", UPLOADS, data=b" " * size).problem(413, "upload-too-large")
    assert document["limit"] == "max_upload_bytes"
    assert (document["allowed"], document["seen"]) == (1000, size)


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "é"])
def test_an_upload_packed_in_another_way(client: FlaskClient, encoding: str) -> None:
    answer = ask(client, "POST", UPLOADS, data=b"{}", headers={"Content-Encoding": encoding})
    document = answer.problem(415, "unsupported-media")
    assert document["allowed"] == ["identity", "gzip", "x-gzip", "zstd"]


def test_a_form_with_more_than_files(client: FlaskClient) -> None:
    answer = ask(client, "POST", UPLOADS, data={"name": "{}"}, content_type="multipart/form-data")
    assert answer.problem(400, "bad-form")["field"] == "name"


def test_an_upload_that_another_site_sends(client: FlaskClient) -> None:
    answer = ask(client, "POST", UPLOADS, data=b"{}", headers={"Sec-Fetch-Site": "cross-site"})
    answer.problem(403, "cross-site")


def test_a_name_that_is_too_long(client: FlaskClient) -> None:
    answer = ask(client, "POST", f"{UPLOADS}?name={'n' * 201}", data=b"{}")
    assert answer.problem(400, "bad-parameter")["parameter"] == "name"


def test_what_we_did_not_foresee_is_a_problem_too(tmp_path: Path) -> None:
    app = keyed_app(Settings(data=tmp_path / "data"))
    app.add_url_rule("/slip", view_func=lambda: str(1 // 0))
    answer = ask(app.test_client(), "GET", "/slip", headers={"X-Request-Id": "slip-1"})
    document = answer.problem(500, "internal-error")
    assert document["request_id"] == "slip-1"
    assert "division" not in answer.body.decode()


def test_a_data_folder_that_is_gone_is_not_ready(tmp_path: Path) -> None:
    app = keyed_app(Settings(data=tmp_path / "data"))
    assert ask(app.test_client(), "GET", "/readyz").json == {"status": "ready"}
    (tmp_path / "data").rename(tmp_path / "elsewhere")
    answer = ask(app.test_client(), "GET", "/readyz")
    assert answer.problem(503, "not-ready")["part"] == "data"


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/nowhere", "/api/v1/codes", HANDS, UPLOADS, "/", "/hands"]
)
def test_every_answer_carries_the_security_headers(client: FlaskClient, path: str) -> None:
    answer = ask(client, "GET", path)
    for name in SECURITY_HEADERS:
        assert answer.headers[name.lower()]
    policy = answer.headers["content-security-policy"]
    assert policy.startswith(("default-src 'self'", "default-src 'none'"))
    assert "unsafe" not in policy


def test_a_request_keeps_the_id_it_brings_and_gets_one_otherwise(client: FlaskClient) -> None:
    def given(request_id: str) -> str:
        return ask(client, "GET", "/healthz", headers={"X-Request-Id": request_id}).headers[
            "x-request-id"
        ]

    assert given("trace-7.a_b") == "trace-7.a_b"
    assert given("no good {}") != "no good {}"
    assert given("x" * 65) != given("x" * 65)


def test_every_code_is_listed(client: FlaskClient) -> None:
    codes = ask(client, "GET", "/api/v1/codes").json
    findings = {one["code"]: one for one in codes["findings"]}
    assert findings["card-twice"]["severity"] == "illegal"
    assert all(
        set(text) == {"en", "fr", "de", "pt"}
        for text in findings["card-twice"]["sentences"].values()
    )
    assert all(one["sentences"] for one in codes["findings"])
    assert {"not-json", "unknown-card"} <= {one["code"] for one in codes["reading"]}
    assert {"code": "not-found", "status": 404} in [
        {"code": one["code"], "status": one["status"]} for one in codes["problems"]
    ]
