"""A vying hand in the shape of an Open Hand History object: players with ids, rounds of actions.

A round's cards are the retourne. What the hand document has and an Open Hand History has not is
read under the hand document's own names.
"""

from typing import Final

from schemas.dialects.acts import act_named, event_of, takes_amount
from schemas.dialects.draft import Draft, Tree, below, members, whole
from schemas.dialects.jsonshapes import KEPT
from schemas.errors import UnreadableHand
from schemas.rawtree import show

_VYING: Final = frozenset({
    "ante", "carre", "decline", "deal", "pass", "open", "call", "raise", "fold", "no-more", "show",
})  # fmt: skip
_SILENT: Final = frozenset({"mucks cards"})
"""Actions that say nothing of a vying hand."""
_HEAD: Final = {
    "source": "site_name",
    "table": "table_name",
    "hand": "game_number",
}
_SEAT_KEYS: Final = ("rebuy", "exempt")


class _Reader:
    """One hand being read: its draft, and seats by the players' ids."""

    def __init__(self, root: Tree, base: str) -> None:
        self.root = root
        self.base = base
        self.draft = Draft({}, origins={"": base})
        self.seats: dict[int, int] = {}
        self.events: list[object] = []

    def error(self, code: str, pointer: str, expected: str, seen: object) -> UnreadableHand:
        return UnreadableHand(code, self.base + pointer, expected, show(seen))

    def place(self, pointer: str, origin: str) -> None:
        """Says where in the original a part of the tree stands."""
        self.draft.origins[pointer] = self.base + origin

    def list_of(self, key: str) -> list[object] | UnreadableHand:
        value = self.root.get(key)
        if isinstance(value, list):
            return value
        code = "wrong-type" if key in self.root else "missing-key"
        return self.error(code, f"/{key}", "a list", value)


def draft_of_ohh(tree: Tree) -> Draft | UnreadableHand:
    """A draft of an Open Hand History object, bare or under ``ohh``."""
    nested = tree.get("ohh")
    reader = _Reader(nested, "/ohh") if isinstance(nested, dict) else _Reader(tree, "")
    _read_head(reader)
    error = _read_players(reader) or _read_rounds(reader) or _read_pots(reader)
    if error is not None:
        return error
    reader.draft.tree["events"] = reader.events
    return reader.draft


def _read_head(reader: _Reader) -> None:
    root, tree = reader.root, reader.draft.tree
    tree["id"] = {key: _text(root[name]) for key, name in _HEAD.items() if name in root}
    tree["rules"] = {
        key: root[name]
        for key, name in (("preset", "game_type"), ("options", "options"))
        if name in root
    }
    reader.place("/rules/preset", "/game_type")
    reader.place("/rules/options", "/options")
    for key, name in _HEAD.items():
        reader.place(f"/id/{key}", f"/{name}")
    if "start_date_utc" in root:
        tree["played_at"] = root["start_date_utc"]
    for key in KEPT:
        reader.place(f"/{key}", f"/{key}")
        if key in root:
            tree[key] = root[key]
    if "played_at" not in root:
        reader.place("/played_at", "/start_date_utc")
    if "view" in root:
        tree["view"] = root["view"]
        reader.place("/view", "/view")


def _text(value: object) -> object:
    """A number as a text, for game numbers are written either way."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _read_players(reader: _Reader) -> UnreadableHand | None:
    players = reader.list_of("players")
    if isinstance(players, UnreadableHand):
        return players
    numbered: list[tuple[int, int]] = []
    for index, player in enumerate(players):
        number = whole(members(player).get("seat"))
        if number is None:
            seen = members(player).get("seat")
            return reader.error("wrong-type", f"/players/{index}/seat", "a seat number", seen)
        if number in {known for known, _ in numbered}:
            expected = "each seat number once"
            return reader.error("unknown-value", f"/players/{index}/seat", expected, number)
        numbered.append((number, index))
    numbered.sort()
    seats: list[object] = []
    for seat, (_, index) in enumerate(numbered):
        player = members(players[index])
        identity = whole(player.get("id"))
        if identity is None or identity in reader.seats:
            expected = "a number that no other player has"
            return reader.error("unknown-value", f"/players/{index}/id", expected, player.get("id"))
        reader.seats[identity] = seat
        seats.append(_seat(player))
        reader.place(f"/seats/{seat}", f"/players/{index}")
        reader.place(f"/seats/{seat}/player", f"/players/{index}/name")
        reader.place(f"/seats/{seat}/stack", f"/players/{index}/starting_stack")
    reader.draft.tree["seats"] = seats
    dealer = whole(reader.root.get("dealer_seat"))
    order = [number for number, _ in numbered]
    if dealer not in order:
        seen = reader.root.get("dealer_seat")
        return reader.error("unknown-value", "/dealer_seat", "one of the seat numbers", seen)
    reader.draft.tree["dealer"] = order.index(dealer) if dealer is not None else None
    hero = whole(reader.root.get("hero_player_id"))
    if "view" not in reader.root and hero in reader.seats and hero is not None:
        reader.draft.tree["view"] = reader.seats[hero]
    return None


def _seat(player: Tree) -> Tree:
    seat: Tree = {}
    if "name" in player:
        seat["player"] = player["name"]
    if "starting_stack" in player:
        seat["stack"] = player["starting_stack"]
    seat.update({key: player[key] for key in _SEAT_KEYS if key in player})
    return seat


def _read_rounds(reader: _Reader) -> UnreadableHand | None:
    rounds = reader.list_of("rounds")
    if isinstance(rounds, UnreadableHand):
        return rounds
    for index, node in enumerate(rounds):
        pointer = f"/rounds/{index}"
        if not isinstance(node, dict):
            return reader.error("wrong-type", pointer, "an object", node)
        cards = node.get("cards")
        if isinstance(cards, list) and cards:
            event = event_of("turn", None, cards, {})
            _add(reader, event, pointer, f"{pointer}/cards")
        actions = node.get("actions", [])
        if not isinstance(actions, list):
            return reader.error("wrong-type", f"{pointer}/actions", "a list", actions)
        for number, action in enumerate(actions):
            error = _read_action(reader, f"{pointer}/actions/{number}", action)
            if error is not None:
                return error
    return None


def _read_action(reader: _Reader, pointer: str, node: object) -> UnreadableHand | None:
    if not isinstance(node, dict):
        return reader.error("wrong-type", pointer, "an object", node)
    word = node.get("action")
    if isinstance(word, str) and word.casefold() in _SILENT:
        return None
    act = act_named(word)
    if act is None or act not in _VYING:
        expected = "an act of a vying hand, such as Dealt Cards, Check, Bet, Call, Raise or Fold"
        return reader.error("unknown-value", f"{pointer}/action", expected, word)
    identity = whole(node.get("player_id"))
    if identity is None or identity not in reader.seats:
        seen = node.get("player_id")
        return reader.error("unknown-value", f"{pointer}/player_id", "a player's id", seen)
    parts: Tree = {"at": node["at"]} if "at" in node else {}
    if takes_amount(act) and "amount" in node:
        parts["amount"] = node["amount"]
    cards = node.get("cards") if act in ("deal", "show") else None
    event = event_of(act, reader.seats[identity], cards, parts)
    _add(reader, event, pointer, f"{pointer}/cards")
    return None


def _add(reader: _Reader, event: Tree, origin: str, cards: str) -> None:
    pointer = f"/events/{len(reader.events)}"
    reader.place(pointer, origin)
    reader.place(f"{pointer}/do", f"{origin}/action")
    reader.place(f"{pointer}/seat", f"{origin}/player_id")
    reader.place(f"{pointer}/add", f"{origin}/amount")
    reader.place(f"{pointer}/card", f"{cards}/0")
    reader.events.append(event)


def _read_pots(reader: _Reader) -> UnreadableHand | None:
    """The pots as what the client declares."""
    if "pots" not in reader.root:
        return None
    pots = reader.list_of("pots")
    if isinstance(pots, UnreadableHand):
        return pots
    declared: list[object] = []
    for index, node in enumerate(pots):
        pointer = f"/pots/{index}"
        wins = members(node).get("player_wins", [])
        if not isinstance(wins, list):
            return reader.error("wrong-type", f"{pointer}/player_wins", "a list", wins)
        winners: Tree = {}
        reader.place(f"/declared/pots/{index}", pointer)
        for number, win in enumerate(wins):
            origin = below(pointer, "player_wins", number)
            identity = whole(members(win).get("player_id"))
            if identity is None or identity not in reader.seats:
                seen = members(win).get("player_id")
                return reader.error("unknown-value", f"{origin}/player_id", "a player's id", seen)
            seat = str(reader.seats[identity])
            winners[seat] = members(win).get("win_amount")
            reader.place(f"/declared/pots/{index}/winners/{seat}", f"{origin}/win_amount")
        declared.append({"amount": members(node).get("amount"), "winners": winners})
    own = reader.draft.tree.get("declared")
    reader.draft.tree["declared"] = {**members(own), "pots": declared}
    return None
