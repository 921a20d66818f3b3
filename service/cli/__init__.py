"""The command line: `retourne COMMAND`. A command's module is imported when the command is used."""

from importlib import import_module

import click

_COMMANDS = {  # name on the command line -> module and function
    "audit": "service.cli.hands:audit",
    "verify": "service.cli.sessions:verify",
    "replay": "service.cli.hands:replay",
    "convert": "service.cli.convert:convert",
    "upload": "service.cli.upload:upload",
    "watch": "service.cli.watch:watch",
    "schema": "service.cli.documents:schema",
    "generate": "service.cli.documents:generate",
    "season": "service.cli.documents:season",
    "serve": "service.cli.serve:serve",
    "web": "service.cli.serve:web",
    "worker": "service.cli.serve:worker",
    "sweeper": "service.cli.serve:sweeper",
    "clubs": "service.cli.keys:clubs",
    "keys": "service.cli.keys:keys",
    "reaudit": "service.cli.reaudit:reaudit",
    "rollups": "service.cli.rollups:rollups",
    "compact": "service.cli.compact:compact",
    "load-sample": "service.cli.serve:load_sample",
}


class _Commands(click.Group):
    """A group that knows its commands by name, so `retourne audit` loads no web server."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, function = _COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="retourne")
def main() -> None:
    """Replay, audit and serve hands of Bouillotte, Brelan and Bourré."""
