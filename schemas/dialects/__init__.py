"""Hands as other clients write them, told apart and written as hand documents of version 1."""

from schemas.dialects.conversion import Converted, convert
from schemas.dialects.detection import DetectedDialect, UndecidedDialect, detect
from schemas.dialects.stream import hands_of_any_file, read_any_hands
from schemas.dialects.table import AXES, PLAIN, TRAITS, Dialect, Trait, dialect_named

__all__ = [
    "AXES",
    "PLAIN",
    "TRAITS",
    "Converted",
    "DetectedDialect",
    "Dialect",
    "Trait",
    "UndecidedDialect",
    "convert",
    "detect",
    "dialect_named",
    "hands_of_any_file",
    "read_any_hands",
]
