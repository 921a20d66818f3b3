"""Which house a command works on: that of a club of the installation that the settings name."""

import click

from warehouse.clubs import Clubs
from warehouse.database import open_control
from warehouse.settings import Settings, SettingsError, read_settings


def house_of(club: str) -> Settings:
    """Return the settings of a club's house.

    Raises:
        click.ClickException: the settings make no sense, or there is no such club.
    """
    try:
        settings = read_settings()
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    if Clubs(open_control(settings)).find(club) is None:
        raise click.ClickException(f"There is no club {club}.")
    return settings.of(club)
