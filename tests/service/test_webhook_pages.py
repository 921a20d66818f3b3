"""A club's webhooks on their pages: made, tested, silenced, deleted, each by a form."""

import re
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.service.client import keyed_app
from warehouse.settings import Settings
from workers.app import app as celery

PAGE = "/settings/webhooks"
URL = "https://8.8.8.8/hook"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(celery.conf, "broker_url", "memory://")  # nobody delivers
    return keyed_app(Settings(data=tmp_path / "data"))


def test_a_webhook_is_made_and_kept_on_its_page(app: Flask) -> None:
    client = app.test_client()

    def get(path: str) -> str:
        answer = client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 200
        return answer.text

    def post(path: str, **form: str) -> TestResponse:
        return client.post(path, data=form, headers={"Accept": "text/html"})

    refused = post(PAGE, url="http://127.0.0.1/", event="upload.failed")
    assert refused.status_code == 400
    assert "which is not on the internet" in refused.text
    assert post(PAGE, url=URL).status_code == 400  # told of nothing
    made = post(PAGE, url=URL, event="upload.failed")
    assert made.status_code == 201
    [secret] = re.findall(r"whsec_[A-Za-z0-9+/=]+", made.text)
    [webhook] = re.findall(rf"{PAGE}/(whk_[0-9a-f]{{16}})", made.text)
    assert secret not in get(PAGE)

    at = f"{PAGE}/{webhook}"
    assert "Nothing was sent yet" in get(at)
    assert post(f"{at}/test").headers["Location"] == at
    [again] = re.findall(rf"{at}/deliveries/dlv_[0-9a-f]{{24}}/redelivery", get(at))
    assert post(again).headers["Location"] == at
    post(f"{at}/active", active="no")
    assert "Silenced" in get(at)
    post(f"{at}/active", active="yes")
    assert "Told of upload.failed" in get(at)
    renewed = post(f"{at}/secret")
    assert "The one before it signs as well" in renewed.text
    assert secret not in renewed.text
    assert post(f"{at}/deletion").headers["Location"] == PAGE
    assert client.get(at, headers={"Accept": "text/html"}).status_code == 404
    assert post(f"{at}/test").status_code == 404
