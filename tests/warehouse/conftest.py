"""A storage of the test's own, and the read side over it.

It is the embedded form's unless a module asks for both forms, by `BOTH_FORMS`.
"""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.outside import object_store, postgres
from warehouse.queries import Warehouse
from warehouse.settings import Settings
from warehouse.store import Store


@pytest.fixture(scope="session")
def servers() -> Iterator[dict[str, str]]:
    """A real PostgreSQL and a real S3 store, as the settings want to be told."""
    with postgres() as records, object_store() as objects, pytest.MonkeyPatch.context() as patch:
        for name, value in objects.access.items():
            patch.setenv(name, value)
        yield {
            "records_url": records,
            "objects": "s3://retourne/tests",
            "s3_endpoint": objects.endpoint,
        }


@pytest.fixture
def settings(tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    data = tmp_path / "data"
    if getattr(request, "param", "embedded") == "embedded":
        return Settings(data=data, chunk_hands=10)
    club = f"test_{os.getpid()}_{secrets.token_hex(4)}"
    servers = request.getfixturevalue("servers")
    return Settings(data=data, club=club, chunk_hands=10, **servers)


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    with Store(settings) as opened:
        yield opened


@pytest.fixture
def warehouse(settings: Settings) -> Warehouse:
    return Warehouse(settings)
