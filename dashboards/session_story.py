"""Owns who won a session and why: where everybody's chips came from, and in which hands."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, Literal

from msgspec import Struct

from dashboards import wording
from dashboards.language import gettext, later
from engine.terms import Verdict
from schemas.session_verdict import ComparedStanding, SessionHand
from warehouse.sessions.runs import AuditedSession

Line = Literal["net", "showdown", "alone", "premium", "other"]

LINES: Final[dict[Line, str]] = {
    "net": later("All of it"),
    "showdown": later("At the showdown"),
    "alone": later("Without a showdown"),
    "premium": later("Premiums"),
    "other": later("Not told apart"),
}
"""Where chips come from. Not told apart is what breaks bring in, and hands that stay open."""

_MOST: Final = {
    "showdown": later("Most of it was won at the showdown."),
    "alone": later("Most of it was won without a showdown, from players who gave way."),
    "premium": later("Most of it came from premiums."),
    "other": later("Most of it cannot be told apart by where it came from."),
}
_TELLING_HANDS: Final = 3


class HandNet(Struct, frozen=True):
    """What a hand brought a player, in chips, and the stack after it; None where that is open."""

    hand_no: int
    hand_id: str | None
    verdict: Verdict
    player: str
    stack: int | None
    showdown: int
    alone: int
    premium: int
    other: int

    @property
    def net(self) -> int:
        """All of it."""
        return self.showdown + self.alone + self.premium + self.other

    def of(self, line: Line) -> int:
        """What one line of it is."""
        amount: int = getattr(self, line)
        return amount


class TellingHand(Struct, frozen=True):
    """A hand that moved many chips: who won and lost them, the most first."""

    hand_no: int
    hand_id: str | None
    moved: int
    nets: list[HandNet]


class Came(Struct, frozen=True):
    """A player's result by where it came from, and the hands that mattered most to it.

    ``share`` is that of the pot that was left, and ``result``, which all of it adds up to, is
    exact, as text.
    """

    player: str
    position: int
    showdown: int
    alone: int
    premium: int
    other: int
    share: str
    result: str
    telling: list[HandNet]


class Story:
    """Who won a session, and what made it so."""

    def __init__(self, audited: AuditedSession) -> None:
        self.nets = list(hand_nets(audited))
        by_player: dict[str, list[HandNet]] = {}
        for one in self.nets:
            by_player.setdefault(one.player, []).append(one)
        self.players = [
            _came(one, by_player.get(one.player, []))
            for one in audited.audit.standings
            if one.ours is not None
        ]
        self.has_other = any(one.other for one in self.players)
        self.has_share = any(wording.fraction(one.share) for one in self.players)
        self.telling = _telling(self.nets)

    @property
    def sentences(self) -> list[str]:
        """Who won, with how much, and by what; nothing where the end is open."""
        winners = [one for one in self.players if one.position == 1]
        if not winners:
            return []
        result = wording.exact(winners[0].result, signed=True)
        if len(winners) > 1:
            names = ", ".join(wording.short(one.player) for one in winners)
            return [
                gettext(
                    "%(players)s share the first place with %(result)s each.",
                    players=names,
                    result=result,
                )
            ]
        [winner] = winners
        name = wording.short(winner.player)
        said = [gettext("%(player)s won with %(result)s.", player=name, result=result)]
        most = max(_MOST, key=lambda line: getattr(winner, line))
        if getattr(winner, most) > 0:
            said.append(gettext(_MOST[most]))
        return said


def hand_nets(audited: AuditedSession) -> Iterator[HandNet]:
    """What every hand brought its players, hand after hand.

    It is the change of a player's stack and ledger beside what was bought, which all the hands add
    up to; what the hand itself does not tell of it is `other`.
    """
    worth: dict[str, int] = {}
    for hand in audited.audit.hands:
        lines = audited.lines.get(hand.place, {})
        for player, after in _worth(hand).items():
            line = lines.get(player)
            net = after - worth.get(player, 0)
            worth[player] = after
            if line is None and not net:
                continue
            parts = (0, 0, 0) if line is None else (line.showdown, line.alone, line.premium)
            yield HandNet(
                hand.hand_no,
                audited.hand_ids.get(hand.place),
                hand.verdict,
                player,
                (hand.stacks or {}).get(player),
                *parts,
                other=net - sum(parts),
            )


def _worth(hand: SessionHand) -> dict[str, int]:
    """What everybody has beside what they bought; nothing where the hand's outcome is open."""
    return {
        player: stack + hand.ledger.get(player, 0) - hand.bought.get(player, 0)
        for player, stack in (hand.stacks or {}).items()
    }


def _came(standing: ComparedStanding, nets: list[HandNet]) -> Came:
    ours = standing.ours
    if ours is None:
        raise ValueError("a standing that is open comes from nowhere")
    telling = sorted(nets, key=lambda one: (-abs(one.net), one.hand_no))[:_TELLING_HANDS]
    return Came(
        player=standing.player,
        position=ours.position,
        showdown=sum(one.showdown for one in nets),
        alone=sum(one.alone for one in nets),
        premium=sum(one.premium for one in nets),
        other=_rest(ours.result.exact, ours.share.exact, nets),
        share=ours.share.exact,
        result=ours.result.exact,
        telling=[one for one in telling if one.net],
    )


def _rest(result: str, share: str, nets: list[HandNet]) -> int:
    """What is not of the three lines; it is whole, as only the share of the pot may be not."""
    told = sum(one.showdown + one.alone + one.premium for one in nets)
    return int(Fraction(result) - Fraction(share) - told)


def _telling(nets: list[HandNet]) -> list[TellingHand]:
    by_hand: dict[int, list[HandNet]] = {}
    for one in nets:
        if one.net:
            by_hand.setdefault(one.hand_no, []).append(one)
    found = [
        TellingHand(
            number,
            some[0].hand_id,
            sum(one.net for one in some if one.net > 0),
            sorted(some, key=lambda one: -one.net),
        )
        for number, some in by_hand.items()
    ]
    return sorted(found, key=lambda one: (-one.moved, one.hand_no))[:_TELLING_HANDS]
