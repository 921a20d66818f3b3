"""Before anybody declares: antes, five cards each, and the card that makes the trump."""

from engine.bourre.report import report, report_hand
from engine.bourre.state import DEAL_STAGE, DECLARING, HAND_CARDS, NOBODY, BourreState
from engine.cards import UNKNOWN, card_name


def post_antes(state: BourreState, exempt: list[bool]) -> None:
    """Posts every ante that is owed; a stack that cannot cover it posts what it has."""
    options = state.options
    for seat in range(state.players):
        if exempt[seat]:
            if options.ante_exemption != "none":
                continue
            report_hand(
                state, "exemption-not-allowed", f"/seats/{seat}/exempt", options.ante, 0, seat
            )
        ante = min(options.ante, state.stacks[seat])
        state.stacks[seat] -= ante
        state.contributions[seat] = ante
        state.pot += ante


def logged_ante(state: BourreState, seat: int, add: int) -> None:
    """Checks an ante that the log writes out; the chips have moved already."""
    if state.begun:
        report(state, "wrong-stage", "do", seat, stage_acts(state), "ante")
        return
    if state.antes_logged >> seat & 1:
        report(state, "ante-repeated", "", seat, None, add)
        return
    state.antes_logged |= 1 << seat
    due = state.contributions[seat]
    if add != due:
        report(state, "ante-amount", "add", seat, due, add)


def deal(state: BourreState, seat: int, cards: list[int]) -> None:
    """The five cards of a seat, the dealer's turned card among them where it is one of them."""
    if state.dealt >> seat & 1:
        report(state, "dealt-twice", "seat", seat, None, seat)
        return
    if state.stage != DEAL_STAGE:
        report(state, "wrong-stage", "do", seat, stage_acts(state), "deal")
    if len(cards) != HAND_CARDS:
        report(state, "card-count", "cards", seat, HAND_CARDS, len(cards))
    state.dealt |= 1 << seat
    if state.stage > DECLARING:
        return
    for place, card in enumerate(cards):
        bit = 0 if card == UNKNOWN else 1 << card
        if bit & state.placed & ~(state.held[seat] & 1 << max(0, state.turned)):
            report(state, "card-twice", f"cards/{place}", seat, None, card_name(card))
        elif state.held[seat].bit_count() < HAND_CARDS:
            state.held[seat] |= bit
            state.placed |= bit


def turn(state: BourreState, card: int) -> None:
    """The turned card, which makes the trump and ends the deal (B2)."""
    if state.stage != DEAL_STAGE:
        report(state, "wrong-stage", "do", NOBODY, stage_acts(state), "turn")
    if state.turn_seen:
        return
    state.turn_seen = True
    if card != UNKNOWN:
        _check_turned(state, card)
        state.turned = card
        state.trump = card // 13
        state.placed |= 1 << card
    if state.stage == DEAL_STAGE:
        state.stage = DECLARING


def stage_acts(state: BourreState) -> str:
    """What may be done at this stage, by name."""
    return (
        "deal or turn",
        "stay or out",
        "draw",
        "play",
        "nothing",
    )[state.stage]


def _check_turned(state: BourreState, card: int) -> None:
    """The turned card is the dealer's fifth, or one that nobody was dealt."""
    bit = 1 << card
    dealer = state.dealer
    if state.options.trump_card == "extra":
        if state.placed & bit:
            report(state, "card-twice", "card", NOBODY, None, card_name(card))
    elif state.placed & bit & ~state.held[dealer]:
        report(state, "card-twice", "card", NOBODY, None, card_name(card))
    elif not state.held[dealer] & bit:
        if state.hidden(dealer) and state.stage == DEAL_STAGE:
            state.held[dealer] |= bit
        elif not state.hidden(dealer):
            report(state, "turn-not-dealers", "card", dealer, None, card_name(card))
