"""A worker's memory does not grow with an upload: ten times the bytes, and the same peak."""

import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.warehouse.uploads import NOON, some_hands
from warehouse.settings import Settings
from warehouse.store import Store

_FEW, _MANY = 40, 400
_PADDING = 150_000  # bytes; a client's own, which no audit looks at
_MIB = 1 << 20
_WORKER = """
import sys
from pathlib import Path
from warehouse.intake import process_upload
from warehouse.settings import Settings
from warehouse.store import Store

data, upload = sys.argv[1:]
with Store(Settings(data=Path(data), chunk_bytes=1 << 20)) as store:
    assert process_upload(store, upload) == "done"
    print(store.records.upload(upload).legal)
print(Path("/proc/self/status").read_text())
"""


def lines(count: int) -> Iterator[bytes]:
    """Hands that are long and all different."""
    hands = some_hands(_FEW)
    for number in range(count):
        hand = hands[number % _FEW]
        named = replace(hand.id, hand=f"{hand.id.hand}/{number}")
        padding = msgspec.Raw(msgspec.json.encode(f"{number:06}" * (_PADDING // 6)))
        yield msgspec.json.encode(replace(hand, id=named, x=padding)) + b"\n"


def written(form: str, count: int) -> bytes:
    if form == "ndjson":
        return b"".join(lines(count))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for part in range(2):
            with archive.open(f"{part}.ndjson", "w") as file:
                file.writelines(line for at, line in enumerate(lines(count)) if at % 2 == part)
    return packed.getvalue()


def peak(data: Path, content: bytes, hands: int) -> int:
    """The most memory, in bytes, that a worker's process took for an upload of so many hands."""
    settings = Settings(data=data)
    with Store(settings) as store:
        upload = store.records.receive(store.blobs.store([content]), None, NOON).id
    worker = subprocess.run(
        [sys.executable, "-c", _WORKER, str(data), upload],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert worker.returncode == 0, worker.stderr
    assert re.search(rf"^{hands}$", worker.stdout, re.MULTILINE), worker.stdout
    found = re.search(r"VmHWM:\s+(\d+) kB", worker.stdout)
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.parametrize("form", ["ndjson", "zip"])
def test_ten_times_the_hands_take_no_more_memory(tmp_path: Path, form: str) -> None:
    few = peak(tmp_path / "few", written(form, _FEW), _FEW)
    many = peak(tmp_path / "many", written(form, _MANY), _MANY)
    grown = (_MANY - _FEW) * _PADDING
    assert many - few < grown // 4, f"{few // _MIB} MiB, then {many // _MIB} MiB"
