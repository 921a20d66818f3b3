"""A ZIP of files of hands: what is read of it, and what is refused of it, file by file."""

import bz2
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from schemas.streams import LimitExceeded, RawHand, StreamLimits, read_hands

EXAMPLE = Path(__file__).parents[2] / "schemas" / "examples" / "w1-carre-and-side-pot.json"
HAND = json.dumps(json.loads(EXAMPLE.read_bytes())).encode()
A, B, C = (HAND.replace(b'"hand": "w1"', f'"hand": "{name}"'.encode()) for name in "abc")
LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"


def zipped(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return bytearray(packed.getvalue())


def read(data: bytes | bytearray, limits: StreamLimits | None = None) -> list[RawHand]:
    return list(read_hands(io.BytesIO(data), limits or StreamLimits()))


def brief(hands: list[RawHand]) -> list[tuple[str | None, int, bytes | str]]:
    """File, line and the bytes, or the error's code."""
    return [
        (hand.file, hand.line, hand.raw if hand.error is None else hand.error.code)
        for hand in hands
    ]


def nth(data: bytes | bytearray, signature: bytes, number: int) -> int:
    """Where the header of the file of this number is, from 0."""
    at = -1
    for _ in range(number + 1):
        at = data.index(signature, at + 1)
    return at


def test_every_file_is_read_in_its_own_form_and_in_its_order() -> None:
    listed = b"[" + A + b",\n" + B + b"]"
    hands = read(
        zipped(
            ("z.ndjson", A + b"\n\n" + B),
            ("deep/a.json", C),
            ("list.json.gz", gzip.compress(listed)),
            ("b.zst", zstandard.ZstdCompressor().compress(b"{broken\n" + C)),
        )
    )
    assert brief(hands) == [
        ("z.ndjson", 1, A),
        ("z.ndjson", 3, B),
        ("deep/a.json", 1, C),
        ("list.json.gz", 1, A),
        ("list.json.gz", 2, B),
        ("b.zst", 1, b"{broken"),
        ("b.zst", 2, C),
    ]
    assert hands[1].offset == len(A) + 2


def test_folders_and_what_systems_add_are_passed_over() -> None:
    data = zipped(
        *(
            ("in/", b""),
            ("__MACOSX/in/._a.json", b"x"),
            ("in/.DS_Store", b"x"),
            (".a/b.json", b"x"),
        ),
        *(("in/a.json", A), ("../b.json", B)),
    )
    assert brief(read(data)) == [("in/a.json", 1, A), ("../b.json", 1, B)]


@pytest.mark.parametrize("data", [zipped(), zipped(("in/", b""))])
def test_a_zip_without_a_file_is_empty(data: bytes, tmp_path: Path) -> None:
    assert brief(read(data)) == [(None, 1, "empty")]
    path = tmp_path / "empty.zip"
    path.write_bytes(data)
    with path.open("rb") as file:
        assert brief(list(read_hands(file, StreamLimits()))) == [(None, 1, "empty")]


def test_a_zip_from_a_pipe_is_read_as_well() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    data = zipped(("a.json", A), ("b.json", B))
    assert brief(list(read_hands(Pipe(data), StreamLimits()))) == [
        ("a.json", 1, A),
        ("b.json", 1, B),
    ]


def test_a_name_is_shown_without_what_cannot_be_printed() -> None:
    [hand] = read(zipped(("a\x1b[31m\n.json", A)))
    assert hand.file == "a\ufffd[31m\ufffd.json"


def broken_sum(data: bytearray) -> str:
    data[data.index(b'"format"', nth(data, LOCAL, 1)) + 3] ^= 1
    return "corrupt-stream"


def encrypted(data: bytearray) -> str:
    data[nth(data, LOCAL, 1) + 6] |= 1
    data[nth(data, CENTRAL, 1) + 8] |= 1
    return "encrypted-file"


def lost_header(data: bytearray) -> str:
    data[nth(data, LOCAL, 1)] = 0
    return "broken-archive"


def other_packing(data: bytearray) -> str:
    data[nth(data, CENTRAL, 1) + 10] = 99
    return "unknown-packing"


def shorter_than_it_says(data: bytearray) -> str:
    at = nth(data, CENTRAL, 1) + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    return "corrupt-stream"


@pytest.mark.parametrize(
    "harm", [broken_sum, encrypted, lost_header, other_packing, shorter_than_it_says]
)
def test_a_damaged_file_costs_no_other(harm: Callable[[bytearray], str]) -> None:
    data = zipped(("a.json", A), ("b.json", B), ("c.json", C), method=zipfile.ZIP_STORED)
    code = harm(data)
    assert brief(read(data)) == [("a.json", 1, A), ("b.json", 1, code), ("c.json", 1, C)]


def test_a_zip_in_a_zip_is_refused_and_costs_no_other() -> None:
    inner = bytes(zipped(("a.json", A)))
    hands = read(zipped(("inner.zip", inner), ("a.bz2", bz2.compress(A)), ("b.json", B)))
    assert brief(hands) == [
        ("inner.zip", 1, "nested-archive"),
        ("a.bz2", 1, "not-json"),
        ("b.json", 1, B),
    ]


def test_files_over_one_another_are_refused_before_any_is_read() -> None:
    data = zipped(("a.json", A), ("b.json", B))
    first, second = nth(data, CENTRAL, 0), nth(data, CENTRAL, 1)
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    [refused] = read(data)
    assert refused.error is not None
    assert (refused.file, refused.error.code) == (None, "broken-archive")
    assert refused.error.seen == "a.json over b.json"


@pytest.mark.parametrize("left", [4, 60, -30, -1])
def test_a_zip_that_breaks_off_is_one_error(left: int) -> None:
    data = zipped(("a.json", A), ("b.json", B))
    assert brief(read(data[:left])) == [(None, 1, "broken-archive")]


@pytest.mark.parametrize("files", [11, 3_000])
def test_too_many_files_are_refused(files: int) -> None:
    data = zipped(*((f"{number:080}.json", b"{}") for number in range(files)))
    with pytest.raises(LimitExceeded) as refusal:
        read(data, StreamLimits(max_zip_files=10))
    assert (refusal.value.limit, refusal.value.allowed) == ("max_zip_files", 10)
    assert refusal.value.seen > 10


SMALL = StreamLimits(max_expanded_bytes=1 << 22, max_ratio=20, unrated_bytes=1 << 16)
SPACES = b" " * (1 << 20)


@pytest.mark.parametrize(
    ("data", "limit"),
    [
        (zipped(("a.json", A), ("b.json", SPACES)), "max_ratio"),
        # Packed twice, each time within the ratio.
        (zipped(("a.json", A), ("b.gz", gzip.compress(SPACES, 1))), "max_ratio"),
        # None of them is too much by itself.
        (
            zipped(
                ("a.json", A),
                *((f"{number}.json", SPACES) for number in range(5)),
                method=zipfile.ZIP_STORED,
            ),
            "max_expanded_bytes",
        ),
    ],
)
def test_what_unfolds_to_too_much_is_refused_behind_the_hands_before_it(
    data: bytes, limit: str
) -> None:
    hands = read_hands(io.BytesIO(data), SMALL)
    assert next(hands).raw == A
    with pytest.raises(LimitExceeded) as refusal:
        list(hands)
    assert refusal.value.limit == limit


def test_whatever_is_changed_in_a_zip_it_is_read_or_refused() -> None:
    whole = zipped(("a.ndjson", A + b"\n" + B), ("b.gz", gzip.compress(C)), ("c.json", C))
    directory = whole.index(CENTRAL)
    rng = random.Random(20260314)  # noqa: S311 -- bytes to be changed, no secrets
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(directory - 60, len(data))] = rng.choice(
                [0, 255, rng.randrange(256)]
            )
        try:
            hands = read(data, StreamLimits(max_zip_files=10))
        except LimitExceeded:
            continue
        assert hands
        assert hands == read(data, StreamLimits(max_zip_files=10))
