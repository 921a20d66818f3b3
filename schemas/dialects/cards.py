"""The cards of a draft: found wherever an event may have them, and read in a notation."""

from collections.abc import Callable, Iterator
from typing import Final

from schemas.dialects.draft import Draft, Tree, members
from schemas.dialects.notations import Notation, read_card, split_cards
from schemas.errors import UnreadableHand

_LISTS: Final = ("cards", "discards", "received")
_Put = Callable[[str], None]


def part_cards(draft: Draft) -> None:
    """Makes a list of the cards of a text, and a text of a card that is an object."""
    for _, event in draft.events():
        for key in _LISTS:
            value = event.get(key)
            if isinstance(value, str):
                event[key] = split_cards(value)
            elif isinstance(value, list):
                event[key] = [_as_text(card) for card in value]
        if "card" in event:
            event["card"] = _as_text(event["card"])


def _as_text(card: object) -> object:
    rank, suit = members(card).get("rank"), members(card).get("suit")
    if isinstance(suit, str) and isinstance(rank, str | int) and not isinstance(rank, bool):
        return f"{rank} {suit}"
    return card


def cards_of(draft: Draft) -> Iterator[tuple[str, str, _Put]]:
    """Every text that should be a card: its pointer, the text, and what puts another there."""
    for pointer, event in draft.events():
        for key in _LISTS:
            cards = event.get(key)
            for place, card in enumerate(cards if isinstance(cards, list) else ()):
                if isinstance(card, str) and isinstance(cards, list):
                    yield f"{pointer}/{key}/{place}", card, _putter(cards, place)
        card = event.get("card")
        if isinstance(card, str):
            yield f"{pointer}/card", card, _turner(event)


def _turner(event: Tree) -> _Put:
    def put(card: str) -> None:
        event["card"] = card

    return put


def _putter(cards: list[object], place: int) -> _Put:
    def put(card: str) -> None:
        cards[place] = card

    return put


def write_cards(draft: Draft, notation: Notation) -> UnreadableHand | None:
    """Writes every card as the hand document does, or says which is none in this notation."""
    for pointer, text, put in list(cards_of(draft)):
        card = read_card(text, notation)
        if card is None:
            return draft.error("unknown-card", pointer, f"a card in {notation.name}", text)
        put(card)
    return None
