"""The engine's closed vocabularies, as types that the documents share."""

from typing import Literal

Verdict = Literal["legal", "illegal", "unverifiable"]
Severity = Literal["illegal", "discrepancy", "warning", "unverifiable"]
Stage = Literal[
    "carre",
    "deal",
    "speaking",
    "answering",
    "no-more",
    "showdown",
    "declaring",
    "drawing",
    "playing",
    "end",
]
Decision = Literal["brelan-carre", "brelan", "point", "uncontested", "tricks", "carried"]
"""What decided a pot. A brelan carré is named in full: a carre is the blind."""
Situation = Literal[
    "carre", "unopened", "facing-open", "facing-raise", "no-more", "declaring", "drawing", "playing"
]
"""What a seat faces when it decides."""
Account = Literal["stack", "ledger"]
"""Where premiums are paid."""
Fault = Literal["bourre", "renege"]
"""Why a seat pays into the next pot of Bourré."""
