"""Brelan premiums: who is due what from whom, and how it is paid (V15)."""

from engine.options import VyingOptions
from engine.result import PremiumPayment
from engine.vying.showdown import BEST_FAVORI, CARRE, FAVORI, MISTIGRI, NO_BRELAN, SIMPLE


def premium_of(strength: int, options: VyingOptions, *, wins_pot: bool) -> int:
    """What each other player owes for a brelan of this strength."""
    if strength >= BEST_FAVORI or FAVORI <= strength < SIMPLE:
        return options.premium_favori_pot if wins_pot else options.premium_favori
    if strength >= CARRE:
        return options.premium_carre
    if strength >= SIMPLE:
        return options.premium_simple
    if strength >= MISTIGRI:
        return options.premium_mistigri
    return 0


def premium_payments(
    strengths: list[int], live: int, pot_winners: int, options: VyingOptions, stacks: list[int]
) -> list[PremiumPayment]:
    """Every payment in the order in which it is made: carré first, then by rank.

    Holders waive or net between each other as the table has it. From a stack a payer gives what he
    has, the rest is short and no debt; a ledger has no bottom. ``stacks`` are those after the pots
    and are left as they are.
    """
    if max(strengths) == NO_BRELAN:
        return []
    left = stacks.copy()
    due = [_due(seat, strengths, live, pot_winners, options) for seat in range(len(strengths))]
    holders = sorted((seat for seat in range(len(due)) if due[seat]), key=lambda s: -strengths[s])
    payments = []
    for holder in holders:
        for payer in range(len(due)):
            owed = due[holder] - _countered(due[payer], options) if payer != holder else 0
            if due[payer] and options.premium_between_holders == "waive":
                owed = 0
            if owed <= 0:
                continue
            paid = owed if options.premium_account == "ledger" else min(owed, left[payer])
            left[payer] -= paid
            left[holder] += paid
            payments.append(PremiumPayment(holder, payer, paid, owed - paid))
    return payments


def _due(
    seat: int, strengths: list[int], live: int, pot_winners: int, options: VyingOptions
) -> int:
    if options.premium_holders == "live" and not live >> seat & 1:
        return 0
    return premium_of(strengths[seat], options, wins_pot=bool(pot_winners >> seat & 1))


def _countered(payer_due: int, options: VyingOptions) -> int:
    return payer_due if options.premium_between_holders == "net" else 0
