import datetime as dt
from pathlib import Path

from click.testing import CliRunner

from service.cli import main
from tests.warehouse.uploads import all_hands, ndjson, processed, some_hands
from warehouse.clubs import Clubs
from warehouse.database import open_control
from warehouse.queries import Warehouse
from warehouse.settings import Settings
from warehouse.store import Store


def _said(data: Path, *arguments: str) -> tuple[int, str]:
    environment = {"RETOURNE_DATA": str(data)}
    said = CliRunner().invoke(main, ["compact", *arguments], env=environment)
    return said.exit_code, said.output


def test_what_is_small_is_joined_once(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    Clubs(open_control(settings)).add("local", "local", dt.datetime.now(dt.UTC))
    with Store(settings) as store:
        for hand in some_hands(3):
            processed(store, ndjson([hand]))
    before = all_hands(Warehouse(settings))
    assert _said(tmp_path) == (0, "3 chunks and packs of them were joined into 1.\n")
    assert _said(tmp_path) == (0, "Nothing is small enough to be joined.\n")
    assert all_hands(Warehouse(settings)) == before
    code, output = _said(tmp_path, "--club", "nobody")
    assert (code, "no club nobody" in output) == (1, True)
