"""Files in any dialect, hand by hand: CSV as it comes, a bad row costing its own hand alone."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from schemas.dialects import Converted, Dialect, convert, read_any_hands
from schemas.inflate import StreamLimits
from schemas.streams import RawHand

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples" / "dialects"
CSV = (EXAMPLES / "csv" / "w1-carre-and-side-pot.csv").read_bytes()
HEADER, ROWS = CSV.split(b"\n", 1)
HANDS = [ROWS.replace(b"w1", name) for name in (b"a", b"b", b"c")]
PLAIN = Dialect("csv")


def read(data: bytes, limits: StreamLimits | None = None) -> list[RawHand]:
    return list(read_any_hands(io.BytesIO(data), limits or StreamLimits()))


def codes(hands: list[RawHand]) -> list[str | None]:
    """The code of each hand's error; None for one that can be converted."""
    for hand in hands:
        assert hand.error is not None or isinstance(convert(hand.raw, PLAIN), Converted)
    return [None if hand.error is None else hand.error.code for hand in hands]


def test_hands_have_the_place_of_their_first_row() -> None:
    data = b"\xef\xbb\xbf\n" + HEADER + b"\r\n\r\n" + b"".join(HANDS).replace(b"\n", b"\r\n")
    hands = read(data)
    assert codes(hands) == [None] * 3
    rows = HANDS[0].count(b"\n")
    assert [hand.line for hand in hands] == [4, 4 + rows, 4 + 2 * rows]
    for hand, rows_of_hand in zip(hands, HANDS, strict=True):
        assert data.startswith(rows_of_hand.split(b"\n")[0], hand.offset)


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (HANDS[1].replace(b"Ben", b"B\xe9n"), "not-utf8"),
        (HANDS[1].replace(b"fold", b"f\rold", 1), "wrong-type"),
        (HANDS[1].replace(b"fold", b"fold" + b"x" * 9_000, 1), "line-too-long"),
        (HANDS[1] + b",,,,,,,raise,Ben,1,,,\n" * 200, "hand-too-long"),
    ],
)
def test_a_bad_row_costs_its_own_hand_alone(bad: bytes, code: str) -> None:
    limits = StreamLimits(max_line_bytes=8_000)
    hands = read(HEADER + b"\n" + HANDS[0] + bad + HANDS[2], limits)
    assert codes(hands) == [None, code, None]
    assert hands[1].line == 2 + HANDS[0].count(b"\n")


def test_a_file_of_any_length_is_read_as_it_comes() -> None:
    limits = StreamLimits(max_document_bytes=1_000)
    names = [b"%d" % number for number in range(500)]
    data = HEADER + b"\n" + b"".join(ROWS.replace(b"w1", name) for name in names)
    assert len(read(data, limits)) == 500
    cut = gzip.compress(data)[:-20]
    hands = read(cut, limits)
    assert hands[-1].error is not None
    assert hands[-1].error.code == "truncated-stream"
    assert len(hands) > 100


def test_a_header_alone_is_empty() -> None:
    assert codes(read(HEADER)) == ["empty"]
    assert codes(read(HEADER + b"\n\n,,,\n")) == ["empty"]


def test_files_of_several_dialects_may_be_in_one_zip() -> None:
    packed = io.BytesIO()
    document = (EXAMPLES / "log" / "w1-carre-and-side-pot.json").read_bytes()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("hands.csv", CSV)
        archive.writestr("log.json", document)
    hands = read(packed.getvalue())
    assert [(hand.file, hand.line, hand.error) for hand in hands] == [
        ("hands.csv", 2, None),
        ("log.json", 1, None),
    ]
    assert isinstance(convert(hands[1].raw, Dialect("log")), Converted)
