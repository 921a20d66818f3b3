"""`retourne watch`: what appears in a folder is sent, once, and what came of it is told."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Final

import click
import watchfiles

from service.cli.folder import Folder
from service.cli.ledger import Ledger
from service.cli.sessions import CLEAN, UNREADABLE
from service.cli.upload import INTERRUPTED, dialect_option, key_option, open_client, url_option
from service.cli.watching import Watching
from service.client import AccessError

STATE_FILE: Final = ".retourne-watch.ndjson"

_TURN: Final = 250  # milliseconds between two turns in which nothing happens
_GATHER: Final = 1_000  # milliseconds for which changes are gathered at the most
_RESCAN: Final = 60.0  # seconds after which the folder is gone through again, whatever was told
_PATIENCE: Final = 10  # times the settling time that --once waits for a file to stop growing


@click.command
@click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@url_option
@key_option
@dialect_option
@click.option("--recursive", is_flag=True, help="Watch the folders in DIR as well.")
@click.option(
    "--settle",
    type=click.FloatRange(min=0),
    default=2.0,
    show_default=True,
    help="Seconds for which a file must have stayed as it is to count as whole.",
)
@click.option(
    "--state",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"The file that remembers what was sent; else {STATE_FILE} in DIR.",
)
@click.option("--once", is_flag=True, help="Send what is there, wait for its audit, and leave.")
def watch(
    *,
    folder: Path,
    url: str,
    key: str | None,
    dialect: str | None,
    recursive: bool,
    settle: float,
    state: Path | None,
    once: bool,
) -> None:
    """Send every file that is in DIR, or comes to it, to a service, and tell what its audit finds.

    A file is sent when it has stopped growing. What was sent is remembered by its content, so
    neither a restart nor another name sends it twice. Hidden files, and those whose names end as
    unfinished downloads do (.part, .tmp, .crdownload), are passed over. Files are left as and where
    they are. Ctrl-C ends it.

    With --once the exit status is 0 when every hand is legal, 1 when there are findings, 2 when
    something was not taken or could not be read.
    """
    files = Folder(folder.absolute(), recursive=recursive, settle=settle)
    state = state or folder / STATE_FILE
    if files.name(os.path.abspath(state)) is not None:  # noqa: PTH100 - links are not followed
        raise click.BadParameter(
            f"{state} would be sent as well. Begin its name with a dot, or keep it elsewhere.",
            param_hint="--state",
        )
    with (
        Ledger.held(state, url, dialect) as ledger,
        open_client(url, key, retries=4 if once else 1) as client,
    ):
        watching = Watching(files, ledger, client, dialect, once=once)
        try:
            if once:
                _send_once(watching, files, settle * _PATIENCE)
            else:
                signal.signal(signal.SIGTERM, signal.default_int_handler)
                _watch(watching, files)
            status = watching.status
        except AccessError as error:
            click.echo(f"The service does not let us in: {error}", err=True)
            status = UNREADABLE
        except KeyboardInterrupt:
            status = INTERRUPTED if once else CLEAN
        watching.close()
    sys.exit(status)


def _watch(watching: Watching, files: Folder) -> None:
    """Sends what is there and what comes, until it is interrupted."""
    turns = watchfiles.watch(
        files.root,
        watch_filter=None,
        debounce=_GATHER,
        rust_timeout=_TURN,
        yield_on_timeout=True,
        recursive=files.recursive,
        ignore_permission_denied=True,
    )
    click.echo(f"Watching {files.root}. Ctrl-C ends it.")
    scan_at = 0.0
    for changes in turns:  # by the first turn the watch has begun, so the scan misses nothing
        if time.monotonic() >= scan_at:
            watching.notice(files.names())
            scan_at = time.monotonic() + _RESCAN
        names = (files.name(path) for _, path in changes)
        watching.notice(name for name in names if name is not None)
        watching.turn()


def _send_once(watching: Watching, files: Folder, patience: float) -> None:
    """Sends what is there and waits for what comes of it."""
    watching.notice(files.names())
    give_up = time.monotonic() + patience
    while not watching.idle:
        if watching.turn():
            give_up = time.monotonic() + patience
            continue
        if watching.closed or (watching.unsent and time.monotonic() >= give_up):
            watching.leave_out()
            return
        time.sleep(_TURN / 1_000)
