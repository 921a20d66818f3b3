"""Owns what the replayer page shows round the table: step sentences, findings, the settlement.

The table itself is drawn in the browser from the states of the `HandReplay`, which are embedded
in the page. Nothing here or there knows a rule.
"""

from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from dashboards import wording
from schemas.document import Declared
from schemas.verdict import BourreOutcome, HandReplay, Outcome, Step, Violation

STAGES: Final = {
    "carre": "Before the deal",
    "deal": "Deal",
    "speaking": "Speaking",
    "answering": "Answering",
    "no-more": "No more?",
    "showdown": "Showdown",
    "declaring": "Declaring",
    "drawing": "Drawing",
    "playing": "Playing",
    "end": "Settlement",
}

MADE_ONLY_IN: Final = {"deal": "deal", "turn": "deal", "play": "playing"}

SENTENCES: Final = {
    "ante": "antes",
    "carre": "carres",
    "decline": "declines the carre",
    "deal": "is dealt",
    "pass": "passes",
    "open": "opens",
    "call": "calls",
    "raise": "raises",
    "fold": "folds",
    "no-more": "says no more",
    "show": "shows",
    "stay": "stays",
    "out": "sits out",
    "draw": "draws",
    "play": "plays",
    "renege": "is said to have reneged",
}


class StepView(Struct, frozen=True):
    """One line of the step list. ``number`` counts from 1; ``stage`` is set where it changes."""

    number: int
    stage: str | None
    actor: str | None
    text: str
    cards: list[str]
    severity: str | None


class FindingView(Struct, frozen=True):
    """A finding and the number of the step at which it shows, or none if at no step."""

    index: int
    violation: Violation
    step: int | None
    expected: str
    seen: str
    allowed: list[str]


class PointRow(Struct, frozen=True):
    """A suit's total at the showdown, its owner, and whether it decided a pot."""

    suit: str
    total: int
    owner: str | None
    decided: bool


class ComparedRow(Struct, frozen=True):
    """A value of ours beside the declared one. ``declared`` is empty where nothing was claimed."""

    label: str
    ours: str
    declared: str
    differs: bool


class SeatRow(Struct, frozen=True):
    """What the hand did to a seat. ``net`` includes premiums, whatever account they are in."""

    player: str
    start: int
    premium: int | None
    stack: int | None
    declared: int | None
    net: int | None

    @property
    def differs(self) -> bool:
        """Whether a stack was declared that is not ours."""
        return self.declared is not None and self.stack is not None and self.declared != self.stack


def hand_view(replay: HandReplay, code: str | None) -> dict[str, Any]:
    """What the templates show of a hand; it begins at the first finding with a code, if any."""
    findings = finding_views(replay)
    return {
        "audit": replay.audit,
        "initial": first_step(findings, code),
        "steps": step_views(replay, findings),
        "findings": findings,
        "seats": seat_rows(replay),
        "points": point_rows(replay),
        "payments": payment_lines(replay),
        "compared": compared_rows(replay),
        "replay_json": data_block(replay),
    }


def data_block(replay: HandReplay) -> str:
    """The replay as JSON that is safe inside a ``script`` element."""
    return wording.in_script(msgspec.json.encode(replay).decode())


def _player(replay: HandReplay, seat: int) -> str:
    """Who sits there; a document may name a seat that is not at the table."""
    return replay.players[seat] if seat < len(replay.players) else f"seat {seat}"


def _seat_name(replay: HandReplay, seat: int) -> str:
    return wording.short(_player(replay, seat))


def _vying_outcome(replay: HandReplay) -> Outcome | None:
    """What came of a hand that is decided by betting and cards shown; none of another game."""
    ours = replay.audit.ours
    return ours if isinstance(ours, Outcome) else None


def _said(replay: HandReplay, violation: Violation, thing: object) -> str:
    """What a finding expected or saw; a seat by its player."""
    if violation.pointer.endswith("/seat") and isinstance(thing, int):
        return _seat_name(replay, thing)
    return wording.value(thing)


def _text(step: Step) -> str:
    if step.event is None:
        return "Antes are posted" if step.do == "ante" else "Pots are paid"
    if step.do == "turn":
        turned = "retourne" if step.state.play is None else "trump"
        return f"The {turned} is turned up"
    if step.received is not None:
        return _draw_text(step.cards or [])
    sentence = SENTENCES.get(step.do, step.do.replace("-", " "))
    return f"{sentence}, adding {wording.chips(step.add)}" if step.add is not None else sentence


def _draw_text(discards: list[str]) -> str:
    return f"draws {len(discards)} for {' '.join(discards)}" if discards else "stands pat"


def step_views(replay: HandReplay, findings: list[FindingView]) -> list[StepView]:
    """The step list in order. An event stands under the stage in which it was made."""
    severities: dict[int | None, str] = {}
    for severity in reversed(wording.GRAVEST_FIRST):
        for finding in findings:
            if finding.violation.severity == severity:
                severities[finding.step] = severity
    views = []
    before: str | None = None
    for number, step in enumerate(replay.steps, start=1):
        made_in = step if step.event is None or number == 1 else replay.steps[number - 2]
        stage = STAGES[MADE_ONLY_IN.get(step.do, made_in.state.stage)]
        views.append(
            StepView(
                number=number,
                stage=stage if stage != before else None,
                actor=None if step.seat is None else _player(replay, step.seat),
                text=_text(step),
                cards=(step.cards if step.received is None else step.received) or [],
                severity=severities.get(number),
            )
        )
        before = stage
    return views


def finding_views(replay: HandReplay) -> list[FindingView]:
    """Every finding with its step, in the order of the audit."""
    steps: dict[int, int] = {}
    for number, step in enumerate(replay.steps, start=1):
        for index in step.violations:
            steps.setdefault(index, number)
    return [
        FindingView(
            index=index,
            violation=violation,
            step=steps.get(index),
            expected=_said(replay, violation, violation.expected),
            seen=_said(replay, violation, violation.seen),
            allowed=list(dict.fromkeys(wording.allowed(action) for action in violation.legal)),
        )
        for index, violation in enumerate(replay.audit.violations)
    ]


def first_step(findings: list[FindingView], code: str | None) -> int | None:
    """The step of the first finding with this code."""
    return next((view.step for view in findings if view.violation.code == code), None)


def point_rows(replay: HandReplay) -> list[PointRow]:
    """Suits by total, highest first; empty where there was no showdown by the point."""
    ours = _vying_outcome(replay)
    if ours is None or ours.points is None:
        return []
    owners = ours.owners or {}
    decided = {pot.suit for pot in ours.pots if pot.suit is not None}
    rows = []
    for suit, total in ours.points.items():
        owner = owners.get(suit)
        rows.append(
            PointRow(
                suit=suit,
                total=total,
                owner=None if owner is None else _player(replay, owner),
                decided=suit in decided,
            )
        )
    return sorted(rows, key=lambda row: -row.total)


def _shares(replay: HandReplay, winners: dict[int, int] | None) -> str:
    if not winners:
        return "unknown" if winners is None else "nobody"
    return ", ".join(
        f"{_seat_name(replay, seat)} {wording.chips(share)}" for seat, share in winners.items()
    )


def compared_rows(replay: HandReplay) -> list[ComparedRow]:
    """Pots, premiums and carried chips: ours beside the declared."""
    ours, declared = replay.audit.ours, replay.audit.declared
    if ours is None:
        return []
    rows = []
    claimed = [] if declared is None or declared.pots is UNSET else declared.pots
    for index in range(max(len(ours.pots), len(claimed))):
        label = "Main pot" if index == 0 else f"Side pot {index}" if index > 1 else "Side pot"
        mine = theirs = ""
        differs = False
        if index < len(ours.pots):
            pot = ours.pots[index]
            mine = f"{wording.chips(pot.amount)} → {_shares(replay, pot.winners)}"
        if index < len(claimed):
            claim = claimed[index]
            theirs = f"{wording.chips(claim.amount)} → {_shares(replay, claim.winners)}"
        if claimed:
            differs = mine != theirs
        rows.append(ComparedRow(label, mine or wording.NOTHING, theirs, differs))
    vying = _vying_outcome(replay)
    premiums = None if vying is None else vying.premiums
    if premiums is not None and declared is not None and declared.premiums is not UNSET:
        for seat, claimed_premium in sorted(declared.premiums.items()):
            premium = premiums.get(seat, 0)
            rows.append(
                ComparedRow(
                    f"Premium of {_seat_name(replay, seat)}",
                    wording.signed(premium),
                    wording.signed(claimed_premium),
                    claimed_premium != premium,
                )
            )
    if isinstance(ours, BourreOutcome):
        rows += _trick_rows(replay, ours, declared)
    if ours.carried or (declared is not None and declared.carried is not UNSET):
        carried = None if declared is None or declared.carried is UNSET else declared.carried
        rows.append(
            ComparedRow(
                "Carried on",
                wording.chips(ours.carried),
                "" if carried is None else wording.chips(carried),
                carried is not None and carried != ours.carried,
            )
        )
    return rows


def _trick_rows(
    replay: HandReplay, ours: BourreOutcome, declared: Declared | None
) -> list[ComparedRow]:
    """Tricks, and payments into the next pot, of every seat that has some or declares them."""
    paid = None if ours.payments is None else {part.seat: part.amount for part in ours.payments}
    tricks = None if ours.tricks is None else dict(enumerate(ours.tricks))
    rows = []
    for label, mine, claimed in (
        ("Tricks", tricks, UNSET if declared is None else declared.tricks),
        ("Payment", paid, UNSET if declared is None else declared.payments),
    ):
        claims = {} if claimed is UNSET else claimed
        for seat in sorted({*(mine or {}), *claims}):
            value = None if mine is None else mine.get(seat, 0)
            claim = claims.get(seat)
            if value or claim:
                rows.append(
                    ComparedRow(
                        f"{label} of {_seat_name(replay, seat)}",
                        wording.chips(value),
                        "" if claim is None else wording.chips(claim),
                        claim is not None and value is not None and claim != value,
                    )
                )
    return rows


def seat_rows(replay: HandReplay) -> list[SeatRow]:
    """Each seat's way through the hand; none where the hand could not begin."""
    if not replay.steps:
        return []
    begun = replay.steps[0].state
    ours, declared = replay.audit.ours, replay.audit.declared
    vying = _vying_outcome(replay)
    claims = None if declared is None or declared.stacks is UNSET else declared.stacks
    rows = []
    for seat, player in enumerate(replay.players):
        start = begun.stacks[seat] + begun.contributions[seat]
        stack = ours.stacks[seat] if ours is not None and ours.stacks is not None else None
        premium = vying.premiums.get(seat, 0) if vying is not None and vying.premiums else None
        net = None if stack is None else stack - start
        if net is not None and premium and vying is not None and vying.premium_account == "ledger":
            net += premium
        claim = claims[seat] if claims is not None and seat < len(claims) else None
        rows.append(SeatRow(player, start, premium, stack, claim, net))
    return rows


def _pot_payment_lines(replay: HandReplay, ours: BourreOutcome) -> list[str]:
    lines = []
    for payment in ours.payments or []:
        why = "no trick" if payment.by == "bourre" else "a renege"
        amount = wording.chips(payment.amount)
        line = f"{_seat_name(replay, payment.seat)} pays {amount} into the next pot, for {why}"
        if payment.short:
            line += f", {wording.chips(payment.short)} short"
        lines.append(line)
    return lines


def payment_lines(replay: HandReplay) -> list[str]:
    """Each payment besides the pots as a sentence: premiums, or into the next pot."""
    ours = replay.audit.ours
    if ours is None:
        return []
    if isinstance(ours, BourreOutcome):
        return _pot_payment_lines(replay, ours)
    lines = []
    for payment in ours.premium_payments:
        holder, payer = _seat_name(replay, payment.holder), _seat_name(replay, payment.payer)
        line = f"{payer} pays {holder} a premium of {wording.chips(payment.amount)}"
        if payment.short:
            line += f", {wording.chips(payment.short)} short"
        lines.append(line)
    return lines
