"""Who may do what: keys, scopes, the pages' cookie, and whose data anybody sees."""

import datetime as dt
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api.operations import OPERATIONS, Operation
from service.parts import claim_folder
from service.registry import Registry
from service.web import create_app
from warehouse.keys import SCOPES, Key, Scope
from warehouse.settings import Settings

NOW = dt.datetime.now(dt.UTC)
HTML = {"Accept": "text/html"}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(Settings(data=tmp_path / "data"))


@pytest.fixture
def registry(app: Flask) -> Registry:
    found: Registry = app.extensions["registry"]
    found.clubs.add("local", "Local", NOW)
    return found


Keyed = Callable[..., dict[str, str]]


@pytest.fixture
def keyed(registry: Registry) -> Keyed:
    return key_maker(registry)


def key_maker(registry: Registry) -> Keyed:
    """Makes the headers of a request with a key of these scopes."""

    def make(*scopes: Scope, club: str = "local") -> dict[str, str]:
        registry.clubs.add(club, club, NOW)
        _, text = registry.keys.make(club, "test", scopes, NOW)
        return {"Authorization": f"Bearer {text}"}

    return make


def path_of(one: Operation) -> str:
    """An address of the operation that leads to nothing."""
    return re.sub(r"<[^>]*?hand_id>", "0" * 24, re.sub(r"<[^>]*>", "0" * 64, one.path))


def code(answer: TestResponse) -> str:
    document: dict[str, Any] = answer.get_json()
    kind: str = document["type"]
    return kind.partition("#")[2]


@pytest.fixture(scope="module")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """An application for tests that leave nothing behind which the others could see."""
    return create_app(Settings(data=tmp_path_factory.mktemp("shared") / "data"))


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: f"{one.method} {one.path}")
def test_every_operation_takes_a_key_with_its_scope(shared_app: Flask, one: Operation) -> None:
    client = shared_app.test_client()
    keyed = key_maker(shared_app.extensions["registry"])
    bare = client.open(path_of(one), method=one.method)
    if one.scope is None:
        assert bare.status_code < 400
        return
    assert (bare.status_code, code(bare)) == (401, "no-key")
    assert bare.headers["WWW-Authenticate"].startswith("Bearer")
    others = [scope for scope in SCOPES if scope not in (one.scope, "admin")]
    lesser = client.open(path_of(one), method=one.method, headers=keyed(*others))
    assert (lesser.status_code, code(lesser)) == (403, "missing-scope")
    let_in = client.open(path_of(one), method=one.method, headers=keyed(one.scope))
    assert let_in.status_code not in (401, 403)


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer nothing", "Basic cnRuOg==", f"Bearer rtn_{'0' * 12}_{'A' * 43}"]
)
def test_a_wrong_key_opens_nothing_even_what_is_signed_in(app: Flask, header: str) -> None:
    answer = app.test_client().get("/api/v1/uploads", headers={"Authorization": header})
    assert (answer.status_code, code(answer)) == (401, "bad-key")


def test_an_ended_key_is_told_why(app: Flask, registry: Registry) -> None:
    made, text = registry.keys.make("local", "gone", ("read",), NOW)
    registry.keys.revoke(made.id, NOW)
    answer = app.test_client().get("/api/v1/uploads", headers={"Authorization": f"Bearer {text}"})
    assert answer.get_json()["detail"] == "The key was revoked."


def test_a_page_leads_who_is_not_signed_in_to_the_form_and_back(
    app: Flask, registry: Registry
) -> None:
    client = app.test_client()
    asked = client.get("/hands?verdict=illegal", headers=HTML)
    assert asked.status_code == 303
    form = client.get(asked.headers["Location"], headers=HTML)
    assert form.status_code == 200
    _, text = registry.keys.make("local", "me", ("read",), NOW)
    done = sign_in(client, form, text)
    assert (done.status_code, done.headers["Location"]) == (303, "/hands?verdict=illegal")
    cookie = done.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert client.get("/hands", headers=HTML).status_code == 200


@pytest.mark.parametrize(
    "elsewhere",
    ["https://example.org/", "//example.org", "/\\example.org", "/\n/example.org", "/a\r\nB: c"],
)
def test_signing_in_leads_to_no_other_site(app: Flask, registry: Registry, elsewhere: str) -> None:
    client = app.test_client()
    form = client.get("/login", query_string={"onward": elsewhere})
    _, text = registry.keys.make("local", "me", ("read",), NOW)
    assert sign_in(client, form, text).headers["Location"] == "/"


def test_the_cookie_ends_with_the_key(app: Flask, registry: Registry) -> None:
    client = app.test_client()
    made, text = registry.keys.make("local", "me", ("read",), NOW)
    sign_in(client, client.get("/login"), text)
    assert client.get("/", headers=HTML).status_code == 200
    registry.keys.revoke(made.id, NOW)
    assert client.get("/", headers=HTML).status_code == 303


def test_the_cookie_changes_nothing_without_the_page_s_token(
    app: Flask, registry: Registry
) -> None:
    client = app.test_client()
    _, text = registry.keys.make("local", "me", ("admin",), NOW)
    sign_in(client, client.get("/login"), text)
    for headers in ({}, {"X-CSRFToken": "forged"}):
        answer = client.post("/api/v1/uploads", data=b"{}", headers=headers)
        assert (answer.status_code, code(answer)) == (403, "bad-csrf-token")
    token = token_of(client.get("/", headers=HTML))
    sent = client.post("/api/v1/uploads", data=b"{}", headers={"X-CSRFToken": token})
    assert sent.status_code == 202


def test_a_token_of_somebody_else_s_page_is_none(app: Flask, registry: Registry) -> None:
    mine, theirs = app.test_client(), app.test_client()
    _, text = registry.keys.make("local", "me", ("admin",), NOW)
    sign_in(mine, mine.get("/login"), text)
    token = token_of(theirs.get("/login"))
    answer = mine.post("/api/v1/uploads", data=b"{}", headers={"X-CSRFToken": token})
    assert (answer.status_code, code(answer)) == (403, "bad-csrf-token")


def test_a_cookie_that_we_did_not_sign_opens_nothing(app: Flask, registry: Registry) -> None:
    made, _ = registry.keys.make("local", "me", ("admin",), NOW)
    client = app.test_client()
    client.set_cookie("retourne", f'{{"key":"{made.id}"}}')
    assert client.get("/", headers=HTML).status_code == 303


def test_no_page_is_everybody_s_that_is_not_meant_to_be(app: Flask) -> None:
    client, open_to_all = app.test_client(), set()
    operations = {f"api.{one.name}" for one in OPERATIONS}
    for rule in app.url_map.iter_rules():
        if rule.endpoint in operations:
            continue
        path = re.sub(r"<[^>]*>", "x", rule.rule)
        for method in (rule.methods or set()) - {"HEAD"}:
            answer = client.open(path, method=method, headers=HTML)
            asked = answer.headers.get("Location", "").startswith("/login?")
            if answer.status_code not in (401, 403) and not asked:
                open_to_all.add(rule.endpoint)
    assert {one for one in open_to_all if not one.startswith("reference.")} == {
        *("login.ask", "login.take", "login.leave", "pages.static", "shared.show")
    }


def test_a_page_takes_no_more_than_a_form(app: Flask) -> None:
    client = app.test_client()
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/login").text)
    assert token is not None
    form = {"key": "x", "file": (io.BytesIO(bytes(2 << 20)), "large")}
    answer = client.post("/login", data=form, headers={"X-CSRFToken": token[1]})
    assert (answer.status_code, code(answer)) == (413, "upload-too-large")


def test_the_records_are_their_owner_s_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with claim_folder(data):
        Registry(Settings(data=data)).houses.of("local")
    assert data.stat().st_mode & 0o077 == 0
    records = [*data.glob("control.db*"), *data.glob("clubs/local/records.db*")]
    assert len(records) >= 2
    assert [one.name for one in records if one.stat().st_mode & 0o077] == []


def test_signing_out_forgets_the_key(app: Flask, registry: Registry) -> None:
    client = app.test_client()
    _, text = registry.keys.make("local", "me", ("read",), NOW)
    sign_in(client, client.get("/login"), text)
    client.post("/logout", data={"csrf_token": token_of(client.get("/", headers=HTML))})
    assert client.get("/", headers=HTML).status_code == 303


@pytest.mark.parametrize(("scopes", "offered"), [(("read",), 0), (("read", "upload"), 1)])
def test_uploading_is_offered_to_those_who_may(
    app: Flask, registry: Registry, scopes: tuple[Scope, ...], offered: int
) -> None:
    client = app.test_client()
    _, text = registry.keys.make("local", "me", scopes, NOW)
    sign_in(client, client.get("/login"), text)
    for address in ("/", "/uploads"):
        page = client.get(address, headers=HTML).text
        assert page.count('<form class="drop"') == offered
        assert ("may look at what came in" in page) != bool(offered)


def test_secure_cookies_are_for_https_alone(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path / "data", secure_cookies=True))
    assert "Secure" in app.test_client().get("/login").headers["Set-Cookie"]


@pytest.fixture
def open_app(tmp_path: Path) -> Flask:
    app = create_app(Settings(data=tmp_path / "data", login="open"))
    app.extensions["registry"].ensure_local_key(NOW)
    return app


def test_an_open_page_signs_in_whoever_is_at_this_machine(open_app: Flask) -> None:
    client = open_app.test_client()
    assert client.get("/", headers=HTML).status_code == 200
    assert client.get("/api/v1/uploads").status_code == 200


@pytest.mark.parametrize(
    "environ",
    [
        {"REMOTE_ADDR": "192.0.2.1"},
        {"HTTP_HOST": "rebound.example.org"},
        {"HTTP_X_FORWARDED_FOR": "192.0.2.1"},  # a proxy on this machine that names us
        {"HTTP_FORWARDED": "for=192.0.2.1"},
    ],
)
def test_an_open_page_signs_nobody_in_who_comes_from_elsewhere(
    open_app: Flask, environ: dict[str, str]
) -> None:
    answer = open_app.test_client().get("/", headers=HTML, environ_overrides=environ)
    assert answer.status_code == 303


def test_without_a_page_the_api_takes_a_key_on_this_machine_too(open_app: Flask) -> None:
    answer = open_app.test_client().get("/api/v1/uploads")
    assert (answer.status_code, code(answer)) == (401, "no-key")


def test_keys_are_made_shown_once_rotated_and_revoked_by_the_api(app: Flask, keyed: Keyed) -> None:
    client = app.test_client()
    admin = keyed("admin")
    wish = {"label": "phone", "scopes": ["read"], "expires_at": "2099-01-01T00:00:00Z"}
    made = client.post("/api/v1/keys", json=wish, headers=admin)
    assert made.status_code == 201
    text, here = made.get_json()["key"], made.headers["Location"]
    bearer = {"Authorization": f"Bearer {text}"}
    assert client.get("/api/v1/uploads", headers=bearer).status_code == 200
    assert "key" not in client.get(here, headers=admin).get_json()
    rotated = client.post(f"{here}/rotation", json={"overlap_seconds": 0}, headers=admin)
    assert client.get("/api/v1/uploads", headers=bearer).status_code == 401
    again = {"Authorization": f"Bearer {rotated.get_json()['key']}"}
    assert client.get("/api/v1/uploads", headers=again).status_code == 200
    ended = client.post(f"{rotated.headers['Location']}/revocation", headers=admin)
    assert ended.get_json()["revoked_at"] is not None
    assert client.get("/api/v1/uploads", headers=again).status_code == 401


@pytest.mark.parametrize(
    ("wish", "pointer"),
    [
        ({"label": "x"}, "/scopes"),
        ({"label": "x", "scopes": []}, "/scopes"),
        ({"label": "x", "scopes": ["root"]}, "/scopes/0"),
        ({"label": "x", "scopes": ["read"], "until": "2099"}, "/until"),
        ({"label": "x", "scopes": ["read"], "expires_at": "soon"}, "/expires_at"),
    ],
)
def test_a_wish_for_a_key_is_read_strictly(
    app: Flask, keyed: Keyed, wish: dict[str, object], pointer: str
) -> None:
    answer = app.test_client().post("/api/v1/keys", json=wish, headers=keyed("admin"))
    assert (answer.status_code, code(answer)) == (422, "bad-body")
    assert answer.get_json()["error"]["pointer"] == pointer


def test_keys_are_made_and_revoked_on_their_page(app: Flask, registry: Registry) -> None:
    client = app.test_client()
    _, text = registry.keys.make("local", "me", ("admin",), NOW)
    sign_in(client, client.get("/login"), text)
    page = client.get("/settings/keys", headers=HTML)
    form = {"csrf_token": token_of(page), "label": "phone", "scope": ["read"], "days": "30"}
    made = client.post("/settings/keys", data=form, headers=HTML)
    assert made.status_code == 201
    shown = re.findall(r"rtn_[0-9a-f]{12}_[A-Za-z0-9_-]{43}", made.text)
    found = registry.keys.check(shown[0], NOW)
    assert isinstance(found, Key)
    assert found.expires_at is not None
    assert shown[0] not in client.get("/settings/keys", headers=HTML).text
    client.post(f"/settings/keys/{found.id}/revocation", data=form, headers=HTML)
    assert registry.keys.check(shown[0], dt.datetime.now(dt.UTC)) == "revoked"


def sign_in(client: FlaskClient, form: TestResponse, text: str) -> TestResponse:
    onward = re.search(r'name="onward" value="([^"]*)"', form.text)
    assert onward is not None
    fields = {"csrf_token": token_of(form), "key": text, "onward": onward[1].replace("&amp;", "&")}
    return client.post("/login", data=fields, headers=HTML)


def token_of(page: TestResponse) -> str:
    found = re.search(r'name="csrf-token" content="([^"]+)"', page.text)
    assert found is not None
    return found[1]
