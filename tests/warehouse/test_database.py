import threading

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from tests.warehouse.forms import ALWAYS_BOTH
from tests.warehouse.uploads import NOON
from warehouse.blobs import StoredBlob
from warehouse.database import open_house
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.tables import house_secrets, uploads

pytestmark = ALWAYS_BOTH


def _receive(store: Store, digit: str) -> None:
    store.records.receive(StoredBlob(digit * 64, 10**12), f"{digit}\0", NOON)


def test_a_sum_of_whole_numbers_is_one(store: Store) -> None:
    for digit in "ab":
        _receive(store, digit)
    with store.database.read() as connection:
        total = connection.scalar(select(func.sum(uploads.c.size)))
    assert (total, type(total)) == (2 * 10**12, int)


def test_a_text_comes_back_and_is_found_by_what_it_was(store: Store) -> None:
    _receive(store, "a")
    with store.database.read() as connection:
        found = connection.scalars(select(uploads.c.name).where(uploads.c.name == "a\0"))
        assert found.all() == ["a\0"]


def test_an_error_says_nothing_of_what_was_to_be_written(store: Store) -> None:
    row = {"name": "masking", "value": "secret"}
    with store.database.write() as connection:
        connection.execute(house_secrets.insert().values(row))
    with pytest.raises(IntegrityError) as failed, store.database.write() as connection:
        connection.execute(house_secrets.insert().values(row))
    assert "secret'" not in str(failed.value)


def test_a_reader_sees_one_state(store: Store) -> None:
    count = select(func.count()).select_from(uploads)
    with store.database.read() as connection:
        assert connection.scalar(count) == 0
        _receive(store, "a")
        assert connection.scalar(count) == 0
    with store.database.read() as connection:
        assert connection.scalar(count) == 1


def test_many_open_a_new_house_at_once(settings: Settings) -> None:
    failed: list[Exception] = []

    def open_it() -> None:
        try:
            open_house(settings).close()
        except Exception as error:  # noqa: BLE001 - the test's own thread
            failed.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
