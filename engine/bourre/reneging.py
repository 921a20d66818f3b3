"""A renege claimed at the table, and the card taken back in time where the table allows it (B6)."""

from typing import Final

from engine.bourre.dealing import stage_acts
from engine.bourre.report import report, report_at
from engine.bourre.state import END, NO_SUIT, NOBODY, PLAYING, BourreState
from engine.bourre.tricks import end_trick, offence_at, take_card
from engine.cards import UNKNOWN, card_name
from engine.violations import CODES

NO_CARD: Final = -2
"""A claim without a card: nothing is taken back."""


def renege(state: BourreState, seat: int, card: int) -> None:
    """A claim that the seat reneged; with a card, it takes its own back and plays that instead."""
    if state.stage == END and not state.trick.seats:
        report(state, "hand-over", "do", seat, None, "renege")
    elif state.out >> seat & 1:
        report(state, "not-in-hand", "seat", seat, NOBODY, seat)
    elif state.stage < PLAYING:
        report(state, "wrong-stage", "do", seat, stage_acts(state), "renege")
    elif card == NO_CARD:
        state.claims[seat] = state.event
    elif seat not in state.trick.seats:
        report(state, "correction-late", "card", seat, None, card_name(card))
    else:
        _correct(state, seat, card)


def settle_claims(state: BourreState) -> int:
    """Reports the claims that the cards refute; returns who reneged, as a mask.

    A claim that hidden cards leave open is taken as the table took it.
    """
    open_still = any(state.hidden_plays) or state.trump == NO_SUIT
    reneged = 0
    for seat in range(state.players):
        event = state.claims[seat]
        if state.offences[seat] or (event != NOBODY and open_still):
            reneged |= 1 << seat
        elif event != NOBODY:
            report_at(state, event, "renege-unfounded", "seat", seat, None, seat, [])
    return reneged


def _correct(state: BourreState, seat: int, card: int) -> None:
    """The card on the table goes back to the hand, another comes for it."""
    allowed = state.options.renege != "pays-pot"
    if not allowed:
        report(state, "correction-not-allowed", "do", seat, None, "renege")
    trick = state.trick
    if state.trick_complete():
        if trick.winner != NOBODY:
            state.won[trick.winner] -= 1
        state.leader = trick.seats[0]
        state.stage = PLAYING
    place = trick.seats.index(seat)
    old = trick.cards[place]
    event = trick.events[place]
    if allowed:
        _forgive(state, seat, event, card)
    state.notes[seat] = [note for note in state.notes[seat] if note.event != event]
    state.size[seat] += 1
    if old != UNKNOWN:
        state.held[seat] |= 1 << old
    trick.cards[place] = UNKNOWN
    take_card(state, seat, card, trick.cards[:place])
    trick.cards[place] = card
    trick.events[place] = state.event
    if state.trick_complete():
        end_trick(state)


def _forgive(state: BourreState, seat: int, event: int, card: int) -> None:
    """Turns the offence of a play into a note that it was put right."""
    found = offence_at(state, event)
    if found is not None:
        state.offences[seat] -= 1
        found.code = "renege-corrected"
        found.expected = card_name(card)
        found.ruling = CODES[found.code].ruling
    elif not state.hidden(seat):
        report(state, "renege-unfounded", "seat", seat, None, seat)
