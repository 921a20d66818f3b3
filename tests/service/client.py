"""A plain HTTP client that hides nothing: one request, its answer as it came."""

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct


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
    """One request on a connection of its own. An iterator as body is sent in chunks."""
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=60)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, names, response.read())
    finally:
        connection.close()
