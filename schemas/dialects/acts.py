"""Events by their parts: what an act's name, amount and cards become in the hand document.

For shapes that write every act in the same columns. What is missing or too much is left to the
reader of the hand document, which says so.
"""

from typing import Final

from schemas.dialects.draft import Tree

ACTS: Final = (
    "ante",
    "carre",
    "decline",
    "deal",
    "turn",
    "pass",
    "open",
    "call",
    "raise",
    "fold",
    "no-more",
    "show",
    "stay",
    "out",
    "draw",
    "play",
    "renege",
)
_ALIASES: Final[dict[str, str]] = {
    "post ante": "ante",
    "posts ante": "ante",
    "extra blind": "carre",
    "post extra blind": "carre",
    "dealt": "deal",
    "dealt cards": "deal",
    "retourne": "turn",
    "check": "pass",
    "checks": "pass",
    "bet": "open",
    "bets": "open",
    "calls": "call",
    "raises": "raise",
    "folds": "fold",
    "no more": "no-more",
    "no_more": "no-more",
    "shows": "show",
    "shows cards": "show",
}
"""Words of other clients, in lower case, that mean an act and no other."""

_ONE_CARD: Final = frozenset({"turn", "play", "renege"})
_AMOUNTS: Final = frozenset({"ante", "carre", "open", "call", "raise"})


def act_named(word: object) -> str | None:
    """The act of a word, in any case; None where it means none."""
    if not isinstance(word, str):
        return None
    lower = word.strip().casefold()
    return lower if lower in ACTS else _ALIASES.get(lower)


def takes_amount(act: str) -> bool:
    """Whether the act moves chips."""
    return act in _AMOUNTS


def event_of(act: str, seat: object, cards: object, parts: Tree) -> Tree:
    """An event of the hand document.

    Args:
        act: One of `ACTS`.
        seat: Left out of a turned card; None where nobody was named.
        cards: A text, a list or None.
        parts: What else the event has, by the names of the hand document.
    """
    event: Tree = {"do": act}
    if act != "turn" and seat is not None:
        event["seat"] = seat
    if act == "draw":
        event["discards"] = [] if cards is None else cards
        event.setdefault("received", [])
    elif cards is not None:
        one = act in _ONE_CARD
        event["card" if one else "cards"] = _only(cards) if one else cards
    event.update(parts)
    return event


def _only(cards: object) -> object:
    return cards[0] if isinstance(cards, list) and len(cards) == 1 else cards
