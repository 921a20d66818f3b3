"""The hands of a file for the command line: under a progress bar, with limits told in words."""

import sys
from collections.abc import Iterator
from typing import BinaryIO

import click
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from schemas.inflate import LimitExceeded, StreamLimits
from schemas.streams import RawHand, read_hands
from service.cli.terminal import Console


def hands_of(file: BinaryIO) -> Iterator[RawHand]:
    """The hands of a file, under a progress bar where somebody watches and the size is known."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not _watched(console)) as bar:
        task = bar.add_task("Auditing", total=_size(file))
        hands = 0
        try:
            for raw in read_hands(file, StreamLimits()):
                yield raw
                hands += 1
                bar.update(
                    task, completed=_position(file), description=f"Auditing, {hands:,} hands"
                )
        except LimitExceeded as error:
            raise click.ClickException(
                f"{file.name} goes beyond a limit: {error.limit} is {error.allowed:,}, "
                f"and reading stopped at {error.seen:,}."
            ) from None


def place_of(line: int, file: str | None) -> str:
    """Where a hand stands, for people; ``file`` is one in a ZIP."""
    return f"line {line}" if file is None else f"{escape(file)} line {line}"


def _watched(console: Console) -> bool:
    """Whether the bar goes to a terminal that the hands do not go to as well."""
    return console.is_terminal and not sys.stdout.isatty()


def _size(file: BinaryIO) -> int | None:
    if not file.seekable():
        return None
    size = file.seek(0, 2)
    file.seek(0)
    return size


def _position(file: BinaryIO) -> int:
    return file.tell() if file.seekable() else 0
