"""The JSON Schema of the session document, beside the one of the hand to which it refers.

``python -m schemas.session_jsonschema`` writes `SESSION_SCHEMA_FILE` anew.
"""

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from schemas.document import FORMAT_VERSION
from schemas.session import Session

SESSION_SCHEMA_FILE: Final = Path(__file__).parent.parent / "docs" / "schema" / "session-1.0.json"

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_HAND: Final = "hand-1.0.json"


def session_schema() -> dict[str, Any]:
    """The schema of one session document, JSON Schema 2020-12."""
    made = msgspec.json.schema(Session)
    session = made["$defs"]["Session"]
    session["properties"]["hands"]["items"] = {"$ref": _HAND}
    session["anyOf"] = [{"required": ["hands"]}, {"required": ["hand_ids"]}]
    return {"$schema": _DIALECT, "title": f"Session document {FORMAT_VERSION}", **made}


def session_schema_text() -> str:
    """The schema as it stands in `SESSION_SCHEMA_FILE`."""
    return json.dumps(session_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SESSION_SCHEMA_FILE.parent.mkdir(parents=True, exist_ok=True)
    SESSION_SCHEMA_FILE.write_text(session_schema_text())
