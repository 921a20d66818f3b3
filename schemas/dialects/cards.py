"""The cards of a draft: found wherever an event may have them, and read in a notation."""

from collections.abc import Iterator
from typing import Final

from schemas.dialects.draft import Draft, members
from schemas.dialects.notations import Notation, read_card, split_cards
from schemas.errors import UnreadableHand

_LISTS: Final = ("cards", "discards", "received")


def cards_of(draft: Draft, notation: Notation) -> Iterator[tuple[str, str]]:
    """Every text that should be a card, with its pointer; several in one text are parted."""
    for pointer, event in draft.events():
        for key in _LISTS:
            for place, card in enumerate(_parted(event.get(key), notation) or ()):
                if isinstance(card, str):
                    yield f"{pointer}/{key}/{place}", card
        card = _as_text(event.get("card"))
        if isinstance(card, str):
            yield f"{pointer}/card", card


def write_cards(draft: Draft, notation: Notation) -> UnreadableHand | None:
    """Writes every card as the hand document does, or says which is none in this notation."""
    for pointer, text in cards_of(draft, notation):
        if read_card(text, notation) is None:
            return draft.error("unknown-card", pointer, f"a card in {notation.name}", text)
    for _, event in draft.events():
        for key in _LISTS:
            cards = _parted(event.get(key), notation)
            if cards is not None:
                event[key] = [_written(card, notation) for card in cards]
        if "card" in event:
            event["card"] = _written(_as_text(event["card"]), notation)
    return None


def _written(card: object, notation: Notation) -> object:
    """The card as the hand document has it; what is no text stays for its reader to refuse."""
    return read_card(card, notation) if isinstance(card, str) else card


def _parted(cards: object, notation: Notation) -> list[object] | None:
    """The cards of a list or a text; None of anything else."""
    if isinstance(cards, str):
        return [*split_cards(cards, notation)]
    return [_as_text(card) for card in cards] if isinstance(cards, list) else None


def _as_text(card: object) -> object:
    """A card that is an object of rank and suit as a text."""
    rank, suit = members(card).get("rank"), members(card).get("suit")
    if isinstance(suit, str) and isinstance(rank, str | int) and not isinstance(rank, bool):
        return f"{rank} {suit}"
    return card
