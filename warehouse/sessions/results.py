"""What a session's audit says of its result in a line: who won, and whether that was declared.

It is kept beside the audit, so that lists need not read audits.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, delete, select

from schemas.session_verdict import SessionAudit, SessionHand
from warehouse.tables import session_results

_MOST_WINNERS: Final = 20


class SessionResult(Struct, frozen=True):
    """The result of a session.

    ``agrees`` is whether what is declared is ours, None where there is nothing to compare.
    ``winners`` share the first place by our count. ``parts_at`` is the number of the first hand of
    which the session says what we do not, ``hand_id`` its id, and ``finding`` the code of what is
    wrong in it.
    """

    agrees: bool | None
    winners: list[str]
    parts_at: int | None = None
    hand_id: str | None = None
    finding: str | None = None


def result_of(audit: SessionAudit, hand_ids: Mapping[int, str]) -> SessionResult:
    """Return the result that an audit comes to; ``hand_ids`` are by the places of the hands."""
    said = [one.agrees for one in audit.standings if one.agrees is not None]
    winners = [one.player for one in audit.standings if one.ours and one.ours.position == 1]
    parted = [one.parts_at for one in audit.standings if one.parts_at is not None]
    hand = next((one for one in audit.hands if parted and one.hand_no == min(parted)), None)
    return SessionResult(
        agrees=all(said) if said else None,
        winners=winners[:_MOST_WINNERS],
        parts_at=None if hand is None else hand.hand_no,
        hand_id=None if hand is None else hand_ids.get(hand.place),
        finding=None if hand is None else _gravest(hand),
    )


def write_result(connection: Connection, session: str, result: SessionResult | None) -> None:
    """Keep the result of a session's last audit; without one, there is none any more."""
    connection.execute(delete(session_results).where(session_results.c.session == session))
    if result is not None:
        connection.execute(
            session_results.insert().values(
                session=session,
                agrees=result.agrees,
                winners=json.dumps(result.winners),
                parts_at=result.parts_at,
                hand_id=result.hand_id,
                finding=result.finding,
            )
        )


def read_results(connection: Connection, keys: Sequence[str]) -> dict[str, SessionResult]:
    """Return the results of sessions by their keys, of those that have one."""
    rows = connection.execute(select(session_results).where(session_results.c.session.in_(keys)))
    return {
        row.session: SessionResult(
            row.agrees, json.loads(row.winners), row.parts_at, row.hand_id, row.finding
        )
        for row in rows
    }


def _gravest(hand: SessionHand) -> str | None:
    graver = [one.code for one in hand.violations if one.severity != "warning"]
    return next(iter(graver or [one.code for one in hand.violations]), None)
