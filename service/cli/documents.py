"""`retourne schema` and `retourne generate`: the format, and legal hands in it."""

import sys
from typing import BinaryIO

import click
import msgspec
from rich.console import Console
from rich.progress import track

from engine.presets import PRESETS
from schemas.generate import generate_hands
from schemas.jsonschema import schema_text
from schemas.session_jsonschema import session_schema_text


@click.command
@click.option("--session", is_flag=True, help="That of the session document instead.")
def schema(*, session: bool) -> None:
    """Print the JSON Schema of the hand document."""
    click.echo(session_schema_text() if session else schema_text(), nl=False)


@click.command
@click.option("--hands", type=click.IntRange(min=1), required=True, help="How many.")
@click.option("--seed", type=int, required=True, help="The same seed gives the same hands.")
@click.option(
    "--preset",
    "presets",
    type=click.Choice(list(PRESETS)),
    multiple=True,
    default=list(PRESETS),
    help="Which rules; may be given more than once, sessions then take turns.  [default: all]",
)
@click.option(
    "--out", type=click.File("wb"), default="-", help="Where to; standard output if none."
)
def generate(*, hands: int, seed: int, presets: tuple[str, ...], out: BinaryIO) -> None:
    """Write legal random hands, a hand a line.

    Players of several styles play session after session; stacks, the dealer and carried pots go on
    from hand to hand.
    """
    console = Console(stderr=True)
    watched = console.is_terminal and out is not sys.stdout.buffer
    made = track(
        generate_hands(hands, seed, presets),
        description="Generating",
        total=hands,
        console=console,
        transient=True,
        disable=not watched,
    )
    out.writelines(msgspec.json.encode(hand) + b"\n" for hand in made)
