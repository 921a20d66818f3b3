"""Re-audits on the command line, for whoever runs the installation: after an update, say."""

import datetime as dt

import click

from service.cli.house import house_of
from warehouse.settings import LOCAL_CLUB
from warehouse.store import Store


@click.command
@click.option("--club", default=LOCAL_CLUB, show_default=True, help="Whose uploads.")
@click.option("--all", "everything", is_flag=True, help="All uploads of the club.")
@click.option("--force", is_flag=True, help="What this version has judged as well.")
@click.argument("uploads", nargs=-1)
def reaudit(*, club: str, everything: bool, force: bool, uploads: tuple[str, ...]) -> None:
    """Have UPLOADS audited anew where another version of the engine has judged them.

    The work is done by the workers of the installation that RETOURNE_DATA and its like name; when
    the service is not running, it is done once it is.
    """
    if everything == bool(uploads):
        raise click.UsageError("Name uploads by their ids, or say --all.")
    with Store(house_of(club)) as store:
        for upload in uploads:
            if store.records.upload(upload) is None:
                raise click.ClickException(f"There is no upload {upload}.")
        asked = {"uploads": list(uploads), "force": force} if uploads else {"force": force}
        wanted = list(uploads) if uploads else None
        made, sent = store.reaudits.ask(
            wanted, asked, "command line", dt.datetime.now(dt.UTC), force=force
        )
        if not sent:
            click.echo("Nothing is to be audited anew.")
            return
        # The sweeper sends what is due; where a broker answers, it need not wait for that.
        from workers.renewals import send_renewals  # noqa: PLC0415 -- it loads all of Celery

        send_renewals(store, sent)
    click.echo(f"Re-audit {made.id}: {made.hands} hands in {made.uploads} uploads.")
