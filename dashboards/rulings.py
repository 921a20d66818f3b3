"""The names of the rulings on which findings rest, as the page of the rules has them."""

from typing import Final

NAMES: Final = {
    "V1": "Brelans",
    "V2": "The carre",
    "V3": "What opens",
    "V4": "Carried chips",
    "V5": "Nobody opens",
    "V6": "Short stacks",
    "V7": "The least raise",
    "V8": "Two left",
    "V9": "No more",
    "V10": "Uncalled chips",
    "V11": "Pots",
    "V12": "The point",
    "V13": "The point in side pots",
    "V14": "Won without showing",
    "V15": "Premiums",
    "V16": "Antes",
    "V17": "Two guests",
    "V18": "The hand after",
    "V19": "Each act at its time",
    "S1": "From hand to hand",
    "S2": "The cave",
    "S3": "The end",
    "S4": "Gaps and order",
    "S5": "Coming and going",
    "B1": "In or out",
    "B2": "The draw",
    "B3": "When the stock runs out",
    "B4": "Who leads what",
    "B5": "Following",
    "B6": "The renege",
    "B7": "Who wins",
    "B8": "Who pays",
}


def titled(ruling: str) -> str:
    """A ruling with its name, such as ``V9 – No more``; what has none stands alone."""
    return f"{ruling} – {NAMES[ruling]}" if ruling in NAMES else ruling
