"""Hand documents written in every dialect, to be read back and held to the original."""

import csv
import io
import json
from itertools import product
from typing import Any, Final

import msgspec

from engine.presets import BOURRE, PRESETS, options_of
from engine.vying.opening import ante_due
from schemas.dialects import Dialect
from schemas.dialects.rows import COLUMNS
from schemas.dialects.table import traits_of

Tree = dict[str, Any]

ALL_DIALECTS: Final = [
    Dialect(*traits)
    for traits in product(*(traits_of(axis) for axis in ("shape", "cards", "amounts", "seats")))
]

RANKS: Final = {
    "english": {},
    "french": {"K": "R", "Q": "D", "J": "V", "T": "10"},
    "german": {"Q": "D", "J": "B", "T": "10"},
    "portuguese": {"K": "R", "Q": "D", "J": "V", "T": "10"},
}
LETTERS: Final = {
    "english": {"c": "c", "d": "d", "h": "h", "s": "s"},
    "french": {"c": "t", "d": "ca", "h": "c", "s": "p"},
    "german": {"c": "kr", "d": "k", "h": "h", "s": "p"},
    "portuguese": {"c": "p", "d": "o", "h": "c", "s": "e"},
}
WORDS: Final = {
    "english": {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"},
    "french": {"c": "trèfle", "d": "carreau", "h": "cœur", "s": "pique"},
    "german": {"c": "Kreuz", "d": "Karo", "h": "Herz", "s": "Pik"},
    "portuguese": {"c": "paus", "d": "ouros", "h": "copas", "s": "espadas"},
}
SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SPELLINGS: Final = ("letters", "suit-first", "words", "signs", "glyphs")


def spelled(card: str, notation: str, spelling: str) -> str:
    """The card in a language, in one of `SPELLINGS`."""
    if card == "??":
        return "?"
    rank, suit = card[0], card[1]
    own = RANKS[notation].get(rank, rank)
    if spelling == "words":
        return f"{own} {WORDS[notation][suit]}"
    if spelling == "signs":
        return own + SIGNS[suit]
    if spelling == "suit-first":
        return LETTERS[notation][suit].upper() + own
    if spelling == "glyphs":
        return chr(0x1F0A0 + 16 * "shdc".index(suit) + " A23456789TJ?QK".index(rank))
    return own + LETTERS[notation][suit]


def in_dialect(document: bytes, dialect: Dialect, spelling: str = "letters") -> bytes:
    """A legal hand document as a client of that dialect would write it."""
    tree: Tree = json.loads(document)
    vying = PRESETS[tree["rules"]["preset"]].game is not BOURRE
    if dialect.amounts == "raise-to":
        _total_raises(tree)
    if dialect.seats == "clockwise" and vying:
        _turn(tree)
    for event in tree["events"]:
        for key in ("cards", "discards", "received"):
            if key in event:
                event[key] = [spelled(card, dialect.cards, spelling) for card in event[key]]
        if "card" in event:
            event["card"] = spelled(event["card"], dialect.cards, spelling)
    writer = {"document": _document, "csv": _csv, "ohh": _ohh, "log": _log}[dialect.shape]
    return writer(tree)


def plain(hand: object) -> bytes:
    """The hand's content in one spelling."""
    return json.dumps(json.loads(msgspec.json.encode(hand)), sort_keys=True).encode()


def _total_raises(tree: Tree) -> None:
    preset = PRESETS[tree["rules"]["preset"]]
    options = options_of(preset, tree["rules"].get("options", {}))
    if preset.game is BOURRE:
        return
    carried = tree.get("carried", 0)
    put_in = [
        min(ante_due(options, is_dealer=seat == tree["dealer"], carried=carried), entry["stack"])  # type: ignore[arg-type]
        for seat, entry in enumerate(tree["seats"])
    ]
    for event in tree["events"]:
        if event["do"] in ("carre", "open", "call", "raise"):
            put_in[event["seat"]] += event["add"]
            if event["do"] == "raise":
                event["add"] = put_in[event["seat"]]


def _turn(tree: Tree) -> None:
    last = len(tree["seats"]) - 1
    tree["seats"].reverse()
    tree["dealer"] = last - tree["dealer"]
    if isinstance(tree.get("view"), int):
        tree["view"] = last - tree["view"]
    for event in tree["events"]:
        if "seat" in event:
            event["seat"] = last - event["seat"]
    declared = tree.get("declared", {})
    if "stacks" in declared:
        declared["stacks"].reverse()
    for by_seat in [declared, *declared.get("pots", [])]:
        for key in ("premiums", "tricks", "payments", "winners"):
            if key in by_seat:
                by_seat[key] = {str(last - int(seat)): n for seat, n in by_seat[key].items()}


def _document(tree: Tree) -> bytes:
    del tree["format"]
    return json.dumps(tree, ensure_ascii=False).encode()


def _log_action(number: int, event: Tree, names: list[str]) -> Tree:
    action = {"turn": number, "action": event["do"]}
    if "seat" in event:
        action["player"] = names[event["seat"]]
    for key in ("add", "count"):
        if key in event:
            action["detail"] = event[key]
    for key in ("cards", "discards", "card"):
        if key in event:
            cards = event[key]
            action["cards"] = ", ".join(cards) if isinstance(cards, list) else cards
    if "received" in event:
        action["received"] = ", ".join(event["received"])
    if "at" in event:
        action["at"] = event["at"]
    return action


def _log(tree: Tree) -> bytes:
    names = [seat.pop("player") for seat in tree["seats"]]
    actions = [_log_action(number, event, names) for number, event in enumerate(tree["events"], 1)]
    log: Tree = {**tree["id"], "game": tree["rules"]["preset"]}
    if "options" in tree["rules"]:
        log["options"] = tree["rules"]["options"]
    log["players"] = [
        {"name": name, **seat} for name, seat in zip(names, tree["seats"], strict=True)
    ]
    log["dealer"] = names[tree["dealer"]]
    log["actions"] = actions
    if "view" in tree:
        log["view"] = names[tree["view"]] if isinstance(tree["view"], int) else tree["view"]
    for key in ("played_at", "tz", "session", "unit", "carried", "declared", "x"):
        if key in tree:
            log[key] = tree[key]
    return json.dumps(log, ensure_ascii=False).encode()


OHH_ACTIONS: Final = {
    "ante": "Post Ante",
    "carre": "Carre",
    "decline": "Decline",
    "deal": "Dealt Cards",
    "pass": "Check",
    "open": "Bet",
    "call": "Call",
    "raise": "Raise",
    "fold": "Fold",
    "no-more": "No More",
    "show": "Shows Cards",
}


def _ohh_rounds(tree: Tree) -> list[Tree]:
    rounds: list[Tree] = [{"id": 0, "street": "Deal", "actions": []}]
    number = 0
    for event in tree["events"]:
        if event["do"] == "turn":
            street = {"id": len(rounds), "street": "Retourne", "cards": [event["card"]]}
            rounds.append({**street, "actions": []})
            continue
        number += 1
        action = {"action_number": number, "player_id": 10 + event["seat"]}
        action["action"] = OHH_ACTIONS[event["do"]]
        if "add" in event:
            action["amount"] = float(event["add"])
        action |= {key: event[key] for key in ("cards", "at") if key in event}
        rounds[-1]["actions"].append(action)
    return rounds


def _ohh(tree: Tree) -> bytes:
    players = [
        {"id": 10 + seat, "seat": seat + 1, "name": entry.pop("player")}
        | {"starting_stack": float(entry.pop("stack")), **entry}
        for seat, entry in enumerate(tree["seats"])
    ]
    hand: Tree = {
        "spec_version": "1.4.7",
        "site_name": tree["id"]["source"],
        "table_name": tree["id"]["table"],
        "game_number": tree["id"]["hand"],
        "game_type": tree["rules"]["preset"],
        "dealer_seat": tree["dealer"] + 1,
        "players": players,
        "rounds": _ohh_rounds(tree),
    }
    if "options" in tree["rules"]:
        hand["options"] = tree["rules"]["options"]
    if isinstance(tree.get("view"), int):
        hand["hero_player_id"] = 10 + tree["view"]
    elif "view" in tree:
        hand["view"] = tree["view"]
    if "played_at" in tree:
        hand["start_date_utc"] = tree["played_at"]
    for key in ("tz", "session", "unit", "carried", "x"):
        if key in tree:
            hand[key] = tree[key]
    declared = tree.get("declared")
    if declared is not None:
        pots = declared.pop("pots", None)
        if pots is not None:
            hand["pots"] = [_ohh_pot(number, pot) for number, pot in enumerate(pots)]
        if declared:
            hand["declared"] = declared
    return json.dumps({"ohh": hand}, ensure_ascii=False).encode()


def _ohh_pot(number: int, pot: Tree) -> Tree:
    wins = [
        {"player_id": 10 + int(seat), "win_amount": float(chips)}
        for seat, chips in pot["winners"].items()
    ]
    return {"number": number, "amount": float(pot["amount"]), "player_wins": wins}


def _csv(tree: Tree) -> bytes:
    names = [seat["player"] for seat in tree["seats"]]
    session = tree.get("session", {})
    head = {
        **tree["id"],
        "preset": tree["rules"]["preset"],
        "session": session.get("id"),
        "session_kind": session.get("kind"),
        "hand_no": session.get("hand_no"),
        **{key: tree.get(key) for key in ("played_at", "tz", "unit", "carried")},
    }
    view = tree.get("view")
    head["view"] = names[view] if isinstance(view, int) else view
    rows: list[Tree] = []
    for seat, entry in enumerate(tree["seats"]):
        rows.append({"do": "seat", **entry, "dealer": "yes" if seat == tree["dealer"] else ""})
    for option, value in tree["rules"].get("options", {}).items():
        rows.append({"do": "option", "option": option, "value": value})
    for event in tree["events"]:
        row = {"do": event["do"], "amount": event.get("add")}
        if "seat" in event:
            row["player"] = names[event["seat"]]
        for key in ("cards", "discards", "card"):
            if key in event:
                cards = event[key]
                row["cards"] = "; ".join(cards) if isinstance(cards, list) else cards
        row["received"] = "; ".join(event.get("received", []))
        row |= {key: event[key] for key in ("count", "at") if key in event}
        rows.append(row)
    rows += _csv_declared(tree.get("declared", {}), names)
    rows[0] |= head
    out = io.StringIO(newline="")
    used = [name for name in COLUMNS if any(row.get(name) not in (None, "") for row in rows)]
    writer = csv.DictWriter(out, used, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def _csv_declared(declared: Tree, names: list[str]) -> list[Tree]:
    rows: list[Tree] = [{"do": "declared-pot"}] if declared.get("pots") == [] else []
    for pot in declared.get("pots", []):
        rows.append({"do": "declared-pot", "amount": pot["amount"]})
        for seat, chips in pot["winners"].items():
            rows.append({"do": "declared-win", "player": names[int(seat)], "amount": chips})
    for do, key in (
        ("declared-premium", "premiums"),
        ("declared-tricks", "tricks"),
        ("declared-payment", "payments"),
    ):
        if key in declared:
            rows += [
                {"do": do, "player": names[int(seat)], "amount": amount}
                for seat, amount in declared[key].items()
            ] or [{"do": do}]
    for seat, chips in enumerate(declared.get("stacks", [])):
        rows.append({"do": "declared-stack", "player": names[seat], "amount": chips})
    if "carried" in declared:
        rows.append({"do": "declared-carried", "amount": declared["carried"]})
    return rows
