import copy
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from schemas.decode import DecodedHand, HandLimits, decode_hand
from schemas.document import MAX_EVENTS, Hand
from schemas.errors import READING_CODES, UnknownKey, UnreadableHand

Json = dict[str, Any]

HAND: Json = {
    "format": "retourne/1.0",
    "id": {"source": "salon-online", "table": "T7", "hand": "000123"},
    "played_at": "2026-03-14T20:15:03.250+01:00",
    "tz": "Europe/Paris",
    "session": {"id": "club-42", "kind": "tournament", "hand_no": 17},
    "rules": {"preset": "bouillotte/salon", "options": {"favori": "below-simple"}},
    "unit": 1,
    "view": "full",
    "seats": [{"player": "anna", "stack": 100}, {"player": "ben", "stack": 100, "rebuy": 100}],
    "dealer": 1,
    "carried": 0,
    "events": [
        {"do": "decline", "seat": 1, "at": 5},
        {"do": "deal", "seat": 0, "cards": ["8h", "Qh", "8c"]},
        {"do": "turn", "card": "9s"},
        {"do": "open", "seat": 1, "add": 13},
        {"do": "fold", "seat": 0},
    ],
    "declared": {
        "pots": [{"amount": 48, "winners": {"1": 48}}],
        "premiums": {"0": -1},
        "stacks": [85, 109],
        "carried": 0,
    },
    "x": {"anything": ["a client's own", 1e999, {"k": 1, "k ": 2}]},
}


def read(document: object) -> DecodedHand | UnreadableHand:
    return decode_hand(json.dumps(document).encode())


def error(raw: bytes) -> UnreadableHand:
    found = decode_hand(raw)
    assert isinstance(found, UnreadableHand)
    assert found.code in READING_CODES
    assert len(found.seen) <= 200
    return found


def changed(change: Callable[[Json], object]) -> Json:
    document = copy.deepcopy(HAND)
    document.pop("x")
    change(document)
    return document


def setting(*path: str | int, to: object) -> Json:
    def change(document: Any) -> None:  # noqa: ANN401 - any part of a document
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = to

    return changed(change)


def dropping(*path: str | int) -> Json:
    def change(document: Any) -> None:  # noqa: ANN401 - any part of a document
        for step in path[:-1]:
            document = document[step]
        del document[path[-1]]

    return changed(change)


def test_a_good_hand_is_read_with_its_extension_untouched() -> None:
    raw = (
        json.dumps({**HAND, "x": 0})
        .encode()
        .replace(b'"x": 0', b'"x": {"a" :1e999,"a": "\\ud83d\\ude00"}')
    )
    found = decode_hand(raw)
    assert isinstance(found, DecodedHand)
    assert found.unknown_keys == []
    assert found.hand.seats[1].rebuy == 100
    assert found.hand.x is not UNSET
    assert bytes(found.hand.x) == b'{"a" :1e999,"a": "\\ud83d\\ude00"}'


def test_a_byte_order_mark_is_no_obstacle() -> None:
    found = decode_hand(b"\xef\xbb\xbf" + json.dumps(setting("x", to=[1])).encode())
    assert isinstance(found, DecodedHand)
    assert found.hand.x is not UNSET
    assert bytes(found.hand.x) == b"[1]"


@pytest.mark.parametrize("version", ["retourne/1.0", "retourne/1.1", "retourne/1.42"])
def test_every_minor_of_the_version_is_read(version: str) -> None:
    found = read({**setting("format", to=version), "later": 1})
    assert isinstance(found, DecodedHand)
    assert [key.pointer for key in found.unknown_keys] == ["/later"]


@pytest.mark.parametrize(
    ("raw", "code", "seen"),
    [
        (b"", "empty", "nothing"),
        (b" \r\n", "empty", "nothing"),
        (b"\xef\xbb\xbf", "empty", "nothing"),
        (b'{"a": "\xff"}', "not-utf8", "byte 0xff at offset 7"),
        (b"\xef\xbb\xbf\xff", "not-utf8", "byte 0xff at offset 3"),
        ('{"a": 1}'.encode("utf-16"), "not-utf8", "text in UTF-16"),
        (b"hello", "not-json", "'hello' at offset 0"),
        (b'{"a": 1,}', "not-json", "'}' at offset 8"),
        (b'{"a": 1', "not-json", "the end, at offset 7"),
        (b'{"a": 1} {"b": 2}', "not-json", "'{\"b\": 2}' at offset 9"),
        ('{"é": ?}'.encode(), "not-json", "'?}' at offset 7"),
        (b'\xef\xbb\xbf{"a": ?}', "not-json", "'?}' at offset 9"),
        (b'{"a": NaN}', "not-json", "NaN"),
        (b'{"a": -Infinity}', "not-json", "-Infinity"),
        (b'{"a": "\\ud800"}', "not-json", '"\\ud800"'),
        (b"[" * 100_000, "too-deep", "more levels"),
        (b"null", "not-an-object", "null"),
        (b'"hand"', "not-an-object", '"hand"'),
        (b"[1, 2]", "not-an-object", "[1,2]"),
        (b"12", "not-an-object", "12"),
    ],
)
def test_what_is_no_json_object(raw: bytes, code: str, seen: str) -> None:
    found = error(raw)
    assert (found.code, found.seen) == (code, seen)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (dropping("format"), ("wrong-version", "/format", "`retourne/1.0`", "absent")),
        (
            setting("format", to="retourne/2.0"),
            ("wrong-version", "/format", "`retourne/1.0`", '"retourne/2.0"'),
        ),
        (
            setting("format", to="retourne/1.x"),
            ("wrong-version", "/format", "`retourne/1.0`", '"retourne/1.x"'),
        ),
        (setting("format", to=1), ("wrong-version", "/format", "`retourne/1.0`", "1")),
        (
            dropping("seats", 0, "player"),
            ("missing-key", "/seats/0/player", "text of 1 to 200 characters", "absent"),
        ),
        (
            dropping("events"),
            ("missing-key", "/events", "a list of at most 2000 elements", "absent"),
        ),
        (
            dropping("events", 3, "add"),
            ("missing-key", "/events/3/add", "a whole number, 0 to 1000000000000", "absent"),
        ),
        (
            setting("seats", 1, "stack", to="100"),
            ("wrong-type", "/seats/1/stack", "a whole number, 0 to 1000000000000", '"100"'),
        ),
        (
            setting("seats", 1, "stack", to=-5),
            ("out-of-range", "/seats/1/stack", "a whole number, 0 to 1000000000000", "-5"),
        ),
        (
            setting("events", 3, "add", to=12.5),
            ("wrong-type", "/events/3/add", "a whole number, 0 to 1000000000000", "12.5"),
        ),
        (
            setting("events", 3, "add", to=10**12 + 1),
            (
                "out-of-range",
                "/events/3/add",
                "a whole number, 0 to 1000000000000",
                "1000000000001",
            ),
        ),
        (
            setting("events", 3, "add", to=10**300),
            (
                "out-of-range",
                "/events/3/add",
                "a whole number, 0 to 1000000000000",
                "1" + "0" * 198 + "…",
            ),
        ),
        (
            setting("events", 3, "add", to=True),
            ("wrong-type", "/events/3/add", "a whole number, 0 to 1000000000000", "true"),
        ),
        (setting("dealer", to=8), ("out-of-range", "/dealer", "a whole number, 0 to 7", "8")),
        (
            setting("seats", to=[]),
            ("out-of-range", "/seats", "a list of 2 to 8 elements", "0 elements"),
        ),
        (
            setting("seats", to={"0": 1}),
            ("wrong-type", "/seats", "a list of 2 to 8 elements", '{"0":1}'),
        ),
        (
            setting("id", "table", to=""),
            ("out-of-range", "/id/table", "text of 1 to 200 characters", '""'),
        ),
        (
            setting("events", 1, "cards", 2, to=8),
            ("wrong-type", "/events/1/cards/2", "text", "8"),
        ),
        (
            setting("events", 1, "cards", to=["??"] * 6),
            ("out-of-range", "/events/1/cards", "a list of at most 5 elements", "6 elements"),
        ),
        (
            setting("session", "kind", to="cash"),
            ("unknown-value", "/session/kind", "one of `session`, `tournament`", '"cash"'),
        ),
        (
            setting("view", to="dealer"),
            (
                "unknown-value",
                "/view",
                "one of `full`, `table` or a whole number, 0 to 7",
                '"dealer"',
            ),
        ),
        (
            setting("view", to=9),
            ("out-of-range", "/view", "one of `full`, `table` or a whole number, 0 to 7", "9"),
        ),
        (
            setting("played_at", to="yesterday"),
            (
                "wrong-type",
                "/played_at",
                "a date and time such as 2026-03-14T20:15:03Z",
                '"yesterday"',
            ),
        ),
        (
            setting("played_at", to="0001-01-01T00:00:00+14:00"),
            (
                "out-of-range",
                "/played_at",
                "a date and time such as 2026-03-14T20:15:03Z",
                '"0001-01-01T00:00:00+14:00"',
            ),
        ),
        (
            setting("declared", "pots", 0, "winners", to={"1": "48"}),
            (
                "wrong-type",
                "/declared/pots/0/winners/1",
                "a whole number, 0 to 1000000000000",
                '"48"',
            ),
        ),
        (
            setting("declared", "pots", 0, "winners", to={"ben": 48}),
            (
                "wrong-type",
                "/declared/pots/0/winners/ben",
                "as key a whole number, 0 to 7, as text",
                '"ben"',
            ),
        ),
        (
            setting("declared", "premiums", to={"8": 1}),
            (
                "out-of-range",
                "/declared/premiums/8",
                "as key a whole number, 0 to 7, as text",
                '"8"',
            ),
        ),
        (
            setting("rules", "options", to={"a/b~c": None}),
            (
                "wrong-type",
                "/rules/options/a~1b~0c",
                "text or a whole number or true or false",
                "null",
            ),
        ),
        (setting("id", to=None), ("wrong-type", "/id", "an object", "null")),
        (setting("events", 0, to="fold"), ("wrong-type", "/events/0", "an object", '"fold"')),
    ],
)
def test_an_error_names_its_place_what_was_expected_and_what_is_there(
    document: Json, expected: tuple[str, str, str, str]
) -> None:
    found = error(json.dumps(document).encode())
    assert (found.code, found.pointer, found.expected, found.seen) == expected


@pytest.mark.parametrize("act", ["jump", "", "Fold"])
def test_an_unknown_act_gets_the_list_of_those_there_are(act: str) -> None:
    found = error(json.dumps(setting("events", 4, "do", to=act)).encode())
    assert (found.code, found.pointer, found.seen) == (
        "unknown-value",
        "/events/4/do",
        json.dumps(act),
    )
    assert found.expected.startswith("one of `ante`, `carre`, `decline`, `deal`")


def test_an_event_without_its_act() -> None:
    found = error(json.dumps(dropping("events", 4, "do")).encode())
    assert (found.code, found.pointer, found.seen) == ("missing-key", "/events/4/do", "absent")


def test_a_misspelt_required_key_is_missing_and_the_misspelling_is_named() -> None:
    document = changed(lambda hand: hand["seats"][0].update(playr=hand["seats"][0].pop("player")))
    found = error(json.dumps(document).encode())
    assert (found.code, found.pointer) == ("missing-key", "/seats/0/player")
    assert found.seen == "`playr`; did you mean `player`?"


def test_unknown_keys_are_warnings_at_every_level_with_the_nearest_known_key() -> None:
    document = changed(
        lambda hand: (
            hand.update(playd_at="2026", zzz=1),
            hand["seats"][1].update({"re/buy": 5}),
            hand["events"][4].update(add=5),
            hand["declared"].update(stack=[1]),
        )
    )
    found = read(document)
    assert isinstance(found, DecodedHand)
    assert found.unknown_keys == [
        UnknownKey("/playd_at", "played_at"),
        UnknownKey("/zzz", None),
        UnknownKey("/seats/1/re~1buy", "rebuy"),
        UnknownKey("/events/4/add", None),
        UnknownKey("/declared/stack", "stacks"),
    ]
    plain = read(changed(lambda _: None))
    assert isinstance(plain, DecodedHand)
    assert found.hand == plain.hand


def test_unknown_keys_leave_the_extension_untouched() -> None:
    raw = json.dumps(setting("zzz", to=1)).encode()[:-1] + b', "x": [1.50, {"a":1,"a":2}] }'
    found = decode_hand(raw)
    assert isinstance(found, DecodedHand)
    assert found.hand.x is not UNSET
    assert bytes(found.hand.x) == b'[1.50, {"a":1,"a":2}]'


@pytest.mark.parametrize(
    ("old", "new", "pointer"),
    [
        (b'"dealer": 1', b'"dealer": 1, "dealer": 1', "/dealer"),
        (b'"dealer": 1', b'"dealer" : 0, "d\\u0065aler": 1', "/dealer"),
        (b'"stack": 100', b'"stack": 100, "stack": 90', "/seats/0/stack"),
        (b'"do": "fold"', b'"do": "pass", "do": "fold"', "/events/4/do"),
        (b'"at": 5', b'"at": 5, "at": 6', "/events/0/at"),
        (b'{"1": 48}', b'{"1": 40, "1": 48}', "/declared/pots/0/winners/1"),
        (b'{"0": -1}', b'{"-0": -1, "0": -1}', "/declared/premiums/0"),
        (b'"view": "full"', b'"view": "full", "view": "full"', "/view"),
        (
            b'"favori": "below-simple"',
            b'"favori": "off", "favori": "below-simple"',
            "/rules/options/favori",
        ),
        # One space before a colon must not hide one key too many.
        (b'"dealer": 1', b'"dealer" : 1, "unit": 1', "/unit"),
        (b'"player": "anna"', b'"player": "a:nna", "player": "\\":"', "/seats/0/player"),
    ],
)
def test_a_key_given_twice_is_an_error(old: bytes, new: bytes, pointer: str) -> None:
    for document in (HAND, {**HAND, "x": {"dealer": 1, "k:": ":"}}):
        raw = json.dumps(document).encode().replace(b"Infinity", b"1e999")
        assert raw.count(old) >= 1
        found = error(raw.replace(old, new, 1))
        assert (found.code, found.pointer) == ("duplicate-key", pointer)


@pytest.mark.parametrize(
    ("x", "code", "pointer"),
    [
        (b'"\xff"', "not-utf8", "/x"),
        (b'["\\ud800"]', "not-json", "/x/0"),
        (b"[" * 64 + b"]" * 64, "too-deep", "/x" + "/0" * 63),
        (b"[" * 100_000 + b"]" * 100_000, "too-deep", ""),
        (b"NaN", "not-json", ""),
    ],
)
def test_an_extension_must_be_json(x: bytes, code: str, pointer: str) -> None:
    raw = json.dumps(setting("x", to=0)).encode().replace(b'"x": 0', b'"x": ' + x)
    found = error(raw)
    assert (found.code, found.pointer) == (code, pointer)


def test_an_extension_may_nest_up_to_the_limit() -> None:
    raw = json.dumps(setting("x", to=0)).encode()
    deep = b"[" * 63 + b"]" * 63
    assert isinstance(decode_hand(raw.replace(b'"x": 0', b'"x": ' + deep)), DecodedHand)


@pytest.mark.parametrize(
    ("changes", "limits", "code", "pointer"),
    [
        ({"x": [[[[[[]]]]]]}, HandLimits(max_depth=6), "too-deep", "/x/0/0/0/0/0"),
        ({"dealler": 1, "x": [[[[[[]]]]]]}, HandLimits(max_depth=6), "too-deep", "/x/0/0/0/0/0"),
        ({}, HandLimits(max_depth=2), "too-deep", "/rules/options"),
        ({}, HandLimits(max_events=3), "too-many-events", "/events"),
        ({"dealler": 1}, HandLimits(max_events=3), "too-many-events", "/events"),
    ],
)
def test_a_reader_may_allow_less(
    changes: dict[str, object], limits: HandLimits, code: str, pointer: str
) -> None:
    document = {**HAND, "x": 0, **changes}
    document["rules"] = {**HAND["rules"], "options": {}}
    raw = json.dumps(document).encode()
    found = decode_hand(raw, limits)
    assert isinstance(found, UnreadableHand)
    assert (found.code, found.pointer) == (code, pointer)
    assert str(limits.max_depth if code == "too-deep" else limits.max_events) in found.expected
    assert isinstance(decode_hand(raw), DecodedHand)


def test_a_hand_may_have_so_many_events_and_no_more() -> None:
    events = [HAND["events"][0]] * (MAX_EVENTS + 1)
    found = error(json.dumps({**HAND, "x": 0, "events": events}).encode())
    assert (found.code, found.pointer) == ("too-many-events", "/events")
    assert found.seen == f"{MAX_EVENTS + 1} events"
    assert isinstance(read({**HAND, "x": 0, "events": events[1:]}), DecodedHand)


def test_so_many_unknown_keys_that_only_some_get_a_suggestion() -> None:
    found = read(changed(lambda hand: hand.update({f"dealer{n}": 1 for n in range(5_000)})))
    assert isinstance(found, DecodedHand)
    assert len(found.unknown_keys) == 5_000
    assert found.unknown_keys[0].suggestion == "dealer"
    assert found.unknown_keys[-1].suggestion is None


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


def places(node: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path]
    if isinstance(node, dict):
        for key, value in node.items():
            found += places(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            found += places(value, (*path, index))
    return found


PLACES = [path for path in places(changed(lambda _: None)) if path]


def test_options_that_differ_by_a_sign_are_two_options() -> None:
    found = read(setting("rules", "options", to={"a": 1, "-a": 2, "b": 10**30}))
    assert isinstance(found, DecodedHand)
    assert found.hand.rules.options == {"a": 1, "-a": 2, "b": 10**30}
    with_stranger = read(
        setting("rules", to={**HAND["rules"], "options": {"a": 1, "-a": 2}, "z": 0})
    )
    assert isinstance(with_stranger, DecodedHand)
    assert with_stranger.hand.rules.options == {"a": 1, "-a": 2}


@given(st.sampled_from(PLACES), values, st.sampled_from([None, 1]))
def test_a_change_anywhere_is_read_exactly_when_the_types_allow_it(
    path: tuple[str | int, ...], value: object, indent: int | None
) -> None:
    raw = json.dumps(setting(*path, to=value), indent=indent).encode()
    found = decode_hand(raw)
    try:
        strict = msgspec.json.decode(raw, type=Hand)
    except msgspec.ValidationError as refusal:
        unknown = "unknown field" in str(refusal)
        assert isinstance(found, UnreadableHand) or (unknown and found.unknown_keys)
        return
    if isinstance(found, UnreadableHand):
        assert found.code in {"wrong-version", "out-of-range"}
    else:
        assert found.hand == strict
        assert found.unknown_keys == []


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    assert error(raw).expected


@given(st.integers(min_value=0), st.binary(min_size=1, max_size=3), st.sampled_from([0, 1]))
def test_a_hand_with_bytes_put_in_is_read_or_refused(
    place: int, piece: bytes, replaced: int
) -> None:
    raw = json.dumps(HAND).encode().replace(b"Infinity", b"1e999")
    at = place % len(raw)
    found = decode_hand(raw[:at] + piece + raw[at + replaced * len(piece) :])
    assert isinstance(found, DecodedHand | UnreadableHand)


def test_a_name_with_nul_is_refused_and_an_extension_with_it_is_not() -> None:
    plain = {key: value for key, value in HAND.items() if key != "x"}
    assert decode_hand(json.dumps({**plain, "tz": "a\0b"}).encode()) == UnreadableHand(
        "out-of-range", "/tz", "text of 1 to 200 characters", '"a\\u0000b"'
    )
    assert isinstance(decode_hand(json.dumps({**plain, "x": "a\0b"}).encode()), DecodedHand)
