"""The list of the codes of sessions, each with what it says of a real example."""

from typing import Final

from engine.session.codes import SESSION_CODES
from schemas.inflate import StreamLimits
from schemas.reference.codes import EXAMPLES, MEANINGS, value_in_words
from schemas.reference.tables import code
from schemas.session_audit import audit_upload
from schemas.session_verdict import SessionAudit, SessionFinding
from schemas.session_wording import SESSION_TEMPLATES

SESSION_EXAMPLES: Final = EXAMPLES.parent / "sessions" / "violations"


def session_code_list() -> str:
    """Every code that a session can carry, by severity."""
    parts = []
    for severity in MEANINGS:
        names = [name for name, kind in SESSION_CODES.items() if kind.severity == severity]
        parts.append(f"### {severity.capitalize()} in a session\n")
        parts.extend(_entry(_example(name)) for name in names)
    return "\n".join(parts)


def _example(name: str) -> SessionFinding:
    with (SESSION_EXAMPLES / f"{name}.json").open("rb") as file:
        audit = audit_upload(file, StreamLimits())
    if not isinstance(audit, SessionAudit):
        raise TypeError(f"the example of {name} cannot be read: {audit}")
    return next(found for found in audit.findings if found.code == name)


def _entry(found: SessionFinding) -> str:
    example = f"../schemas/examples/sessions/violations/{found.code}.json"
    lines = [
        f"#### {found.code}",
        "",
        f"Ruling [{found.ruling}](rules.md#{found.ruling.lower()}). In [an example]({example}),",
        f"at {code(found.pointer)}:",
        f"expected {value_in_words(found.expected)}, seen {value_in_words(found.seen)}.",
        "",
        f"> {found.message['en']}",
        "",
    ]
    further = [
        template["en"]
        for wording, template in SESSION_TEMPLATES.items()
        if wording.startswith(f"{found.code}/")
    ]
    if len(further) + (found.code in SESSION_TEMPLATES) > 1:
        lines += ["Its further wordings:", "", *(f"- {template}" for template in further), ""]
    return "\n".join(lines)
