"""Before the betting: antes, the carre chain, the deal and the retourne (V2, V4, V16, V18)."""

from engine.cards import UNKNOWN, card_name, cards_in
from engine.options import VyingOptions
from engine.vying.report import report
from engine.vying.state import (
    CARRE_STAGE,
    DEAL_STAGE,
    END,
    NOBODY,
    SHOWDOWN,
    SPEAKING,
    VyingState,
)

HAND_CARDS = 3


def ante_due(options: VyingOptions, *, is_dealer: bool, carried: int) -> int:
    """What a seat owes before the cards; a carried pot stands for antes (V18)."""
    if not carried:
        return options.ante + options.dealer_extra if is_dealer else options.ante
    return 1 if is_dealer or options.carry == "everyone" else 0


def post_antes(state: VyingState) -> None:
    """Posts every ante, all-in where a stack cannot cover it (V16), and opens the carre chain."""
    for seat in range(state.players):
        due = ante_due(state.options, is_dealer=seat == state.dealer, carried=state.carried)
        state.move(seat, min(due, state.stacks[seat]))
    if state.options.carre != "none":
        _offer_carre(state, state.next_seat(state.dealer))


def logged_ante(state: VyingState, seat: int, add: int) -> None:
    """Checks an ante that the log writes out; the chips have moved already."""
    if state.begun:
        report(state, "wrong-stage", "do", seat, _stage_acts(state), "ante")
        return
    if state.antes_logged >> seat & 1:
        report(state, "ante-repeated", "", seat, None, add)
        return
    state.antes_logged |= 1 << seat
    due = state.contributions[seat]
    if add != due:
        report(state, "ante-amount", "add", seat, due, add)


def carre(state: VyingState, seat: int, add: int) -> None:
    """A carre: exactly P, by the seat whose turn in the chain it is."""
    if state.stage != CARRE_STAGE:
        report(state, "wrong-stage", "do", seat, _stage_acts(state), "carre")
        return
    if seat == state.carre_refuser and state.stacks[seat] < state.pot:
        report(state, "carre-unaffordable", "do", seat, state.pot, state.stacks[seat])
        return
    if state.carre_seat == NOBODY:
        report(state, "carre-closed", "do", seat, "deal", "carre")
        return
    if seat != state.carre_seat:
        report(state, "out-of-turn", "seat", seat, state.carre_seat, seat)
        return
    if add != state.pot:
        report(state, "carre-amount", "add", seat, state.pot, add)
    state.move(seat, min(add, state.stacks[seat]))
    state.last_carrer = seat
    if seat == state.dealer or state.options.carre == "first":
        state.carre_seat = NOBODY
    else:
        _offer_carre(state, state.next_seat(seat))


def decline(state: VyingState, seat: int) -> None:
    """A refusal, which ends the chain. A refusal for want of chips may be logged or not."""
    if state.stage != CARRE_STAGE:
        report(state, "wrong-stage", "do", seat, _stage_acts(state), "decline")
    elif state.carre_seat == NOBODY and seat == state.carre_refuser:
        state.carre_refuser = NOBODY
    elif state.carre_seat == NOBODY:
        report(state, "carre-closed", "do", seat, "deal", "decline")
    elif seat != state.carre_seat:
        report(state, "out-of-turn", "seat", seat, state.carre_seat, seat)
    else:
        state.carre_seat = NOBODY


def deal(state: VyingState, seat: int, cards: list[int]) -> None:
    """The three cards of a seat; the deal ends the carre chain."""
    if state.stage > DEAL_STAGE:
        report(state, "wrong-stage", "do", seat, _stage_acts(state), "deal")
    elif state.dealt >> seat & 1:
        report(state, "dealt-twice", "seat", seat, None, seat)
        return
    take_cards(state, seat, cards, 0)
    state.dealt |= 1 << seat
    state.stage = max(state.stage, DEAL_STAGE)


def turn(state: VyingState, card: int) -> None:
    """The retourne, after which the betting begins."""
    if state.stage > DEAL_STAGE:
        report(state, "wrong-stage", "do", NOBODY, _stage_acts(state), "turn")
        if state.turned:
            return
    if card != UNKNOWN:
        _check_card(state, NOBODY, card, "card")
        state.seen_cards |= 1 << card
    state.retourne = card
    state.turned = True
    if state.stage <= DEAL_STAGE:
        begin_speaking(state)


def begin_speaking(state: VyingState) -> None:
    """Starts the betting right of the last carrer, or of the dealer.

    A seat without chips cannot open and counts as having passed.
    """
    first_after = state.dealer if state.last_carrer == NOBODY else state.last_carrer
    state.stage = SPEAKING
    state.anchor = state.next_seat(first_after)
    state.pending = state.with_chips()
    end_if_all_passed(state)


def end_if_all_passed(state: VyingState) -> None:
    """Ends a hand that nobody else opens: the last carrer wins (V5), or the pot is carried."""
    carrer = state.last_carrer
    waiting = state.pending if carrer == NOBODY else state.pending & ~(1 << carrer)
    if not waiting:
        state.stage = END
        state.pending = 0
        state.passed_out = True
        state.winner = carrer


def show(state: VyingState, seat: int, cards: list[int]) -> None:
    """A hand laid open: at the showdown, or of free will after a pot won without one (V14)."""
    if state.stage == END:
        report(state, "shown-without-showdown", "do", seat, None, "show")
    elif state.stage != SHOWDOWN:
        report(state, "show-early", "do", seat, _stage_acts(state), "show")
    known = state.hands[seat]
    if not _may_be(cards, known):
        report(state, "show-differs", "cards", seat, _names(known), _listed(cards))
        return
    if not state.known >> seat & 1:
        take_cards(state, seat, cards, known)


def take_cards(state: VyingState, seat: int, cards: list[int], known: int) -> None:
    """Notes a seat's cards beyond those known, and checks that they are three, of the deck, new."""
    if len(cards) != HAND_CARDS:
        report(state, "card-count", "cards", seat, HAND_CARDS, len(cards))
    hand = known
    for place, card in enumerate(cards):
        if card == UNKNOWN:
            continue
        bit = 1 << card
        if not known & bit:
            if state.seen_cards & bit or not state.deck & bit:
                _check_card(state, seat, card, f"cards/{place}")
            state.seen_cards |= bit
            hand |= bit
    state.hands[seat] = hand
    if hand.bit_count() == HAND_CARDS:
        state.known |= 1 << seat


def _may_be(cards: list[int], known: int) -> bool:
    """Whether three shown cards and the known ones can be one hand."""
    shown = 0
    for card in cards:
        if card != UNKNOWN:
            if (shown & known) >> card & 1:
                return False
            shown |= 1 << card
    return len(cards) == HAND_CARDS and (shown | known).bit_count() <= HAND_CARDS


def _check_card(state: VyingState, seat: int, card: int, field: str) -> None:
    if state.seen_cards >> card & 1:
        report(state, "card-twice", field, seat, None, card_name(card))
    elif not state.deck >> card & 1:
        report(state, "card-not-in-deck", field, seat, None, card_name(card))


def _offer_carre(state: VyingState, seat: int) -> None:
    if state.stacks[seat] >= state.pot > 0:
        state.carre_seat = seat
    else:
        state.carre_seat = NOBODY
        state.carre_refuser = seat


def _stage_acts(state: VyingState) -> str:
    return (
        "carre, decline, deal or turn",
        "deal or turn",
        "pass or open",
        "call, raise or fold",
        "no-more or raise",
        "show",
        "nothing",
    )[state.stage]


def _names(hand: int) -> list[str]:
    return _listed(cards_in(hand))


def _listed(cards: list[int]) -> list[str]:
    return [card_name(card) for card in cards]
