"""`retourne upload`: files sent to a service, their audit awaited, and what was found told."""

import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final, Self

import click
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from service.cli.reading import place_of
from service.cli.sessions import CLEAN, COLOURS, FINDINGS, UNREADABLE
from service.cli.terminal import Console
from service.client import (
    DEFAULT_URL,
    AccessError,
    Client,
    HandVerdict,
    RetourneError,
    Session,
    Upload,
)

INTERRUPTED: Final = 130

_FEW: Final = 5  # problems, and hands and sessions with findings, that are told of one upload
_NOT_LEGAL: Final = ("illegal", "unverifiable")

Option = Callable[[Callable[..., None]], Callable[..., None]]

url_option: Final = click.option(
    "--url",
    default=DEFAULT_URL,
    envvar="RETOURNE_URL",
    show_default=True,
    show_envvar=True,
    help="Where the service is.",
)
key_option: Final = click.option(
    "--key",
    envvar="RETOURNE_KEY",
    show_envvar=True,
    help="What the service knows you by. Others on this machine see a command's options; they do "
    "not see its environment.",
)
dialect_option: Final = click.option(
    "--dialect", help="How the hands are written, where that is not to be told from them."
)


@click.command
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
)
@url_option
@key_option
@click.option("--name", help="What to call the upload; else the name of its file.")
@dialect_option
@click.option("--wait/--no-wait", default=True, help="Whether to wait for the audit.")
def upload(
    *,
    files: tuple[str, ...],
    url: str,
    key: str | None,
    name: str | None,
    dialect: str | None,
    wait: bool,
) -> None:
    """Send every FILE (- reads standard input) to a service and tell what its audit finds.

    The exit status is 0 when every hand is legal, 1 when there are findings or a session of them is
    illegal, 2 when something was not taken or could not be read, 130 when it was interrupted.
    Without waiting it is 0 when everything was taken.
    """
    told = Console(highlight=False, soft_wrap=True)
    failed = Console(stderr=True, highlight=False, soft_wrap=True)
    status = CLEAN
    with open_client(url, key) as client:
        for file in files:
            called = "standard input" if file == "-" else Path(file).name
            content = sys.stdin.buffer if file == "-" else file
            try:
                with _Bars(called) as bars:
                    sent = client.upload(content, name=name, dialect=dialect, progress=bars.sent)
                    done = _awaited(client, sent, bars, failed) if wait else sent
                tell(told, client, done, called)
                sessions = _sessions(client, done) if done.finished else []
                _tell_sessions(told, client, sessions)
            except KeyboardInterrupt:
                sys.exit(INTERRUPTED)
            except (RetourneError, OSError) as error:
                failed.print(f"[bold]{escape(called)}[/] [red]failed[/] {escape(str(error))}")
                status = UNREADABLE
            else:
                status = max(status, outcome(done), _outcome_of(sessions))
    sys.exit(status)


def open_client(url: str, key: str | None, *, retries: int = 4) -> Client:
    """A client as the options say."""
    try:
        return Client(url, key=key, retries=retries)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--url") from None


def outcome(upload: Upload) -> int:
    """The exit status that an upload asks for; `CLEAN` as long as nothing else is known."""
    counts = upload.counts
    if upload.status in ("failed", "quarantined") or counts.unreadable:
        return UNREADABLE
    found = counts.illegal or counts.unverifiable or counts.conflicts
    return FINDINGS if found else CLEAN


def tell(out: Console, client: Client, upload: Upload, called: str) -> None:
    """What came of an upload: its counts, the first of its problems and findings, and its page."""
    page = client.address(upload.links["page"])
    if not upload.finished:
        out.print(f"[bold]{escape(called)}[/] {upload.status}")
        out.print(f"  {escape(page)}")
        return
    out.print(f"[bold]{escape(called)}[/] {counted(upload)}")
    if upload.status != "done" and upload.failure is not None:
        detail = upload.failure.detail or ""
        out.print(f"  [red]{upload.status}[/] [bold]{upload.failure.code}[/] {escape(detail)}")
    counts = upload.counts
    for problem in islice(client.problems(upload) if counts.unreadable else (), _FEW):
        out.print(
            f"  {place_of(problem.line, problem.file)} [red]unreadable[/] [bold]{problem.code}[/] "
            f"{escape(problem.pointer)}"
        )
        out.print(f"    expected {escape(problem.expected)}, seen {escape(problem.seen)}")
    found: dict[HandVerdict, int] = {
        "illegal": counts.illegal,
        "unverifiable": counts.unverifiable,
    }
    for verdict, number in found.items():
        if number:
            for hand in islice(client.hands(upload=upload, verdict=verdict), _FEW):
                out.print(
                    f"  {place_of(hand.line, hand.file)} [{COLOURS[verdict]}]{verdict}[/] "
                    f"{', '.join(hand.codes)}"
                )
    out.print(f"  {escape(page)}")


def counted(upload: Upload) -> str:
    """The counts in words: the hands, then what became of them as far as there are any."""
    counts = upload.counts
    parts = {
        "legal": counts.legal,
        "illegal": counts.illegal,
        "unverifiable": counts.unverifiable,
        "unreadable": counts.unreadable,
        "in conflict": counts.conflicts,
        "known before": counts.duplicates,
    }
    became = ", ".join(f"{number:,} {what}" for what, number in parts.items() if number)
    hands = "1 hand" if counts.hands == 1 else f"{counts.hands:,} hands"
    return f"{hands}: {became}" if became else hands


def _awaited(client: Client, sent: Upload, bars: "_Bars", failed: Console) -> Upload:
    """The upload once it is finished; as it was sent, for a key that may not look at it."""
    try:
        return client.wait(sent, progress=bars.audited)
    except AccessError as error:
        failed.print(f"What came of it is not told: {escape(error.detail)}")
        return sent


def _sessions(client: Client, upload: Upload) -> list[Session]:
    """The sessions that an upload declared or has hands of, once their audits are through."""
    return [
        session if session.settled else client.wait_for_session(session)
        for session in list(client.sessions(upload=upload))
    ]


def _tell_sessions(out: Console, client: Client, sessions: list[Session]) -> None:
    """The first of the sessions that do not come out legal."""
    wrong = (one for one in sessions if one.failure is not None or one.verdict in _NOT_LEGAL)
    for session in islice(wrong, _FEW):
        if session.failure is not None:
            became = f"[red]{session.state}[/] [bold]{session.failure.code}[/]"
        else:
            verdict = str(session.verdict)
            findings = "finding" if session.findings == 1 else "findings"
            became = f"[{COLOURS[verdict]}]{verdict}[/] {session.findings:,} {findings}"
        out.print(f"  session {escape(session.id)} {became}")
        out.print(f"    {escape(client.address(session.links['page']))}")


def _outcome_of(sessions: list[Session]) -> int:
    """The exit status that sessions ask for."""
    if any(session.failure is not None for session in sessions):
        return UNREADABLE
    return FINDINGS if any(session.verdict == "illegal" for session in sessions) else CLEAN


class _Bars:
    """The progress of one upload where somebody watches: its bytes, then its audit."""

    def __init__(self, file: str) -> None:
        console = Console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        )
        self._progress = Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal
        )
        self._file = escape(file)
        self._task = self._progress.add_task(f"Sending {self._file}", total=None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def sent(self, done: int, size: int | None) -> None:
        """Shows how many bytes are out of hand."""
        self._progress.update(self._task, completed=done, total=size)

    def audited(self, upload: Upload) -> None:
        """Shows how far the audit is."""
        described = f"Auditing {self._file}, {upload.counts.hands:,} hands"
        self._progress.update(
            self._task, description=described, completed=upload.progress, total=1.0
        )
