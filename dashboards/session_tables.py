"""Owns the tables of the pages of sessions as CSV: numbers as they are, exact results as text."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import UNSET

from dashboards.figures import Cell, csv_of
from dashboards.session_story import HandNet, Story
from dashboards.session_views import SessionView
from schemas.session_verdict import ComparedStanding
from warehouse.sessions.records import Declaration, Session
from warehouse.sessions.results import SessionResult
from warehouse.sessions.runs import AuditedSession

_ACCOUNTS: Final = ("position", "result", "stack", "ledger", "share", "bought")
_HAND_COLUMNS: Final = ["Hand", "Player", "Net", "At showdown", "Without showdown"]


def table(name: str, audited: AuditedSession) -> str | None:
    """A table of the page of a session as CSV, None for one that there is not."""
    made = _TABLES.get(name)
    return None if made is None else made(audited)


def list_table(sessions: Sequence[Session], results: Mapping[str, SessionResult]) -> str:
    """The list of sessions as CSV."""
    columns = ["Session", "Kind", "Rules", "First played (UTC)", "Last played (UTC)", "Hands"]
    columns += ["Verdict", "Findings", "Result as declared", "Wrong from hand", "Won by"]
    rows: list[list[Cell]] = []
    for one in sessions:
        result = results.get(one.key)
        rows.append(
            [
                *(one.id, one.kind, one.preset),
                *(
                    f"{at:%Y-%m-%d %H:%M:%S}" if at else None
                    for at in (one.first_played, one.last_played)
                ),
                *(one.hands, one.verdict, one.findings if one.verdict else None),
                _yes(result.agrees) if result else None,
                result.parts_at if result else None,
                ", ".join(result.winners) if result else None,
            ]
        )
    return csv_of(columns, rows)


def hand_table(nets: Sequence[HandNet]) -> str:
    """What hands brought their players, as CSV."""
    columns = [*_HAND_COLUMNS, "Premiums", "Not told apart", "Stack after", "Verdict", "Hand id"]
    rows = [
        [
            *(one.hand_no, one.player, one.net, one.showdown, one.alone, one.premium, one.other),
            *(one.stack, one.verdict, one.hand_id),
        ]
        for one in nets
    ]
    return csv_of(columns, rows)


def version_table(versions: Sequence[Declaration]) -> str:
    """What is declared of a session, version by version, as CSV."""
    rows: list[list[Cell]] = [
        [one.digest, f"{one.received_at:%Y-%m-%d %H:%M:%S}", one.upload, _yes(one.counts)]
        for one in versions
    ]
    return csv_of(["Version", "Came (UTC)", "Upload", "Counts"], rows)


def _yes(answer: bool | None) -> str | None:  # noqa: FBT001 -- an answer in words
    return None if answer is None else "yes" if answer else "no"


def _standings(audited: AuditedSession) -> str:
    columns = ["Player"]
    for account in _ACCOUNTS:
        columns += [account.capitalize(), f"{account.capitalize()} declared"]
    columns += ["Agrees", "Parts at hand"]
    rows = [_standing(one) for one in audited.audit.standings]
    return csv_of(columns, rows)


def _standing(one: ComparedStanding) -> list[Cell]:
    cells: list[Cell] = [one.player]
    for account in _ACCOUNTS:
        ours = None if one.ours is None else getattr(one.ours, account)
        said = UNSET if one.declared is None else getattr(one.declared, account)
        cells += [getattr(ours, "exact", ours), None if said is UNSET else said]
    return [*cells, _yes(one.agrees), one.parts_at]


def _sources(audited: AuditedSession) -> str:
    columns = ["Place", "Player", "Result", "At showdown", "Without showdown", "Premiums"]
    columns += ["Not told apart", "Share of pot", "Hands that mattered most"]
    rows: list[list[Cell]] = [
        [
            *(one.position, one.player, one.result, one.showdown, one.alone, one.premium),
            *(one.other, one.share),
            ", ".join(f"{hand.hand_no}: {hand.net:+d}" for hand in one.telling),
        ]
        for one in Story(audited).players
    ]
    return csv_of(columns, rows)


def _findings(audited: AuditedSession) -> str:
    columns = ["Hand", "Severity", "Code", "Ruling", "Player", "Expected", "Seen", "Pointer"]
    rows: list[list[Cell]] = [
        [
            *(one.hand_no, one.severity, one.code, one.ruling, one.player),
            *(one.expected, one.seen, one.pointer, one.sentence),
        ]
        for one in SessionView(audited).findings
    ]
    return csv_of([*columns, "Sentence"], rows)


def _ledger(audited: AuditedSession) -> str:
    view = SessionView(audited)
    rows = [
        [row.hand_no, *(row.ledger.get(player) for player in view.players)] for row in view.premiums
    ]
    return csv_of(["After hand", *view.players], rows)


def _rebuys(audited: AuditedSession) -> str:
    rows: list[list[Cell]] = [
        [row.hand_no, row.player, row.amount] for row in SessionView(audited).rebuys
    ]
    return csv_of(["Before hand", "Player", "Chips"], rows)


_TABLES: Final[dict[str, Callable[[AuditedSession], str]]] = {
    "standings": _standings,
    "sources": _sources,
    "findings": _findings,
    "ledger": _ledger,
    "rebuys": _rebuys,
}
