"""Owns the chart of a session: every player's stack after every hand, as steps."""

import json
from typing import Any, Final

import plotly.graph_objects as go  # type: ignore[import-untyped] # plotly ships no types

from dashboards import wording
from dashboards.figures import INKS, MOST_POINTS, drawn, escaped, theme
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
    traces = []
    for index, (player, (numbers, stacks, hand_ids)) in enumerate(lines.items()):
        places = drawn(stacks, most)
        traces.append(
            go.Scatter(
                x=[numbers[place] for place in places],
                y=[stacks[place] for place in places],
                customdata=[hand_ids[place] for place in places],
                name=escaped(wording.short(player)),
                mode="lines",
                line={
                    "width": 2,
                    "dash": "dot" if index // colours % 2 else "solid",
                    "shape": "hvh",
                },
                hovertemplate="%{fullData.name} %{y:,d}<extra></extra>",
            )
        )
    figure = go.Figure(
        data=traces,
        layout={
            "template": None,
            "margin": {"l": 56, "r": 16, "t": 8, "b": 44},
            "hovermode": "x unified",
            "dragmode": "zoom",
            "separators": wording.separators(),
            "xaxis": {
                "title": {"text": "Hand"},
                "showgrid": False,
                "zeroline": False,
                "tickformat": ",d",
                "hoverformat": ",d",
                "unifiedhovertitle": {"text": "After hand %{x:,d}"},
            },
            "yaxis": {
                "title": {"text": "Chips"},
                "zeroline": True,
                "rangemode": "tozero",
                "tickformat": ",d",
            },
            "showlegend": False,
            "shapes": [
                {"type": "line", "xref": "x", "yref": "paper", "layer": "below"}
                | {"x0": number, "x1": number, "y0": 0, "y1": 1}
                for number in marked_hands(audit)[:_MOST_MARKS]
            ],
        },
    )
    document: dict[str, Any] = json.loads(figure.to_json())
    document["templates"] = {
        name: theme(ink, COLOURS[name]).to_plotly_json() for name, ink in INKS.items()
    }
    return wording.in_script(json.dumps(document, separators=(",", ":")))
