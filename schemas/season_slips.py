"""What goes wrong in the season outside the play: at the score sheet, and in the logs."""

from fractions import Fraction

import msgspec
from msgspec import UNSET

from schemas import document
from schemas.session import DeclaredStanding, Session

_NOT_BEFORE, _NOT_AFTER = 4, 10
_DIFFERENCE = 5


def miscount(session: Session, hands: list[document.Hand]) -> None:
    """Has the score sheet give a pot of the winner's to the second, whom that makes the winner.

    The hand's own declared result and the results and places at the end are as that comes to; the
    other accounts are left out of the standings.

    Raises:
        LookupError: no pot of the middle of the session would change who wins.
    """
    if session.standings is UNSET:
        raise ValueError("a session without standings has no winner")
    first, second = session.standings[:2]
    for hand in hands[_NOT_BEFORE - 1 : _NOT_AFTER]:
        amount = _moved(hand, first, second)
        if amount:
            _write_standings(session.standings, first.player, second.player, amount)
            session.hands = [msgspec.Raw(msgspec.json.encode(one)) for one in hands]
            return
    raise LookupError(f"no pot of {session.session.id} decides who wins")


def _moved(hand: document.Hand, first: DeclaredStanding, second: DeclaredStanding) -> int:
    """Moves a pot from the one to the other in the hand's result; 0 where that is no use."""
    players = [seat.player for seat in hand.seats]
    winner, other = players.index(first.player), players.index(second.player)
    declared = hand.declared
    if declared is UNSET or declared.pots is UNSET or declared.stacks is UNSET:
        raise ValueError("a generated hand declares its result")
    amount = sum(pot.amount for pot in declared.pots)
    taken = [pot.winners for pot in declared.pots]
    if taken != [{winner: amount}] or 2 * amount <= _result(first) - _result(second):
        return 0
    declared.pots[0].winners = {other: amount}
    declared.stacks[winner] -= amount
    declared.stacks[other] += amount
    return amount


def _write_standings(
    standings: list[DeclaredStanding], first: str, second: str, amount: int
) -> None:
    moved = {first: -amount, second: amount}
    for standing in standings:
        result = _result(standing) + moved.get(standing.player, 0)
        standing.result = str(result)
        standing.decimal = standing.stack = standing.ledger = UNSET
        standing.share = standing.bought = UNSET
    standings.sort(key=lambda standing: -_result(standing))
    results = [_result(standing) for standing in standings]
    for standing, result in zip(standings, results, strict=True):
        standing.position = results.index(result) + 1


def _result(standing: DeclaredStanding) -> Fraction:
    return Fraction(str(standing.result))


def told_otherwise(hand: document.Hand) -> document.Hand:
    """The hand as somebody else wrote it down: the first two stacks differ at its end."""
    other = msgspec.json.decode(msgspec.json.encode(hand), type=document.Hand)
    if other.declared is UNSET or other.declared.stacks is UNSET:
        raise ValueError("a generated hand declares its stacks")
    stacks = other.declared.stacks
    poorer, richer = sorted(range(len(stacks)), key=lambda seat: stacks[seat])[::-1][:2]
    stacks[poorer] -= _DIFFERENCE
    stacks[richer] += _DIFFERENCE
    return other


def cut_off(line: bytes) -> bytes:
    """What a program that stops while it writes leaves of a line."""
    return line[: len(line) * 2 // 3]
