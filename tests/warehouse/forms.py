"""What has to hold in the embedded form and in the scale-out one."""

from typing import Final

import obstore
import pytest
from obstore.store import S3Store

from warehouse.settings import Settings

ALWAYS_BOTH: Final = pytest.mark.parametrize("settings", ["embedded", "scale-out"], indirect=True)
"""Runs tests on SQLite and a folder, and on PostgreSQL and an S3 store."""

BOTH_FORMS: Final = pytest.mark.parametrize(
    "settings",
    ["embedded", pytest.param("scale-out", marks=pytest.mark.proof)],
    indirect=True,
)
"""The same, of which the second is left to the proofs: it is built of what always runs on both."""


def kept(settings: Settings, part: str) -> dict[str, bytes]:
    """Every file that is in place in a part of a house, with its bytes, by its name."""
    if settings.objects is None:
        folder = settings.home / part
        paths = (path for path in folder.rglob("*") if path.is_file())
        found = {str(path.relative_to(folder)): path.read_bytes() for path in paths}
    else:
        store = S3Store.from_url(
            f"{settings.objects}/clubs/{settings.club}/{part}",
            endpoint=settings.s3_endpoint or "",
            client_options={"allow_http": True},
        )
        names = [one["path"] for some in obstore.list(store) for one in some]
        found = {name: bytes(obstore.get(store, name).bytes()) for name in names}
    return dict(sorted(found.items()))
