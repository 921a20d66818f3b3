"""A storage of the test's own, and the read side over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warehouse.queries import Warehouse
from warehouse.settings import Settings
from warehouse.store import Store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", chunk_hands=10)


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    with Store(settings) as opened:
        yield opened


@pytest.fixture
def warehouse(settings: Settings) -> Warehouse:
    return Warehouse(settings)
