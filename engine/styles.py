"""How the generator's players play: named styles as numbers, and the choice of one legal act.

The players are there to make logs, not to win: they look at their own hand, the retourne and the
price, and lean as their style leans. Every choice is one of `legal_actions`.
"""

import random
from dataclasses import dataclass
from typing import Final

from engine.acts import CALL, CARRE, DECLINE, FOLD, NO_MORE, OPEN, PASS, RAISE
from engine.cards import POINTS, SUIT_MASK, UNKNOWN, cards_in
from engine.violations import Action
from engine.vying.showdown import NO_BRELAN, brelan_strength
from engine.vying.state import VyingState

NEVER_FOLDS: Final = -1.0
"""Strength enough to call anything, whatever is held."""


@dataclass(frozen=True)
class Style:
    """A way of playing. Thresholds and frequencies are between 0 and 1, but for `NEVER_FOLDS`.

    ``opens``, ``calls`` and ``raises`` are the strengths from which it does so, ``bluffs`` how
    often it raises or opens without, ``carres`` how often it doubles blind, ``va_tout`` how often
    a raise is the whole stack.
    """

    name: str
    opens: float
    calls: float
    raises: float
    bluffs: float
    carres: float
    va_tout: float


STYLES: Final[dict[str, Style]] = {
    style.name: style
    for style in (
        Style("tight", opens=0.72, calls=0.66, raises=0.88, bluffs=0.01, carres=0.02, va_tout=0.03),
        Style("loose", opens=0.45, calls=0.36, raises=0.80, bluffs=0.04, carres=0.12, va_tout=0.02),
        Style(
            "bluffing", opens=0.55, calls=0.50, raises=0.72, bluffs=0.22, carres=0.10, va_tout=0.10
        ),
        Style(
            "carre-happy",
            opens=0.58,
            calls=0.50,
            raises=0.82,
            bluffs=0.05,
            carres=0.60,
            va_tout=0.04,
        ),
        Style(
            "steady", opens=0.60, calls=0.52, raises=0.82, bluffs=0.03, carres=0.08, va_tout=0.03
        ),
        Style(
            "always-stay",
            opens=0.60,
            calls=NEVER_FOLDS,
            raises=0.85,
            bluffs=0.03,
            carres=0.10,
            va_tout=0.03,
        ),
    )
}


def strength(hand: int, state: VyingState) -> float:
    """A rough strength of a hand between 0 and 1: brelans, then the point of its best suit."""
    if brelan_strength(hand, state.retourne, state.options) != NO_BRELAN:
        return 1.0
    best = 0.0
    for suit in range(4):
        own = hand >> (13 * suit) & SUIT_MASK
        if not own:
            continue
        held = sum(POINTS[card] for card in cards_in(own << 13 * suit))
        turned = 0
        if state.retourne != UNKNOWN and state.retourne // 13 == suit:
            turned = POINTS[state.retourne]
        top = POINTS[own.bit_length() - 1] / 11
        best = max(best, (held + turned) / 42 * 0.75 + top * 0.25)
    return best


def choose(state: VyingState, legal: list[Action], style: Style, rng: random.Random) -> Action:
    """The act that a player of this style picks; its ``least`` and ``most`` are narrowed to one."""
    by_act = {action.act: action for action in legal if action.seat == legal[0].seat}
    if CARRE in by_act:
        return by_act[CARRE if rng.random() < style.carres else DECLINE]
    felt = strength(state.hands[legal[0].seat], state) + rng.uniform(-0.12, 0.12)
    bold = rng.random() < style.bluffs
    if PASS in by_act:
        if OPEN in by_act and (felt >= style.opens or bold):
            return _sized(by_act[OPEN], state, style, rng)
        return by_act[PASS]
    if RAISE in by_act and (felt >= style.raises or bold):
        return _sized(by_act[RAISE], state, style, rng)
    if NO_MORE in by_act:
        return by_act[NO_MORE]
    price = by_act[CALL].least / (state.pot + by_act[CALL].least + 1)
    return by_act[CALL if felt >= style.calls + 0.35 * price or not price else FOLD]


def _sized(action: Action, state: VyingState, style: Style, rng: random.Random) -> Action:
    """A bet of up to the pot over the least, rarely the whole stack."""
    if rng.random() < style.va_tout:
        add = action.most
    else:
        add = min(action.most, action.least + int(state.pot * rng.random() ** 2))
    return Action(action.act, action.seat, add, add)
