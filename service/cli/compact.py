"""Joining small segments on the command line, for who does not wait until the workers do it."""

import datetime as dt

import click

from warehouse.clubs import Clubs
from warehouse.database import open_control
from warehouse.settings import LOCAL_CLUB, SettingsError, read_settings
from warehouse.store import Store


@click.command
@click.option("--club", default=LOCAL_CLUB, show_default=True, help="Whose segments.")
def compact(*, club: str) -> None:
    """Join all small segments of a club into larger ones.

    It is done here and now, whether or not the service is running, and may be broken off at any
    time. The workers do it by themselves where there are many; this joins few as well.
    """
    try:
        settings = read_settings()
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    if Clubs(open_control(settings)).find(club) is None:
        raise click.ClickException(f"There is no club {club}.")
    packs, units = 0, 0
    with Store(settings.of(club)) as store:
        try:
            while (joined := store.compaction.join(dt.datetime.now(dt.UTC), many=2)) is not None:
                packs, units = packs + (joined.units > 0), units + joined.units
        except OSError as error:
            raise click.ClickException(f"Segments cannot be joined now: {error}") from None
    if units:
        click.echo(f"{units} chunks and packs of them were joined into {packs}.")
    else:
        click.echo("Nothing is small enough to be joined.")
