"""Owns the chart of a session: every player's stack after every hand, as steps."""

from typing import Final

import polars as pl

from dashboards import wording
from dashboards.figures import MOST_POINTS, Trace, document, drawn, escaped, layout
from schemas.session_verdict import SessionAudit
from warehouse.sessions.runs import AuditedSession

COLOURS: Final = {
    "light": [
        *("#0b6650", "#2f62b0", "#b0531a", "#7a4a99"),
        *("#a3245f", "#5d6b00", "#00707d", "#8a6a3b"),
    ],
    "dark": [
        *("#5fcaa4", "#86b0f2", "#f2a56b", "#cfa3ec"),
        *("#f491bd", "#c3cf5c", "#6fd3df", "#d9bd8f"),
    ],
}
"""Of the players, in the order in which they sat down; then again, dotted."""

_MOST_MARKS: Final = 60


def marked_hands(audit: SessionAudit) -> list[int]:
    """The hands at which the session breaks, or parts from ours."""
    found = {finding.hand for finding in audit.findings}
    parted = {standing.parts_at for standing in audit.standings}
    return sorted(number for number in found | parted if number is not None)


def stacks_figure(audited: AuditedSession) -> str | None:
    """The stacks over the hands, as the JSON that the page's script draws; None for one hand.

    Returns:
        ``{"data", "layout", "templates": {"light", "dark"}}``. Every trace carries the hand ids as
        its custom data. Dotted lines stand at the hands of `marked_hands`.
    """
    audit = audited.audit
    known = [hand for hand in audit.hands if hand.stacks is not None]
    if len(known) < 2:
        return None
    lines: dict[str, tuple[list[int], list[int], list[str]]] = {}
    for hand in known:
        hand_id = audited.hand_ids.get(hand.place, "")
        for player, stack in (hand.stacks or {}).items():
            numbers, stacks, hand_ids = lines.setdefault(player, ([], [], []))
            numbers.append(hand.hand_no)
            stacks.append(stack)
            hand_ids.append(hand_id)
    colours = len(COLOURS["light"])
    most = max(MOST_POINTS // len(lines), 100)
    traces: list[Trace] = []
    for index, (player, (numbers, stacks, hand_ids)) in enumerate(lines.items()):
        places = drawn(pl.DataFrame({"stack": stacks}), most)
        traces.append(
            {
                "type": "scatter",
                "x": [numbers[place] for place in places],
                "y": [stacks[place] for place in places],
                "customdata": [hand_ids[place] for place in places],
                "name": escaped(wording.short(player)),
                "mode": "lines",
                "line": {
                    "width": 2,
                    "dash": "dot" if index // colours % 2 else "solid",
                    "shape": "hvh",
                },
                "hovertemplate": "%{fullData.name} %{y:,d}<extra></extra>",
            }
        )
    look = layout("Hand", "Chips", hovermode="x unified")
    look["xaxis"] |= {
        "tickformat": ",d",
        "hoverformat": ",d",
        "unifiedhovertitle": {"text": "After hand %{x:,d}"},
    }
    look["yaxis"] |= {"rangemode": "tozero", "tickformat": ",d"}
    look["shapes"] = [
        {"type": "line", "xref": "x", "yref": "paper", "layer": "below"}
        | {"x0": number, "x1": number, "y0": 0, "y1": 1}
        for number in marked_hands(audit)[:_MOST_MARKS]
    ]
    return document(traces, look, COLOURS)
