import subprocess
import sys

from click.testing import CliRunner

from service.cli import main


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
