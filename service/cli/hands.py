"""`retourne audit` and `retourne replay`: a file of hands, judged or stepped through, offline."""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import click
import msgspec
from msgspec import Struct
from rich.markup import escape
from rich.table import Table

from schemas.audit import ExaminedHand, audit_document, replay_document
from schemas.errors import UnreadableHand
from schemas.session_verdict import SessionAudit
from schemas.streams import RawHand
from schemas.verdict import (
    BourreOutcome,
    HandAudit,
    HandReplay,
    LegalAction,
    Outcome,
    Step,
    Violation,
)
from service.cli.reading import hands_of, place_of
from service.cli.sessions import (
    CLEAN,
    COLOURS,
    FINDINGS,
    UNREADABLE,
    AuditedFile,
    check_report,
    hands_option,
    print_session,
    print_unreadable,
    write_report,
)
from service.cli.terminal import Console

_LANGUAGES = ("en", "fr", "de", "pt")


class AuditedLine(Struct, omit_defaults=True):
    """What `retourne audit --json` says of one hand, which has an audit or is unreadable.

    ``file`` is where line and offset are, of a ZIP.
    """

    line: int
    offset: int
    audit: HandAudit | None = None
    unreadable: UnreadableHand | None = None
    file: str | None = None


class AuditedSession(Struct):
    """What `retourne audit --json` says of a session, after its hands."""

    session: SessionAudit


_language = click.option(
    "--lang", type=click.Choice(_LANGUAGES), default="en", show_default=True, help="Of sentences."
)
_file = click.argument("file", type=click.File("rb"))


@click.command
@_file
@_language
@click.option("--json", "as_json", is_flag=True, help="One JSON document a hand, a hand a line.")
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the audit of the session there, as .html or .json.",
)
@hands_option
def audit(
    *, file: BinaryIO, lang: str, as_json: bool, report: Path | None, hands: BinaryIO | None
) -> None:
    """Audit every hand of FILE (- reads standard input), and the sessions that they make.

    FILE holds one hand, a list, an envelope, a session document or NDJSON; plain, gzip or zstd. The
    exit status is 0 when every hand is legal and every session follows, 1 when there are findings,
    2 when something could not be read. An excerpt of a session, without a session document, is not
    held to be whole.
    """
    check_report(report)
    out = Console(highlight=False, soft_wrap=True)
    audited = AuditedFile(file, hands)
    counts = {"legal": 0, "illegal": 0, "unverifiable": 0, "unreadable": 0}
    for raw, examined in audited.examined():
        line = _audited(raw, examined)
        counts["unreadable" if line.audit is None else line.audit.verdict] += 1
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        else:
            _print_audited(out, line, lang)
    sessions = audited.sessions()
    for session in sessions:
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(AuditedSession(session=session)) + b"\n")
        else:
            print_session(out, session, lang)
    if not as_json:
        out.print(", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.stdout.flush()
    if report is not None:
        write_report(report, sessions, lang)
    if audited.error is not None:
        print_unreadable(Console(stderr=True, highlight=False, soft_wrap=True), audited.error)
    if audited.error is not None or counts["unreadable"]:
        sys.exit(UNREADABLE)
    clean = not counts["illegal"] and not counts["unverifiable"] and audited.follows(sessions)
    sys.exit(CLEAN if clean else FINDINGS)


@click.command
@_file
@_language
@click.option(
    "--hand",
    "which",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Which hand of the file, counted from 1.",
)
@click.option("--json", "as_json", is_flag=True, help="The replay as one JSON document.")
def replay(*, file: BinaryIO, lang: str, which: int, as_json: bool) -> None:
    """Step through one hand of FILE (- reads standard input).

    The exit status is as with `retourne audit`.
    """
    raw = next(islice(hands_of(file), which - 1, None), None)
    if raw is None:
        raise click.ClickException(f"{file.name} has no hand {which}.")
    replayed = raw.error or replay_document(raw.raw)
    if isinstance(replayed, UnreadableHand):
        unreadable = AuditedLine(
            file=raw.file, line=raw.line, offset=raw.offset, unreadable=replayed
        )
        _print_audited(Console(stderr=True, highlight=False, soft_wrap=True), unreadable, lang)
        sys.exit(UNREADABLE)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(replayed) + b"\n")
    else:
        _print_replay(Console(highlight=False), replayed, lang)
    sys.stdout.flush()
    sys.exit(CLEAN if replayed.audit.verdict == "legal" else FINDINGS)


def _audited(raw: RawHand, examined: ExaminedHand | UnreadableHand) -> AuditedLine:
    if isinstance(examined, UnreadableHand):
        return AuditedLine(file=raw.file, line=raw.line, offset=raw.offset, unreadable=examined)
    return AuditedLine(
        file=raw.file, line=raw.line, offset=raw.offset, audit=audit_document(examined)
    )


def _print_audited(out: Console, line: AuditedLine, lang: str) -> None:
    """A hand with its findings; a legal hand without any takes one line."""
    if line.unreadable is not None:
        bad = line.unreadable
        out.print(
            f"[bold]{place_of(line.line, line.file)}[/] [red]unreadable[/] [bold]{bad.code}[/]"
        )
        where = f"{bad.pointer} " if bad.pointer else ""
        out.print(f"  {escape(where)}at byte {line.offset}")
        out.print(f"  expected {escape(bad.expected)}, seen {escape(bad.seen)}")
        return
    if line.audit is None:
        return
    audit = line.audit
    name = escape(f"{audit.id.source} {audit.id.table} {audit.id.hand}")
    colour = COLOURS[audit.verdict]
    out.print(f"[bold]{place_of(line.line, line.file)}[/] {name} [{colour}]{audit.verdict}[/]")
    for violation in audit.violations:
        _print_violation(out, violation, lang)


def _print_violation(out: Console, violation: Violation, lang: str) -> None:
    colour = COLOURS[violation.severity]
    out.print(
        f"  [{colour}]{violation.severity}[/] [bold]{violation.code}[/] "
        f"{escape(violation.pointer)} ({violation.ruling})"
    )
    out.print(f"    {escape(violation.message[lang])}")
    if violation.legal:
        out.print("    allowed: " + escape("; ".join(map(_written, violation.legal))))


def _written(action: LegalAction) -> str:
    seat = "" if action.seat is None else f"seat {action.seat} "
    if action.cards is not None:
        return f"{seat}{action.do} {' '.join(action.cards)}"
    if action.min is None:
        return f"{seat}{action.do}"
    amount = str(action.min) if action.min == action.max else f"{action.min}–{action.max}"
    return f"{seat}{action.do} {amount}"


def _print_replay(out: Console, replayed: HandReplay, lang: str) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("step", "event", "stacks", "contributions", "pot", "to speak"):
        table.add_column(heading, justify="right" if heading in ("step", "pot") else "left")
    for place, step in enumerate(replayed.steps):
        state = step.state
        table.add_row(
            str(place),
            escape(_event(step, replayed.players)),
            " ".join(map(str, state.stacks)),
            " ".join(map(str, state.contributions)),
            str(state.pot),
            "" if state.to_speak is None else escape(replayed.players[state.to_speak]),
        )
        for index in step.violations:
            table.add_row("", f"[red]{escape(replayed.audit.violations[index].code)}[/]")
    out.print(table)
    _print_outcome(out, replayed)
    for violation in replayed.audit.violations:
        _print_violation(out, violation, lang)
    out.print(f"[{COLOURS[replayed.audit.verdict]}]{replayed.audit.verdict}[/]")


def _event(step: Step, players: list[str]) -> str:
    parts = [] if step.seat is None or step.seat >= len(players) else [players[step.seat]]
    parts.append(step.do)
    if step.add is not None:
        parts.append(str(step.add))
    parts += step.cards or []
    if step.received is not None:
        parts += ["→", *step.received]
    return " ".join(parts)


def _print_outcome(out: Console, replayed: HandReplay) -> None:
    ours = replayed.audit.ours
    if ours is None:
        out.print("The hand does not come to its end.")
        return
    for place, pot in enumerate(ours.pots):
        winners = ", ".join(
            f"{replayed.players[seat]} {chips}" for seat, chips in (pot.winners or {}).items()
        )
        name = "main pot" if place == 0 else f"side pot {place}"
        nobody = "open" if pot.winners is None else "nobody"
        out.print(f"{name} {pot.amount}: {escape(winners) or nobody}")
    if ours.carried:
        out.print(f"carried {ours.carried}")
    for line in _payments(ours, replayed.players):
        out.print(escape(line))
    if ours.stacks is not None:
        stacks = zip(replayed.players, ours.stacks, strict=True)
        out.print("stacks: " + escape(", ".join(f"{name} {chips}" for name, chips in stacks)))


def _payments(ours: Outcome | BourreOutcome, players: list[str]) -> Iterator[str]:
    """What seats pay besides the pots: premiums, or in Bourré into the next pot."""
    if isinstance(ours, BourreOutcome):
        for payment in ours.payments or []:
            yield f"{payment.by} {payment.amount}: {players[payment.seat]} to the next pot"
        return
    for premium in ours.premium_payments:
        payer, holder = players[premium.payer], players[premium.holder]
        yield f"premium {premium.amount}: {payer} to {holder}"
