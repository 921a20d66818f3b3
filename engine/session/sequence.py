"""The order of a session's hands: which count, and which are missing, repeated or misplaced (S4).

Hands go by their numbers. Where a number or a hand is given twice the first one counts.
"""

from bisect import bisect_left

from engine.session.record import SessionHand, SessionRecord
from engine.session.result import SessionFinding


def hands_in_order(record: SessionRecord, findings: list[SessionFinding]) -> list[SessionHand]:
    """The hands that count, by number; what is wrong with the others is added to the findings."""
    counting = _without_repeats(record.hands, findings)
    misplaced = _misplaced(counting)
    for index, hand in enumerate(counting):
        if hand.place in misplaced:
            neighbour = counting[index - 1] if index else counting[1]
            found = _found(hand, "hand-misplaced", neighbour.number, hand.number)
            found.part = "" if index else "first"
            findings.append(found)
    return sorted(counting, key=_number)


def report_time(before: SessionHand, hand: SessionHand, findings: list[SessionFinding]) -> None:
    """Reports a hand that began before the hand that it follows."""
    if -1 < hand.began < before.began:
        place = hand.place
        pointer = f"/hands/{place}/played_at"
        finding = SessionFinding(
            "time-break", pointer, hand.number, place, -1, before.began, hand.began
        )
        findings.append(finding)


def report_missing(
    expected: int, hand: SessionHand | None, last: int, findings: list[SessionFinding]
) -> None:
    """Reports the hands from ``expected`` to ``last``, which stand nowhere."""
    place = -1 if hand is None else hand.place
    pointer = "/hands" if hand is None else f"/hands/{place}"
    missing = str(expected) if expected == last else f"{expected}–{last}"
    found = SessionFinding("hand-missing", pointer, expected, place, -1, missing, None)
    findings.append(found)


def _number(hand: SessionHand) -> int:
    return hand.number


def _without_repeats(hands: list[SessionHand], findings: list[SessionFinding]) -> list[SessionHand]:
    by_number: dict[int, SessionHand] = {}
    by_identity: dict[str, SessionHand] = {}
    for hand in hands:
        if hand.foreign:
            findings.append(_found(hand, "hand-foreign", None, hand.identity))
            continue
        known = by_identity.get(hand.identity) or by_number.get(hand.number)
        if known is None:
            by_number[hand.number] = hand
            by_identity[hand.identity] = hand
        elif known.content == hand.content:
            findings.append(_found(hand, "hand-repeated", known.number, hand.identity))
        else:
            findings.append(_found(hand, "hand-conflict", known.identity, hand.identity))
    return list(by_number.values())


def _misplaced(hands: list[SessionHand]) -> set[int]:
    """The places of the fewest hands without which the numbers rise."""
    tails: list[int] = []
    ends: list[int] = []
    links: list[int] = []
    for index, hand in enumerate(hands):
        length = bisect_left(tails, hand.number)
        links.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(hand.number)
            ends.append(index)
        else:
            tails[length] = hand.number
            ends[length] = index
    rising = set()
    index = ends[-1] if ends else -1
    while index >= 0:
        rising.add(hands[index].place)
        index = links[index]
    return {hand.place for hand in hands} - rising


def _found(hand: SessionHand, code: str, expected: object, seen: object) -> SessionFinding:
    return SessionFinding(code, f"/hands/{hand.place}", hand.number, hand.place, -1, expected, seen)
