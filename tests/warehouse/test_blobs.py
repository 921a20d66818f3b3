import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from warehouse.blobs import BlobStore
from warehouse.settings import Settings


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_bytes_are_kept_under_their_hash(tmp_path: Path) -> None:
    blobs = BlobStore(Settings(data=tmp_path))
    stored = blobs.store([b"one ", b"hand"])
    assert stored.sha256 == hashlib.sha256(b"one hand").hexdigest()
    assert stored.size == 8
    with blobs.open(stored.sha256) as stream:
        assert stream.read() == b"one hand"


def test_the_same_bytes_are_kept_once(tmp_path: Path) -> None:
    blobs = BlobStore(Settings(data=tmp_path))
    assert blobs.store([b"hand"]) == blobs.store([b"ha", b"nd"])
    assert len(_files(tmp_path)) == 1


def test_nothing_is_left_of_a_body_that_breaks_off(tmp_path: Path) -> None:
    def body() -> Iterator[bytes]:
        yield b"half a"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        BlobStore(Settings(data=tmp_path)).store(body())
    assert _files(tmp_path) == []


def test_what_a_dead_process_left_of_a_body_goes_after_a_day(tmp_path: Path) -> None:
    blobs = BlobStore(Settings(data=tmp_path))
    blobs.store([b"hand"])
    incoming = Settings(data=tmp_path).home / "blobs" / "incoming"
    left, coming = incoming / "left", incoming / "coming"
    left.write_bytes(b"half a")
    coming.write_bytes(b"half another")
    yesterday = left.stat().st_mtime - 90_000
    os.utime(left, (yesterday, yesterday))
    blobs.store([b"another hand"])
    assert not left.exists()
    assert coming.exists()


def test_what_was_never_stored_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        BlobStore(Settings(data=tmp_path)).open("0" * 64)


def test_a_deleted_blob_is_gone_and_may_be_deleted_again(tmp_path: Path) -> None:
    blobs = BlobStore(Settings(data=tmp_path))
    stored = blobs.store([b"hand"])
    blobs.delete(stored.sha256)
    blobs.delete(stored.sha256)
    assert _files(tmp_path) == []
    assert blobs.store([b"hand"]) == stored
    with blobs.open(stored.sha256) as stream:
        assert stream.read() == b"hand"
