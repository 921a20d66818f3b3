"""Moments as clients write them, and cursors that go on in their own list only."""

import base64
import datetime as dt
from typing import Any

import msgspec
import pytest

from warehouse.conditions import HandConditions, moment
from warehouse.cursors import BadCursor, read_cursor, write_cursor


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-14", dt.datetime(2026, 3, 14, tzinfo=dt.UTC)),
        ("2026-03-14T20:15", dt.datetime(2026, 3, 14, 20, 15, tzinfo=dt.UTC)),
        ("2026-03-14T20:15:03.25Z", dt.datetime(2026, 3, 14, 20, 15, 3, 250_000, dt.UTC)),
        ("2026-03-14T00:30:00+01:00", dt.datetime(2026, 3, 13, 23, 30, tzinfo=dt.UTC)),
        ("2026-03-14T23:30:00-0530", dt.datetime(2026, 3, 15, 5, 0, tzinfo=dt.UTC)),
    ],
)
def test_a_day_or_a_moment_is_in_utc_unless_it_says_otherwise(
    text: str, expected: dt.datetime
) -> None:
    assert moment(text) == expected
    assert msgspec.convert({"from": text}, HandConditions) == HandConditions(from_=text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-30",
        "2026-3-14",
        "14.03.2026",
        "2026-03-14T25:00:00Z",
        "2026-03-14T20:15:00 01:00",  # a + that was not escaped
        "2026-W11-6T00",
        "0001-01-01T00:00:00+01:00",
        "٢٠٢٦-٠٣-١٤",
    ],
)
def test_what_names_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"moment|month|hour|years"):
        moment(text)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"until": text}, HandConditions)


def test_a_cursor_goes_on_in_its_own_list_only() -> None:
    kind: Any = tuple[int, str]
    shorter: Any = tuple[str]
    cursor = write_cursor(("-pot", {"player": "anna"}), (48, "é"))

    assert read_cursor(cursor, ("-pot", {"player": "anna"}), kind) == (48, "é")
    for other in (("pot", {"player": "anna"}), ("-pot", {"player": "ben"}), ("-pot", {})):
        found = read_cursor(cursor, other, kind)
        assert isinstance(found, BadCursor)
        assert "this order and these conditions" in found.expected
    packed = [b"", b"[]", b"not json", b'["x"]', b"\xff"]
    texts = [base64.urlsafe_b64encode(one).decode() for one in packed]
    for text in [*texts, "é", "=", cursor[:-3], cursor + "A"]:
        assert isinstance(read_cursor(text, ("-pot", {"player": "anna"}), kind), BadCursor)
    assert isinstance(read_cursor(cursor, ("-pot", {"player": "anna"}), shorter), BadCursor)
