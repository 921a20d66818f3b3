"""Answers read into types: one document, or the entries of a list page by page."""

from collections.abc import Iterator
from typing import Any, Final, TypeVar

import msgspec

from service.client.connection import Connection
from service.client.errors import UnexpectedAnswerError

_PAGE: Final = "200"

Answer = TypeVar("Answer")


def get(
    connection: Connection, link: str, kind: type[Answer], query: dict[str, str] | None = None
) -> Answer:
    """What is at an address.

    Raises:
        RetourneError: The service does not tell.
    """
    return read(connection.ask("GET", link, again=True, query=query or {}).content, kind)


def entries(
    connection: Connection, link: str, member: str, kind: type[Answer], query: dict[str, str]
) -> Iterator[Answer]:
    """The entries of a list, page by page as they are wanted."""
    following: str | None = link
    query = {**query, "limit": _PAGE}
    while following is not None:
        response = connection.ask("GET", following, again=True, query=query)
        page = read(response.content, dict[str, Any])
        yield from _converted(page.get(member), list[kind])  # type: ignore[valid-type]
        following, query = page.get("next"), {}  # the link has the conditions with it


def read(raw: bytes, kind: type[Answer]) -> Answer:
    """An answer's body.

    Raises:
        UnexpectedAnswerError: It is something else.
    """
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise UnexpectedAnswerError(f"The answer is not what it should be: {error}") from error


def _converted(read: object, kind: type[Answer]) -> Answer:
    try:
        return msgspec.convert(read, kind)
    except msgspec.ValidationError as error:
        raise UnexpectedAnswerError(f"The answer is not what it should be: {error}") from error
