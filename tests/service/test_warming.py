"""What a web process has read when it starts, nobody has to wait for."""

from pathlib import Path

from service.warming import warm_up
from tests.service.client import keyed_app
from tests.warehouse.uploads import ndjson, processed, some_hands
from warehouse.settings import Settings
from warehouse.store import Store


def test_the_rollups_are_there_before_anybody_asks(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    app = keyed_app(settings)
    with Store(settings) as store:
        processed(store, ndjson(some_hands(10)))
    warm_up(app).join()
    for path in (settings.home / "segments" / "rollups").iterdir():
        path.unlink()
    assert app.test_client().get("/players").status_code == 200
