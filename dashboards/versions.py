"""Owns how two versions of one hand are shown side by side, and what differs between them."""

import difflib
import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct

from dashboards import replayer, settlement, wording
from dashboards.language import gettext
from schemas.audit import replay_document
from schemas.errors import UnreadableHand, step
from schemas.verdict import HandReplay
from warehouse.queries import StoredHand


class Line(Struct, frozen=True):
    """What each of the two versions says at one place; nothing where it says nothing there."""

    label: str
    left: str
    right: str
    differs: bool


class SideBySide(Struct, frozen=True):
    """Two versions of a hand: facts, seats and events of both, and all places that differ.

    ``places`` are those of the documents besides the events, by their JSON pointers.
    """

    facts: list[Line]
    seats: list[Line]
    events: list[Line]
    places: list[Line]


def side_by_side(left: StoredHand, right: StoredHand) -> SideBySide:
    """Compare two versions of a hand."""
    replays = (replay_document(left.document), replay_document(right.document))
    documents = (msgspec.json.decode(left.document), msgspec.json.decode(right.document))
    return SideBySide(
        facts=_facts(left, right),
        seats=_paired(gettext("Seat %(number)s"), *map(_seats, replays)),
        events=_aligned(*map(_events, documents, replays)),
        places=_places(*documents),
    )


def _facts(left: StoredHand, right: StoredHand) -> list[Line]:
    one, other = left.summary, right.summary
    rows = [
        (gettext("Verdict"), *(gettext(wording.VERDICTS[hand.verdict]) for hand in (one, other))),
        (gettext("Findings"), *(", ".join(hand.codes) or wording.NOTHING for hand in (one, other))),
        (gettext("Rules"), one.preset, other.preset),
        (gettext("Session"), one.session or wording.NOTHING, other.session or wording.NOTHING),
        (gettext("Pot"), wording.chips(one.pot), wording.chips(other.pot)),
        (gettext("Carried on"), wording.chips(one.carried), wording.chips(other.carried)),
        (gettext("Played"), wording.played(one), wording.played(other)),
    ]
    return [Line(label, mine, theirs, mine != theirs) for label, mine, theirs in rows]


def _seats(replay: HandReplay | UnreadableHand) -> list[str]:
    """Each seat in words: who sits there, and what the hand did to their stack."""
    if isinstance(replay, UnreadableHand):
        return []
    return [
        gettext(
            "%(player)s: %(before)s → %(after)s (%(net)s)",
            player=wording.short(row.player),
            before=wording.chips(row.start),
            after=wording.chips(row.stack),
            net=wording.signed(row.net),
        )
        for row in settlement.seat_rows(replay)
    ]


def _events(document: Any, replay: HandReplay | UnreadableHand) -> list[tuple[str, str]]:  # noqa: ANN401 -- any JSON
    """The events of a document, each as it stands there and in words."""
    said = {} if isinstance(replay, UnreadableHand) else _said(replay)
    return [
        (written := json.dumps(event, ensure_ascii=False, sort_keys=True), said.get(at, written))
        for at, event in enumerate(document.get("events", []))
    ]


def _said(replay: HandReplay) -> dict[int | None, str]:
    views = replayer.step_views(replay, replayer.finding_views(replay))
    return {
        one.event: Markup(" ").join([view.text, *view.cards])
        for one, view in zip(replay.steps, views, strict=True)
    }


def _paired(label: str, left: Sequence[str], right: Sequence[str]) -> list[Line]:
    return [
        Line(label % {"number": number}, mine, theirs, mine != theirs)
        for number, (mine, theirs) in enumerate(zip_longest(left, right, fillvalue=""), start=1)
    ]


def _aligned(left: list[tuple[str, str]], right: list[tuple[str, str]]) -> list[Line]:
    """The events of both, those that are the same beside each other."""
    one_side, other_side = ([text for text, _ in events] for events in (left, right))
    matcher = difflib.SequenceMatcher(None, one_side, other_side, autojunk=False)
    lines: list[Line] = []
    for kind, i, j, k, m in matcher.get_opcodes():
        for mine, theirs in zip_longest(left[i:j], right[k:m]):
            one, other = _told_apart(mine, theirs)
            lines.append(Line(str(len(lines) + 1), one, other, kind != "equal"))
    return lines


def _told_apart(mine: tuple[str, str] | None, theirs: tuple[str, str] | None) -> tuple[str, str]:
    """Two events in words; as they are written where they read alike and are not."""
    if mine is not None and theirs is not None and mine[1] == theirs[1] and mine[0] != theirs[0]:
        return mine[0], theirs[0]
    return (mine[1] if mine else ""), (theirs[1] if theirs else "")


def _places(left: Any, right: Any) -> list[Line]:  # noqa: ANN401 -- any JSON
    ours = {**left, "events": None}
    theirs = {**right, "events": None}
    return [
        Line(pointer, _written(mine), _written(other), differs=True)
        for pointer, mine, other in _differences(ours, theirs, "")
    ]


_NOWHERE: Any = object()


def _differences(left: Any, right: Any, pointer: str) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401 -- any JSON
    """The places at which two documents differ, with what each has there."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in dict.fromkeys([*left, *right]):
            here = (left.get(key, _NOWHERE), right.get(key, _NOWHERE))
            yield from _differences(*here, step(pointer, key))
    elif isinstance(left, list) and isinstance(right, list):
        for at, here in enumerate(zip_longest(left, right, fillvalue=_NOWHERE)):
            yield from _differences(*here, step(pointer, at))
    elif left != right:
        yield pointer, left, right


def _written(value: Any) -> str:  # noqa: ANN401 -- any JSON
    return "" if value is _NOWHERE else json.dumps(value, ensure_ascii=False)
