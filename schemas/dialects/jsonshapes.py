"""The JSON shapes: the hand document's own, and an action log."""

import re
from typing import Final

from schemas.dialects.acts import ACTS, act_named, event_of, takes_amount
from schemas.dialects.draft import Draft, Tree, below, members, whole
from schemas.errors import UnreadableHand
from schemas.rawtree import RepeatedKeys, WrittenNumber, nodes, read_tree, show

KEPT: Final = ("played_at", "tz", "session", "unit", "carried", "declared", "x")
"""Members of the hand document that other JSON shapes have under the same names."""

VIEWS: Final = ("full", "table")
"""The views that are no player's."""

_LOG_KEYS: Final = frozenset(
    {"source", "table", "hand", "game", "options", "players", "dealer", "view", "actions", *KEPT}
)
_PLAYER_KEYS: Final = ("stack", "rebuy", "exempt")
_DETAIL: Final = re.compile(r"(to|\+)?\s*(\d{1,18})")


def object_of(raw: bytes) -> Tree | UnreadableHand:
    """The bytes as one JSON object without a key twice, or why they are none.

    Numbers with a fraction of nothing are whole numbers in it, but those under ``x``.
    """
    tree = read_tree(raw)
    if isinstance(tree, UnreadableHand):
        return tree
    if not isinstance(tree, dict):
        return UnreadableHand("not-an-object", "", "a JSON object", show(tree))
    for pointer, _, node in nodes(tree):
        if isinstance(node, RepeatedKeys):
            twice = below(pointer, node.repeated)
            return UnreadableHand("duplicate-key", twice, "each key once", "the key twice")
    return {key: _plain(key, value) for key, value in tree.items()}


def _plain(key: str, node: object) -> object:
    """The value of a key with ``15.0`` as 15."""
    if key == "x":
        return node
    if isinstance(node, dict):
        return {inner: _plain(inner, value) for inner, value in node.items()}
    if isinstance(node, list):
        return [_plain("", value) for value in node]
    if isinstance(node, WrittenNumber):
        number = whole(node)
        return node if number is None else number
    return node


def draft_of_document(tree: Tree) -> Draft:
    """A draft of the hand document's own shape."""
    copy = dict(tree)
    events = tree.get("events")
    if isinstance(events, list):
        copy["events"] = [dict(event) if isinstance(event, dict) else event for event in events]
    return Draft(copy, as_written=True)


def draft_of_log(tree: Tree) -> Draft | UnreadableHand:
    """A draft of an action log: players by name, actions in order."""
    draft = Draft({}, origins={"": ""})
    players = tree.get("players")
    if not isinstance(players, list):
        return _missing(draft, "/players", "a list of players", tree, "players")
    names = [members(player).get("name") for player in players]
    for place, name in enumerate(names):
        if not isinstance(name, str):
            return UnreadableHand("wrong-type", f"/players/{place}/name", "a text", show(name))
        if name in names[:place]:
            expected = "each name once, for actions name players"
            return UnreadableHand("unknown-value", f"/players/{place}/name", expected, show(name))
    seats = {str(name): seat for seat, name in enumerate(names)}
    _read_head(draft, tree, seats)
    draft.tree["seats"] = [_seat(members(player)) for player in players]
    for place in range(len(players)):
        draft.origins[f"/seats/{place}"] = f"/players/{place}"
        draft.origins[f"/seats/{place}/player"] = f"/players/{place}/name"
    dealer = tree.get("dealer")
    if not isinstance(dealer, str) or dealer not in seats:
        return _missing(draft, "/dealer", "the name of one of the players", tree, "dealer")
    draft.tree["dealer"] = seats[dealer]
    return _read_actions(draft, tree, seats)


def _missing(draft: Draft, pointer: str, expected: str, tree: Tree, key: str) -> UnreadableHand:
    code = "unknown-value" if isinstance(tree.get(key), str) else "wrong-type"
    code = code if key in tree else "missing-key"
    head = draft.origins.get("", "")
    return UnreadableHand(code, head + pointer, expected, show(tree.get(key)))


def _read_head(draft: Draft, tree: Tree, seats: dict[str, int]) -> None:
    """What says which hand it is and by which rules."""
    identity = {key: tree[key] for key in ("source", "table", "hand") if key in tree}
    draft.tree["id"] = identity
    draft.origins.update({f"/id/{key}": f"/{key}" for key in ("source", "table", "hand")})
    rules = {"preset": tree["game"]} if "game" in tree else {}
    if "options" in tree:
        rules["options"] = tree["options"]
    draft.tree["rules"] = rules
    draft.origins.update({"/rules/preset": "/game", "/rules/options": "/options"})
    for key in KEPT:
        draft.origins[f"/{key}"] = f"/{key}"
        if key in tree:
            draft.tree[key] = tree[key]
    draft.origins["/view"] = "/view"
    if "view" in tree:
        view = tree["view"]
        draft.tree["view"] = view_of(view, seats)
    left = [key for key in tree if key not in _LOG_KEYS]
    if left:
        draft.notes.append("left out what the hand document has no place for: " + ", ".join(left))


def view_of(view: object, seats: dict[str, int]) -> object:
    """Whose log it is, a player's name become a seat; `VIEWS` come before a player of that name."""
    if isinstance(view, str) and view not in VIEWS:
        return seats.get(view, view)
    return view


def _seat(player: Tree) -> Tree:
    return {
        "player": player["name"],
        **{key: player[key] for key in _PLAYER_KEYS if key in player},
    }


def _read_actions(draft: Draft, tree: Tree, seats: dict[str, int]) -> Draft | UnreadableHand:
    actions = tree.get("actions")
    if not isinstance(actions, list):
        return _missing(draft, "/actions", "a list of actions", tree, "actions")
    events: list[object] = []
    last_turn = None
    for place, node in enumerate(actions):
        pointer = f"/actions/{place}"
        if not isinstance(node, dict):
            return UnreadableHand("wrong-type", pointer, "an object", show(node))
        turn = whole(node.get("turn", place if last_turn is None else last_turn))
        if turn is None or (last_turn is not None and turn < last_turn):
            expected = "a number no smaller than that of the action before"
            return UnreadableHand(
                "out-of-range", f"{pointer}/turn", expected, show(node.get("turn"))
            )
        last_turn = turn
        event = _event(node, pointer, seats)
        if isinstance(event, UnreadableHand):
            return event
        at = f"/events/{place}"
        draft.origins.update(
            {
                at: pointer,
                f"{at}/do": f"{pointer}/action",
                f"{at}/seat": f"{pointer}/player",
                f"{at}/card": f"{pointer}/cards",
                f"{at}/discards": f"{pointer}/cards",
                **{f"{at}/{key}": f"{pointer}/detail" for key in ("add", "to", "amount", "count")},
            }
        )
        events.append(event)
    draft.tree["events"] = events
    return draft


def _event(node: Tree, pointer: str, seats: dict[str, int]) -> Tree | UnreadableHand:
    act = act_named(node.get("action"))
    if act is None:
        expected = "one of " + ", ".join(ACTS)
        return UnreadableHand(
            "unknown-value", f"{pointer}/action", expected, show(node.get("action"))
        )
    player = node.get("player")
    seat = seats.get(player) if isinstance(player, str) else None
    if seat is None and act != "turn":
        expected = "the name of one of the players"
        return UnreadableHand("unknown-value", f"{pointer}/player", expected, show(player))
    parts: Tree = {key: node[key] for key in ("received", "at") if key in node}
    detail = node.get("detail")
    if detail is not None and act == "stay":
        parts["count"] = detail
    elif detail is not None and takes_amount(act):
        amount = _detail(detail)
        if amount is None:
            expected = "a whole number, `+15` for what moves, or `to 30` for the total"
            return UnreadableHand("wrong-type", f"{pointer}/detail", expected, show(detail))
        parts.update(amount)
    return event_of(act, seat, node.get("cards"), parts)


def _detail(detail: object) -> Tree | None:
    """The amount of a detail: added, in all, or by the dialect."""
    if isinstance(detail, str):
        found = _DETAIL.fullmatch(detail.strip().casefold())
        if found is None:
            return None
        return {{"to": "to", "+": "add"}.get(found[1], "amount"): int(found[2])}
    number = whole(detail)
    return None if number is None else {"amount": number}
