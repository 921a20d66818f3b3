"""The faults for which a hand cannot be read, and the keys that the format does not know.

Each changes the document as text or as a tree of plain values; the hand itself is a legal one.
"""

import json
from typing import Final

from engine.options import MAX_OPTION_CHIPS
from engine.presets import PRESETS
from schemas.document import MAX_CHIPS, MAX_EVENTS, MAX_SEATS
from schemas.faults.kinds import Case, Kind, Planted, written
from schemas.rawtree import MAX_DEPTH

Tree = dict[str, object]

_MISSPELT: Final = {
    "dealer": "dealler",
    "events": "event",
    "rules": "rule",
    "seats": "seat",
}


def _tree(case: Case) -> Tree:
    """The hand as plain values that may be changed."""
    tree: Tree = json.loads(written(case.hand))
    return tree


def _text(tree: object) -> bytes:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()


def _changed(case: Case, path: list[str | int], after: object) -> Planted:
    """Puts another value where the path leads."""
    tree = _tree(case)
    parent: object = tree
    for step in path[:-1]:
        parent = parent[step]  # type: ignore[index]
    before = parent.get(path[-1]) if isinstance(parent, dict) else parent[path[-1]]  # type: ignore[index]
    parent[path[-1]] = after  # type: ignore[index]
    return Planted(_text(tree), _pointer(path), None, before, after)


def _pointer(path: list[str | int]) -> str:
    return "".join(f"/{step}" for step in path)


def _event_with(case: Case, *keys: str) -> tuple[int, str] | None:
    """Any event that has one of the keys, and the key."""
    places = [
        (index, key)
        for index, event in enumerate(case.hand.events)
        for key in keys
        if hasattr(event, key)
    ]
    return case.rng.choice(places) if places else None


# the text


def _latin_letters(case: Case) -> Planted | None:
    """A client writes its names in Latin-1."""
    seat = case.rng.randrange(len(case.hand.seats))
    tree = _tree(case)
    before = case.hand.seats[seat].player
    tree["seats"][seat]["player"] = "Ren?e"  # type: ignore[index]
    raw = _text(tree).replace(b"Ren?e", "Renée".encode("latin-1"))
    return Planted(raw, "", None, before, "Renée in Latin-1")


def _cut_off(case: Case) -> Planted | None:
    raw = _text(_tree(case))
    left = case.rng.randrange(1, len(raw))
    while raw[left] & 0xC0 == 0x80:
        left -= 1
    return Planted(raw[:left], "", None, f"{len(raw)} bytes", f"{left} bytes")


def _written_twice(case: Case) -> Planted | None:
    """A client writes the hand as text and then the text as JSON."""
    raw = _text(_tree(case))
    return Planted(_text(raw.decode()), "", None, "an object", "text")


def _deep_extension(case: Case) -> Planted | None:
    levels = MAX_DEPTH + case.rng.randint(0, 20)
    nested: object = []
    for _ in range(levels - 1):
        nested = [nested]
    tree = {**_tree(case), "x": nested}
    pointer = "/x" + "/0" * (MAX_DEPTH - 1)
    return Planted(_text(tree), pointer, None, None, f"{levels} lists in one another")


def _too_many_events(case: Case) -> Planted | None:
    tree = _tree(case)
    before = len(case.hand.events)
    events = [*tree["events"]] * (MAX_EVENTS // before + 1)  # type: ignore[misc]
    events = events[: MAX_EVENTS + case.rng.randint(1, before)]
    tree["events"] = events
    return Planted(_text(tree), "/events", None, before, len(events))


# the tree


def _other_version(case: Case) -> Planted | None:
    return _changed(case, ["format"], case.rng.choice(["retourne/2.0", "retourne/0.9", "1.0", 1]))


def _key_twice(case: Case) -> Planted | None:
    tree = _tree(case)
    key = case.rng.choice(["dealer", "carried", "view", "tz"])
    before = tree[key]
    again = json.dumps({key: before}).encode()[1:-1]
    raw = _text(tree)[:-1] + b"," + again + b"}"
    return Planted(raw, f"/{key}", None, "once", "twice")


def _missing_key(case: Case) -> Planted | None:
    tree = _tree(case)
    owner: Tree = tree
    path: list[str | int] = []
    if case.rng.random() < 0.5:
        path = ["events", case.rng.randrange(len(case.hand.events))]
        owner = tree["events"][path[1]]  # type: ignore[index]
    keys = ["id", "rules", "seats", "dealer", "events"]
    if path:
        keys = [key for key in owner if key != "at"]
    key = case.rng.choice(keys)
    before = owner.pop(key)
    return Planted(_text(tree), _pointer([*path, key]), None, before, None)


def _misspelt_key(case: Case) -> Planted | None:
    tree = _tree(case)
    key = case.rng.choice(list(_MISSPELT))
    tree[_MISSPELT[key]] = tree.pop(key)
    return Planted(_text(tree), f"/{key}", None, key, _MISSPELT[key])


def _amount_as_text(case: Case) -> Planted | None:
    place = _event_with(case, "add", "seat")
    if place is None:
        return None
    index, key = place
    tree = _tree(case)
    before = tree["events"][index][key]  # type: ignore[index]
    after = case.rng.choice([str(before), before + 0.5, None, True])
    return _changed(case, ["events", index, key], after)


def _stack_out_of_range(case: Case) -> Planted | None:
    seat = case.rng.randrange(len(case.hand.seats))
    after = case.rng.choice([-case.rng.randint(1, 50), MAX_CHIPS + 1, 10**20])
    return _changed(case, ["seats", seat, "stack"], after)


def _seat_out_of_range(case: Case) -> Planted | None:
    place = _event_with(case, "seat")
    if place is None:
        return None
    return _changed(case, ["events", place[0], "seat"], case.rng.choice([-1, MAX_SEATS, 99]))


def _dealer_beyond_the_table(case: Case) -> Planted | None:
    players = len(case.hand.seats)
    return (
        _changed(case, ["dealer"], case.rng.randrange(players, MAX_SEATS)) if players < 8 else None
    )


def _unknown_act(case: Case) -> Planted | None:
    index = case.rng.randrange(len(case.hand.events))
    after = case.rng.choice(["bet", "check", "muck", "Fold", "nomore"])
    return _changed(case, ["events", index, "do"], after)


def _unknown_view(case: Case) -> Planted | None:
    return _changed(case, ["view"], case.rng.choice(["everything", "dealer", "Full"]))


def _unknown_preset(case: Case) -> Planted | None:
    name = case.rng.choice(["bouillotte", "poker/texas", case.hand.rules.preset.upper()])
    return _changed(case, ["rules", "preset"], name)


def _unknown_option(case: Case) -> Planted | None:
    options = PRESETS[case.hand.rules.preset].game.options
    known = case.rng.choice([*options])
    strange: dict[str, object] = {
        known.upper(): 1,
        f"{known}s": "off",
        known: case.rng.choice(["sometimes", -1, MAX_OPTION_CHIPS + 1]),
    }
    name = case.rng.choice([*strange])
    planted = _changed(case, ["rules", "options"], {name: strange[name]})
    return Planted(planted.raw, f"/rules/options/{name}", None, None, strange[name])


def _unknown_card(case: Case) -> Planted | None:
    place = _event_with(case, "card", "cards", "discards", "received")
    if place is None:
        return None
    index, key = place
    path: list[str | int] = ["events", index, key]
    held = _tree(case)["events"][index][key]  # type: ignore[index]
    if isinstance(held, list):
        if not held:
            return None
        path.append(case.rng.randrange(len(held)))
    return _changed(case, path, case.rng.choice(["10h", "Dc", "qh", "Q♥", "Qx", ""]))


def _exempt_from_no_ante(case: Case) -> Planted | None:
    seat = case.rng.randrange(len(case.hand.seats))
    return _changed(case, ["seats", seat, "exempt"], True)  # noqa: FBT003 -- the value of the key


def _unknown_key(case: Case) -> Planted | None:
    rng = case.rng
    paths: list[list[str | int]] = [
        [],
        ["id"],
        ["rules"],
        ["declared"],
        ["seats", rng.randrange(len(case.hand.seats))],
        ["events", rng.randrange(len(case.hand.events))],
    ]
    key = rng.choice(["comment", "Seat", "playr", "timestamp", "blinds"])
    return _changed(case, [*rng.choice(paths), key], rng.choice([1, "?", None, {"a": []}]))


KINDS: Final[tuple[Kind, ...]] = (
    Kind("latin-letters", "not-utf8", "A name is written in Latin-1.", _latin_letters),
    Kind("cut-off", "not-json", "The text breaks off in the middle.", _cut_off),
    Kind(
        "written-twice",
        "not-an-object",
        "The hand is written as JSON text inside a JSON text.",
        _written_twice,
    ),
    Kind("deep-extension", "too-deep", "`x` holds lists nested too deeply.", _deep_extension),
    Kind(
        "too-many-events",
        "too-many-events",
        "The events are written again and again.",
        _too_many_events,
    ),
    Kind("other-version", "wrong-version", "`format` names another version.", _other_version),
    Kind("key-twice", "duplicate-key", "The hand names a key twice.", _key_twice),
    Kind("left-out-key", "missing-key", "A key of the hand or an event is left out.", _missing_key),
    Kind("misspelt-key", "missing-key", "A required key is misspelt.", _misspelt_key),
    Kind(
        "number-as-text",
        "wrong-type",
        "A seat or an amount is text, a fraction, null or true.",
        _amount_as_text,
    ),
    Kind(
        "stack-out-of-range",
        "out-of-range",
        "A stack is negative or absurdly large.",
        _stack_out_of_range,
    ),
    Kind("seat-out-of-range", "out-of-range", "An event names no seat at all.", _seat_out_of_range),
    Kind(
        "dealer-beyond-the-table",
        "out-of-range",
        "The dealer is a seat that nobody sits at.",
        _dealer_beyond_the_table,
    ),
    Kind(
        "unknown-act",
        "unknown-value",
        "An event does what the format has no word for.",
        _unknown_act,
    ),
    Kind("unknown-view", "unknown-value", "`view` is none of its words.", _unknown_view),
    Kind(
        "exempt-from-no-ante",
        "unknown-value",
        "A seat is exempt from its ante in a game that exempts nobody.",
        _exempt_from_no_ante,
        ("vying",),
    ),
    Kind("unknown-preset", "unknown-preset", "The preset is none that is known.", _unknown_preset),
    Kind(
        "unknown-option",
        "unknown-option",
        "An option is unknown, or its value is.",
        _unknown_option,
    ),
    Kind("unknown-card", "unknown-card", "A card is written in another way.", _unknown_card),
    Kind(
        "unknown-key",
        "unknown-key",
        "An object has a key that the format does not know.",
        _unknown_key,
    ),
)
"""Every kind of fault in the document as such."""
