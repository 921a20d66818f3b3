"""What a hand comes to, as rows and sentences: the point, pots, premiums, stacks.

Nothing here knows a rule: it shows what the audit computed beside what the document declares.
"""

from typing import Final

from msgspec import UNSET, Struct

from dashboards import wording
from dashboards.language import gettext, later
from dashboards.telling import player_at, short_player
from schemas.document import Declared
from schemas.verdict import BourreOutcome, HandReplay, Outcome, Pot

_DECIDED: Final = {
    "brelan-carre": later("by a brelan carré"),
    "brelan": later("by a brelan"),
    "point": later("by the point"),
    "uncontested": later("by the folds of all others"),
    "tricks": later("by tricks"),
    "carried": later("carried to the next hand"),
}
"""How it is decided who takes a pot."""

_PAID: Final = {
    "bourre": later("%(player)s pays %(amount)s into the next pot, for no trick"),
    "renege": later("%(player)s pays %(amount)s into the next pot, for a renege"),
}
_PAID_SHORT: Final = {
    "bourre": later("%(player)s pays %(amount)s into the next pot, for no trick, %(short)s short"),
    "renege": later("%(player)s pays %(amount)s into the next pot, for a renege, %(short)s short"),
}
_OF_SEATS: Final = {
    "tricks": later("Tricks of %(player)s"),
    "payments": later("Payment of %(player)s"),
}


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
    why: str = ""


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


def _vying_outcome(replay: HandReplay) -> Outcome | None:
    """What came of a hand that is decided by betting and cards shown; none of another game."""
    ours = replay.audit.ours
    return ours if isinstance(ours, Outcome) else None


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
                owner=None if owner is None else player_at(replay, owner),
                decided=suit in decided,
            )
        )
    return sorted(rows, key=lambda row: -row.total)


def _shares(replay: HandReplay, winners: dict[int, int] | None) -> str:
    if not winners:
        return gettext("unknown") if winners is None else gettext("nobody")
    return ", ".join(
        f"{short_player(replay, seat)} {wording.chips(share)}" for seat, share in winners.items()
    )


def _pot_label(index: int) -> str:
    if index == 0:
        return gettext("Main pot")
    return gettext("Side pot") if index == 1 else gettext("Side pot %(number)s", number=index)


def _pot_reason(replay: HandReplay, pot: Pot) -> str:
    """How a pot is decided, and among whom where not everybody may win it."""
    decided = "" if pot.by is None else gettext(_DECIDED[pot.by])
    if not 1 < len(pot.eligible) < len(replay.players):
        return decided
    among = ", ".join(short_player(replay, seat) for seat in pot.eligible)
    if not decided:
        return gettext("among %(players)s", players=among)
    return gettext("%(decided)s, among %(players)s", decided=decided, players=among)


def compared_rows(replay: HandReplay) -> list[ComparedRow]:
    """Pots, premiums, tricks, payments and carried chips: ours beside the declared."""
    ours, declared = replay.audit.ours, replay.audit.declared
    if ours is None:
        return []
    rows = _pot_rows(replay, ours, declared)
    vying = _vying_outcome(replay)
    premiums = None if vying is None else vying.premiums
    if premiums is not None and declared is not None and declared.premiums is not UNSET:
        for seat, claimed_premium in sorted(declared.premiums.items()):
            premium = premiums.get(seat, 0)
            if premium == claimed_premium == 0:
                continue
            rows.append(
                ComparedRow(
                    gettext("Premium of %(player)s", player=short_player(replay, seat)),
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
                gettext("Carried on"),
                wording.chips(ours.carried),
                "" if carried is None else wording.chips(carried),
                carried is not None and carried != ours.carried,
            )
        )
    return rows


def _pot_rows(
    replay: HandReplay, ours: Outcome | BourreOutcome, declared: Declared | None
) -> list[ComparedRow]:
    rows = []
    claimed = [] if declared is None or declared.pots is UNSET else declared.pots
    for index in range(max(len(ours.pots), len(claimed))):
        mine = theirs = why = ""
        if index < len(ours.pots):
            pot = ours.pots[index]
            mine = f"{wording.chips(pot.amount)} → {_shares(replay, pot.winners)}"
            why = _pot_reason(replay, pot)
        if index < len(claimed):
            claim = claimed[index]
            theirs = f"{wording.chips(claim.amount)} → {_shares(replay, claim.winners)}"
        differs = bool(claimed) and mine != theirs
        rows.append(ComparedRow(_pot_label(index), mine or wording.NOTHING, theirs, differs, why))
    return rows


def _trick_rows(
    replay: HandReplay, ours: BourreOutcome, declared: Declared | None
) -> list[ComparedRow]:
    """Tricks, and payments into the next pot, of every seat that has some or declares them."""
    paid = None if ours.payments is None else {part.seat: part.amount for part in ours.payments}
    tricks = None if ours.tricks is None else dict(enumerate(ours.tricks))
    rows = []
    for kind, mine, claimed in (
        ("tricks", tricks, UNSET if declared is None else declared.tricks),
        ("payments", paid, UNSET if declared is None else declared.payments),
    ):
        claims = {} if claimed is UNSET else claimed
        for seat in sorted({*(mine or {}), *claims}):
            value = None if mine is None else mine.get(seat, 0)
            claim = claims.get(seat)
            if value or claim:
                rows.append(
                    ComparedRow(
                        gettext(_OF_SEATS[kind], player=short_player(replay, seat)),
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
    return [
        gettext(
            (_PAID_SHORT if payment.short else _PAID)[payment.by],
            player=short_player(replay, payment.seat),
            amount=wording.chips(payment.amount),
            short=wording.chips(payment.short),
        )
        for payment in ours.payments or []
    ]


def payment_lines(replay: HandReplay) -> list[str]:
    """Each payment besides the pots as a sentence: returned, as premiums, or into the next pot."""
    ours = replay.audit.ours
    if ours is None:
        return []
    if isinstance(ours, BourreOutcome):
        return _pot_payment_lines(replay, ours)
    lines = [
        gettext(
            "%(player)s takes back %(amount)s that nobody called",
            player=short_player(replay, seat),
            amount=wording.chips(amount),
        )
        for seat, amount in ours.returned.items()
    ]
    for payment in ours.premium_payments:
        values = {
            "payer": short_player(replay, payment.payer),
            "holder": short_player(replay, payment.holder),
            "amount": wording.chips(payment.amount),
        }
        if payment.short:
            short = wording.chips(payment.short)
            told = gettext(
                "%(payer)s pays %(holder)s a premium of %(amount)s, %(short)s short",
                short=short,
                **values,
            )
        else:
            told = gettext("%(payer)s pays %(holder)s a premium of %(amount)s", **values)
        lines.append(told)
    return lines
