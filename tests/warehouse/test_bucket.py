import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.outside import ObjectStore, free_port, object_store
from tests.warehouse.uploads import NOON, all_hands, ndjson, processed, received, some_hands
from warehouse import cache
from warehouse.blobs import BlobStore
from warehouse.bucket import StoreUnreachableError
from warehouse.cache import Cache
from warehouse.intake import process_upload
from warehouse.places import check_place
from warehouse.queries import Warehouse
from warehouse.rows import COLUMNS
from warehouse.segments import SegmentFolder, frame_of
from warehouse.settings import Settings
from warehouse.store import Store

MIB = 1 << 20


@pytest.fixture(scope="module")
def outside() -> Iterator[ObjectStore]:
    with object_store() as store, pytest.MonkeyPatch.context() as patch:
        for name, value in store.access.items():
            patch.setenv(name, value)
        yield store


@pytest.fixture
def settings(outside: ObjectStore, tmp_path: Path) -> Settings:
    return Settings(
        data=tmp_path / "data",
        club="salon",
        objects=f"s3://retourne/under/{tmp_path.name}",
        s3_endpoint=outside.endpoint,
    )


@pytest.fixture
def blobs(settings: Settings) -> BlobStore:
    return BlobStore(settings)


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_blob_goes_to_the_bucket_and_comes_back(
    blobs: BlobStore, outside: ObjectStore, tmp_path: Path
) -> None:
    large = os.urandom(MIB) * 20 + b"the end"  # in parts
    stored = blobs.store(large[start : start + MIB] for start in range(0, len(large), MIB))
    name = hashlib.sha256(large).hexdigest()
    assert (stored.sha256, stored.size) == (name, len(large))
    key = f"under/{tmp_path.name}/clubs/salon/blobs/{name[:2]}/{name[2:4]}/{name}"
    assert key in outside.keys("retourne")
    assert files(tmp_path / "data") == []
    with blobs.open(name) as stream:
        assert stream.read(7) == large[:7]
        assert stream.tell() == 7
        assert stream.read() == large[7:]
        stream.seek(0)
        assert stream.read() == large
    assert files(tmp_path / "data") == []


def test_nothing_is_sent_of_a_body_that_breaks_off(
    blobs: BlobStore, outside: ObjectStore, tmp_path: Path
) -> None:
    def body() -> Iterator[bytes]:
        yield b"half a"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        blobs.store(body())
    assert not any(tmp_path.name in key for key in outside.keys("retourne"))
    assert files(tmp_path) == []


def test_a_deleted_blob_is_gone_and_may_be_deleted_again(blobs: BlobStore) -> None:
    stored = blobs.store([b"hand"])
    blobs.delete(stored.sha256)
    blobs.delete(stored.sha256)
    with pytest.raises(FileNotFoundError):
        blobs.open(stored.sha256)


def test_what_was_never_stored_is_told_from_a_bucket_that_is_not_there(
    blobs: BlobStore, settings: Settings, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError):
        blobs.open("0" * 64)
    elsewhere = replace(settings, objects="s3://absent")
    absent = BlobStore(elsewhere)
    for ask in (
        lambda: absent.open("0" * 64),
        lambda: absent.store([b"hand"]),
        lambda: absent.delete("0" * 64),
        lambda: check_place(elsewhere),
    ):
        with pytest.raises(StoreUnreachableError, match="NoSuchBucket"):
            ask()
    assert files(tmp_path) == []


def test_a_store_that_is_away_is_named(settings: Settings, tmp_path: Path) -> None:
    away = replace(settings, s3_endpoint=f"http://127.0.0.1:{free_port()}")
    with pytest.raises(StoreUnreachableError, match="S3"):
        BlobStore(away).store([b"hand"])
    assert files(tmp_path) == []


def test_segments_are_read_from_copies_that_are_made_once(
    settings: Settings, outside: ObjectStore
) -> None:
    segments = SegmentFolder(settings)
    staged = segments.stage(
        "findings", "name", frame_of("findings", [(None,) * len(COLUMNS["findings"])])
    )
    segments.put_in_place([staged])
    assert not staged.aside.exists()
    [path] = segments.locate_all([staged.path])
    assert Path(path).stat().st_size > 0
    for key in outside.keys("retourne"):
        outside.client().delete_object(Bucket="retourne", Key=key)
    assert segments.locate_all([staged.path]) == [path]
    segments.delete([staged.path])
    assert not Path(path).exists()
    with pytest.raises(FileNotFoundError):
        segments.locate_all([staged.path])


class Source:
    """Where a cache fetches from: files of a hundred bytes, and how often each was fetched."""

    def __init__(self) -> None:
        self.fetched: list[str] = []

    def fetch(self, name: str, path: Path) -> None:
        self.fetched.append(name)
        path.write_bytes(name.encode().ljust(100))


def used(path: str, ago: float) -> None:
    """Have a copy look as if it was used last so many seconds ago."""
    then = time.time() - ago
    os.utime(path, (then, then))


def test_a_cache_keeps_what_was_used_last(tmp_path: Path) -> None:
    source = Source()
    copies = Cache(tmp_path, 250, source.fetch)
    paths = copies.locate(["a", "b", "c"])
    for path, ago in zip(paths, (700, 600, 500), strict=True):
        used(path, ago)
    assert copies.locate(["a"]) == paths[:1]  # used again
    copies.locate(["d"])
    assert sorted(path.name for path in files(tmp_path)) == ["a", "d"]
    assert copies.locate(["b"]) == [paths[1]]
    assert sorted(source.fetched) == ["a", "b", "b", "c", "d"]


def test_what_is_in_use_stays_beyond_the_bound(tmp_path: Path) -> None:
    copies = Cache(tmp_path, 1, Source().fetch)
    names = [f"{number}" for number in range(20)]
    copies.locate(names[:10])
    assert all(Path(path).exists() for path in copies.locate(names))


def test_copies_that_nobody_uses_go_by_their_age(tmp_path: Path) -> None:
    [path] = Cache(tmp_path, 1_000, Source().fetch).locate(["a"])
    used(path, cache._IDLE_SECONDS + 1)  # noqa: SLF001 - the age itself
    Cache(tmp_path, 1_000, Source().fetch).locate(["b"])
    assert [path.name for path in files(tmp_path)] == ["b"]


def test_many_threads_get_a_file_that_was_fetched_once(tmp_path: Path) -> None:
    source = Source()

    def slowly(name: str, path: Path) -> None:
        time.sleep(0.05)
        source.fetch(name, path)

    copies = Cache(tmp_path, 1_000, slowly)
    names = ["a", "b", "c"]
    with ThreadPoolExecutor(16) as pool:
        for paths in pool.map(copies.locate, [names] * 64):
            assert [Path(path).read_bytes().strip() for path in paths] == [b"a", b"b", b"c"]
    assert sorted(source.fetched) == names


def test_a_fetch_that_fails_leaves_nothing_and_is_made_again(tmp_path: Path) -> None:
    source = Source()

    def fetch(name: str, path: Path) -> None:
        source.fetch(name, path)
        if len(source.fetched) == 1:
            raise ConnectionResetError

    copies = Cache(tmp_path, 1_000, fetch)
    with pytest.raises(ConnectionResetError):
        copies.locate(["a"])
    assert files(tmp_path) == []
    assert Path(copies.locate(["a"])[0]).exists()


def test_an_upload_waits_for_a_store_that_is_away_and_loses_no_attempt(settings: Settings) -> None:
    hands = ndjson(some_hands(3))
    with Store(settings) as store:
        upload = received(store, hands)
    away = replace(settings, s3_endpoint=f"http://127.0.0.1:{free_port()}")
    with Store(away) as store:
        assert process_upload(store, upload) == "waiting"
        stands = store.records.upload(upload)
        assert stands is not None
        assert (stands.status, stands.attempts, stands.hands) == ("processing", 0, 0)
    with Store(settings) as store:
        assert process_upload(store, upload) == "done"
    assert len(all_hands(Warehouse(settings))) == 3


def test_what_a_deleted_upload_left_in_the_bucket_is_deleted(
    settings: Settings, outside: ObjectStore, tmp_path: Path
) -> None:
    hands = some_hands(6)
    with Store(settings) as store:
        upload = received(store, ndjson(hands[:3]))
        other = received(store, ndjson(hands[3:]))
        assert [process_upload(store, one) for one in (upload, other)] == ["done", "done"]
        orphan = store.segments.stage("hands", f"{upload}-1-3-0.0.0", frame_of("hands", []))
        store.segments.put_in_place([orphan])  # as who dies before its records leaves one
        assert [store.blobs.has(one) for one in (upload, other)] == [True, True]
        store.deletions.delete(upload, None, NOON)
        assert store.deletions.sweep() > 3
        assert [store.blobs.has(one) for one in (upload, other)] == [False, True]
        kept = [key for key in outside.keys("retourne") if key.startswith(f"under/{tmp_path.name}")]
        assert kept
        assert not [key for key in kept if upload in key]
    assert len(all_hands(Warehouse(settings))) == 3


def test_copies_that_are_gone_are_made_again(settings: Settings) -> None:
    with Store(settings) as store:
        processed(store, ndjson(some_hands(3)))
    warehouse = Warehouse(settings)
    hands = all_hands(warehouse)
    assert len(hands) == 3
    shutil.rmtree(settings.data / "cache")
    assert all_hands(warehouse) == hands
