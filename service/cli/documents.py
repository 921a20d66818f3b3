"""`retourne schema`, `generate` and `season`: the format, and hands and sessions in it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal, TypeVar

import click
import msgspec
from rich.progress import track

from engine.presets import PRESETS
from engine.styles import STYLES
from schemas.faults.kinds import Kind
from schemas.faults.season import FaultyHand, NoPlaceError, generate_faults
from schemas.faults.sessions import KINDS as SESSION_KINDS
from schemas.faults.sessions import generate_session_fault
from schemas.faults.table import KINDS, kinds_for
from schemas.generate import generate_hands, generate_session
from schemas.jsonschema import schema_text
from schemas.season import season_files
from schemas.session_jsonschema import session_schema_text
from service.cli.terminal import Console

ALL_KINDS = "all"

_Made = TypeVar("_Made")


@click.command
@click.option("--session", is_flag=True, help="That of the session document instead.")
def schema(*, session: bool) -> None:
    """Print the JSON Schema of the hand document."""
    click.echo(session_schema_text() if session else schema_text(), nl=False)


@click.command
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def season(*, folder: Path) -> None:
    """Write the season of a club into FOLDER: a file for every evening and every tournament.

    It has players of different character, declared standings, and a handful of things that are
    wrong; the service loads it on a new data folder. docs/generator.md says what is in it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for file in season_files():
        (folder / file.name).write_bytes(file.content)
        click.echo(folder / file.name)


@click.command
@click.option("--hands", type=click.IntRange(min=1), help="How many.")
@click.option("--seed", type=int, required=True, help="The same seed gives the same hands.")
@click.option(
    "--preset",
    "presets",
    type=click.Choice(list(PRESETS)),
    multiple=True,
    help="Which rules; may be given more than once, sessions then take turns.  [default: all]",
)
@click.option(
    "--style",
    "styles",
    type=click.Choice(list(STYLES)),
    multiple=True,
    help="How the players play; may be given more than once, players then take turns.",
)
@click.option(
    "--kind",
    type=click.Choice(["session", "tournament"]),
    help="Write one whole session as its document, with ledger and standings, not loose hands.",
)
@click.option(
    "--faults",
    metavar="KIND[,KIND...]|all",
    help="Plant one fault in each hand, the kinds in turn, or one in the session of --kind; "
    "docs/generator.md lists them.",
)
@click.option("--key", type=click.File("wb"), help="Where the answer key of the faults goes.")
@click.option(
    "--out", type=click.File("wb"), default="-", help="Where to; standard output if none."
)
def generate(
    *,
    hands: int | None,
    seed: int,
    presets: tuple[str, ...],
    styles: tuple[str, ...],
    kind: Literal["session", "tournament"] | None,
    faults: str | None,
    key: BinaryIO | None,
    out: BinaryIO,
) -> None:
    """Write random hands, a hand a line: legal ones, or with one known fault each.

    Players of several styles play session after session; stacks, the dealer and carried pots go on
    from hand to hand.
    """
    presets = presets or tuple(PRESETS)
    if kind is not None and faults is not None:
        if hands is not None or styles or len(presets) != len(PRESETS) or key is None:
            raise click.UsageError(
                "--kind with --faults plants one fault in one session, by the rules that it "
                "needs, and wants --key: without --hands, --style and --preset."
            )
        _write_session_fault(faults, seed, kind, out, key)
        return
    if kind is not None:
        if hands is not None or len(presets) != 1:
            raise click.UsageError(
                "--kind writes one whole session of one --preset, without --hands."
            )
        out.write(msgspec.json.encode(generate_session(seed, presets[0], kind, styles)) + b"\n")
        return
    if hands is None:
        raise click.UsageError("--hands is missing: how many?")
    if faults is not None:
        if key is None or styles:
            raise click.UsageError(
                "--faults needs --key, a file for what is planted, and has players of its own: "
                "without --style."
            )
        planted = generate_faults(hands, seed, _kinds(faults, presets), presets)
        _write_planted(_watched(planted, hands, out), out, key)
        return
    if key is not None:
        raise click.UsageError("--key goes with --faults.")
    made = _watched(generate_hands(hands, seed, presets, styles), hands, out)
    out.writelines(msgspec.json.encode(hand) + b"\n" for hand in made)


def _write_session_fault(
    name: str, seed: int, form: Literal["session", "tournament"], out: BinaryIO, key: BinaryIO
) -> None:
    if name not in SESSION_KINDS:
        raise click.BadParameter(
            f"{name!r} is no fault of a session. There are: {', '.join(SESSION_KINDS)}.",
            param_hint="--faults",
        )
    planted = generate_session_fault(seed, SESSION_KINDS[name], form)
    out.write(planted.raw + b"\n")
    key.write(msgspec.json.encode(planted.answer) + b"\n")


def _kinds(faults: str, presets: tuple[str, ...]) -> list[Kind]:
    able = kinds_for(presets)
    if faults == ALL_KINDS:
        return able
    kinds = []
    for name in faults.split(","):
        if name not in KINDS:
            raise click.BadParameter(
                f"{name!r} is no kind of fault. There are: {', '.join(KINDS)}.",
                param_hint="--faults",
            )
        if KINDS[name] not in able:
            raise click.BadParameter(
                f"{name} is planted in other games than {', '.join(presets)}.",
                param_hint="--faults",
            )
        kinds.append(KINDS[name])
    return kinds


def _write_planted(planted: Iterator[FaultyHand], out: BinaryIO, key: BinaryIO) -> None:
    try:
        for hand in planted:
            out.write(hand.raw + b"\n")
            key.write(msgspec.json.encode(hand.answer) + b"\n")
    except NoPlaceError as error:
        raise click.ClickException(
            f"No place for {error.kind.name} was found in thousands of hands of these presets. "
            "What was written so far is whole."
        ) from None


def _watched(made: Iterator[_Made], hands: int, out: BinaryIO) -> Iterator[_Made]:
    """What is made, under a progress bar where somebody watches."""
    console = Console(stderr=True)
    watched = console.is_terminal and out is not sys.stdout.buffer
    yield from track(
        made,
        description="Generating",
        total=hands,
        console=console,
        transient=True,
        disable=not watched,
    )
