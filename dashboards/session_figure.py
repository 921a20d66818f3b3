"""Owns the chart of a session: every player's stack after every hand, as steps."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl
from flask import url_for

from dashboards import wording
from dashboards.figures import MOST_POINTS, Chart, Row, Trace, document, drawn, escaped, layout
from dashboards.language import gettext
from schemas.session_verdict import SessionAudit, SessionHand
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
_LEAST_STRETCHES: Final = 10
_ROOM_FOR_A_LABEL: Final = 28  # pixels
_MARGIN: Final = 0.5
"""So many hands are free at the sides, however wide a label is."""


def marked_hands(audit: SessionAudit) -> list[int]:
    """The hands at which the session breaks, or parts from ours."""
    found = {finding.hand for finding in audit.findings}
    parted = {standing.parts_at for standing in audit.standings}
    return sorted(number for number in found | parted if number is not None)


def stacks_chart(audited: AuditedSession, wrong_from: int | None) -> Chart | None:
    """The stacks over the hands; None where there are not two hands to draw.

    Dotted lines stand at the `marked_hands`, and at the one that the result is ``wrong_from`` a
    line with its name.
    """
    audit = audited.audit
    known = [hand for hand in audit.hands if hand.stacks is not None]
    if len(known) < 2:
        return None
    players = list(known[-1].stacks or {})
    stacks = pl.DataFrame(
        {str(at): [_stack(hand, player) for hand in known] for at, player in enumerate(players)},
        schema={str(at): pl.Int64 for at in range(len(players))},
    )
    most = max(MOST_POINTS // len(players), _LEAST_STRETCHES * (2 + 2 * len(players)))
    places = drawn(stacks.fill_null(0), most)
    addresses = [_address(audited, hand) for hand in known]
    shown = [known[place] for place in places]
    look = layout(gettext("Hand"), gettext("Chips"), hovermode="x unified")
    look["xaxis"] |= {
        "range": [known[0].hand_no - _MARGIN, known[-1].hand_no + _MARGIN],
        "tickformat": ",d",
        "hoverformat": ",d",
        "unifiedhovertitle": {"text": gettext("After hand %(hand)s", hand="%{x:,d}")},
    }
    look["yaxis"] |= {"tickformat": ",d"}
    look["shapes"] = [_mark(number, wrong_from) for number in marked_hands(audit)[:_MOST_MARKS]]
    if wrong_from is not None:
        look["annotations"] = [_label(wrong_from, known)]
        look["margin"] = {**look["margin"], "t": _ROOM_FOR_A_LABEL}
    return Chart(
        id="stacks",
        label=gettext(
            "The stacks of %(players)s players over %(hands)s hands; the standings say where they "
            "end.",
            players=len(players),
            hands=wording.chips(len(audit.hands)),
        ),
        figure=document(_traces(shown, players, [addresses[at] for at in places]), look, COLOURS),
        columns=[gettext("After hand"), *players],
        rows=[
            Row(
                [hand.hand_no, *(_stack(hand, player) for player in players)],
                {0: address} if address else {},
            )
            for hand, address in zip(known, addresses, strict=True)
        ],
    )


def _traces(
    hands: Sequence[SessionHand], players: Sequence[str], addresses: Sequence[str | None]
) -> list[Trace]:
    """A line a player; the addresses of the hands are with the first of them."""
    numbers = [hand.hand_no for hand in hands]
    colours = len(COLOURS["light"])
    return [
        {
            "type": "scatter",
            "x": numbers,
            "y": [_stack(hand, player) for hand in hands],
            "name": escaped(wording.short(player)),
            "meta": wording.short(player),
            "mode": "lines",
            "line": {
                "width": 2,
                "dash": "dot" if at // colours % 2 else "solid",
                "shape": "hvh",
            },
            "hovertemplate": "%{fullData.name} %{y:,d}<extra></extra>",
            **({"customdata": addresses} if at == 0 else {}),
        }
        for at, player in enumerate(players)
    ]


def _mark(number: int, wrong_from: int | None) -> dict[str, Any]:
    """A line at a hand, from the bottom to the top."""
    mark = {"type": "line", "xref": "x", "yref": "paper", "layer": "below"}
    place = {"x0": number, "x1": number, "y0": 0, "y1": 1}
    return {**mark, **place, **({"line": {"width": 2}} if number == wrong_from else {})}


def _label(number: int, hands: Sequence[SessionHand]) -> dict[str, Any]:
    """What the line at the hand says: above it, and within the width of the chart."""
    first, last = hands[0].hand_no, hands[-1].hand_no
    third = (last - first) / 3
    side = "left" if number < first + third else "right" if number > last - third else "center"
    return {
        "text": gettext("Wrong from hand %(hand)s on", hand=wording.chips(number)),
        "x": number,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "xanchor": side,
        "showarrow": False,
    }


def _stack(hand: SessionHand, player: str) -> int | None:
    return (hand.stacks or {}).get(player)


def _address(audited: AuditedSession, hand: SessionHand) -> str | None:
    hand_id = audited.hand_ids.get(hand.place)
    return None if hand_id is None else url_for("pages.hand", hand_id=hand_id)
