"""Owns the sentence that says what is wrong with a session, and the hand that it leads to."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dashboards import wording
from dashboards.language import gettext, language, ngettext
from engine.terms import Verdict
from schemas.session_verdict import SessionAudit
from warehouse.sessions.results import SessionResult, result_of
from warehouse.sessions.runs import AuditedSession

CONFLICT: Final = "hand-conflict"

_GRAVE: Final = ("illegal", "discrepancy")


class Fault(Struct, frozen=True):
    """What is wrong in a sentence, what makes it so, and where it can be seen.

    ``verdict`` is the tone in which it is said. ``finding`` is the code at whose step the hand's
    page begins, and ``versions`` says that there are several of the hand, of which one counts.
    """

    verdict: Verdict
    sentence: str
    because: str | None = None
    hand_no: int | None = None
    hand_id: str | None = None
    finding: str | None = None
    versions: bool = False


def fault_of(audited: AuditedSession) -> Fault:
    """The gravest that there is to say of a session; that nothing is wrong is said as well."""
    result = result_of(audited.audit, audited.hand_ids)
    for found in (_wrong_result(audited.audit, result), _at_hands(audited), _open(audited)):
        if found is not None:
            return found
    if result.agrees:
        return Fault("legal", gettext("Every hand is legal, and the declared result is right."))
    return Fault(
        "legal", gettext("Every hand is legal; nothing is declared of the result to compare with.")
    )


def _wrong_result(audit: SessionAudit, result: SessionResult) -> Fault | None:
    if result.agrees is not False:
        return None
    ours = ", ".join(map(wording.short, result.winners))
    declared = ", ".join(map(wording.short, _declared_winners(audit)))
    values = {"declared": declared, "ours": ours, "hand": result.parts_at}
    if result.parts_at is None:
        others = [one.message[language()] for one in audit.findings if one.severity in _GRAVE]
        told = gettext("The declared result is wrong, and no hand says so before the end.")
        return Fault("illegal", told, next(iter(others), None))
    if declared and ours and declared != ours:
        text = gettext(
            "The declared result is wrong from hand %(hand)s on: it makes %(declared)s the winner, "
            "and %(ours)s won.",
            **values,
        )
    else:
        text = gettext("The declared result is wrong from hand %(hand)s on.", **values)
    return Fault(
        verdict="illegal",
        sentence=text,
        because=_said_of(audit, result.parts_at, result.finding),
        hand_no=result.parts_at,
        hand_id=result.hand_id,
        finding=result.finding,
    )


def _declared_winners(audit: SessionAudit) -> list[str]:
    return [one.player for one in audit.standings if one.declared and one.declared.position == 1]


def _said_of(audit: SessionAudit, number: int, code: str | None) -> str | None:
    """What was found in a hand under a code, in the page's language."""
    for hand in audit.hands:
        if hand.hand_no == number:
            for one in hand.violations:
                if one.code == code:
                    return one.message[language()]
    return None


def _at_hands(audited: AuditedSession) -> Fault | None:
    """The first hand that is illegal, or that does not follow from the one before it."""
    faults = sorted(_faults(audited), key=lambda one: (one.hand_no is None, one.hand_no or 0))
    if not faults:
        return None
    number = len(faults)
    text = ngettext(
        "%(num)s thing is wrong with the hands.",
        "%(num)s things are wrong with the hands; this is the first.",
        number,
        num=wording.chips(number),
    )
    return replace(faults[0], sentence=text, because=faults[0].sentence)


def _faults(audited: AuditedSession) -> Iterator[Fault]:
    audit = audited.audit
    hand_ids = {hand.hand_no: audited.hand_ids.get(hand.place) for hand in audit.hands}
    for found in audit.findings:
        if found.severity in _GRAVE:
            hand_id = None if found.hand is None else hand_ids.get(found.hand)
            yield Fault(
                verdict="illegal",
                sentence=found.message[language()],
                hand_no=found.hand,
                hand_id=hand_id,
                versions=found.code == CONFLICT,
            )
    for hand in audit.hands:
        for one in hand.violations:
            if one.severity in _GRAVE:
                hand_id = hand_ids[hand.hand_no]
                message = one.message[language()]
                yield Fault(
                    verdict="illegal",
                    sentence=message,
                    hand_no=hand.hand_no,
                    hand_id=hand_id,
                    finding=one.code,
                )


def _open(audited: AuditedSession) -> Fault | None:
    """Where something cannot be verified."""
    audit = audited.audit
    if audit.verdict != "unverifiable":
        return None
    said = [one.message[language()] for one in audit.findings if one.severity == "unverifiable"]
    hand = next((one for one in audit.hands if one.verdict == "unverifiable"), None)
    return Fault(
        verdict="unverifiable",
        sentence=gettext("Nothing is wrong, but not everything can be verified."),
        because=next(iter(said), None),
        hand_no=None if hand is None else hand.hand_no,
        hand_id=None if hand is None else audited.hand_ids.get(hand.place),
    )
