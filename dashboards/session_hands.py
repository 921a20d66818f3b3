"""Owns the hands behind a number of a session's page: which they are, and what they add up to."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from dashboards.session_story import LINES, HandNet, Line, hand_nets
from dashboards.wording import VERDICTS
from schemas.session_verdict import SessionHand
from warehouse.sessions.runs import AuditedSession

MOST_SHOWN: Final = 500


class Asked(Struct, frozen=True):
    """Which hands: those of a player that brought something by a line, those of a verdict."""

    line: Line = "net"
    player: str | None = None
    verdict: str | None = None

    @property
    def query(self) -> dict[str, str]:
        """The same as the query of an address."""
        asked = {"player": self.player, "line": self.line, "verdict": self.verdict}
        return {name: text for name, text in asked.items() if text and (name, text) != _PLAIN}


_PLAIN: Final = ("line", "net")


def read_asked(query: Mapping[str, str]) -> Asked | None:
    """What the query of an address asks for; None where a part of it is no such thing."""
    line = next((name for name in LINES if name == query.get("line", "net")), None)
    verdict = query.get("verdict") or None
    if line is None or (verdict is not None and verdict not in VERDICTS):
        return None
    return Asked(line, query.get("player") or None, verdict)


class ShownHand(Struct, frozen=True):
    """A hand, and whom it brought what of the line that is asked for, the most first."""

    hand: SessionHand
    hand_id: str | None
    nets: list[HandNet]


class HandsBehind:
    """The hands that make up a number."""

    def __init__(self, audited: AuditedSession, asked: Asked) -> None:
        self.line = asked.line
        self.players = list(audited.audit.hands[-1].ledger) if audited.audit.hands else []
        self.nets = [
            one
            for one in hand_nets(audited)
            if asked.player in (None, one.player)
            and asked.verdict in (None, one.verdict)
            and (asked.line == "net" or one.of(asked.line))
        ]
        by_hand: dict[int, list[HandNet]] = {}
        for one in self.nets:
            by_hand.setdefault(one.hand_no, []).append(one)
        is_any = asked.line == "net" and asked.player is None
        shown = [
            ShownHand(
                hand,
                audited.hand_ids.get(hand.place),
                sorted(by_hand.get(hand.hand_no, []), key=lambda one: -one.of(asked.line)),
            )
            for hand in audited.audit.hands
            if hand.hand_no in by_hand or (is_any and asked.verdict in (None, hand.verdict))
        ]
        self.count = len(shown)
        self.shown = shown[:MOST_SHOWN]
        self.total = sum(one.of(asked.line) for one in self.nets)
