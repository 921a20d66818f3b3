import datetime as dt
import json
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from service.cli import main
from service.registry import Registry
from warehouse.settings import Settings


def test_the_help_names_the_commands() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "serve" in result.output


def test_an_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(main, ["sevre"])
    assert result.exit_code == 2
    assert "No such command 'sevre'" in result.output


def test_a_port_beyond_the_last_one_is_refused() -> None:
    result = CliRunner().invoke(main, ["serve"], env={"PORT": "65536"})
    assert result.exit_code == 2
    assert "65536 is not in the range" in result.output


def test_the_command_line_loads_no_service_before_one_is_asked_for() -> None:
    script = "import service.cli, sys; print(*({'celery', 'flask', 'duckdb'} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_a_terminal_takes_no_orders_from_what_it_shows(tmp_path: Path) -> None:
    order = "[/x]\x1b]0;renamed\x07"
    registry, now = Registry(Settings(data=tmp_path)), dt.datetime.now(dt.UTC)
    registry.clubs.add("local", order, now)
    registry.keys.make("local", order, ("read",), now)
    hand = json.loads((Path(__file__).parents[1] / "rules" / "w3.json").read_bytes())
    (tmp_path / "hand").write_text(json.dumps({**hand, order: 1}))
    environment = {"RETOURNE_DATA": str(tmp_path)}
    for command in (["clubs", "list"], ["keys", "list"], ["audit", str(tmp_path / "hand")]):
        told = CliRunner().invoke(main, command, env=environment).output
        assert "]0;renamed" in "".join(told.split())
        assert "\x1b]" not in told
        assert "\x07" not in told
