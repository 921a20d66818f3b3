"""The OpenAPI document of the API, made from the operations' declarations and their types alone.

It is served at ``/api/v1/openapi.json``, and checked in at `service.api.description.DOCUMENT_FILE`.
"""

import re
from itertools import chain
from typing import Any, Final

import msgspec
from msgspec import Struct, inspect

from schemas.diagnosis import describe
from service import tracing
from service.api.answers import present, query_fields
from service.api.operations import Operation
from service.problems import MEDIA_TYPE, PROBLEMS, ProblemDocument, problem_type

TAGS: Final = {
    "uploads": "Taking hands in, and how far their audit is.",
    "originals": "The bytes of uploads as they were sent.",
    "deletions": "Deleting uploads, and what was deleted.",
    "deadletters": "Uploads that were given up, and taking them up again.",
    "hands": "Searching hands; a hand's verdict, replay and original bytes.",
    "notes": "What people wrote on hands: notes, and tags by which they are found again.",
    "shares": "Links that show one hand to whoever has them.",
    "conflicts": "Hands told in several ways, and which of them counts.",
    "reaudits": "Hands judged anew by a newer engine, and where it judges otherwise.",
    "sessions": "Sessions and tournaments: declared, their hands attached, audited as a whole.",
    "players": "Players, their profit and statistics; which names are one person's.",
    "slices": "What a player's hands come to by position, hour, session and opponent.",
    "statistics": "Which statistics there are, and those of a club's own.",
    "exports": "All the rows, or all the documents, of the hands that meet conditions.",
    "keys": "The keys of a club: made, listed, rotated, ended.",
    "webhooks": "Being told of what happens, without asking.",
    "codes": "What the codes in answers mean.",
    "description": "The API described for machines.",
    "health": "Whether the service lives, and can do its work.",
}
"""The groups of operations, in the order in which they are shown."""

_ABOUT: Final = {
    "title": "Retourne",
    "version": "1",
    "summary": "Audit of hand histories of Bouillotte, Brelan and Bourré.",
    "description": (
        "Every answer has an `X-Request-Id`; a request may bring its own. Every error is a problem"
        " document (RFC 9457). Every list takes `limit` and `cursor`, and leads on by its `next`."
    ),
}
_SCHEMA: Final = "#/components/schemas/{name}"
_STRING: Final = {"type": "string"}
_HEADERS: Final = {
    tracing.HEADER: "The request's id, which is in the log as well.",
    "ETag": "The entity tag of the answer.",
}
_REQUEST_ID: Final = {
    "name": tracing.HEADER,
    "in": "header",
    "description": "The id of the request, if the client has one: up to 64 of A–Z a–z 0–9 . _ -",
    "schema": _STRING,
}
_COMMON_PROBLEMS: Final = (
    "bad-parameter",
    "bad-request",
    "internal-error",
    "rate-limited",
    "storage-unreachable",
)
_KEY_PROBLEMS: Final = ("no-key", "bad-key", "missing-scope")
_KEY: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": (
        "A key, as `Authorization: Bearer rtn_…`. Each has scopes, of which an operation takes one:"
        " `upload`, `read`, `audit` or `admin`; a key with `admin` may do everything."
    ),
}


class _Schemas:
    """The schemas of every type that the operations name, and the components they lead to."""

    def __init__(self, operations: list[Operation]) -> None:
        queries = list(dict.fromkeys(one.query for one in operations))
        types: list[Any] = [ProblemDocument, *queries]
        for one in operations:
            types += [*one.answers, *one.in_path.values(), *chain(*one.body.values())]
        made, self.components = msgspec.json.schema_components(
            types, schema_hook=_any, ref_template=_SCHEMA
        )
        self._made = list(zip(types, made, strict=True))
        self._fields = {query: self.components.pop(query.__name__) for query in queries}

    def of(self, kind: object) -> dict[str, Any]:
        """The schema of one of the types."""
        return next(schema for known, schema in self._made if known is kind)

    def of_any(self, kinds: tuple[object, ...]) -> dict[str, Any]:
        """The schema of what is of any of the types."""
        found = [self.of(kind) for kind in kinds]
        return found[0] if len(found) == 1 else {"anyOf": found}

    def of_field(self, query: type[Struct], name: str) -> dict[str, Any]:
        """The schema of a parameter of a query where it is there."""
        field: dict[str, Any] = dict(self._fields[query]["properties"][name])
        default = field.pop("default", None)
        for one in field.pop("anyOf", []):
            if one != {"type": "null"}:
                field |= one
        return field if default is None else {**field, "default": default}


def _any(_kind: type) -> dict[str, Any]:
    return {"description": "Any JSON."}


def openapi_document(operations: list[Operation]) -> dict[str, Any]:
    """The document of these operations, OpenAPI 3.1."""
    schemas = _Schemas(operations)
    paths: dict[str, Any] = {}
    for one in sorted(operations, key=lambda one: (list(TAGS).index(one.tag), one.path)):
        path = re.sub(r"<(\w+)>", r"{\1}", one.path)
        shared = {"parameters": [{"$ref": "#/components/parameters/" + tracing.HEADER}]}
        paths.setdefault(path, shared)[one.method.lower()] = _operation(one, schemas)
    return {
        "openapi": "3.1.0",
        "info": _ABOUT,
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "parameters": {tracing.HEADER: _REQUEST_ID},
            "headers": {name: _header(about) for name, about in _HEADERS.items()},
            "securitySchemes": {"key": _KEY},
        },
    }


def _operation(one: Operation, schemas: _Schemas) -> dict[str, Any]:
    made: dict[str, Any] = {"operationId": one.name, "tags": [one.tag], "summary": one.summary}
    if one.description:
        made["description"] = one.description
    made["security"] = [] if one.scope is None else [{"key": [one.scope]}]
    made["parameters"] = _parameters(one, schemas)
    if one.body:
        content = {media: {"schema": schemas.of_any(kinds)} for media, kinds in one.body.items()}
        made["requestBody"] = {"required": True, "content": content}
    made["responses"] = _responses(one, schemas)
    return made


def _parameters(one: Operation, schemas: _Schemas) -> list[dict[str, Any]]:
    parameters = [
        _parameter(name, "path", dict(schemas.of(kind)), inspect.type_info(kind), required=True)
        for name, kind in one.in_path.items()
    ]
    for field in query_fields(one.query):
        schema = schemas.of_field(one.query, field.encode_name)
        parameters.append(_parameter(field.encode_name, "query", schema, field.type))
    for name, taken in one.takes.items():
        schema = dict(taken)
        about = schema.pop("description")
        parameters.append({"name": name, "in": "header", "description": about, "schema": schema})
    if one.lasting:
        about = "The entity tag of an answer that is known already."
        parameters.append(
            {"name": "If-None-Match", "in": "header", "description": about, "schema": _STRING}
        )
    return parameters


def _parameter(
    name: str, place: str, schema: dict[str, Any], kind: inspect.Type, *, required: bool = False
) -> dict[str, Any]:
    """A parameter. Its title is what it is for; what it takes is said as its problem says it."""
    about = schema.pop("title")
    if "enum" not in schema:
        schema.setdefault("description", describe(present(kind)))
    made = {"name": name, "in": place, "description": about, "schema": schema}
    return {**made, "required": True} if required else made


def _responses(one: Operation, schemas: _Schemas) -> dict[str, Any]:
    headers = {tracing.HEADER: _header_ref(tracing.HEADER)}
    content = {media: {"schema": schemas.of_any(one.answers)} for media in one.media}
    own = {name: {**_header(about), "required": True} for name, about in one.headers.items()}
    if one.lasting:
        headers["ETag"] = _header_ref("ETag")
    made: dict[str, Any] = {
        str(int(status)): {"description": about, "headers": {**headers, **own}, "content": content}
        for status, about in one.statuses.items()
    }
    if one.lasting:
        made["304"] = {"description": "The answer is the one that is known.", "headers": headers}
    by_status: dict[int, list[str]] = {}
    keyed = () if one.scope is None else _KEY_PROBLEMS
    forged = () if one.scope is None or one.method == "GET" else ("bad-csrf-token",)
    for code in sorted({*one.problems, *_COMMON_PROBLEMS, *keyed, *forged}):
        by_status.setdefault(int(PROBLEMS[code].status), []).append(code)
    for status, codes in sorted(by_status.items()):
        made[str(status)] = _problem(codes, schemas.of(ProblemDocument))
    return made


def _problem(codes: list[str], schema: dict[str, Any]) -> dict[str, Any]:
    """The response that is one of these problems, all of one status."""
    types = {"properties": {"type": {"enum": [problem_type(code) for code in codes]}}}
    return {
        "description": " ".join(f"{PROBLEMS[code].title} (`{code}`)." for code in codes),
        "headers": {tracing.HEADER: _header_ref(tracing.HEADER)},
        "content": {MEDIA_TYPE: {"schema": {"allOf": [schema, types]}}},
    }


def _header(about: str) -> dict[str, Any]:
    return {"description": about, "schema": _STRING}


def _header_ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}
