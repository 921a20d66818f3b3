"""An upload for the pages to show: worked hands, as they are and with one thing wrong each."""

import copy
import json
from pathlib import Path
from typing import Any

RULES = Path(__file__).parent.parent / "rules"

MARKUP = '<img src=x onerror="alert(1)">'
LONG = "Ludovic de la Bouillotte-Mirandole, Chevalier de Saint-Germain-en-Laye et d’Outre-Mer " * 2
SLASHES = "a//b/../c?d=1#é 王"
DOTS = ".."

Document = dict[str, Any]


def worked(name: str) -> Document:
    document: Document = json.loads((RULES / f"{name}.json").read_bytes())
    return document


def named(document: Document, hand: str, session: str | None = None, number: int = 1) -> Document:
    """A copy with a hand id of its own, played on a day of its session."""
    changed = copy.deepcopy(document)
    changed["id"] = {"source": "salon", "table": "T7", "hand": hand}
    if session is not None:
        changed["session"] = {"id": session, "hand_no": number}
        changed["played_at"] = f"2026-03-14T20:{number:02d}:00Z"
        changed["tz"] = "Europe/Paris"
    return changed


def with_players(document: Document, players: list[str]) -> Document:
    changed = copy.deepcopy(document)
    for seat, player in zip(changed["seats"], players, strict=True):
        seat["player"] = player
    return changed


def with_event(document: Document, index: int, **changes: object) -> Document:
    changed = copy.deepcopy(document)
    changed["events"][index] |= changes
    return changed


def low_raise() -> Document:
    """W1 in which Ben raises by 4, to 15, which Dan and Anna have put in already."""
    return with_event(worked("w1"), 11, add=4)


def wrong_stacks() -> Document:
    """W1 whose client lets Ben keep nine chips less and Carla nine more."""
    changed = worked("w1")
    changed["declared"]["stacks"] = [85, 100, 57, 70]
    return changed


def unseen_cards() -> Document:
    """W1 in which nobody saw Carla's cards."""
    changed = worked("w1")
    for event in changed["events"]:
        if event.get("cards") == ["As", "Ks", "Qs"]:
            event["cards"] = ["??", "??", "??"]
    return changed


def one_seat_too_few() -> Document:
    """Two players of W1, who may not play this game alone."""
    changed = worked("w1")
    del changed["seats"][2:]
    return changed | {"dealer": 1, "events": [], "declared": {}}


def evening() -> bytes:
    """NDJSON of eight lines; the last one is no JSON."""
    hands = [
        named(worked("w1"), "plain", "march/1", 1),
        named(worked("w2-any-shown"), "brelans", "march/1", 2),
        named(worked("w1"), "again", "march/2", 3),
        named(low_raise(), "low-raise"),
        named(wrong_stacks(), "wrong-stacks"),
        named(unseen_cards(), "unseen"),
        named(with_players(worked("w1"), [MARKUP, LONG, SLASHES, DOTS]), "hostile"),
    ]
    lines = [json.dumps(hand, ensure_ascii=False) for hand in hands]
    return "\n".join([*lines, '{"format": "retourne/1.0", "id"']).encode()
