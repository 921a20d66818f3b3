"""Tells what is done at each step of a hand, in the language of the page."""

import unicodedata
from typing import Final

from markupsafe import Markup, escape

from dashboards import wording
from dashboards.language import gettext, later
from schemas.verdict import HandReplay, Step

STAGES: Final = {
    "carre": later("Before the deal"),
    "deal": later("Deal"),
    "speaking": later("Speaking"),
    "answering": later("Answering"),
    "no-more": later("No more?"),
    "showdown": later("Showdown"),
    "declaring": later("Declaring"),
    "drawing": later("Drawing"),
    "playing": later("Playing"),
    "end": later("Settlement"),
}

_MADE_ONLY_IN: Final = {"deal": "deal", "turn": "deal", "play": "playing"}

_DOES: Final = {
    "ante": later("%(player)s antes"),
    "carre": later("%(player)s carres"),
    "decline": later("%(player)s declines the carre"),
    "deal": later("%(player)s is dealt"),
    "pass": later("%(player)s passes"),
    "open": later("%(player)s opens"),
    "call": later("%(player)s calls"),
    "raise": later("%(player)s raises"),
    "fold": later("%(player)s folds"),
    "no-more": later("%(player)s says no more"),
    "show": later("%(player)s shows"),
    "stay": later("%(player)s stays"),
    "out": later("%(player)s sits out"),
    "play": later("%(player)s plays"),
    "renege": later("%(player)s is said to have reneged"),
    "foreign": later("%(player)s does something that this game does not know"),
}

_TURNING: Final = frozenset({"R", "AL", "AN", "LRE", "LRO", "RLE", "RLO", "LRI", "RLI", "FSI"})
"""The classes of Unicode's characters that change the direction of what stands beside them."""

_ISOLATED: Final = "\N{FIRST STRONG ISOLATE}"
_ISOLATED_NO_MORE: Final = "\N{POP DIRECTIONAL ISOLATE}"

_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

_ADDS: Final = {
    "ante": later("%(player)s antes, adding %(amount)s"),
    "carre": later("%(player)s carres, adding %(amount)s"),
    "open": later("%(player)s opens, adding %(amount)s"),
    "call": later("%(player)s calls, adding %(amount)s"),
    "raise": later("%(player)s raises, adding %(amount)s"),
}


def player_at(replay: HandReplay, seat: int) -> str:
    """Who sits there; a document may name a seat that is not at the table."""
    known = seat < len(replay.players)
    return replay.players[seat] if known else gettext("seat %(number)s", number=seat)


def short_player(replay: HandReplay, seat: int) -> str:
    """The same within a sentence, clipped; a name written from the right turns no number round."""
    name = wording.short(player_at(replay, seat))
    turns = any(unicodedata.bidirectional(sign) in _TURNING for sign in name)
    return f"{_ISOLATED}{name}{_ISOLATED_NO_MORE}" if turns else name


def card_said(name: str) -> str:
    """A card within a sentence, such as ``10♠``."""
    if name == "??":
        return gettext("unknown card")
    return f"{name[0].replace('T', '10')}{_SIGNS[name[1]]}"


def step_told(replay: HandReplay, step: Step) -> Markup:
    """What is done at a step; whoever does it stands out."""
    if step.event is None:
        return escape(gettext("Antes are posted") if step.do == "ante" else _end_told(replay))
    if step.do == "turn":
        vying = step.state.play is None
        told = gettext("The retourne is turned up") if vying else gettext("The trump is turned up")
        return escape(told)
    player = wording.NOTHING if step.seat is None else player_at(replay, step.seat)
    values = {"player": Markup("<b><bdi>{}</bdi></b>").format(player)}
    if step.received is not None:
        return _draw_told(step.cards or [], values)
    if step.add is not None and step.do in _ADDS:
        return escape(gettext(_ADDS[step.do])) % {**values, "amount": wording.chips(step.add)}
    return escape(gettext(_DOES[step.do])) % values


def _end_told(replay: HandReplay) -> str:
    ours = replay.audit.ours
    if ours is None or any(pot.winners is None for pot in ours.pots):
        return gettext("Pots are paid")
    shares: dict[int, int] = {}
    for pot in ours.pots:
        for seat, share in (pot.winners or {}).items():
            shares[seat] = shares.get(seat, 0) + share
    if not shares:
        return gettext("The pot is carried to the next hand")
    told = (
        gettext(
            "%(player)s takes %(amount)s",
            player=short_player(replay, seat),
            amount=wording.chips(share),
        )
        for seat, share in shares.items()
    )
    return gettext("Pots are paid: %(shares)s", shares=", ".join(told))


def _draw_told(discards: list[str], values: dict[str, Markup]) -> Markup:
    if not discards:
        return escape(gettext("%(player)s stands pat")) % values
    told = gettext("%(player)s draws %(count)s for %(cards)s")
    cards = " ".join(map(card_said, discards))
    return escape(told) % {**values, "count": len(discards), "cards": cards}


def stage_told(step: Step, before: Step | None) -> str:
    """The stage in which a step is made; ``before`` is the step before it."""
    made_in = step if step.event is None or before is None else before
    return gettext(STAGES[_MADE_ONLY_IN.get(step.do, made_in.state.stage)])
