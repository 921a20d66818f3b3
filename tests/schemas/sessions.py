"""Session documents for the tests: the worked examples, generated ones, and their audit."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec

from schemas.generate import generate_session
from schemas.inflate import StreamLimits
from schemas.session_audit import audit_upload
from schemas.session_verdict import SessionAudit

SESSIONS = Path(__file__).parents[2] / "schemas/examples/sessions"
WORKED = sorted(SESSIONS.glob("*.json"))
VIOLATIONS = sorted((SESSIONS / "violations").glob("*.json"))
HISTORICO = "bouillotte/historico"
SALON = "bouillotte/salon"

Document = dict[str, Any]


def audit_bytes(raw: bytes) -> SessionAudit:
    audit = audit_upload(BytesIO(raw), StreamLimits())
    assert isinstance(audit, SessionAudit), audit
    return audit


def audit_of(document: Document) -> SessionAudit:
    return audit_bytes(json.dumps(document).encode())


def worked(name: str) -> Document:
    document: Document = json.loads((SESSIONS / f"{name}.json").read_bytes())
    return document


def generated(seed: int, preset: str = HISTORICO) -> Document:
    document: Document = json.loads(msgspec.json.encode(generate_session(seed, preset)))
    return document


def codes(audit: SessionAudit) -> list[tuple[str, int | None, str | None]]:
    return [(found.code, found.hand, found.player) for found in audit.findings]
