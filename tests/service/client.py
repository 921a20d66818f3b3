"""A plain HTTP client that hides nothing: one request, its answer as it came."""

import datetime as dt
import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct

from service.registry import Registry
from service.web import create_app
from warehouse.settings import Settings

KEYS: dict[str, str] = {}
"""The keys of the running services by their addresses, each with every scope."""


class Answer(Struct):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON
        return json.loads(self.body)

    def problem(self, status: int, code: str) -> dict[str, Any]:
        """The answer's members, which must be those of this problem."""
        assert self.headers["content-type"] == "application/problem+json"
        document: dict[str, Any] = self.json
        assert document["type"] == f"/api/v1/codes#{code}"
        assert (self.status, document["status"]) == (status, status), document
        assert document["title"]
        assert document["detail"]
        assert document["instance"].startswith("/")
        return document


def ask(
    base_url: str,
    method: str,
    path: str,
    body: bytes | Iterator[bytes] | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """One request on a connection of its own. An iterator as body is sent in chunks.

    It names the service's key unless the headers name another, or none by an empty Authorization.
    """
    named = {"Authorization": f"Bearer {KEYS[base_url]}"} if base_url in KEYS else {}
    sent = {name: value for name, value in {**named, **(headers or {})}.items() if value}
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=60)
    try:
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, names, response.read())
    finally:
        connection.close()


def keyed_app(settings: Settings) -> Flask:
    """The application, whose test clients name the key of this machine unless they say otherwise.

    The key's text is in the app's config as ``KEY``.
    """
    app = create_app(settings)
    app.config["KEY"] = Registry(settings).ensure_local_key(dt.datetime.now(dt.UTC))
    app.test_client_class = KeyedClient
    return app


class KeyedClient(FlaskClient):
    def __init__(self, app: Flask, *args: Any, **options: Any) -> None:  # noqa: ANN401 - Flask's own
        super().__init__(app, *args, **options)
        self.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {app.config['KEY']}"
