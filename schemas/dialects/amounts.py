"""The amounts of a draft: totals and amounts of unsaid meaning become what moves now.

A total is all that a seat has put in since the hand began. To know what it adds, the hand's
contributions are walked, antes and carres included.
"""

from typing import Final

from engine.options import VyingOptions
from engine.presets import PRESETS, OptionError, options_of
from engine.vying.opening import ante_due
from schemas.dialects.draft import Draft, Tree, members, whole
from schemas.errors import UnreadableHand

_ADDING: Final = ("ante", "carre", "open", "call", "raise")
_MOVING: Final = _ADDING[1:]
"""The acts that move chips; antes are implied, and an event only repeats them."""


def settle_amounts(draft: Draft, *, raise_to: bool) -> UnreadableHand | None:
    """Writes ``add`` for every ``to`` and ``amount``; None when done, or what stands against it.

    Args:
        draft: Its seats in turn order.
        raise_to: Whether ``amount`` and ``add`` of a raise are totals.
    """
    for _, event in draft.events():
        if event.get("do") in _ADDING and "amount" in event and "add" not in event:
            event["add"] = event.pop("amount")
    totals = [event for _, event in draft.events() if _has_total(event, raise_to=raise_to)]
    if not totals:
        return None
    contributions = _antes(draft.tree)
    if contributions is None:
        pointer = "/rules" if _options(draft.tree) is None else "/seats"
        expected = "a vying preset, seats with stacks and a dealer, to tell totals by"
        return draft.error("wrong-type", pointer, expected, draft.tree.get(pointer[1:]))
    for pointer, event in draft.events():
        if event.get("do") not in _MOVING:
            continue
        seat = event.get("seat")
        if not isinstance(seat, int) or not 0 <= seat < len(contributions):
            return draft.error("out-of-range", f"{pointer}/seat", "one of the seats", seat)
        error = _settle(draft, pointer, event, contributions[seat], raise_to=raise_to)
        if error is not None:
            return error
        contributions[seat] += whole(event.get("add")) or 0
    return None


def _has_total(event: Tree, *, raise_to: bool) -> bool:
    do = event.get("do")
    return do in _MOVING and ("to" in event or (raise_to and do == "raise"))


def _settle(
    draft: Draft, pointer: str, event: Tree, put_in: int, *, raise_to: bool
) -> UnreadableHand | None:
    """Writes what one event adds, its seat having put in so much before."""
    if not _has_total(event, raise_to=raise_to):
        return None
    key = "to" if "to" in event else "add"
    total = whole(event.get(key))
    if total is None:
        code = "wrong-type" if key in event else "missing-key"
        return draft.error(code, f"{pointer}/{key}", "a whole number", event.get(key))
    if total < put_in:
        expected = f"a total of at least {put_in}, which the seat has put in before"
        return draft.error("out-of-range", f"{pointer}/{key}", expected, total)
    moves = total - put_in
    event.pop("to", None)
    if key == "to" and "add" in event:
        said = total if raise_to and event["do"] == "raise" else moves
        if whole(event["add"]) != said:
            expected = f"{said}, as the total of {total} has it"
            return draft.error("unknown-value", f"{pointer}/add", expected, event["add"])
    event["add"] = moves
    return None


def _antes(tree: Tree) -> list[int] | None:
    """What each seat has put in before the first event; None where that cannot be told."""
    options = _options(tree)
    seats, dealer = tree.get("seats"), tree.get("dealer")
    carried = whole(tree.get("carried", 0))
    if options is None or not isinstance(seats, list) or carried is None:
        return None
    antes = []
    for index, seat in enumerate(seats):
        stack = whole(members(seat).get("stack"))
        if stack is None:
            return None
        due = ante_due(options, is_dealer=index == dealer, carried=carried)
        antes.append(min(due, stack))
    return antes


def _options(tree: Tree) -> VyingOptions | None:
    rules = members(tree.get("rules"))
    name = rules.get("preset")
    preset = PRESETS.get(name) if isinstance(name, str) else None
    if preset is None:
        return None
    own = members(rules.get("options"))
    overrides = {key: value for key, value in own.items() if isinstance(value, str | int)}
    options = options_of(preset, overrides)
    if isinstance(options, OptionError) or not isinstance(options, VyingOptions):
        return None
    return options
