"""`retourne convert`: hands as other clients write them, written as hand documents of version 1."""

import shutil
import sys
import tempfile
from typing import BinaryIO, Final, Literal

import click
from rich.markup import escape

from schemas.dialects import (
    PLAIN,
    TRAITS,
    Converted,
    DetectedDialect,
    Dialect,
    UndecidedDialect,
    dialect_named,
    read_any_hands,
)
from schemas.dialects import convert as convert_hand
from schemas.dialects import detect as detect_dialect
from schemas.errors import UnreadableHand
from schemas.inflate import LimitExceeded, StreamLimits
from schemas.streams import RawHand
from service.cli.reading import place_of
from service.cli.sessions import CLEAN, FINDINGS, UNREADABLE
from service.cli.terminal import Console

AUTO: Final = "auto"
_IN_MEMORY: Final = 16 << 20


class _DialectName(click.ParamType[Dialect | Literal["auto"]]):
    """The name of a dialect, or `AUTO`, which is None."""

    name = "dialect"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Dialect | Literal["auto"]:
        if isinstance(value, Dialect):
            return value
        if value == AUTO:
            return AUTO
        dialect = dialect_named(str(value))
        if dialect is None:
            self.fail(
                f"{value!r} is no dialect. It is {AUTO}, {PLAIN}, or one or more of "
                f"{', '.join(TRAITS)}, joined by +, no two of one kind.",
                param,
                ctx,
            )
        return dialect


@click.command
@click.argument("file", type=click.File("rb"))
@click.option(
    "--dialect",
    type=_DialectName(),
    default=AUTO,
    show_default=True,
    help="How the hands are written, such as french+clockwise; docs/dialects.md lists them.",
)
@click.option(
    "--to",
    type=click.Choice(["v1"]),
    default="v1",
    show_default=True,
    expose_value=False,
    help="The version of the format to write.",
)
@click.option(
    "--out", type=click.File("wb"), default="-", help="Where to; standard output if none."
)
def convert(*, file: BinaryIO, dialect: Dialect | Literal["auto"], out: BinaryIO) -> None:
    """Write the hands of FILE (- reads standard input) as hand documents, a hand a line.

    FILE holds hands in another client's spelling: JSON in any of the forms that audit reads, or
    CSV; plain, gzip or zstd. What was assumed is told on standard error. The exit status is 0 when
    every hand was written and nothing assumed, 1 when something was assumed or left out, 2 when a
    hand could not be written.
    """
    report = _Report()
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as kept:
        shutil.copyfileobj(file, kept)
        kept.seek(0)
        try:
            for hand in read_any_hands(kept, StreamLimits()):  # type: ignore[arg-type]
                _write(hand, dialect, report, out)
        except LimitExceeded as error:
            raise click.ClickException(
                f"{file.name} goes beyond a limit: {error.limit} is {error.allowed:,}, "
                f"and reading stopped at {error.seen:,}."
            ) from None
    out.flush()
    report.close()
    if report.failed:
        sys.exit(UNREADABLE)
    sys.exit(FINDINGS if report.assumed else CLEAN)


def _write(
    hand: RawHand, dialect: Dialect | Literal["auto"], report: "_Report", out: BinaryIO
) -> None:
    if hand.error is not None:
        report.unreadable(hand, hand.error)
        return
    told = detect_dialect(hand.raw) if dialect == AUTO else None
    if isinstance(told, UndecidedDialect):
        report.undecided(hand, told)
        return
    if isinstance(told, UnreadableHand):
        report.unreadable(hand, told)
        return
    named = dialect if isinstance(dialect, Dialect) else _of(told)
    converted = convert_hand(hand.raw, named)
    if isinstance(converted, UnreadableHand):
        report.unreadable(hand, converted)
        return
    out.write(converted.document + b"\n")
    report.converted(hand, named, told, converted)


def _of(detected: DetectedDialect | None) -> Dialect:
    dialect = None if detected is None else dialect_named(detected.name)
    if dialect is None:
        raise AssertionError("a dialect was detected that goes by no name")
    return dialect


class _Report:
    """What is told on standard error: failures at once, the rest added up at the end."""

    def __init__(self) -> None:
        self.failed = 0
        self._written = 0
        self._told: dict[tuple[str, str], tuple[int, int]] = {}
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)

    @property
    def assumed(self) -> bool:
        """Whether something was assumed or left out."""
        return any(kind == "assumed" for kind, _ in self._told)

    def unreadable(self, hand: RawHand, error: UnreadableHand) -> None:
        """Tells of a hand that could not be written."""
        self.failed += 1
        where = f" {escape(error.pointer)}" if error.pointer else ""
        place = place_of(hand.line, hand.file)
        self._console.print(f"[bold]{place}[/] [red]unreadable[/] [bold]{error.code}[/]{where}")
        self._console.print(f"  expected {escape(error.expected)}, seen {escape(error.seen)}")

    def undecided(self, hand: RawHand, undecided: UndecidedDialect) -> None:
        """Tells of a hand that may be in several dialects."""
        self.failed += 1
        place = place_of(hand.line, hand.file)
        self._console.print(f"[bold]{place}[/] [yellow]undecided[/] {escape(undecided.question)}")
        names = ", ".join(undecided.candidates)
        self._console.print(f"  --dialect says which: {names}")

    def converted(
        self,
        hand: RawHand,
        dialect: Dialect,
        detected: DetectedDialect | None,
        converted: Converted,
    ) -> None:
        """Counts a hand that was written, and what was assumed."""
        self._written += 1
        self._tell("dialect", dialect.name, hand)
        for reason in detected.reasons if detected is not None else ():
            self._tell("told by", reason, hand)
        for assumption in detected.assumptions if detected is not None else ():
            self._tell("assumed", assumption, hand)
        for assumption in converted.assumptions:
            self._tell("assumed", assumption, hand)

    def _tell(self, kind: str, text: str, hand: RawHand) -> None:
        hands, first = self._told.get((kind, text), (0, hand.line))
        self._told[kind, text] = (hands + 1, first)

    def close(self) -> None:
        """Tells what was added up."""
        for kind in ("dialect", "told by", "assumed"):
            for (told, text), (hands, first) in self._told.items():
                if told == kind:
                    since = f"line {first}" if hands == 1 else f"{hands} hands, from line {first}"
                    self._console.print(f"{kind}: {escape(text)} ({since})")
        self._console.print(f"{self._written} written, {self.failed} not written")
