"""Clubs and their keys on the command line, for whoever runs the installation."""

import datetime as dt
import os
import re
from typing import Final, get_args

import click
from rich.markup import escape
from rich.table import Table

from service.cli.terminal import Console
from warehouse.clubs import Clubs
from warehouse.database import Database, open_control
from warehouse.keys import SCOPES, Key, Keys, Scope
from warehouse.settings import LOCAL_CLUB, SettingsError, read_settings

_LENGTHS: Final = {"h": "hours", "d": "days", "w": "weeks"}
_CLUB: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")

_club = click.option("--club", default=LOCAL_CLUB, show_default=True, help="Whose keys.")


class _Length(click.ParamType[dt.timedelta]):
    """A length of time such as 12h, 30d or 8w."""

    name = "length"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> dt.timedelta:
        if isinstance(value, dt.timedelta):
            return value
        found = re.fullmatch(r"([0-9]{1,5})([hdw])", str(value))
        if found is None:
            self.fail(f"{value} is no length such as 12h, 30d or 8w.", param, ctx)
        return dt.timedelta(**{_LENGTHS[found[2]]: int(found[1])})


@click.group
def clubs() -> None:
    """The clubs of this installation."""


@clubs.command("add")
@click.argument("club")
@click.option("--name", help="What people call it; its id unless given.")
def add_club(*, club: str, name: str | None) -> None:
    """Add CLUB. Its id is 1 to 40 of a-z, 0-9 and _, and begins with a letter."""
    if not _CLUB.fullmatch(club):
        raise click.ClickException(
            f"{club!r} cannot be a club's id: that is 1 to 40 of a-z, 0-9 and _, a letter first."
        )
    if Clubs(_control()).add(club, name or club, _now()) is None:
        raise click.ClickException(f"There is a club {club} already.")
    click.echo(f"Added {club}. It has no keys yet: retourne keys make --club {club} LABEL")


@clubs.command("list")
def list_clubs() -> None:
    """List the clubs."""
    table = Table("club", "name", "since", box=None)
    for club in Clubs(_control()).all():
        table.add_row(club.id, escape(club.name), f"{club.created_at:%Y-%m-%d}")
    Console().print(table)


@click.group
def keys() -> None:
    """The keys that open the house of a club."""


@keys.command("make")
@_club
@click.argument("label")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(get_args(Scope)),
    multiple=True,
    default=("upload", "read"),
    show_default=True,
    help="What it may do; give it several times for several.",
)
@click.option("--expires-in", type=_Length(), help="How long it opens, such as 90d; without end.")
def make_key(
    *, club: str, label: str, scopes: tuple[Scope, ...], expires_in: dt.timedelta | None
) -> None:
    """Make a key called LABEL and print it. It is not shown again."""
    control = _control()
    if Clubs(control).find(club) is None:
        raise click.ClickException(f"There is no club {club}; retourne clubs add {club} makes it.")
    now = _now()
    wanted = tuple(scope for scope in SCOPES if scope in scopes)
    expires_at = None if expires_in is None else now + expires_in
    _, text = Keys(control).make(club, label, wanted, now, expires_at)
    click.echo(text)


@keys.command("list")
@_club
def list_keys(*, club: str) -> None:
    """List a club's keys, without their texts."""
    table = Table("key", "label", "scopes", "made", "last used", "state", box=None)
    for key in Keys(_control()).of_club(club):
        used = "never" if key.used_at is None else f"{key.used_at:%Y-%m-%d %H:%M}"
        scopes = ", ".join(key.scopes)
        made = f"{key.created_at:%Y-%m-%d}"
        table.add_row(key.id, escape(key.label), scopes, made, used, _state(key))
    Console().print(table)


@keys.command("rotate")
@click.argument("key")
@click.option(
    "--overlap",
    type=_Length(),
    default="1d",
    show_default=True,
    help="How long the old key still opens.",
)
def rotate_key(*, key: str, overlap: dt.timedelta) -> None:
    """Make a key like KEY, given by its id, and print it; the old one expires."""
    known = Keys(_control())
    _, text = known.rotate(_find(known, key), overlap, _now())
    click.echo(text)


@keys.command("revoke")
@click.argument("key")
def revoke_key(*, key: str) -> None:
    """End KEY, given by its id, at once."""
    known = Keys(_control())
    known.revoke(_find(known, key).id, _now())
    click.echo(f"{key} opens nothing any more.")


def _find(known: Keys, name: str) -> Key:
    found = known.find(name)
    if found is None:
        raise click.ClickException(f"There is no key {name}; retourne keys list shows their ids.")
    return found


def _state(key: Key) -> str:
    refusal = key.refusal(_now())
    if refusal is None and key.expires_at is not None:
        return f"until {key.expires_at:%Y-%m-%d}"
    return refusal or "opens"


def _control() -> Database:
    try:
        return open_control(read_settings(os.environ))
    except SettingsError as error:
        raise click.ClickException(str(error)) from None


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
