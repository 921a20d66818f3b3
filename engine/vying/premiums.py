"""Brelan premiums: who is due what from whom, and how it is paid (V15)."""

from engine.options import VyingOptions
from engine.result import PremiumPayment
from engine.vying.showdown import BEST_FAVORI, CARRE, FAVORI, MISTIGRI, NO_BRELAN, SIMPLE


def has_premiums(options: VyingOptions) -> bool:
    """Whether the table pays for any brelan at all."""
    return (
        options.premium_simple > 0
        or options.premium_carre > 0
        or options.premium_favori > 0
        or options.premium_favori_pot > 0
        or options.premium_mistigri > 0
    )


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
    seats = range(len(strengths))
    holders = [seat for seat in seats if strengths[seat] != NO_BRELAN]
    if options.premium_holders == "live":
        holders = [seat for seat in holders if live >> seat & 1]
    if not holders:
        return []
    holders.sort(key=lambda seat: -strengths[seat])
    left = stacks.copy()
    due = [0] * len(strengths)
    for seat in holders:
        due[seat] = premium_of(strengths[seat], options, wins_pot=bool(pot_winners >> seat & 1))
    payments = []
    for holder in holders:
        for payer in seats:
            owed = due[holder]
            if payer in holders:
                owed = 0 if options.premium_between_holders == "waive" else owed - due[payer]
            if owed <= 0:
                continue
            paid = owed if options.premium_account == "ledger" else min(owed, left[payer])
            left[payer] -= paid
            left[holder] += paid
            payments.append(PremiumPayment(holder, payer, paid, owed - paid))
    return payments


def net_premiums(payments: list[PremiumPayment], players: int) -> list[int]:
    """What each seat wins or pays in all."""
    net = [0] * players
    for payment in payments:
        net[payment.holder] += payment.amount
        net[payment.payer] -= payment.amount
    return net
