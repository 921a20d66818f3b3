"""The faults in the play of Bouillotte and Brelan, a small function each: what could go wrong now.

Each looks at the table before an event and answers with the event that is wrong there, or None.
"""

from collections.abc import Callable
from typing import Final

from engine.cards import card_name, cards_in
from engine.vying.legality import calling, least_opening, may_open, may_raise
from engine.vying.opening import HAND_CARDS
from engine.vying.state import (
    ANSWERING,
    CARRE_STAGE,
    DEAL_STAGE,
    END,
    NO_MORE_ROUND,
    NOBODY,
    SHOWDOWN,
    SPEAKING,
    VyingState,
)
from schemas import document
from schemas.document import MAX_SEATS
from schemas.faults.kinds import Kind
from schemas.faults.slips import Moment as AnyMoment
from schemas.faults.slips import Slip, slip

Moment = AnyMoment[VyingState]


def _speaks(moment: Moment, *stages: int) -> int:
    """The seat that is to speak in one of the stages, or `NOBODY`."""
    return moment.state.to_speak() if moment.state.stage in stages else NOBODY


def _unseen(moment: Moment) -> list[int]:
    """The cards of the deck that lie nowhere on the table."""
    return cards_in(moment.state.deck & ~moment.state.seen_cards)


def _names(cards: list[int]) -> list[str]:
    return [card_name(card) for card in cards]


def _bet(moment: Moment, seat: int) -> document.AnyEvent:
    """A bet as the stage has them, by whatever seat."""
    state = moment.state
    if state.stage == SPEAKING:
        return document.Pass(seat=seat)
    if state.stage == ANSWERING:
        call = document.Call(seat=seat, add=calling(state, seat))
        return call if moment.rng.random() < 0.5 else document.Fold(seat=seat)
    return document.NoMore(seat=seat)


# the seats


def _by_no_seat(moment: Moment) -> Slip | None:
    players = moment.state.players
    if _speaks(moment, SPEAKING, ANSWERING, NO_MORE_ROUND) == NOBODY or players == MAX_SEATS:
        return None
    seat = moment.rng.randrange(players, MAX_SEATS)
    return Slip(document.Pass(seat=seat), "seat", added=True, seat=NOBODY)


def _out_of_turn(moment: Moment) -> Slip | None:
    state = moment.state
    speaks = _speaks(moment, SPEAKING, ANSWERING, NO_MORE_ROUND)
    others = moment.seats(state.with_chips() & ~(1 << max(speaks, 0)))
    if speaks == NOBODY or not others:
        return None
    seat = moment.rng.choice(others)
    left_out = not state.pending >> seat & 1
    return Slip(_bet(moment, seat), "seat", added=left_out)


def _carre_out_of_turn(moment: Moment) -> Slip | None:
    state = moment.state
    speaks = _speaks(moment, CARRE_STAGE)
    if speaks == NOBODY:
        return None
    seat = moment.rng.choice([seat for seat in range(state.players) if seat != speaks])
    declined: document.AnyEvent = document.Decline(seat=seat)
    made: document.AnyEvent = document.Carre(seat=seat, add=state.pot)
    return Slip(moment.rng.choice([declined, made]), "seat", added=True)


def _after_folding(moment: Moment) -> Slip | None:
    state = moment.state
    gone = moment.seats(((1 << state.players) - 1) & ~state.live)
    if _speaks(moment, SPEAKING, ANSWERING, NO_MORE_ROUND) == NOBODY or not gone:
        return None
    return Slip(_bet(moment, moment.rng.choice(gone)), "seat", added=True)


def _without_chips(moment: Moment) -> Slip | None:
    state = moment.state
    broke = moment.seats(state.live & ~state.with_chips())
    if _speaks(moment, SPEAKING, ANSWERING, NO_MORE_ROUND) == NOBODY or not broke:
        return None
    return Slip(_bet(moment, moment.rng.choice(broke)), "seat", added=True)


# acts out of place


def _act_of_bourre(moment: Moment) -> Slip | None:
    seat = moment.rng.randrange(moment.state.players)
    card = card_name(moment.rng.randrange(52))
    events: list[document.AnyEvent] = [
        document.Stay(seat=seat),
        document.Out(seat=seat),
        document.Draw(seat=seat, discards=[], received=[]),
        document.Play(seat=seat, card=card),
        document.Renege(seat=seat),
    ]
    return Slip(moment.rng.choice(events), "do", added=True)


def _late_carre(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage < DEAL_STAGE:
        return None
    seat = moment.rng.randrange(state.players)
    declined: document.AnyEvent = document.Decline(seat=seat)
    made: document.AnyEvent = document.Carre(seat=seat, add=state.pot)
    return Slip(moment.rng.choice([declined, made]), "do", added=True)


def _late_deal(moment: Moment) -> Slip | None:
    """The retourne comes before the last hand is dealt."""
    state = moment.state
    dealt = moment.next
    if not isinstance(dealt, document.Deal) or state.dealt.bit_count() != state.players - 1:
        return None
    unseen = [card for card in _names(_unseen(moment)) if card not in dealt.cards]
    turned = document.Turn(card=moment.rng.choice(unseen))
    return Slip(dealt, "do", before=[turned])


def _second_turn(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage < SPEAKING:
        return None
    return Slip(document.Turn(card=card_name(moment.rng.choice(_unseen(moment)))), "do", added=True)


def _late_ante(moment: Moment) -> Slip | None:
    state = moment.state
    if not state.begun:
        return None
    seat = moment.rng.randrange(state.players)
    return Slip(document.Ante(seat=seat, add=1), "do", added=True)


# antes and carres


def _other_ante(moment: Moment) -> Slip | None:
    state = moment.state
    if state.begun:
        return None
    seats = list(range(state.players))
    wrong = moment.rng.choice(seats)
    due = state.contributions[wrong]
    add = moment.rng.choice([add for add in range(due + 3) if add != due])
    return Slip(
        document.Ante(seat=wrong, add=add),
        "add",
        added=True,
        before=[_ante(state, seat) for seat in seats[:wrong]],
    )


def _ante_again(moment: Moment) -> Slip | None:
    state = moment.state
    if state.begun:
        return None
    antes = [_ante(state, seat) for seat in range(state.players)]
    again = moment.rng.choice(antes)
    return Slip(again, "", added=True, before=antes)


def _ante(state: VyingState, seat: int) -> document.Ante:
    return document.Ante(seat=seat, add=state.contributions[seat])


def _carre_after_the_chain(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage != CARRE_STAGE or state.carre_seat != NOBODY:
        return None
    seats = [seat for seat in range(state.players) if seat != state.carre_refuser]
    seat = moment.rng.choice(seats)
    declined: document.AnyEvent = document.Decline(seat=seat)
    made: document.AnyEvent = document.Carre(seat=seat, add=state.pot)
    return Slip(moment.rng.choice([declined, made]), "do", added=True)


def _other_carre(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, CARRE_STAGE)
    if seat == NOBODY:
        return None
    most = min(state.stacks[seat], 2 * state.pot)
    adds = [add for add in range(1, most + 1) if add != state.pot]
    if not adds:
        return None
    return Slip(document.Carre(seat=seat, add=moment.rng.choice(adds)), "add")


def _carre_without_chips(moment: Moment) -> Slip | None:
    state = moment.state
    seat = state.carre_refuser
    if state.stage != CARRE_STAGE or seat == NOBODY or state.stacks[seat] >= state.pot:
        return None
    add = moment.rng.choice([state.stacks[seat], state.pot])
    return Slip(document.Carre(seat=seat, add=add), "do", added=True)


# the cards


def _card_dealt_twice(moment: Moment) -> Slip | None:
    seen = cards_in(moment.state.seen_cards)
    if not seen:
        return None
    return _with_card(moment, moment.rng.choice(seen))


def _card_of_another_deck(moment: Moment) -> Slip | None:
    strange = [card for card in range(52) if not moment.state.deck >> card & 1]
    if not strange:
        return None
    return _with_card(moment, moment.rng.choice(strange))


def _with_card(moment: Moment, card: int) -> Slip | None:
    """The next deal or the retourne with this card in place of one of its own."""
    upcoming = moment.next
    if isinstance(upcoming, document.Turn):
        return Slip(document.Turn(card=card_name(card)), "card")
    if not isinstance(upcoming, document.Deal):
        return None
    cards = upcoming.cards.copy()
    place = moment.rng.randrange(HAND_CARDS)
    cards[place] = card_name(card)
    return Slip(document.Deal(seat=upcoming.seat, cards=cards), f"cards/{place}")


def _too_few_cards(moment: Moment) -> Slip | None:
    dealt = moment.next
    if not isinstance(dealt, document.Deal):
        return None
    cards = dealt.cards[: moment.rng.randrange(HAND_CARDS)]
    return Slip(document.Deal(seat=dealt.seat, cards=cards), "cards")


def _dealt_again(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage != DEAL_STAGE or not state.dealt:
        return None
    seat = moment.rng.choice(moment.seats(state.dealt))
    cards = moment.rng.choice([cards_in(state.hands[seat]), _unseen(moment)[:HAND_CARDS]])
    return Slip(document.Deal(seat=seat, cards=_names(cards)), "seat", added=True)


# before the opening


def _fold_before_the_opening(moment: Moment) -> Slip | None:
    seat = _speaks(moment, SPEAKING)
    return None if seat == NOBODY else Slip(document.Fold(seat=seat), "do")


def _answer_to_nothing(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, SPEAKING)
    if seat == NOBODY:
        return None
    add = moment.rng.randint(0, state.stacks[seat])
    events: list[document.AnyEvent] = [
        document.Call(seat=seat, add=calling(state, seat)),
        document.Raise(seat=seat, add=add),
        document.NoMore(seat=seat),
    ]
    return Slip(moment.rng.choice(events), "do")


def _low_opening(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, SPEAKING)
    if seat == NOBODY or not may_open(state, seat) or not least_opening(state, seat):
        return None
    add = moment.rng.randrange(least_opening(state, seat))
    return Slip(document.Open(seat=seat, add=add), "add")


def _opening_out_of_reach(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, SPEAKING)
    if seat == NOBODY or may_open(state, seat):
        return None
    return Slip(document.Open(seat=seat, add=state.stacks[seat]), "do")


def _opening_at_par(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, SPEAKING)
    if seat == NOBODY or not may_open(state, seat) or least_opening(state, seat):
        return None
    return Slip(document.Open(seat=seat, add=0), "add")


# after it


def _pass_after_the_opening(moment: Moment) -> Slip | None:
    seat = _speaks(moment, ANSWERING)
    return None if seat == NOBODY else Slip(document.Pass(seat=seat), "do")


def _no_more_early(moment: Moment) -> Slip | None:
    seat = _speaks(moment, ANSWERING)
    return None if seat == NOBODY else Slip(document.NoMore(seat=seat), "do")


def _second_opening(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, ANSWERING)
    if seat == NOBODY:
        return None
    add = moment.rng.randint(calling(state, seat), state.stacks[seat])
    return Slip(document.Open(seat=seat, add=add), "do")


def _other_call(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, ANSWERING)
    if seat == NOBODY:
        return None
    call = calling(state, seat)
    near = range(max(0, call - 5), min(state.stacks[seat], call + 5) + 1)
    return Slip(
        document.Call(seat=seat, add=moment.rng.choice([add for add in near if add != call])), "add"
    )


def _low_raise(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, ANSWERING, NO_MORE_ROUND)
    if seat == NOBODY or not may_raise(state, seat):
        return None
    add = moment.rng.randint(0, state.to_call(seat))
    return Slip(document.Raise(seat=seat, add=add), "add")


def _raise_out_of_reach(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, ANSWERING)
    if seat == NOBODY or may_raise(state, seat):
        return None
    return Slip(document.Raise(seat=seat, add=state.stacks[seat]), "do")


def _more_than_the_stack(moment: Moment) -> Slip | None:
    state = moment.state
    seat = _speaks(moment, SPEAKING, ANSWERING, NO_MORE_ROUND)
    if seat == NOBODY:
        return None
    add = state.stacks[seat] + moment.rng.randint(1, 20)
    events: list[document.AnyEvent] = []
    if state.stage == SPEAKING and may_open(state, seat):
        events = [document.Open(seat=seat, add=add)]
    elif state.stage != SPEAKING and may_raise(state, seat):
        events = [document.Raise(seat=seat, add=add)]
    if state.stage == ANSWERING:
        events.append(document.Call(seat=seat, add=add))
    return Slip(moment.rng.choice(events), "add") if events else None


# the no-more round and the end


def _call_in_no_more(moment: Moment) -> Slip | None:
    seat = _speaks(moment, NO_MORE_ROUND)
    if seat == NOBODY:
        return None
    call: document.AnyEvent = document.Call(seat=seat, add=0)
    passed: document.AnyEvent = document.Pass(seat=seat)
    return Slip(moment.rng.choice([call, passed]), "do")


def _fold_in_no_more(moment: Moment) -> Slip | None:
    seat = _speaks(moment, NO_MORE_ROUND)
    return None if seat == NOBODY else Slip(document.Fold(seat=seat), "do")


def _bet_after_the_betting(moment: Moment) -> Slip | None:
    return _late_bet(moment, SHOWDOWN)


def _bet_after_the_end(moment: Moment) -> Slip | None:
    return _late_bet(moment, END)


def _late_bet(moment: Moment, stage: int) -> Slip | None:
    state = moment.state
    if state.stage != stage:
        return None
    seat = moment.rng.choice(moment.seats(state.live))
    events: list[document.AnyEvent] = [
        document.Call(seat=seat, add=0),
        document.Raise(seat=seat, add=1),
        document.Fold(seat=seat),
        document.NoMore(seat=seat),
    ]
    return Slip(moment.rng.choice(events), "do", added=True)


def _early_show(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage >= SHOWDOWN or not state.dealt:
        return None
    return _show(moment, moment.rng.choice(moment.seats(state.dealt)))


def _show_without_need(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage != END:
        return None
    return _show(moment, moment.rng.randrange(state.players))


def _show(moment: Moment, seat: int) -> Slip:
    cards = cards_in(moment.state.hands[seat])
    return Slip(document.Show(seat=seat, cards=_names(cards)), "do", added=True)


def _other_cards_shown(moment: Moment) -> Slip | None:
    shown = moment.next
    if not isinstance(shown, document.Show):
        return None
    cards = shown.cards.copy()
    cards[moment.rng.randrange(HAND_CARDS)] = moment.rng.choice(_names(_unseen(moment)))
    return Slip(document.Show(seat=shown.seat, cards=cards), "cards")


def _kind(
    name: str,
    code: str,
    sentence: str,
    find: Callable[[Moment], Slip | None],
    *styles: str,
    short: bool = False,
) -> Kind:
    """A kind of these games; ``styles`` and ``short`` make its situation likely."""
    return Kind(name, code, sentence, slip(find, styles=styles, short=short), ("vying",))


KINDS: Final[tuple[Kind, ...]] = (
    _kind(
        "seat-beyond-the-table", "no-such-seat", "A seat passes that nobody sits at.", _by_no_seat
    ),
    _kind(
        "act-of-bourre",
        "foreign-act",
        "Somebody stays, goes out, draws, plays a card or claims a renege.",
        _act_of_bourre,
    ),
    _kind(
        "carre-after-the-deal",
        "wrong-stage",
        "Somebody makes or declines a carre when cards have been dealt.",
        _late_carre,
    ),
    _kind(
        "deal-after-the-retourne",
        "wrong-stage",
        "The last hand is dealt after the retourne.",
        _late_deal,
    ),
    _kind("second-retourne", "wrong-stage", "A second card is turned.", _second_turn),
    _kind("late-ante", "wrong-stage", "An ante comes when the hand has begun.", _late_ante),
    _kind("other-ante", "ante-amount", "An ante is written with another amount.", _other_ante),
    _kind("ante-again", "ante-repeated", "A seat's ante is written twice.", _ante_again),
    _kind(
        "carre-after-the-chain",
        "carre-closed",
        "Somebody makes or declines a carre when the chain has ended.",
        _carre_after_the_chain,
    ),
    _kind("other-carre", "carre-amount", "A carre does not match the pot.", _other_carre),
    _kind(
        "carre-without-chips",
        "carre-unaffordable",
        "A seat makes a carre that its stack does not cover.",
        _carre_without_chips,
        "carre-happy",
        short=True,
    ),
    _kind(
        "card-dealt-twice",
        "card-twice",
        "A card of one hand lies in another too, or is the retourne.",
        _card_dealt_twice,
    ),
    _kind(
        "card-of-another-deck",
        "card-not-in-deck",
        "A hand or the retourne has a card of a rank that is not in play.",
        _card_of_another_deck,
    ),
    _kind("too-few-cards", "card-count", "A seat is dealt less than three cards.", _too_few_cards),
    _kind("dealt-again", "dealt-twice", "A seat is dealt a second hand.", _dealt_again),
    _kind(
        "bet-out-of-turn",
        "out-of-turn",
        "Another seat bets, passes or folds than the one to speak.",
        _out_of_turn,
    ),
    _kind(
        "carre-out-of-turn",
        "out-of-turn",
        "Another seat makes or declines a carre than the one that may.",
        _carre_out_of_turn,
    ),
    _kind("bet-after-folding", "not-in-hand", "A seat that has folded bets.", _after_folding),
    _kind(
        "bet-without-chips",
        "all-in",
        "A seat that is all-in bets.",
        _without_chips,
        "always-stay",
        "loose",
        short=True,
    ),
    _kind(
        "fold-before-the-opening",
        "fold-before-opening",
        "A seat folds where it can pass.",
        _fold_before_the_opening,
    ),
    _kind(
        "answer-to-nothing",
        "not-opened",
        "A seat calls, raises or says no more before the opening.",
        _answer_to_nothing,
    ),
    _kind(
        "low-opening",
        "open-below-minimum",
        "An opening adds less than brings it level.",
        _low_opening,
    ),
    _kind(
        "opening-out-of-reach",
        "open-unreachable",
        "A stack opens that does not reach the highest contribution.",
        _opening_out_of_reach,
        "carre-happy",
        short=True,
    ),
    _kind(
        "opening-at-par",
        "opened-at-par",
        "The dealer opens for nothing, which is legal and noted.",
        _opening_at_par,
        "tight",
        "steady",
    ),
    _kind(
        "pass-after-the-opening",
        "pass-after-opening",
        "A seat passes where it has to answer.",
        _pass_after_the_opening,
    ),
    _kind(
        "no-more-early",
        "no-more-early",
        "A seat says no more where it has to answer.",
        _no_more_early,
    ),
    _kind("second-opening", "already-opened", "A seat opens after the opening.", _second_opening),
    _kind("other-call", "call-amount", "A call adds more or less than it takes.", _other_call),
    _kind("low-raise", "raise-below-minimum", "A raise does not go over the highest.", _low_raise),
    _kind(
        "raise-out-of-reach",
        "raise-unreachable",
        "A stack raises that does not go over the highest contribution.",
        _raise_out_of_reach,
        "always-stay",
        "bluffing",
        short=True,
    ),
    _kind(
        "more-than-the-stack",
        "over-stack",
        "An opening, a call or a raise adds more than the stack has.",
        _more_than_the_stack,
    ),
    _kind(
        "call-in-no-more",
        "call-in-no-more",
        "A seat calls or passes where it can raise or say no more.",
        _call_in_no_more,
        "always-stay",
        "loose",
    ),
    _kind(
        "fold-in-no-more",
        "fold-in-no-more",
        "A seat folds where it can raise or say no more.",
        _fold_in_no_more,
        "always-stay",
        "loose",
    ),
    _kind(
        "bet-after-the-betting",
        "betting-closed",
        "Somebody bets when cards are to be shown.",
        _bet_after_the_betting,
        "always-stay",
        "loose",
    ),
    _kind(
        "bet-after-the-end", "hand-over", "Somebody bets when the pot is won.", _bet_after_the_end
    ),
    _kind("early-show", "show-early", "A hand is shown before the showdown.", _early_show),
    _kind(
        "other-cards-shown",
        "show-differs",
        "A hand is shown with a card that it was not dealt.",
        _other_cards_shown,
        "always-stay",
        "loose",
    ),
    _kind(
        "show-without-need",
        "shown-without-showdown",
        "A hand is shown after a pot that was won without showing.",
        _show_without_need,
    ),
)
"""Every kind of fault in the play of these games."""
