"""One hand's bytes to a typed document, fast when it is good and precise when it is not.

Typed decoding keeps the last of two equal keys and does not look into ``x``. Both gaps are closed
here without reading a good document twice.
"""

import re
from collections.abc import Callable, Sized
from operator import attrgetter
from typing import Final, get_args

import msgspec
from msgspec import UNSET, Struct

from schemas.diagnosis import EARLIEST_YEAR, LATEST_YEAR, Diagnosis
from schemas.document import (
    FORMAT_VERSION,
    MAX_EVENTS,
    AnyEvent,
    Declared,
    Hand,
    Renege,
    Stay,
)
from schemas.errors import UnknownKey, UnreadableHand
from schemas.rawtree import BOM, MAX_DEPTH, RepeatedKeys, encode, read_tree, show

_DECODER: Final = msgspec.json.Decoder(Hand)
_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_VERSION: Final = re.compile(r"retourne/1\.(0|[1-9][0-9]{0,5})")
_DEEPEST: Final = 5
"""So many objects and lists lie inside one another in a hand without ``x`` at the most."""
_ESCAPED_NUL: Final = b"\\u0000"
"""No name holds it: databases and terminals part ways over it."""
_WHITESPACE: Final = b" \t\r\n"

_EVENT_KEYS: Final[dict[type, int]] = {
    kind: 1 + len(kind.__struct_fields__) - len(kind.__struct_defaults__)
    for kind in get_args(AnyEvent)
}
"""The keys that an event of each kind always has: ``do`` and its required fields."""
_WITH_OPTION: Final[dict[type, Callable[[object], object]]] = {
    Stay: attrgetter("count"),
    Renege: attrgetter("card"),
}
"""The events that may have one key more besides ``at``."""
_at: Final = attrgetter("at")


class HandLimits(Struct, frozen=True, kw_only=True):
    """How much one hand may hold. The format's own limits are the usual ones, and the highest."""

    max_depth: int = MAX_DEPTH
    max_events: int = MAX_EVENTS


OF_FORMAT: Final = HandLimits()
"""What the format itself allows."""


class DecodedHand:
    """A hand and the keys of its document that the format does not know."""

    def __init__(self, hand: Hand, unknown_keys: list[UnknownKey]) -> None:
        self.hand = hand
        self.unknown_keys = unknown_keys


def decode_hand(raw: bytes, limits: HandLimits = OF_FORMAT) -> DecodedHand | UnreadableHand:
    """Reads one hand document, whole, as JSON in UTF-8.

    Args:
        raw: The document.
        limits: How much it may hold.

    Returns:
        The hand with its unknown keys as warnings, or why it cannot be read.
    """
    try:
        hand = _DECODER.decode(raw)
    except (ValueError, RecursionError):
        return _decode_slowly(raw, limits)
    if len(hand.events) > limits.max_events:
        return _too_many_events(hand.events, limits)
    if (
        hand.format == FORMAT_VERSION
        and _ESCAPED_NUL not in raw
        and _no_key_twice(hand, raw)
        and (hand.played_at is UNSET or EARLIEST_YEAR <= hand.played_at.year <= LATEST_YEAR)
    ):
        if limits.max_depth < _DEEPEST and (error := _depth_error(raw, limits)) is not None:
            return error
        error = None if hand.x is UNSET else _extension_error(hand.x, limits)
        return DecodedHand(hand, []) if error is None else error
    return _decode_slowly(raw, limits)


def _too_many_events(events: Sized, limits: HandLimits) -> UnreadableHand:
    expected = f"at most {limits.max_events} events"
    return UnreadableHand("too-many-events", "/events", expected, f"{len(events)} events")


def _depth_error(raw: bytes, limits: HandLimits) -> UnreadableHand | None:
    tree = read_tree(raw, most=limits.max_depth)
    return tree if isinstance(tree, UnreadableHand) else None


def _extension_error(x: msgspec.Raw, limits: HandLimits) -> UnreadableHand | None:
    """What is wrong with the value of ``x``, which typed decoding has only skipped."""
    tree = read_tree(bytes(x), depth=1, most=limits.max_depth)
    if isinstance(tree, UnreadableHand):
        return msgspec.structs.replace(tree, pointer=f"/x{tree.pointer}")
    return None


def _no_key_twice(hand: Hand, raw: bytes) -> bool:
    """Whether certainly no object outside ``x`` names a key twice.

    Every key is followed by a colon. When there are no more colons than the decoded hand has keys,
    none was lost. The keys may be counted too low, never too high: a false alarm only costs time.
    """
    keys = _keys(hand)
    x = b"" if hand.x is UNSET else bytes(hand.x)
    times = 0 if hand.played_at is UNSET else 2
    surplus = raw.count(b":") - x.count(b":") - keys - times
    if surplus == 0:
        return True
    moments = len(hand.events) - list(map(_at, hand.events)).count(UNSET)
    if surplus == moments:
        return True
    return _colons_after_keys(raw) - _colons_after_keys(x) == keys + moments


def _colons_after_keys(raw: bytes) -> int:
    """How many colons follow a quote: all that end a key, and perhaps some inside of texts."""
    return raw.translate(None, _WHITESPACE).count(b'":')


def _keys(hand: Hand) -> int:
    """The keys of the document as far as the hand shows them, the events' ``at`` left out."""
    keys = 10 + 2 * len(hand.seats)
    for event in hand.events:
        kind = type(event)
        keys += _EVENT_KEYS[kind]
        if kind in _WITH_OPTION and _WITH_OPTION[kind](event) is not UNSET:
            keys += 1
    for seat in hand.seats:
        if seat.rebuy is not UNSET:
            keys += 1
        if seat.exempt is not UNSET:
            keys += 1
    options = hand.rules.options
    if options is not UNSET:
        keys += 1 + len(options)
    session = hand.session
    if session is not UNSET:
        keys += 3 if session.kind is UNSET else 4
    for optional in (hand.played_at, hand.tz, hand.unit, hand.view, hand.carried, hand.x):
        if optional is not UNSET:
            keys += 1
    return keys if hand.declared is UNSET else keys + 1 + _declared_keys(hand.declared)


def _declared_keys(declared: Declared) -> int:
    keys = 0
    if declared.pots is not UNSET:
        keys += 1
        for pot in declared.pots:
            keys += 2 + len(pot.winners)
    for by_seat in (declared.premiums, declared.tricks, declared.payments):
        if by_seat is not UNSET:
            keys += 1 + len(by_seat)
    if declared.stacks is not UNSET:
        keys += 1
    if declared.carried is not UNSET:
        keys += 1
    return keys


def _decode_slowly(raw: bytes, limits: HandLimits) -> DecodedHand | UnreadableHand:
    tree = read_tree(raw, most=limits.max_depth)
    if isinstance(tree, UnreadableHand):
        return tree
    if not isinstance(tree, dict):
        return UnreadableHand("not-an-object", "", "a JSON object", show(tree))
    error = version_error(tree)
    if error is not None:
        return error
    events = tree.get("events")
    if isinstance(events, list) and len(events) > limits.max_events:
        return _too_many_events(events, limits)
    diagnosis = Diagnosis()
    error = diagnosis.examine(tree)
    if error is not None:
        return error
    return _rebuild(raw, tree, diagnosis.unknown)


def version_error(tree: dict[str, object]) -> UnreadableHand | None:
    """What is wrong with a document's ``format``, if anything: every minor of 1 is read."""
    if isinstance(tree, RepeatedKeys):
        return None
    expected = f"`{FORMAT_VERSION}`"
    if "format" not in tree:
        return UnreadableHand("wrong-version", "/format", expected, "absent")
    version = tree["format"]
    if isinstance(version, str) and _VERSION.fullmatch(version):
        return None
    return UnreadableHand("wrong-version", "/format", expected, show(version))


def _rebuild(
    raw: bytes, tree: dict[str, object], unknown: list[UnknownKey]
) -> DecodedHand | UnreadableHand:
    """The hand of a tree without unknown keys; its ``x`` stays the bytes that came."""
    members = {key: value for key, value in tree.items() if key != "x"}
    try:
        hand = _DECODER.decode(encode(members))
        if "x" in tree:
            hand = msgspec.structs.replace(hand, x=_MEMBERS.decode(raw.removeprefix(BOM))["x"])
    except ValueError as error:
        return UnreadableHand("not-json", "", "a hand document", str(error))
    return DecodedHand(hand, unknown)
