"""What all of the API's answers share: JSON bodies, and queries read into typed parameters."""

import difflib
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeVar, cast

import msgspec
from flask import Response, g, request
from msgspec import Meta, Struct, inspect

from dashboards.house import house
from schemas.diagnosis import describe
from schemas.errors import clip
from service.problems import problem
from warehouse.queries import Warehouse
from warehouse.store import Store

MAX_PAGE: Final = 1_000

CURSOR: Final = Meta(title="Where the list goes on.", description="the cursor of a link next")

Query = TypeVar("Query", bound=Struct)


class NoParameters(Struct):
    """The query of an address that takes none."""


Limit = Annotated[int, Meta(title="Entries at the most.", ge=1, le=MAX_PAGE)]
Cursor = Annotated[str, CURSOR, Meta(min_length=1, max_length=2_000)]


class PageQuery(Struct):
    """The query of every list."""

    limit: Limit = 50
    cursor: Cursor | None = None


def warehouse() -> Warehouse:
    """The read side of the request's house."""
    return house().warehouse


def store() -> Store:
    """The write side of the request's house."""
    return house().store


def caller() -> str:
    """The id of the key that the request came with, for what is noted of who did something."""
    return cast("str", g.access.key.id)


def answer(document: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """The document as JSON."""
    body = msgspec.json.encode(document)
    response = Response(body, status=status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def lasting(response: Response) -> Response:
    """An answer that stays the same until the engine changes: a client may ask whether it has."""
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    return cast("Response", response.make_conditional(request))


def read_query(kind: type[Query]) -> Query | Response:
    """The query's parameters as the struct ``kind``, or a problem that names the one at fault."""
    fields = {field.encode_name: field.type for field in query_fields(kind)}
    names = {field.encode_name: field.name for field in query_fields(kind)}
    values: dict[str, Any] = {}
    for name, texts in request.args.lists():
        if name not in fields:
            return _unknown_parameter(name, list(fields))
        expected = _described(fields[name])
        if len(texts) > 1:
            return bad_parameter(name, "given once", f"given {len(texts)} times")
        try:
            one = {name: texts[0]}
            value = getattr(msgspec.convert(one, kind, strict=False), names[name])
        except msgspec.ValidationError:
            return bad_parameter(name, expected, texts[0])
        allowed = _known(fields[name])
        if allowed and value not in allowed:
            expected = f"one of the {len(allowed)} that are allowed"
            return bad_parameter(name, expected, texts[0], allowed=allowed)
        if value is None:  # the text null; what is absent is not written
            return bad_parameter(name, expected, texts[0])
        values[names[name]] = value
    return kind(**values)


def written(query: Struct) -> dict[str, Any]:
    """A query's parameters as an address writes them, those left out that are as usual."""
    usual = type(query)()
    return {
        field.encode_name: str(value).lower() if isinstance(value, bool) else value
        for field in query_fields(type(query))
        if (value := getattr(query, field.name)) != getattr(usual, field.name)
    }


def query_fields(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    """The parameters of a query, in the order in which they are written down."""
    return cast("inspect.StructType", inspect.type_info(kind)).fields


def bad_parameter(name: str, expected: str, seen: str, **members: object) -> Response:
    """The problem of a parameter whose value is not one of those allowed."""
    seen = clip(seen)
    detail = f"The parameter {name} should be {expected}, and is {seen!r}."
    return problem("bad-parameter", detail, parameter=name, expected=expected, seen=seen, **members)


def _unknown_parameter(name: str, known: list[str]) -> Response:
    near = difflib.get_close_matches(name[:64], known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    takes = f"takes {', '.join(known)}" if known else "takes no parameters"
    detail = f"There is no parameter {clip(name, 64)!r}: {request.path} {takes}.{hint}"
    return problem("bad-parameter", detail, parameter=clip(name, 64), allowed=known)


def present(kind: inspect.Type) -> inspect.Type:
    """The type of a parameter that is there, of one that may be absent."""
    if isinstance(kind, inspect.UnionType):
        return next(one for one in kind.types if not isinstance(one, inspect.NoneType))
    return kind


def _extra(kind: inspect.Type) -> dict[str, Any]:
    """What a parameter's schema says beyond its type."""
    kind = present(kind)
    return (kind.extra_json_schema if isinstance(kind, inspect.Metadata) else None) or {}


def _known(kind: inspect.Type) -> list[str]:
    """The values of a closed parameter whose type does not close it; none for any other."""
    known: list[str] = _extra(kind).get("enum", [])
    return known


def _described(kind: inspect.Type) -> str:
    """What a parameter takes; one that may be absent is described as if it were there."""
    said = _extra(kind).get("description")
    return said if isinstance(said, str) else describe(present(kind))
