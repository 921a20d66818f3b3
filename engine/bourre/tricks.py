"""The play: cards to tricks, each judged by what is known, at once or by what comes later."""

from engine.acts import PLAY
from engine.bourre.compulsion import OFFENCES, best_place, legal_cards, mask_of, offence
from engine.bourre.dealing import stage_acts
from engine.bourre.drawing import end_drawing
from engine.bourre.report import report, report_at
from engine.bourre.state import (
    DRAWING,
    END,
    HAND_CARDS,
    NOBODY,
    PLAYING,
    BourreState,
    PlayNote,
    Trick,
)
from engine.cards import UNKNOWN, card_name, cards_in
from engine.violations import CODES, Action, Violation


def play(state: BourreState, seat: int, card: int) -> None:
    """A card played to the trick on the table, or leading to the next one."""
    if not _may_play(state, seat):
        return
    if state.trick_complete():
        _clear(state, seat)
    elif not state.trick.seats:
        state.leader = seat
    trick = state.trick
    take_card(state, seat, card, trick.cards)
    trick.seats.append(seat)
    trick.cards.append(card)
    trick.events.append(state.event)
    if state.trick_complete():
        end_trick(state)


def take_card(state: BourreState, seat: int, card: int, before: list[int]) -> None:
    """Takes a card out of the seat's hand and judges the play; ``before`` lies in the trick."""
    if card == UNKNOWN:
        state.hidden_plays[seat] += 1
    elif _check_held(state, seat, card):
        if state.hidden(seat):
            _judge_by_parts(state, seat, card, before)
        else:
            held = state.held[seat]
            judge(
                state, seat, PlayNote(state.event, card, before, state.gone, held, state.won[seat])
            )
        state.held[seat] &= ~(1 << card)
    state.size[seat] -= 1
    if state.size[seat] < state.held[seat].bit_count():
        _forget(state, seat)
    if card != UNKNOWN:
        state.placed |= 1 << card


def judge(state: BourreState, seat: int, note: PlayNote) -> None:
    """Reports what a play breaks, if anything; the finding stands at the event of the play.

    What is found already is put in the words of all that is known by now.
    """
    code = offence(
        state.options, state.trump, note.before, note.card, note.held, note.gone, note.won
    )
    if not code:
        return
    legal = legal_cards(state.options, state.trump, note.before, note.held, note.gone, note.won)
    names = [card_name(card) for card in cards_in(legal)]
    found = offence_at(state, note.event)
    if found is None:
        state.offences[seat] += 1
        seen = card_name(note.card)
        offered = [Action(PLAY, seat, cards=legal)]
        report_at(state, note.event, code, "card", seat, names, seen, offered)
    else:
        found.code = code
        found.expected = names
        found.legal = [Action(PLAY, seat, cards=legal)]
        found.ruling = CODES[code].ruling


def offence_at(state: BourreState, event: int) -> Violation | None:
    """The offence that is found at an event, if any."""
    for found in state.violations:
        if found.event == event and found.code in OFFENCES:
            return found
    return None


def end_trick(state: BourreState) -> None:
    """Gives the trick on the table to its winner; the fifth ends the hand."""
    trick = state.trick
    place = best_place(trick.cards, state.trump)
    trick.winner = trick.seats[place] if place >= 0 else NOBODY
    state.leader = trick.winner
    if trick.winner != NOBODY:
        state.won[trick.winner] += 1
    if state.tricks_played == HAND_CARDS - 1:
        state.stage = END


def _may_play(state: BourreState, seat: int) -> bool:
    """Whether the card goes to the trick, however wrong the moment; reports what is wrong."""
    if state.stage == END:
        report(state, "hand-over", "do", seat, None, "play")
        return False
    if state.out >> seat & 1:
        report(state, "not-in-hand", "seat", seat, state.to_speak(), seat)
        return False
    if state.stage == DRAWING:
        end_drawing(state)
    elif state.stage != PLAYING:
        if not state.stuck:
            report(state, "wrong-stage", "do", seat, stage_acts(state), "play")
            state.stuck = True
        return False
    expected = state.to_play()
    if expected not in (NOBODY, seat):
        report(state, "out-of-turn", "seat", seat, expected, seat)
        return state.trick_complete() or seat not in state.trick.seats
    return True


def _clear(state: BourreState, leader: int) -> None:
    """Takes the full trick off the table; whoever leads has won it, where nothing else tells."""
    trick = state.trick
    if trick.winner == NOBODY:
        state.won[leader] += 1
    state.gone |= mask_of(trick.cards)
    state.tricks_played += 1
    state.trick = Trick()
    state.leader = leader


def _check_held(state: BourreState, seat: int, card: int) -> bool:
    """Whether the card can be in the seat's hand; a hand that is found wrong counts as unknown."""
    bit = 1 << card
    if state.held[seat] & bit:
        return True
    in_tricks = state.gone & bit or card in state.trick.cards
    elsewhere = (state.placed | state.discarded[seat]) & bit
    if not in_tricks and not elsewhere and state.hidden(seat):
        return True
    code = "card-twice" if in_tricks else "card-not-held"
    report(state, code, "card", seat, None, card_name(card))
    _forget(state, seat)
    return False


def _forget(state: BourreState, seat: int) -> None:
    state.placed &= ~state.held[seat]
    state.held[seat] = 0


def _judge_by_parts(state: BourreState, seat: int, card: int, before: list[int]) -> None:
    """Judges a play from a hand known in part, and the seat's earlier plays by the new card."""
    bit = 1 << card
    if not state.held[seat] & bit:
        for note in state.notes[seat]:
            note.held |= bit
            judge(state, seat, note)
        state.held[seat] |= bit
    held = state.held[seat]
    note = PlayNote(state.event, card, before.copy(), state.gone, held, state.won[seat])
    judge(state, seat, note)
    state.notes[seat].append(note)
