"""The report of a session's audit: as JSON, and as one page that needs nothing but itself.

Both are made of the audit alone, without a clock, so that the same input gives the same bytes.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from engine.terms import Severity
from schemas.report.chart import HEIGHT, WIDTH, draw
from schemas.report.labels import labels
from schemas.session_verdict import SessionAudit
from schemas.wording import LANGUAGES

MINUS: Final = "\N{MINUS SIGN}"

_PAGES: Final = Environment(
    loader=PackageLoader("schemas.report"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


class Row(NamedTuple):
    """A finding as the report lists it, whether of the session or of a single hand."""

    severity: Severity
    code: str
    ruling: str
    hand: int | None
    player: str | None
    pointer: str
    expected: str
    seen: str
    sentence: str


def report_json(audit: SessionAudit) -> bytes:
    """The audit as JSON, indented, with a line break at its end."""
    return msgspec.json.format(msgspec.json.encode(audit), indent=2) + b"\n"


def report_html(audit: SessionAudit, language: str = "en") -> bytes:
    """The audit as one HTML page in UTF-8, in a language of `LANGUAGES`."""
    rows = list(_rows(audit, language))
    numbers = sorted({row.hand for row in rows if row.hand is not None})
    players = list(audit.hands[-1].bought) if audit.hands else []
    page = _PAGES.get_template("session.html").render(
        audit=audit,
        language=language,
        say=labels(language),
        groups=[(number, [row for row in rows if row.hand == number]) for number in numbers],
        whole=[row for row in rows if row.hand is None],
        by_player=_by_player(rows),
        players=players,
        grave=sum(row.severity != "warning" for row in rows),
        notes=sum(row.severity == "warning" for row in rows),
        bought=sum(audit.hands[-1].bought.values()) if audit.hands else 0,
        chart=draw(_balances(audit)),
        chart_width=WIDTH,
        chart_height=HEIGHT,
        in_ledger=audit.options.get("premium-account") == "ledger",
        caves=_caves(audit),
        ids={
            hand.hand_no: f"{hand.id.source} {hand.id.table} {hand.id.hand}" for hand in audit.hands
        },
    )
    return page.encode()


def is_report(report: bytes, audit: SessionAudit) -> bool:
    """Whether the bytes are the report of the audit, as JSON or as a page in any language."""
    return report == report_json(audit) or any(
        report == report_html(audit, language) for language in LANGUAGES
    )


def signed(chips: int | str) -> str:
    """Chips with a sign, and a minus sign that is as wide as a plus."""
    text = str(chips)
    if text.startswith("-"):
        return MINUS + text[1:]
    return text if text == "0" else f"+{text}"


def local(text: str, language: str) -> str:
    """A decimal with the language's own mark."""
    return text if language == "en" else text.replace(".", ",")


def _rows(audit: SessionAudit, language: str) -> Iterator[Row]:
    for found in audit.findings:
        yield Row(
            found.severity,
            found.code,
            found.ruling,
            found.hand,
            found.player,
            found.pointer,
            _value(found.expected),
            _value(found.seen),
            found.message[language],
        )
    for hand in audit.hands:
        for violation in hand.violations:
            yield Row(
                violation.severity,
                violation.code,
                violation.ruling,
                hand.hand_no,
                violation.player,
                f"/hands/{hand.place}{violation.pointer}",
                _value(violation.expected),
                _value(violation.seen),
                violation.message[language],
            )


def _caves(audit: SessionAudit) -> dict[int, dict[str, int]]:
    """What was bought before each hand but the first of a player, by hand number."""
    caves: dict[int, dict[str, int]] = {}
    before: dict[str, int] = {}
    for hand in audit.hands:
        caves[hand.hand_no] = {
            player: bought - before[player]
            for player, bought in hand.bought.items()
            if bought > before.get(player, bought)
        }
        before = hand.bought
    return caves


def _value(value: object) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _by_player(rows: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.player is not None:
            found.setdefault(row.player, []).append(row)
    return found


def _balances(audit: SessionAudit) -> dict[str, list[tuple[int, int]]]:
    """Stack and ledger less what was bought, by player, after every hand whose outcome is known."""
    balances: dict[str, list[tuple[int, int]]] = {}
    for hand in audit.hands:
        if hand.stacks is not None:
            for player, stack in hand.stacks.items():
                balance = stack + hand.ledger[player] - hand.bought[player]
                balances.setdefault(player, []).append((hand.hand_no, balance))
    return balances


_PAGES.filters["signed"] = signed
_PAGES.filters["local"] = local
