"""A session document around hands that are at hand: what an honest client would declare of them."""

from collections.abc import Sequence
from io import BytesIO
from typing import Literal

import msgspec
from msgspec import UNSET

from schemas import document
from schemas.inflate import StreamLimits
from schemas.session import (
    DeclaredStanding,
    Entrant,
    LedgerPoint,
    ListedRebuy,
    Session,
    SessionId,
)
from schemas.session_audit import audit_upload
from schemas.session_verdict import ComparedStanding, SessionAudit

NO_LIMITS = StreamLimits(max_ratio=1 << 30)


def declare_session(
    hands: Sequence[document.Hand], name: str, kind: Literal["session", "tournament"] = "session"
) -> Session:
    """The hands of one session in order, with entrants, rebuys, ledger and standings.

    Raises:
        ValueError: the hands are not those of one session, or its end is open.
    """
    inline = [msgspec.Raw(msgspec.json.encode(hand)) for hand in hands]
    session = Session(
        session=SessionId(id=name, kind=kind), format=document.FORMAT_VERSION, hands=inline
    )
    audit = audit_upload(BytesIO(msgspec.json.encode(session)), NO_LIMITS)
    if not isinstance(audit, SessionAudit):
        raise ValueError(f"no session: {audit}")  # noqa: TRY004 - the value is wrong, not its type
    session.rules = hands[0].rules
    met: dict[str, int] = {}
    for hand in hands:
        for seat in hand.seats:
            met.setdefault(seat.player, seat.stack)
    session.entrants = [Entrant(player=player, buy_in=stack) for player, stack in met.items()]
    session.rebuys = _rebuys(hands)
    if audit.options.get("premium-account") == "ledger":
        session.ledger = [
            LedgerPoint(after=hand.hand_no, balances=hand.ledger) for hand in audit.hands
        ]
    session.standings = [_declared(standing, audit) for standing in audit.standings]
    return session


def _rebuys(hands: Sequence[document.Hand]) -> list[ListedRebuy]:
    return [
        ListedRebuy(
            player=seat.player,
            hand_no=number if hand.session is UNSET else hand.session.hand_no,
            amount=seat.rebuy,
            at=hand.played_at,
        )
        for number, hand in enumerate(hands, 1)
        for seat in hand.seats
        if seat.rebuy is not UNSET
    ]


def _declared(compared: ComparedStanding, audit: SessionAudit) -> DeclaredStanding:
    ours = compared.ours
    if ours is None:
        raise ValueError(f"the standing of {compared.player} in {audit.session} is open")
    return DeclaredStanding(
        player=compared.player,
        result=ours.result.exact,
        decimal=ours.result.decimal,
        position=ours.position,
        stack=ours.stack,
        ledger=ours.ledger,
        share=ours.share.exact,
        bought=ours.bought,
    )
