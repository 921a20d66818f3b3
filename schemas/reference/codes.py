"""The list of every code, each with what it says of a real example, audited as the text is made."""

from pathlib import Path
from typing import Final

import msgspec

from engine.violations import CODES
from schemas.audit import ExaminedHand, audit_document, examine_hand
from schemas.errors import READING_CODES
from schemas.reference.tables import code, table
from schemas.verdict import Violation
from schemas.wording import TEMPLATES

EXAMPLES: Final = Path(__file__).parents[1] / "examples" / "violations"

MEANINGS: Final[dict[str, str]] = {
    "illegal": "The rules do not allow it. The verdict is `illegal`.",
    "discrepancy": "A declared result differs from ours. The verdict is `illegal`.",
    "unverifiable": "Cards that the log hides leave the result open. The verdict is "
    "`unverifiable` unless something else makes it `illegal`.",
    "warning": "Worth a look. The verdict does not change.",
}
"""What each severity means, the gravest first."""

_HOMES: Final[dict[str, str]] = {
    "presets": "rules.md#presets",
    "format": "format.md#versions-and-unknown-keys",
}


def code_list() -> str:
    """Every code that a verdict can carry, by severity."""
    codes = [*CODES, "unknown-key"]
    found = {name: _example(name) for name in codes}
    parts = []
    for severity, meaning in MEANINGS.items():
        parts.append(f"## {severity.capitalize()}\n\n{meaning}\n")
        parts.extend(_entry(found[name]) for name in codes if found[name].severity == severity)
    return "\n".join(parts)


def reading_code_table() -> str:
    """Every code of a hand that could not be read."""
    return table(
        ["code", "meaning"], ([code(name), meaning] for name, meaning in READING_CODES.items())
    )


def _example(name: str) -> Violation:
    examined = examine_hand((EXAMPLES / f"{name}.json").read_bytes())
    if not isinstance(examined, ExaminedHand):
        raise TypeError(f"the example of {name} cannot be read: {examined}")
    return next(found for found in audit_document(examined).violations if found.code == name)


def _entry(found: Violation) -> str:
    ruling = found.ruling
    example = f"../schemas/examples/violations/{found.code}.json"
    home = _HOMES.get(ruling, f"rules.md#{ruling.lower()}")
    lines = [
        f"### {found.code}",
        "",
        f"Ruling [{ruling}]({home}). In [an example]({example}), at {code(found.pointer)}:",
        f"expected {value_in_words(found.expected)}, seen {value_in_words(found.seen)}.",
        "",
        f"> {found.message['en']}",
        "",
    ]
    further = [
        template["en"]
        for wording, template in TEMPLATES.items()
        if wording.startswith(f"{found.code}/")
    ]
    if further:
        lines += ["It is also worded:", "", *(f"- {template}" for template in further), ""]
    return "\n".join(lines)


def value_in_words(value: object) -> str:
    """A value of a finding as code, or that there is none."""
    return "nothing" if value is None else code(msgspec.json.encode(value).decode())
