import json
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.presets import BOURRE, PRESETS
from schemas.decode import DecodedHand, decode_hand
from schemas.dialects import DetectedDialect, Dialect, UndecidedDialect, convert, detect
from schemas.errors import READING_CODES, UnreadableHand
from schemas.generate import generate_hands
from tests.schemas.dialect_reading import W1, content, converted, read
from tests.schemas.dialect_writing import ALL_DIALECTS, SPELLINGS, in_dialect, plain


def node(tree: Any, pointer: str) -> Any:  # noqa: ANN401 - any JSON
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        tree = tree[int(key)] if isinstance(tree, list) else tree[key]
    return tree


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(list(PRESETS)),
    st.integers(0, 2**32),
    st.integers(1, 6),
    st.sampled_from(ALL_DIALECTS),
    st.sampled_from(SPELLINGS),
)
def test_what_is_written_in_a_dialect_is_read_back(
    preset: str, seed: int, place: int, dialect: Dialect, spelling: str
) -> None:
    if PRESETS[preset].game is BOURRE and dialect.shape == "ohh":
        return
    *_, hand = generate_hands(place, seed, (preset,))
    document = msgspec.json.encode(hand)
    raw = in_dialect(document, dialect, spelling)
    assert content(converted(raw, dialect).document) == plain(hand)
    detected = detect(raw)
    if isinstance(detected, DetectedDialect):
        assert content(converted(raw, read(detected.name)).document) == plain(hand)
    else:
        assert isinstance(detected, UndecidedDialect)
        assert len(detected.candidates) > 1


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["Anna", "raise", "to 30", "??", "Dc", "10♥", "clockwise", "0", "1e5"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=5)
            | st.sampled_from(
                ["ohh", "rounds", "players", "actions", "events", "seats", "rank", "suit", "0"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def holds(raw: bytes, dialect: Dialect) -> None:
    """Neither raises, and what is refused is refused by a known code."""
    detect(raw)
    done = convert(raw, dialect)
    if isinstance(done, UnreadableHand):
        assert done.code in READING_CODES
    else:
        assert isinstance(decode_hand(done.document), DecodedHand)


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=200)
    | JUNK.map(lambda tree: json.dumps(tree).encode())
    | st.text(max_size=120).map(lambda text: f"do,player,amount,cards\n{text}".encode()),
    st.sampled_from(ALL_DIALECTS),
)
def test_junk_never_raises(raw: bytes, dialect: Dialect) -> None:
    holds(raw, dialect)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([dialect for dialect in ALL_DIALECTS if dialect.shape != "csv"]),
    st.data(),
)
def test_a_broken_hand_never_raises_and_its_error_points_into_it(
    dialect: Dialect, data: st.DataObject
) -> None:
    tree = json.loads(in_dialect(W1, dialect))
    places: list[tuple[Any, Any]] = []
    pending = [tree]
    while pending:
        here = pending.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here))
        places += [(here, key) for key in keys]
        pending += [here[key] for key in keys if isinstance(here[key], dict | list)]
    holder, key = data.draw(st.sampled_from(places))
    if data.draw(st.booleans()):
        holder[key] = data.draw(JUNK)
    else:
        del holder[key]
    raw = json.dumps(tree).encode()
    holds(raw, dialect)
    done = convert(raw, dialect)
    if isinstance(done, UnreadableHand) and done.pointer and done.code != "not-json":
        node(tree, done.pointer.rpartition("/")[0])


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([dialect for dialect in ALL_DIALECTS if dialect.shape == "csv"]),
    st.data(),
)
def test_a_broken_csv_never_raises(dialect: Dialect, data: st.DataObject) -> None:
    raw = in_dialect(W1, dialect).decode()
    at = data.draw(st.integers(0, len(raw)))
    until = data.draw(st.integers(at, min(len(raw), at + 20)))
    holds((raw[:at] + data.draw(st.text(max_size=6)) + raw[until:]).encode(), dialect)
