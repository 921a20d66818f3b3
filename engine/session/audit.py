"""The audit of a session: its hands in order, held against one another, and its end."""

from engine.session.chain import Chain
from engine.session.record import SessionHand, SessionRecord
from engine.session.result import SessionFinding, SessionReplay
from engine.session.sequence import hands_in_order, report_missing, report_time
from engine.session.standings import compare_standings, final_standings


def audit_session(record: SessionRecord) -> SessionReplay:
    """Audits a session from hand to hand.

    Findings come in the order of the hands, those about the whole session last. A hand that is
    missing or broken is reported, and the audit goes on from what the next hand states.
    """
    findings: list[SessionFinding] = []
    hands = hands_in_order(record, findings)
    chain = Chain(record, findings)
    tables = []
    previous: SessionHand | None = None
    for hand in hands:
        expected = 1 if previous is None else previous.number + 1
        missing = hand.number - expected
        if missing:
            report_missing(expected, hand, hand.number - 1, findings)
        if previous is not None:
            report_time(previous, hand, findings)
        tables.append(chain.take(hand, missing))
        previous = hand
    last = 0 if previous is None else previous.number
    ended = last >= record.listed
    if not ended:
        report_missing(last + 1, None, record.listed, findings)
    _check_length(record, hands, findings)
    _check_entrants(record, chain, findings)
    chain.report_unplayed()
    standings = None
    if previous is not None and not chain.open_outcome:
        standings = final_standings(record, chain, previous)
        if record.standings is not None and ended:
            compare_standings(record.standings, standings, findings)
    findings.sort(key=_by_hand)
    return SessionReplay(findings, tables, standings, chain.carried, ended=ended)


def _check_length(
    record: SessionRecord, hands: list[SessionHand], findings: list[SessionFinding]
) -> None:
    length = record.terms.hands
    last = hands[-1].number if hands else 0
    if length in {0, last}:
        return
    if last < length:
        findings.append(SessionFinding("session-short", "/hands", -1, -1, -1, length, last))
        return
    for hand in hands:
        if hand.number > length:
            pointer = f"/hands/{hand.place}"
            finding = SessionFinding(
                "session-long", pointer, hand.number, hand.place, -1, length, hand.number
            )
            findings.append(finding)


def _check_entrants(record: SessionRecord, chain: Chain, findings: list[SessionFinding]) -> None:
    """The entrants' caves, and whether they came at all. Their order is the document's."""
    for index, (player, buy_in) in enumerate((record.buy_ins or {}).items()):
        at = f"/entrants/{index}"
        if buy_in != record.terms.cave:
            findings.append(
                SessionFinding(
                    "arrival-cave",
                    f"{at}/buy_in",
                    -1,
                    -1,
                    player,
                    record.terms.cave,
                    buy_in,
                    "entrant",
                )
            )
        if player not in chain.stacks:
            findings.append(SessionFinding("never-seated", at, -1, -1, player, None, None))


def _by_hand(finding: SessionFinding) -> tuple[bool, int]:
    return finding.number < 0, finding.number
