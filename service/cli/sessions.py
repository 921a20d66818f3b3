"""Sessions on the command line: their audit, its report, and `retourne verify`."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import click
from rich.markup import escape

from schemas.audit import ExaminedHand, examine_hand
from schemas.errors import UnreadableHand
from schemas.inflate import LimitExceeded, StreamLimits
from schemas.report import is_report, report_html, report_json
from schemas.session_audit import SessionAuditor, fingerprint
from schemas.session_decode import read_session
from schemas.session_verdict import SessionAudit
from schemas.streams import RawHand
from service.cli.reading import hands_of
from service.cli.terminal import Console

CLEAN, FINDINGS, UNREADABLE = 0, 1, 2

COLOURS: Final = {
    "legal": "green",
    "illegal": "red",
    "discrepancy": "red",
    "unverifiable": "yellow",
    "warning": "cyan",
}
_IN_MEMORY: Final = 16 << 20

hands_option = click.option(
    "--hands",
    type=click.File("rb"),
    help="Where the hands are of a session document that has only their identities.",
)


class AuditedFile:
    """A file on its way through the audit: its hands one by one, then its sessions.

    ``error`` says why its session part cannot be read; ``whole`` is whether it has one. Standard
    input is kept aside, for a session is read in two passes.
    """

    def __init__(self, file: BinaryIO, hands: BinaryIO | None) -> None:
        self._file = _rewindable(file)
        self._hands = None if hands is None else _rewindable(hands)
        try:
            read = read_session(self._file, StreamLimits())
        except LimitExceeded:
            read = None  # reading the hands goes beyond it too, and says so
        self._file.seek(0)
        self.error = read if isinstance(read, UnreadableHand) else None
        session = None if isinstance(read, UnreadableHand) else read
        self.whole = session is not None
        if session is not None and isinstance(session.session.hand_ids, list) and hands is None:
            raise click.ClickException(
                f"{file.name} names its hands and does not hold them; --hands says where they are."
            )
        self._auditor = SessionAuditor(session)

    def examined(self) -> Iterator[tuple[RawHand, ExaminedHand | UnreadableHand]]:
        """Every hand with what came of it."""
        for raw in hands_of(self._hands or self._file):
            examined = raw.error or examine_hand(raw.raw)
            self._auditor.take(raw, examined)
            yield raw, examined

    def sessions(self) -> list[SessionAudit]:
        """The audits of the sessions, once all hands are through; a lone hand makes no session."""
        inputs = [fingerprint(file) for file in (self._file, self._hands) if file is not None]
        audits = self._auditor.audits(inputs)
        return [audit for audit in audits if self.whole or audit.hands_read > 1]

    def follows(self, sessions: list[SessionAudit]) -> bool:
        """Whether nothing is found; an excerpt without a session document need not be whole."""
        fine = {"legal"} if self.whole else {"legal", "unverifiable"}
        return all(session.verdict in fine for session in sessions)


@click.command
@click.argument("report", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("file", metavar="INPUT", type=click.File("rb"))
@hands_option
def verify(*, report: Path, file: BinaryIO, hands: BinaryIO | None) -> None:
    """Audit the session of INPUT again and compare the bytes with REPORT.

    The exit status is 0 when they are the same, 1 when they differ, 2 when INPUT holds no session
    that can be read.
    """
    audited = AuditedFile(file, hands)
    for _ in audited.examined():
        pass
    sessions = audited.sessions()
    if audited.error is not None or len(sessions) != 1:
        if audited.error is not None:
            print_unreadable(Console(stderr=True, highlight=False, soft_wrap=True), audited.error)
        click.echo(
            f"{file.name} holds {len(sessions)} sessions to verify; one is wanted.", err=True
        )
        sys.exit(UNREADABLE)
    (session,) = sessions
    made = report.read_bytes()
    if is_report(made, session):
        click.echo(f"Same bytes: {report} is the audit of {file.name}.")
        sys.exit(CLEAN)
    click.echo(
        f"Different: {report} is not what the audit of {file.name} gives. {_why(made, session)}"
    )
    sys.exit(FINDINGS)


def check_report(report: Path | None) -> None:
    """Refuses the name of a report whose ending names no form."""
    if report is not None and report.suffix not in (".html", ".json"):
        raise click.BadParameter(
            f"{report} ends neither in .html nor in .json.", param_hint="--report"
        )


def write_report(report: Path, sessions: list[SessionAudit], lang: str) -> None:
    """Writes the report of the one session that was audited."""
    if len(sessions) != 1:
        raise click.ClickException(
            f"A report is of one session, and {len(sessions)} were found. Nothing was written."
        )
    made = report_json(sessions[0]) if report.suffix == ".json" else report_html(sessions[0], lang)
    try:
        report.write_bytes(made)
    except OSError as error:
        raise click.ClickException(f"{report} cannot be written: {error.strerror}.") from None


def print_session(out: Console, session: SessionAudit, lang: str) -> None:
    """A session with its findings and standings."""
    colour = COLOURS[session.verdict]
    out.print(
        f"[bold]{session.kind}[/] {escape(session.session)} [{colour}]{session.verdict}[/], "
        f"{len(session.hands)} hands"
    )
    for found in session.findings:
        where = "" if found.hand is None else f"hand {found.hand} "
        out.print(
            f"  [{COLOURS[found.severity]}]{found.severity}[/] [bold]{found.code}[/] "
            f"{where}{escape(found.pointer)} ({found.ruling})"
        )
        out.print(f"    {escape(found.message[lang])}")
    for standing in session.standings:
        if standing.ours is None:
            continue
        parts = "" if standing.parts_at is None else f", parts at hand {standing.parts_at}"
        differs = "" if standing.agrees is not False else ", [red]declared otherwise[/]"
        out.print(
            f"  {standing.ours.position}. {escape(standing.player)} "
            f"{standing.ours.result.exact}{differs}{parts}"
        )


def print_unreadable(out: Console, error: UnreadableHand) -> None:
    """Why the session part of a document cannot be read."""
    out.print(f"[bold]session[/] [red]unreadable[/] [bold]{error.code}[/] {escape(error.pointer)}")
    out.print(f"  expected {escape(error.expected)}, seen {escape(error.seen)}")


def _rewindable(file: BinaryIO) -> BinaryIO:
    if file.seekable():
        return file
    kept = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - it lives as long as the command
    shutil.copyfileobj(file, kept)
    kept.seek(0)
    return kept  # type: ignore[return-value]


def _why(made: bytes, session: SessionAudit) -> str:
    if any(part.sha256.encode() not in made for part in session.inputs):
        return "It was made of another input."
    return f"It was changed, or made by another version than engine {session.versions.engine}."
