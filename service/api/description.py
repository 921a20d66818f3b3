"""The API described for machines: its OpenAPI document, as served and as checked in.

``python -m service.api`` writes `DOCUMENT_FILE` anew.
"""

import functools
import json
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Raw

from service.api.openapi import openapi_document
from service.api.operations import OPERATIONS, operation

DOCUMENT_FILE: Final = Path(__file__).parents[2] / "docs" / "schema" / "openapi-1.json"

Description = Annotated[
    Raw,
    Meta(description="An OpenAPI 3.1 document.", extra_json_schema={"type": "object"}),
]


@operation("GET", "/api/v1/openapi.json", scope=None, lasting=True)
def show_description() -> Description:
    """Give this document."""
    return Raw(description_text().encode())


@functools.cache
def description() -> dict[str, Any]:
    """The document of all operations."""
    return openapi_document(OPERATIONS)


@functools.cache
def description_text() -> str:
    """The document as it stands in `DOCUMENT_FILE`."""
    return json.dumps(description(), indent=2, ensure_ascii=False) + "\n"
