"""Short sessions for the tests: hands of bare numbers, as if a game had been replayed."""

from collections.abc import Sequence

from engine.session.audit import audit_session
from engine.session.record import (
    DeclaredStanding,
    LedgerPoint,
    ListedRebuy,
    SessionHand,
    SessionRecord,
    SessionTerms,
)
from engine.session.result import SessionReplay

A, B, C, D = range(4)
OPEN_TERMS = SessionTerms(cave=100, hands=0, final_carried="left", seats="open")


def hand(
    number: int,
    stacks: Sequence[int],
    after: Sequence[int] | None,
    *,
    dealer: int = 0,
    players: Sequence[int] = (A, B, C),
    rebuys: Sequence[int] | None = None,
    carried: int = 0,
    left: int = 0,
    premiums: Sequence[int] | None = None,
    place: int | None = None,
    identity: str = "",
    content: str = "",
    began: int = -1,
    parted: Sequence[int] = (),
    exempt: Sequence[bool] | None = None,
    exempt_next: Sequence[bool] | None = None,
    foreign: bool = False,
    same_rules: bool = True,
) -> SessionHand:
    """A hand; it stands where its number says, and its ledger is still, unless told."""
    return SessionHand(
        place=number - 1 if place is None else place,
        number=number,
        identity=identity or f"hand {number}",
        content=content or f"content {number}",
        began=began,
        players=list(players),
        stacks=list(stacks),
        rebuys=[0] * len(stacks) if rebuys is None else list(rebuys),
        dealer=dealer,
        carried=carried,
        after=None if after is None else list(after),
        premiums=[0] * len(stacks) if premiums is None else list(premiums),
        left=left,
        parted=list(parted),
        exempt=[False] * len(stacks) if exempt is None else list(exempt),
        exempt_next=[False] * len(stacks) if exempt_next is None else list(exempt_next),
        foreign=foreign,
        same_rules=same_rules,
    )


def audited(
    *hands: SessionHand,
    terms: SessionTerms = OPEN_TERMS,
    buy_ins: dict[int, int] | None = None,
    rebuys: list[ListedRebuy] | None = None,
    ledger: list[LedgerPoint] | None = None,
    standings: list[DeclaredStanding] | None = None,
) -> SessionReplay:
    return audit_session(SessionRecord(terms, 4, list(hands), buy_ins, rebuys, ledger, standings))


def found(replay: SessionReplay) -> list[tuple[str, int, int]]:
    """Every finding as code, hand and player."""
    return [(finding.code, finding.number, finding.player) for finding in replay.findings]


def values(replay: SessionReplay) -> list[tuple[str, object, object]]:
    """Every finding as code, expected and seen."""
    return [(finding.code, finding.expected, finding.seen) for finding in replay.findings]


def balanced(replay: SessionReplay) -> bool:
    """Whether after every hand stacks, pot and ledger are what was bought and is unexplained."""
    return all(
        sum(table.stacks.values()) + table.carried + sum(table.ledger.values())
        == sum(table.bought.values()) + table.unexplained
        for table in replay.tables
        if table.stacks is not None
    )
