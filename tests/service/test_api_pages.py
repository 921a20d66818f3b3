from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.web import create_app
from warehouse.settings import Settings


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    app = create_app(Settings(data=tmp_path))
    with app.test_client() as client:
        yield client


def test_a_browser_at_an_unknown_address_gets_a_page(client: FlaskClient) -> None:
    answer = client.get("/nowhere", headers={"Accept": "text/html,*/*;q=0.8"})

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert answer.mimetype == "text/html"
    assert "Nothing is here" in answer.text


@pytest.mark.parametrize(
    ("path", "accept"), [("/nowhere", "*/*"), ("/api/v1/nowhere", "text/html")]
)
def test_a_program_gets_a_problem(client: FlaskClient, path: str, accept: str) -> None:
    answer = client.get(path, headers={"Accept": accept})

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({"Accept": "text/html"}, "text/html"),
        ({"Accept": "text/html", "HX-Request": "true"}, "application/problem+json"),
        ({"Accept": "*/*"}, "application/problem+json"),
    ],
)
def test_what_goes_wrong_with_us_is_said_with_its_request_id(
    tmp_path: Path, headers: dict[str, str], kind: str
) -> None:
    def fail() -> str:
        raise RuntimeError

    app = create_app(Settings(data=tmp_path))
    app.view_functions["login.ask"] = fail  # which nobody needs a key for

    answer = app.test_client().get("/login", headers={**headers, "X-Request-Id": "abcd1234"})

    assert answer.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
    assert answer.mimetype == kind
    assert "Something is wrong on our side" in answer.text
    assert answer.headers["X-Request-Id"] in answer.text
