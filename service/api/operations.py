"""The operations of the API, each declared once, where its handler stands, by `operation`.

The handler's signature is the declaration: what its path, its query and its body hold, and what
it answers. From it come the route, the reading of both and the OpenAPI document, so that none can
differ.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import UnionType
from typing import Any, Final, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from flask import Blueprint, Response
from msgspec import Struct

from service.api.answers import NoParameters, answer, lasting, read_query
from service.api.body import read_document
from warehouse.keys import Scope

Document = TypeVar("Document")
Handler = TypeVar("Handler", bound=Callable[..., object])

blueprint: Final = Blueprint("api", __name__)


class Reply(Struct, Generic[Document], frozen=True):
    """An answer that is more than its document."""

    document: Document
    status: HTTPStatus
    headers: dict[str, str]


class Operation(Struct, frozen=True, kw_only=True):
    """What clients may know of an operation.

    Attributes:
        name: The handler's, by which `flask.url_for` finds it as well.
        method: ``GET``, ``POST``, ``PUT``, ``PATCH`` or ``DELETE``.
        path: As Flask writes it.
        tag: The handler's module.
        summary: A sentence without its full stop.
        description: What there is to say beyond it; may be empty.
        in_path: The types of the path's parameters.
        query: The struct of the query's parameters.
        answers: The types of the document that is the answer, which is one of them.
        statuses: Those with which the document comes, and what each means.
        headers: Those that come with the document, and what each means.
        takes: The schemas of the request's own headers, each with a description.
        problems: The codes of the problems that are the operation's own.
        scope: What a key must be allowed to do; None for what everybody may know.
        body: The types of the request's body by media type; empty when it takes none.
        lasting: Whether the answer has an entity tag, and is not sent again to who knows it.
        media: The types that the document may be of; the handler itself makes what is not JSON.
    """

    name: str
    method: str
    path: str
    tag: str
    summary: str
    description: str
    in_path: dict[str, Any]
    query: type[Struct]
    answers: tuple[Any, ...]
    statuses: Mapping[HTTPStatus, str]
    headers: Mapping[str, str]
    takes: Mapping[str, Mapping[str, Any]]
    problems: tuple[str, ...]
    scope: Scope | None
    body: Mapping[str, tuple[Any, ...]]
    lasting: bool
    media: tuple[str, ...]


_BODY_PROBLEMS: Final = ("bad-body", "body-too-large", "incomplete-upload")

OPERATIONS: Final[list[Operation]] = []
"""Every operation of the API, once its handlers' modules are imported."""


def operation(
    method: str,
    path: str,
    *,
    scope: Scope | None,
    problems: tuple[str, ...] = (),
    lasting: bool = False,
    statuses: Mapping[HTTPStatus, str] | None = None,
    headers: Mapping[str, str] | None = None,
    takes: Mapping[str, Mapping[str, Any]] | None = None,
    body: Mapping[str, tuple[Any, ...]] | None = None,
    media: tuple[str, ...] = ("application/json",),
) -> Callable[[Handler], Handler]:
    """Declare the function below it as the handler of an operation, and route to it.

    The handler takes the path's parameters by name, and ``query`` if it has any: a struct all of
    whose fields may be absent. If it takes a ``document``, that is the request's JSON body, read as
    the struct that it is annotated with. It returns its document, a `Reply` with it, or a problem.
    The first line of its docstring is the summary. The keywords are those of `Operation`.
    """

    def declare(handler: Handler) -> Handler:
        hints = get_type_hints(handler, include_extras=True)
        summary, _, description = (inspect.getdoc(handler) or "").partition("\n\n")
        document = hints.get("document")
        read = {"application/json": (document,)} if document is not None else body or {}
        declared = Operation(
            name=handler.__name__,
            method=method,
            path=path,
            tag=handler.__module__.rpartition(".")[2],
            summary=" ".join(summary.split()).removesuffix("."),
            description=description,
            in_path={name: kind for name, kind in hints.items() if f"<{name}>" in path},
            query=hints.get("query", NoParameters),
            answers=_answered(hints["return"]),
            statuses=statuses or {HTTPStatus.OK: "The answer."},
            headers=headers or {},
            takes=takes or {},
            problems=(*problems, *(() if document is None else _BODY_PROBLEMS)),
            scope=scope,
            body=read,
            lasting=lasting,
            media=media,
        )
        OPERATIONS.append(declared)
        view = _view(declared, handler, takes_query="query" in hints, document=document)
        blueprint.add_url_rule(path, declared.name, view, methods=[method])
        return handler

    return declare


def _answered(returned: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a type, however it is written
    """The types of the document among what a handler returns."""
    (kind,) = (one for one in _alternatives(returned) if one is not Response)
    return _alternatives(get_args(kind)[0]) if get_origin(kind) is Reply else (kind,)


def _alternatives(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401 - likewise
    """The types of a union; any other type alone."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _view(
    declared: Operation,
    handler: Callable[..., object],
    *,
    takes_query: bool,
    document: type[Struct] | None,
) -> Callable[..., Response]:
    @functools.wraps(handler)
    def view(**in_path: str) -> Response:
        given: dict[str, object] = dict(in_path)
        query = read_query(declared.query)
        if isinstance(query, Response):
            return query
        if takes_query:
            given["query"] = query
        if document is not None:
            read = read_document(document)
            if isinstance(read, Response):
                return read
            given["document"] = read
        found = handler(**given)
        if isinstance(found, Response):
            return found
        if isinstance(found, Reply):
            response = answer(found.document, found.status)
            response.headers.update(found.headers)
        else:
            response = answer(found)
        return lasting(response) if declared.lasting else response

    return view
