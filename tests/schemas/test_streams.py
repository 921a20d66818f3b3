import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from schemas.decode import DecodedHand, decode_hand
from schemas.streams import LimitExceeded, RawHand, StreamLimits, read_hands

EXAMPLE = Path(__file__).parents[2] / "schemas" / "examples" / "w1-carre-and-side-pot.json"
HAND = json.dumps(json.loads(EXAMPLE.read_bytes())).encode()
A, B, C = (HAND.replace(b'"hand": "w1"', f'"hand": "{name}"'.encode()) for name in "abc")


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


Pack = Callable[[bytes], bytes]
PACKS: list[Pack] = [gzip.compress, zstd, bytes]
SMALL = StreamLimits(
    max_expanded_bytes=1 << 20, max_ratio=20, max_line_bytes=4096, max_document_bytes=1 << 16
)


def read(data: bytes, limits: StreamLimits = SMALL) -> list[RawHand]:
    hands = list(read_hands(io.BytesIO(data), limits))
    for hand in hands:
        assert (hand.error is None) or hand.raw == b""
    return hands


def brief(hands: list[RawHand]) -> list[tuple[int, int, bytes | str]]:
    """Line, offset and the bytes, or the error's code."""
    return [
        (hand.line, hand.offset, hand.raw if hand.error is None else hand.error.code)
        for hand in hands
    ]


def test_one_hand_on_one_line() -> None:
    assert brief(read(A)) == [(1, 0, A)]


def test_one_hand_over_many_lines_is_kept_as_it_is() -> None:
    pretty = json.dumps(json.loads(A), indent=2).encode()
    assert brief(read(b"\n \n" + pretty + b"\n")) == [(3, 3, pretty)]


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_session_document_that_names_its_hands_has_none(end: bytes) -> None:
    named = {"session": {"id": "s"}, "hand_ids": [{"source": "a", "table": "b", "hand": "c"}]}
    assert read(json.dumps(named).encode() + end) == []
    assert read(json.dumps(named, indent=1).encode() + end) == []


def test_a_line_a_hand_with_blank_lines_and_carriage_returns() -> None:
    data = b"\xef\xbb\xbf" + A + b"\r\n\r\n  " + B + b" \r\n" + C
    after_a = 3 + len(A) + 4
    assert brief(read(data)) == [
        (1, 3, A),
        (3, after_a + 2, B),
        (4, after_a + 2 + len(B) + 3, C),
    ]


@pytest.mark.parametrize("bad", [b"hello", b'{"format": "ret', b'{"a": 1,}', b"\xff", b"[1]", b"{"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_bad_line_costs_only_itself(bad: bytes, place: int) -> None:
    lines = [A, B]
    lines.insert(place, bad)
    if bad == b"[1]" and place == 0:
        return  # that is a list with something after it
    assert [hand.raw for hand in read(b"\n".join(lines))] == lines


def test_a_line_that_is_too_long_is_its_own_error() -> None:
    long = b'{"a": "' + b"x" * 200_000 + b'"}'
    hands = read(A + b"\n" + long + b"\n" + B + b"\n" + long)
    at_b = len(A) + 1 + len(long) + 1
    assert brief(hands) == [
        (1, 0, A),
        (2, len(A) + 1, "line-too-long"),
        (3, at_b, B),
        (4, at_b + len(B) + 1, "line-too-long"),
    ]
    assert hands[1].error is not None
    assert hands[1].error.expected == "a line of at most 4096 bytes"
    assert hands[1].error.seen == "200009 bytes"


def test_a_first_line_that_is_too_long_costs_only_itself() -> None:
    long = b'{"a": "' + b"x" * 200_000 + b'"}'
    assert brief(read(long + b"\n" + A)) == [(1, 0, "line-too-long"), (2, len(long) + 1, A)]


def test_a_list() -> None:
    data = b" [" + A + b" ,\n " + B + b"]\n"
    assert brief(read(data)) == [(1, 2, A), (2, 2 + len(A) + 4, B)]


def test_an_empty_list_has_no_hands() -> None:
    assert read(b"[ ]") == []


def test_a_bad_element_costs_only_itself() -> None:
    bad = b'{"a": [1,, "]}\\""] }'
    data = b"[" + A + b"," + bad + b"," + B + b"]"
    assert brief(read(data)) == [
        (1, 1, A),
        (2, len(A) + 2, bad),
        (3, len(A) + len(bad) + 3, B),
    ]


@pytest.mark.parametrize(
    ("tail", "offset", "expected"),
    [
        (b'{"a": [1}, ' + C + b"]", 8, "the bracket that closes the open one"),
        (b'{"a": "b', 6, "the end of this text"),
        (b'{"a": [1, 2', 0, "a whole element, and the end of the list"),
        (b'{"a": 1}} ', 8, "the bracket that closes the open one"),
    ],
)
def test_a_list_that_is_broken_midway_gives_what_was_before(
    tail: bytes, offset: int, expected: str
) -> None:
    before = b"[" + A + b"," + B + b","
    hands = read(before + tail)
    assert [hand.raw for hand in hands[:2]] == [A, B]
    last = hands[-1]
    assert last.error is not None
    assert (last.error.code, last.error.expected) == ("broken-array", expected)
    assert (last.line, last.offset) == (3, len(before) + offset)


MANY = [HAND.replace(b'"w1"', f'"{n * 7919 % 10007}"'.encode()) for n in range(1_000)]
"""More than a part of a list."""


@pytest.mark.parametrize("frame", [b"[%s]", b'{"hands": [%s], "session": {"id": "s"}}'])
def test_a_long_list_gives_the_same_hands_as_lines_do(frame: bytes) -> None:
    lines = [hand.replace(b'"session"', b'"Session"') for hand in MANY]
    data = frame % b" ,\n".join(lines)
    hands = read(data, StreamLimits())
    assert [hand.line for hand in hands] == list(range(1, len(MANY) + 1))
    for hand, line in zip(hands, lines, strict=True):
        assert hand.raw.endswith(line[1:])
        assert data.startswith(line, hand.offset)


def test_a_bad_element_deep_in_a_long_list_costs_only_itself() -> None:
    lines = [*MANY]
    lines[700] = b'{"a":,}'
    assert [hand.raw for hand in read(b"[" + b",".join(lines) + b"]", StreamLimits())] == lines


def test_a_long_list_that_ends_in_a_comma_says_so() -> None:
    hands = read(b"[" + b",".join(MANY) + b",]", StreamLimits())
    assert [hand.raw for hand in hands] == MANY


@pytest.mark.parametrize("frame", [b"[%s,%s,%s]", b'{"hands": [%s,%s,%s]}', b"%s\n%s\n%s"])
def test_a_hand_that_is_too_long_costs_only_itself_in_every_form(frame: bytes) -> None:
    long = b'{"a": "' + b"x" * 5_000 + b'"}'
    hands = read(frame % (A, long, B))
    assert [hand.raw for hand in hands] == [A, b"", B]
    assert hands[1].error is not None
    assert hands[1].error.code in {"hand-too-long", "line-too-long"}
    assert hands[1].error.expected.endswith("of at most 4096 bytes")


def test_a_hand_alone_may_not_be_longer_than_a_line() -> None:
    (hand,) = read(b'{"a":\n"' + b"x" * 5_000 + b'"}')
    assert hand.error is not None
    assert hand.error.code == "hand-too-long"


def test_what_repeats_itself_is_no_bomb() -> None:
    data = zstd(b"\n".join([A] * 20_000))
    assert len(data) * 200 < 20_000 * len(A) < StreamLimits().unrated_bytes
    assert len(read(data, StreamLimits())) == 20_000


def test_something_after_a_list_is_an_error_behind_its_hands() -> None:
    hands = read(b"[" + A + b"] " + B)
    assert brief(hands) == [(1, 1, A), (2, len(A) + 2, "broken-array")]


ENVELOPES = [
    b'{"format": "retourne/1.0", "hands": [%s, %s]}',
    b'{"hands":\n[%s,\n%s]\n, "note": {"hands": []}}\n',
    b'{\n"note": [{"hands": 1}, "\\"{"],\n"hands": [ %s , %s ] }',
]


@pytest.mark.parametrize("envelope", ENVELOPES)
def test_an_envelope(envelope: bytes) -> None:
    data = envelope % (A, B)
    assert brief(read(data)) == [(1, data.index(A), A), (2, data.index(B), B)]


@pytest.mark.parametrize("envelope", ENVELOPES)
def test_a_bad_element_of_an_envelope_costs_only_itself(envelope: bytes) -> None:
    bad = b'{"a":,}'
    data = envelope % (bad, B)
    assert brief(read(data)) == [(1, data.index(bad), bad), (2, data.index(B), B)]


def test_an_envelope_on_one_line_may_be_longer_than_a_line() -> None:
    hands = read(b'{"hands": [' + b",".join([A] * 20) + b"]}")
    assert [hand.raw for hand in hands] == [A] * 20


def test_an_envelope_lends_its_session_to_hands_that_name_none() -> None:
    document = {key: value for key, value in json.loads(A).items() if key != "session"}
    plain = json.dumps(document).encode()
    own = json.dumps({**document, "session": {"id": "own", "hand_no": 9}}).encode()
    data = b'{"session": {"id": "club", "kind": "tournament"}, "hands": [%s, %s, %s]}'
    decoded = [decode_hand(hand.raw) for hand in read(data % (plain, own, plain))]
    sessions = []
    for hand in decoded:
        assert isinstance(hand, DecodedHand)
        session = hand.hand.session
        assert session
        sessions.append((session.id, session.kind, session.hand_no))
    assert sessions[0] == ("club", "tournament", 1)
    assert sessions[1][0::2] == ("own", 9)
    assert sessions[2] == ("club", "tournament", 3)


def test_an_envelope_whose_session_is_wrong_says_so_and_gives_its_hands() -> None:
    hands = read(b'{"session": {"name": 1}, "hands": [%s]}' % A)
    assert hands[0].error is not None
    assert (hands[0].error.code, hands[0].error.pointer) == ("wrong-type", "/session")
    assert [hand.raw for hand in hands[1:]] == [A]


@pytest.mark.parametrize(
    ("data", "code", "pointer"),
    [
        (b'{"format": "retourne/2.0", "hands": [1]}', "wrong-version", "/format"),
        (b'{"hands": {"0": 1}}', "wrong-type", "/hands"),
        (b'{"hands": [1], "hands": [2]}', "duplicate-key", "/hands"),
    ],
)
def test_an_envelope_that_cannot_be_read(data: bytes, code: str, pointer: str) -> None:
    (hand,) = read(data)
    assert hand.error is not None
    assert (hand.error.code, hand.error.pointer) == (code, pointer)


def test_an_envelope_that_breaks_off_gives_what_was_before() -> None:
    data = (b'{"format": "retourne/1.0",\n"hands": [%s,\n%s' % (A, B))[:-5]
    assert brief(read(data)) == [(1, data.index(A), A), (2, data.index(B[:9], 99), "broken-array")]


@pytest.mark.parametrize(
    "data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf \n", gzip.compress(b"\n", mtime=0), zstd(b"")]
)
def test_nothing_to_read(data: bytes) -> None:
    (hand,) = read(data)
    assert hand.error is not None
    assert hand.error.code == "empty"


def test_what_is_no_text_is_one_error() -> None:
    (picture,) = read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 50)
    assert picture.error is not None
    assert picture.error.code == "not-json"
    (wide,) = read((A + b"\n" + B).decode().encode("utf-16"))
    assert wide.error is not None
    assert wide.error.code == "not-utf8"


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_packed_data_is_unpacked_whole_or_in_parts(pack: Pack) -> None:
    data = A + b"\n" + B + b"\n" + C
    expected = brief(read(data))
    assert brief(read(pack(data))) == expected
    half = len(data) // 2
    assert brief(read(pack(data[:half]) + pack(data[half:]))) == expected


def test_zeros_after_gzip_are_padding() -> None:
    assert [hand.raw for hand in read(gzip.compress(A) + bytes(512))] == [A]


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_packed_data_that_breaks_off_gives_what_was_before(pack: Pack) -> None:
    many = StreamLimits(max_ratio=10_000)
    hands = [HAND.replace(b'"w1"', f'"{n * 7919 % 10007}"'.encode()) for n in range(2_000)]
    data = pack(b"\n".join(hands))
    cut = read(data[: len(data) * 3 // 4], many)
    assert len(cut) > 100
    assert [hand.raw for hand in cut[:-1]] == hands[: len(cut) - 1]
    last = cut[-1]
    assert last.error is not None
    assert last.error.code == "truncated-stream"
    assert last.line == len(cut)
    assert last.offset >= len(b"\n".join(hands[: len(cut) - 1]))


def test_packed_data_that_is_damaged_gives_what_was_before() -> None:
    packed = gzip.compress(A + b"\n" + B + b"\n")
    damaged = packed[:-8] + bytes(8)  # the check sum
    assert brief(read(damaged)) == [
        (1, 0, A),
        (2, len(A) + 1, B),
        (3, len(A) + len(B) + 2, "corrupt-stream"),
    ]


def test_a_packed_list_that_breaks_off_gives_what_was_before() -> None:
    inner = b"[" + A + b"," + B + b"]"
    packed = gzip.compress(inner)
    hands = read(packed[:-8])
    assert brief(hands) == [
        (1, 1, A),
        (2, len(A) + 2, B),
        (3, len(inner), "truncated-stream"),
    ]


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_what_is_packed_too_tightly_is_refused(pack: Pack) -> None:
    bomb = pack(b" " * (StreamLimits().unrated_bytes + (1 << 20)))
    with pytest.raises(LimitExceeded) as refusal:
        read(bomb, StreamLimits())
    assert refusal.value.limit == "max_ratio"
    assert refusal.value.seen > refusal.value.allowed


@pytest.mark.parametrize(
    ("data", "limit"),
    [
        (b"\n" * (1 << 20) + b"{}", "max_expanded_bytes"),
        (b"[" + A + b" " * (1 << 16) + b"]", "max_document_bytes"),
        (b'{"hands": [' + A + b" " * (1 << 16) + b"]}", "max_document_bytes"),
        (b'{\n"a": [' + b"1,\n" * (1 << 16) + b"1]}", "max_document_bytes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_unfolds_to_too_much_is_refused(data: bytes, limit: str) -> None:
    with pytest.raises(LimitExceeded) as refusal:
        read(data)
    assert refusal.value.limit == limit
    assert refusal.value.seen > refusal.value.allowed


def test_hands_before_a_limit_are_kept() -> None:
    hands = read_hands(io.BytesIO(A + b"\n" + b"\n" * (1 << 21)), SMALL)
    assert next(hands).raw == A
    with pytest.raises(LimitExceeded):
        list(hands)


class Trickle(io.RawIOBase):
    """Gives a byte at a time, as a slow pipe may."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def read(self, _size: int = -1) -> bytes:
        return self._data.read(1)


PIECES = st.sampled_from(
    [
        *(A, B, b'{"hands":[', b'"session":{"id":"s"},', b'{"format":"retourne/1.0"}', b"{}"),
        *(b"{", b"}", b"[", b"]", b",", b'"', b"\\", b"\n", b"\r\n", b" ", b"\0", b"\xff", b"x"),
        b"\xef\xbb\xbf",
    ]
)
STREAMS = st.lists(PIECES, max_size=12).map(b"".join) | st.binary(max_size=64)


@st.composite
def packed(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(PACKS))(draw(STREAMS))
    end = draw(st.integers(min_value=0, max_value=len(data)))
    return data[: end or len(data)] + draw(st.binary(max_size=2) | STREAMS)


@given(packed())
def test_any_bytes_give_hands_in_order_each_from_its_place(data: bytes) -> None:
    tiny = StreamLimits(
        max_expanded_bytes=1 << 16, max_ratio=20, max_line_bytes=2500, max_document_bytes=8192
    )
    try:
        hands = read(data, tiny)
    except LimitExceeded:
        return
    assert [hand.offset for hand in hands] == sorted(hand.offset for hand in hands)
    for hand in hands:
        if hand.error is None:
            decode_hand(hand.raw)
    assert list(read_hands(io.BytesIO(data), tiny)) == hands
    if not data.startswith((b"\x1f\x8b", b"\x28\xb5")):
        for hand in hands:
            lent = hand.raw.startswith(b'{"session":{"id":"s","hand_no"')
            assert lent or data[hand.offset :].startswith(hand.raw)
    if not data.startswith(b"\x28\xb5"):  # of damaged zstd, the steps decide how much comes out
        assert brief(list(read_hands(Trickle(data), tiny))) == brief(hands)  # type: ignore[arg-type] # has read
