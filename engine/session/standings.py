"""The end of a session: exact results and positions, and ours against the declared (S3)."""

from fractions import Fraction

from engine.session.chain import Chain
from engine.session.record import DeclaredStanding, SessionHand, SessionRecord
from engine.session.result import SessionFinding, Standing


def final_standings(record: SessionRecord, chain: Chain, last: SessionHand) -> list[Standing]:
    """Everybody's standing, the best first; equal results share a position (1, 2, 2, 4).

    A pot that is split goes in equal parts to those who sat at the last hand. An entrant who never
    sat has the buy-in still.
    """
    shares: dict[int, Fraction] = {}
    if record.terms.final_carried == "split":
        for player in last.players:
            shares[player] = Fraction(chain.carried, len(last.players))
    standings = [
        Standing(
            player,
            stack,
            chain.ledger.get(player, 0),
            shares.get(player, Fraction(0)),
            chain.bought[player],
            verified=player not in chain.suspect,
            parts_at=chain.parts.get(player, -1),
        )
        for player, stack in chain.stacks.items()
    ]
    for player, buy_in in (record.buy_ins or {}).items():
        if player not in chain.stacks:
            standings.append(
                Standing(player, buy_in, 0, Fraction(0), buy_in, verified=True, parts_at=-1)
            )
    standings.sort(key=_worst_last)
    for index, standing in enumerate(standings):
        ahead = standings[index - 1]
        standing.position = index + 1
        if index and ahead.result == standing.result:
            standing.position = ahead.position
    return standings


def compare_standings(
    declared: list[DeclaredStanding], ours: list[Standing], findings: list[SessionFinding]
) -> None:
    """Reports every part of the declared standings that differs from ours."""
    by_player = {standing.player: standing for standing in ours}
    for index, claim in enumerate(declared):
        standing = by_player.pop(claim.player, None)
        at = f"/standings/{index}"
        if standing is None:
            findings.append(_found("declared-players", at, claim.player, None, None, "stranger"))
        else:
            _compare(claim, standing, at, findings)
    findings += [
        _found("declared-players", "/standings", player, None, None, "absent")
        for player in by_player
    ]


def _compare(
    claim: DeclaredStanding, standing: Standing, at: str, findings: list[SessionFinding]
) -> None:
    accounts: list[tuple[str, object, object]] = [
        ("stack", standing.stack, claim.stack),
        ("ledger", standing.ledger, claim.ledger),
        ("share", standing.share, claim.share),
        ("bought", standing.bought, claim.bought),
    ]
    for part, ours, seen in accounts:
        if seen is not None and seen != ours:
            finding = _found("declared-account", f"{at}/{part}", claim.player, ours, seen, part)
            findings.append(finding)
    if claim.result is not None and claim.result != standing.result:
        finding = _found(
            "declared-result", f"{at}/result", claim.player, standing.result, claim.result, ""
        )
        findings.append(finding)
    if claim.position is not None and claim.position != standing.position:
        finding = _found(
            "declared-position",
            f"{at}/position",
            claim.player,
            standing.position,
            claim.position,
            "",
        )
        findings.append(finding)


def _worst_last(standing: Standing) -> tuple[Fraction, int]:
    return -standing.result, standing.player


def _found(
    code: str, pointer: str, player: int, expected: object, seen: object, part: str
) -> SessionFinding:
    return SessionFinding(code, pointer, -1, -1, player, expected, seen, part)
