"""The JSON Schema of the hand document, for clients that check what they write before they send it.

It is made from the types of `schemas.document` alone and is checked in at `SCHEMA_FILE`, which
``python -m schemas.jsonschema`` writes anew. What it cannot say (unknown keys are read with a
warning, 1.0 is no whole number here) it leaves to `schemas.decode`.
"""

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from schemas.document import FORMAT_VERSION, MAX_SEATS, Hand

SCHEMA_FILE: Final = Path(__file__).parent.parent / "docs" / "schema" / "hand-1.0.json"

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_BY_SEAT: Final = (
    ("DeclaredPot", "winners"),
    ("Declared", "premiums"),
    ("Declared", "tricks"),
    ("Declared", "payments"),
)


def hand_schema() -> dict[str, Any]:
    """The schema of one hand document, JSON Schema 2020-12."""
    made = msgspec.json.schema(Hand)
    definitions = made["$defs"]
    for name, key in _BY_SEAT:
        keys = {"pattern": f"^[0-{MAX_SEATS - 1}]$"}
        definitions[name]["properties"][key]["propertyNames"] = keys
    # The key is OpenAPI's and says nothing that the events' own `do` does not.
    del definitions["Hand"]["properties"]["events"]["items"]["discriminator"]
    return {"$schema": _DIALECT, "title": f"Hand document {FORMAT_VERSION}", **made}


def schema_text() -> str:
    """The schema as it stands in `SCHEMA_FILE`."""
    return json.dumps(hand_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.parent.mkdir(parents=True, exist_ok=True)
    SCHEMA_FILE.write_text(schema_text())
