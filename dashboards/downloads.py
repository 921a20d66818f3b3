"""Owns how pages give a table away as a CSV file, however long it is."""

from collections.abc import Iterable, Sequence

from flask import Response

from dashboards.figures import Cell, csv_of

_LINE_END = "\r\n"


def csv_file(
    name: str, columns: Sequence[str], batches: Iterable[Sequence[Sequence[Cell]]]
) -> Response:
    """The answer that sends a table's rows as they are made, batch after batch."""

    def pieces() -> Iterable[str]:
        yield csv_of(columns, [])
        for rows in batches:
            yield csv_of(columns, rows).partition(_LINE_END)[2]

    response = Response(pieces(), mimetype="text/csv")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.csv")
    return response
