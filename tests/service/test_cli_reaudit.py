import datetime as dt
from pathlib import Path

from click.testing import CliRunner, Result

from service.cli import main
from tests.warehouse.uploads import all_hands, ndjson, processed, some_hands
from warehouse.clubs import Clubs
from warehouse.database import open_control
from warehouse.examining import Examiner
from warehouse.queries import Warehouse
from warehouse.renewing import renew_upload
from warehouse.settings import Settings
from warehouse.store import Store


def _run(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["reaudit", *arguments], env={"RETOURNE_DATA": str(data)})


def test_what_another_version_judged_is_audited_anew(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    Clubs(open_control(settings)).add("local", "local", dt.datetime.now(dt.UTC))
    with Store(settings, Examiner("0.9.0")) as old:
        first = processed(old, ndjson(some_hands(5)))
        second = processed(old, ndjson(some_hands(4, seed=2)))
    said = _run(tmp_path, first)
    assert (said.exit_code, "5 hands in 1 uploads" in said.output) == (0, True), said.output
    said = _run(tmp_path, "--all")
    assert (said.exit_code, "9 hands in 2 uploads" in said.output) == (0, True), said.output
    with Store(settings) as store:
        assert [renew_upload(store, one) for one in (first, second)] == ["done", "done"]
        assert {one.engine for one in all_hands(Warehouse(settings))} == {store.examiner.version}
    assert "Nothing is to be audited anew" in _run(tmp_path, "--all").output
    assert "2 uploads" in _run(tmp_path, "--all", "--force").output


def test_a_reaudit_of_nothing_in_particular_is_refused(tmp_path: Path) -> None:
    assert _run(tmp_path).exit_code == 2
    assert "no club nobody" in _run(tmp_path, "--all", "--club", "nobody").output
    Clubs(open_control(Settings(data=tmp_path))).add("local", "local", dt.datetime.now(dt.UTC))
    said = _run(tmp_path, "0" * 64)
    assert said.exit_code == 1
    assert "There is no upload" in said.output
