"""The sums that statistics are made of, on the command line: counted anew, and checked."""

import datetime as dt

import click

from service.cli.house import house_of
from warehouse.queries import Warehouse
from warehouse.rollup_check import ChunkFault
from warehouse.settings import LOCAL_CLUB
from warehouse.store import Store

_CLUB = click.option("--club", default=LOCAL_CLUB, show_default=True, help="Whose hands.")
_TOLD = 20


@click.group
def rollups() -> None:
    """The sums that statistics are made of, beside the hands they come from."""


@rollups.command
@_CLUB
@click.option("--faulty", is_flag=True, help="Only where `check` finds something.")
def rebuild(*, club: str, faulty: bool) -> None:
    """Count the stored hands anew, chunk by chunk, while the service runs or not.

    Verdicts stay as they are: hands that this version of the engine judges otherwise are counted as
    they were, until they are audited anew.
    """
    settings = house_of(club)
    check = Warehouse(settings).rollup_check
    hands = otherwise = rebuilt = 0
    with Store(settings) as store:
        for chunk in store.rebuilder.chunks():
            if faulty and check.fault(chunk) is None:
                continue
            done = store.rebuilder.rebuild(chunk, dt.datetime.now(dt.UTC))
            if done is not None:
                rebuilt += 1
                hands += done.hands
                otherwise += done.otherwise
        store.deletions.sweep()
    click.echo(f"{hands:,} hands in {rebuilt:,} chunks are counted anew.")
    if otherwise:
        click.echo(
            f"{otherwise:,} of them are judged otherwise by this version and counted as they were:"
            " see `retourne reaudit`."
        )


@rollups.command
@_CLUB
def check(*, club: str) -> None:
    """Hold the sums against a scan of all stored seats, and say where they differ.

    It ends with 1 where they do.
    """
    check = Warehouse(house_of(club)).rollup_check
    chunks = check.chunks()
    faults = [fault for chunk in chunks if (fault := check.fault(chunk)) is not None]
    players = check.players()
    for fault in faults:
        click.echo(_told(fault))
    if players:
        named = ", ".join(repr(player) for player in players[:_TOLD])
        more = f" and {len(players) - _TOLD:,} more" if len(players) > _TOLD else ""
        click.echo(f"Other sums are answered than the seats give for {named}{more}.")
    if faults or players:
        raise click.ClickException("`retourne rollups rebuild` counts all hands anew.")
    click.echo(f"The sums of {len(chunks):,} chunks are what their seats give.")


def _told(fault: ChunkFault) -> str:
    chunk = fault.chunk
    where = f"Chunk {chunk.id}, hands {chunk.first:,} to {chunk.last:,} of upload {chunk.upload}:"
    parts = []
    if fault.lacking:
        parts.append(f"written before there was {', '.join(fault.lacking)}")
    if fault.rows:
        parts.append(f"{fault.rows:,} rows of sums are others than the seats give")
    return f"{where} {'; '.join(parts)}."
