"""Exports: all the rows, or all the documents, of the hands that meet conditions."""

import datetime as dt
from collections.abc import Callable
from typing import Annotated, BinaryIO, Final

from flask import Response, request
from msgspec import Meta, Raw
from werkzeug.wsgi import wrap_file

from service.api.answers import warehouse
from service.api.operations import operation
from service.problems import NO_ROOM, problem
from warehouse.conditions import HandConditions, conditions_of
from warehouse.exports import Export, ExportsBusyError, Format, file_name
from warehouse.rows import Kind

_NDJSON: Final = "application/x-ndjson"
_MEDIA: Final[dict[Format, str]] = {
    "csv": "text/csv; charset=utf-8",
    "ndjson": _NDJSON,
    "parquet": "application/vnd.apache.parquet",
}
_TYPES: Final = tuple(media.partition(";")[0] for media in _MEDIA.values())
_HEADERS: Final = {"Content-Disposition": "What to call the file."}
_PROBLEMS: Final = ("exports-busy", "storage-full")
_RETRY_SECONDS: Final = 10
_PIECE: Final = 1 << 16

File = Annotated[
    Raw,
    Meta(
        description="A file, sent piece by piece.",
        extra_json_schema={"type": "string", "format": "binary"},
    ),
]


class ExportQuery(HandConditions, frozen=True, omit_defaults=True):
    """The conditions on the hands whose rows are exported, and how they are written."""

    format: Annotated[Format, Meta(title="How the rows are written.")] = "csv"
    masked: Annotated[
        bool, Meta(title="Whether pseudonyms stand in place of the players' names.")
    ] = False


class DocumentsQuery(HandConditions, frozen=True, omit_defaults=True):
    """The conditions on the hands whose documents are exported."""


@operation(
    "GET",
    "/api/v1/exports/hands",
    scope="read",
    media=_TYPES,
    headers=_HEADERS,
    problems=_PROBLEMS,
)
def export_hands(query: ExportQuery) -> File | Response:
    """Export hands: one row each, as the uploads came."""
    return _rows("hands", query)


@operation(
    "GET",
    "/api/v1/exports/seats",
    scope="read",
    media=_TYPES,
    headers=_HEADERS,
    problems=_PROBLEMS,
)
def export_seats(query: ExportQuery) -> File | Response:
    """Export the seats of hands: what each brought its player, and what the statistics count."""
    return _rows("seats", query)


@operation(
    "GET",
    "/api/v1/exports/findings",
    scope="read",
    media=_TYPES,
    headers=_HEADERS,
    problems=_PROBLEMS,
)
def export_findings(query: ExportQuery) -> File | Response:
    """Export the findings in hands: one row each."""
    return _rows("findings", query)


@operation(
    "GET",
    "/api/v1/exports/documents",
    scope="read",
    media=(_NDJSON,),
    headers=_HEADERS,
    problems=_PROBLEMS,
)
def export_documents(query: DocumentsQuery) -> File | Response:
    """Export the documents of hands as they came, one a line: an upload like any other.

    Names are not masked here: a document is what its client wrote.
    """
    conditions, exporter = conditions_of(query), warehouse().exporter
    return _file("documents", "ndjson", lambda: exporter.make_documents(conditions))


def _rows(kind: Kind, query: ExportQuery) -> Response:
    export = Export(kind, query.format, conditions_of(query), query.masked)
    exporter = warehouse().exporter
    return _file(kind, query.format, lambda: exporter.make(export))


def _file(kind: str, form: Format, make: Callable[[], BinaryIO]) -> Response:
    """The answer that sends a file. Who asks for its head alone has it not made."""
    name = file_name(kind, form, dt.datetime.now(dt.UTC))
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }
    if request.method == "HEAD":
        return Response(iter(()), headers=headers, content_type=_MEDIA[form])
    try:
        file = make()
    except ExportsBusyError:
        busy = problem("exports-busy", "Another export is being made; please ask again later.")
        busy.headers["Retry-After"] = str(_RETRY_SECONDS)
        return busy
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        return problem("storage-full", "There is no room left to make the export.")
    headers["Content-Length"] = str(file.seek(0, 2))
    file.seek(0)
    return Response(
        wrap_file(request.environ, file, _PIECE),
        headers=headers,
        content_type=_MEDIA[form],
        direct_passthrough=True,
    )
