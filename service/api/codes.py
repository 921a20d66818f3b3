"""The list of every code that an answer may carry, and what each means."""

from msgspec import Struct

from engine.terms import Severity
from engine.violations import CODES, WARNING
from schemas.errors import READING_CODES
from schemas.wording import TEMPLATES
from service.api.operations import operation
from service.problems import PROBLEMS


class FindingCode(Struct, frozen=True):
    """A finding of the audit. The sentences' blanks are filled for each finding."""

    code: str
    severity: Severity
    ruling: str
    sentences: dict[str, dict[str, str]]


class ReadingCode(Struct, frozen=True):
    """Why a hand could not be read."""

    code: str
    meaning: str


class ProblemCode(Struct, frozen=True):
    """A kind of problem document."""

    code: str
    status: int
    title: str


class CodeList(Struct, frozen=True):
    """All codes, each kind in the order of the documentation."""

    findings: list[FindingCode]
    reading: list[ReadingCode]
    problems: list[ProblemCode]


def _wordings(code: str) -> dict[str, dict[str, str]]:
    """The sentences of a code by wording: ``""`` is its plain one."""
    return {
        key.removeprefix(code).removeprefix("/"): sentences
        for key, sentences in TEMPLATES.items()
        if key == code or key.startswith(f"{code}/")
    }


@operation("GET", "/api/v1/codes", scope=None, lasting=True)
def list_codes() -> CodeList:
    """List every code of findings, of unreadable hands and of problems."""
    findings = [
        FindingCode(code, about.severity, about.ruling, _wordings(code))
        for code, about in CODES.items()
    ]
    findings.append(FindingCode("unknown-key", WARNING, "format", _wordings("unknown-key")))
    reading = [ReadingCode(code, meaning) for code, meaning in READING_CODES.items()]
    problems = [ProblemCode(code, int(kind.status), kind.title) for code, kind in PROBLEMS.items()]
    return CodeList(findings, reading, problems)
