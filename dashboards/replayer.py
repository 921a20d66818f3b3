"""Owns what the replayer page shows beside the table: the step list and the findings.

The table itself is drawn in the browser from the states of the `HandReplay`, which are embedded
in the page. Nothing here or there knows a rule.
"""

import json
from typing import Any, Final

import msgspec
from markupsafe import Markup
from msgspec import Struct

from dashboards import evidence, rulings, settlement, wording
from dashboards.assets import in_script
from dashboards.language import gettext, language, ngettext
from dashboards.telling import card_said, stage_told, step_told
from schemas.verdict import HandReplay, LegalAction, Violation
from schemas.wording import ACT_WORDS

_COUNTED: Final = ("stay", "draw")
"""Acts whose number is one of cards, not of chips."""


class StepView(Struct, frozen=True):
    """One line of the step list. ``number`` counts from 1; ``stage`` is set where it changes."""

    number: int
    stage: str | None
    text: Markup
    cards: list[str]
    severity: str | None


class FindingView(Struct, frozen=True):
    """A finding, its sentence, and the number of the step at which it shows, or none if at none."""

    index: int
    violation: Violation
    step: int | None
    message: str
    expected: str
    seen: str
    allowed: list[str]
    ruling: str
    gist: str


def hand_view(replay: HandReplay, code: str | None) -> dict[str, Any]:
    """What the templates show of a hand; it begins at the first finding with a code, if any."""
    findings = finding_views(replay)
    return {
        "audit": replay.audit,
        "initial": first_step(findings, code),
        "steps": step_views(replay, findings),
        "findings": findings,
        "seats": settlement.seat_rows(replay),
        "points": settlement.point_rows(replay),
        "payments": settlement.payment_lines(replay),
        "compared": settlement.compared_rows(replay),
        "acts": json.dumps({do: _act(do) for do in ACT_WORDS}, ensure_ascii=False),
        "replay_json": data_block(replay),
    }


def data_block(replay: HandReplay) -> str:
    """The replay as JSON that is safe inside a ``script`` element."""
    return in_script(msgspec.json.encode(replay).decode())


def _act(do: str) -> str:
    """An act as an infinitive; a play without the card that is named beside it."""
    return gettext("play") if do == "play" else evidence.act_said(do)


def _allowed(action: LegalAction) -> str:
    """A legal action in words, such as ``raise, adding 9 to 93`` or ``play Q♥ 10♠``."""
    act, least, most = _act(action.do), action.min, action.max
    if action.cards is not None:
        return " ".join([act, *map(card_said, action.cards)])
    if least is None or most is None:
        return act
    amount = (
        wording.chips(least) if least == most else f"{wording.chips(least)}–{wording.chips(most)}"
    )
    if action.do in _COUNTED:
        return ngettext(
            "%(act)s, %(count)s card", "%(act)s, %(count)s cards", most, act=act, count=amount
        )
    return gettext("%(act)s, adding %(amount)s", act=act, amount=amount)


def step_views(replay: HandReplay, findings: list[FindingView]) -> list[StepView]:
    """The step list in order. An event stands under the stage in which it was made."""
    severities: dict[int | None, str] = {}
    for severity in reversed(wording.GRAVEST_FIRST):
        for finding in findings:
            if finding.violation.severity == severity:
                severities[finding.step] = severity
    views = []
    stage_before: str | None = None
    for number, step in enumerate(replay.steps, start=1):
        stage = stage_told(step, None if number == 1 else replay.steps[number - 2])
        views.append(
            StepView(
                number=number,
                stage=stage if stage != stage_before else None,
                text=step_told(replay, step),
                cards=(step.cards if step.received is None else step.received) or [],
                severity=severities.get(number),
            )
        )
        stage_before = stage
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
            message=violation.message[language()],
            expected=evidence.said(replay, violation, violation.expected),
            seen=evidence.said(replay, violation, violation.seen),
            allowed=list(dict.fromkeys(_allowed(action) for action in violation.legal)),
            ruling=rulings.titled(violation.ruling),
            gist=rulings.gist(violation.ruling),
        )
        for index, violation in enumerate(replay.audit.violations)
    ]


def first_step(findings: list[FindingView], code: str | None) -> int | None:
    """The step of the first finding with this code."""
    return next((view.step for view in findings if view.violation.code == code), None)
