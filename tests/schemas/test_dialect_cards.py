import pytest

from engine.cards import CARD_NAMES
from schemas.dialects.notations import NOTATIONS, read_card, split_cards
from tests.schemas.dialect_writing import SPELLINGS, spelled


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_card_is_read_in_every_spelling(notation: str) -> None:
    for card in [*CARD_NAMES, "??"]:
        for spelling in SPELLINGS:
            assert read_card(spelled(card, notation, spelling), NOTATIONS[notation]) == card


@pytest.mark.parametrize(
    ("text", "notation", "card"),
    [
        ("Dc", "french", "Qh"),
        ("dame de cœur", "french", "Qh"),
        ("DAME DE COEUR", "french", "Qh"),
        ("Roi de trèfle", "french", "Kc"),
        ("valet-pique", "french", "Js"),
        ("T10", "french", "Tc"),
        ("TT", "french", "Tc"),
        ("As ca", "french", "Ad"),
        ("1p", "french", "As"),
        ("Karo 10", "german", "Td"),
        ("König Herz", "german", "Kh"),
        ("HERZ DAME", "german", "Qh"),
        ("KB", "german", "Jd"),
        ("BKr", "german", "Jc"),
        ("KK", "german", "Kd"),
        ("Ás de espadas", "portuguese", "As"),
        ("De", "portuguese", "Qs"),
        ("dez de ouros", "portuguese", "Td"),
        ("Queen of hearts", "english", "Qh"),
        ("h10", "english", "Th"),
        ("A♠︎", "english", "As"),  # with the mark that asks for a text's sign
        ("♦9", "english", "9d"),
        ("🂡", "english", "As"),
        ("🃝", "french", "Qc"),
        ("🂠", "english", "??"),
        ("?", "german", "??"),
    ],
)
def test_a_card_is_what_its_language_says(text: str, notation: str, card: str) -> None:
    assert read_card(text, NOTATIONS[notation]) == card


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("Dd", "english"),
        ("Kc", "french"),
        ("Kp", "portuguese"),
        ("Rp", "german"),
        ("As", "french"),
        ("🂬", "english"),  # the knight of spades
        ("🃏", "english"),
        ("", "english"),
        ("Q", "english"),
        ("queen of", "english"),
        ("queen of hearts of", "french"),
        ("1" * 5000, "english"),
    ],
)
def test_what_is_no_card(text: str, notation: str) -> None:
    assert read_card(text, NOTATIONS[notation]) is None


def test_a_letter_is_another_suit_in_another_language() -> None:
    read = {name: read_card("Ac", notation) for name, notation in NOTATIONS.items()}
    assert read == {"english": "Ac", "french": "Ah", "german": None, "portuguese": "Ah"}
    read = {name: read_card("9p", notation) for name, notation in NOTATIONS.items()}
    assert read == {"english": None, "french": "9s", "german": "9s", "portuguese": "9c"}


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("8h Qh 8c", ["8h", "Qh", "8c"]),
        ("8h,Qh;8c", ["8h", "Qh", "8c"]),
        ("dame de cœur, roi de pique", ["dame de cœur", "roi de pique"]),
        ("🂡🂮🂭", ["🂡", "🂮", "🂭"]),
        ("10 of clubs", ["10 of clubs"]),
        ("", []),
    ],
)
def test_a_text_of_several_cards_is_parted(text: str, cards: list[str]) -> None:
    notation = "french" if "roi" in text else "english"
    assert split_cards(text, NOTATIONS[notation]) == cards
