"""The commands that start processes: the whole tree, or one part of the scale-out form."""

import datetime as dt
import errno
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from service import parts
from service.supervisor import Supervisor, hold_signals
from warehouse.settings import Settings, SettingsError, read_settings
from workers.logs import configure_logs

_MOST_PROCESSES = 4  # audited side by side unless told otherwise, however many cores there are

_LOOPBACK = ("127.0.0.1", "::1", "localhost")

_host = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
_port = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    envvar="PORT",
    show_default=True,
    show_envvar=True,
    help="Port to listen on; 0 takes any free one.",
)
_concurrency = click.option(
    "--workers",
    "concurrency",
    type=click.IntRange(min=1),
    default=min(os.cpu_count() or 1, _MOST_PROCESSES),
    envvar="RETOURNE_WORKERS",
    show_default="one a core, at most 4",
    show_envvar=True,
    help="How many uploads are audited side by side.",
)


@click.command
@_host
@_port
@_concurrency
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default="data",
    envvar="RETOURNE_DATA",
    show_default=True,
    show_envvar=True,
    help="Folder that holds everything; made if missing.",
)
@click.option("--sample/--no-sample", default=True, help="Load the sample data the first time.")
def serve(*, host: str, port: int, concurrency: int, data: Path, sample: bool) -> None:
    """Run the whole service as one process tree."""
    data = data.absolute()
    environment = {**os.environ, "RETOURNE_DATA": str(data)}
    if host in _LOOPBACK:
        environment.setdefault("RETOURNE_LOGIN", "open")
        environment.setdefault("RETOURNE_METRICS", "open")
    settings = _settings(environment)
    configure_logs("supervisor")
    try:
        claim = parts.claim_folder(data)
    except parts.FolderInUseError as error:
        raise click.ClickException(
            f"{data} is being served by {error}. Stop it, or choose another folder with --data."
        ) from None
    except OSError as error:
        raise click.ClickException(f"{data} cannot be used: {error.strerror}.") from None
    with claim, _listen(host, port) as listener:
        hold_signals()  # before libraries come in that start threads
        from service.registry import Registry  # noqa: PLC0415 - the other commands do without Flask

        key = Registry(settings).ensure_local_key(dt.datetime.now(dt.UTC))
        tree = parts.embedded_parts(
            data,
            listener,
            key=key,
            concurrency=concurrency,
            own_broker=settings.broker_url is None,
            sample=sample,
        )
        Supervisor(tree, environment).run()
    click.echo("Retourne has stopped.")


@click.command
@_host
@_port
def web(*, host: str, port: int) -> None:
    """Serve the pages and the API alone."""
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    _become(parts.web_command(bind))


@click.command
@_concurrency
def worker(*, concurrency: int) -> None:
    """Run one worker alone."""
    _become(parts.worker_command(concurrency))


@click.command
def sweeper() -> None:
    """Run the sweeper alone."""
    _become(parts.sweeper_command())


@click.command("load-sample")
@click.argument("url")
@click.option("--key", envvar="RETOURNE_KEY", help="A key; that of this machine unless given.")
def load_sample(*, url: str, key: str | None) -> None:
    """Upload the sample data to the service at URL."""
    from service import sample  # noqa: PLC0415 - the other commands here do without its reading

    configure_logs("sample")
    data = _settings(os.environ).data
    sample.load_sample(url, key or (data / "local.key").read_text().strip())
    parts.mark_sample_loaded(data)


def _settings(environment: Mapping[str, str]) -> Settings:
    try:
        return read_settings(environment)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None


def _listen(host: str, port: int) -> socket.socket:
    try:
        return parts.listen(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = "something else is listening there. Choose another port with --port or PORT, "
            raise click.ClickException(
                f"Cannot listen on {host}:{port}: {reason}or any free one with --port 0."
            ) from None
        raise click.ClickException(f"Cannot listen on {host}:{port}: {error}.") from None


def _become(command: list[str]) -> None:
    _settings(os.environ)
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606 - the project's own command, no shell
