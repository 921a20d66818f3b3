"""The order of a draft's seats: a clockwise list becomes turn order, every seat named anew."""

from typing import Final

from engine.presets import BOURRE, PRESETS
from schemas.dialects.draft import Draft, Tree, below, members

_BY_SEAT: Final = ("premiums", "tricks", "payments")


def turn_around(draft: Draft) -> None:
    """Lists the seats counter-clockwise. Bourré goes clockwise: its seats stay as they are."""
    tree = draft.tree
    preset = members(tree.get("rules")).get("preset")
    if isinstance(preset, str) and preset in PRESETS and PRESETS[preset].game is BOURRE:
        draft.notes.append("Bourré goes clockwise, so the seats keep their order")
        return
    seats = tree.get("seats")
    if not isinstance(seats, list):
        return
    last = len(seats) - 1
    for index in range(len(seats)):
        draft.moves[f"/seats/{last - index}"] = f"/seats/{index}"
    tree["seats"] = seats[::-1]
    for key in ("dealer", "view"):
        if key in tree:
            tree[key] = _renamed(tree[key], last)
    for _, event in draft.events():
        if "seat" in event:
            event["seat"] = _renamed(event["seat"], last)
    if isinstance(tree.get("declared"), dict):
        tree["declared"] = _declared(draft, members(tree["declared"]), last)


def _declared(draft: Draft, declared: Tree, last: int) -> Tree:
    anew = dict(declared)
    stacks = declared.get("stacks")
    if isinstance(stacks, list):
        anew["stacks"] = stacks[::-1]
        for index in range(len(stacks)):
            read = f"/declared/stacks/{index}"
            draft.moves[f"/declared/stacks/{len(stacks) - 1 - index}"] = read
    for key in _BY_SEAT:
        if isinstance(declared.get(key), dict):
            anew[key] = _by_seat(draft, f"/declared/{key}", members(declared[key]), last)
    pots = declared.get("pots")
    if isinstance(pots, list):
        anew["pots"] = [_pot(draft, index, pot, last) for index, pot in enumerate(pots)]
    return anew


def _pot(draft: Draft, index: int, pot: object, last: int) -> object:
    winners = members(pot).get("winners")
    if not isinstance(winners, dict):
        return pot
    pointer = f"/declared/pots/{index}/winners"
    return {**members(pot), "winners": _by_seat(draft, pointer, winners, last)}


def _by_seat(draft: Draft, pointer: str, values: Tree, last: int) -> Tree:
    anew: Tree = {}
    names = {str(seat): str(last - seat) for seat in range(last + 1)}
    for key, value in values.items():
        seat = names.get(key, key)
        anew[seat] = value
        draft.moves[below(pointer, seat)] = below(pointer, key)
    return anew


def _renamed(seat: object, last: int) -> object:
    """The seat's new index; what is no seat of the table stays for the reader to refuse."""
    if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat <= last:
        return last - seat
    return seat
