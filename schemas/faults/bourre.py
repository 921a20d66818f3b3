"""The faults in the play of Bourré, a small function each: what could go wrong now.

Each looks at the table before an event and answers with the event that is wrong there, or None.
"""

from collections.abc import Callable, Mapping
from typing import Final

from engine.bourre.compulsion import MAJORITY
from engine.bourre.legality import legal_plays
from engine.bourre.state import (
    DEAL_STAGE,
    DECLARING,
    END,
    HAND_CARDS,
    NOBODY,
    PACK,
    PLAYING,
    BourreState,
)
from engine.cards import RANKS, SUIT_MASK, card_name, cards_in
from engine.options import OptionValue
from schemas import document
from schemas.document import MAX_SEATS
from schemas.faults.kinds import Kind
from schemas.faults.slips import Moment as AnyMoment
from schemas.faults.slips import Slip, trick_slip

Moment = AnyMoment[BourreState]

_STAYING: Final = ("always-stay", "loose")
_NEVER_SHUFFLED: Final = 5
"""At a table of so many players the stock cannot run out, whatever cards it lacks."""
_ACE: Final = RANKS.index("A")
_COUNTED: Final = {"declare": "in-turn-with-count"}
_UNCOUNTED: Final = {"declare": "in-turn"}


def _names(cards: list[int]) -> list[str]:
    return [card_name(card) for card in cards]


def _unseen(moment: Moment) -> list[int]:
    """The cards that lie in the stock and have never been dealt."""
    state = moment.state
    return cards_in(((1 << PACK) - 1) & ~(state.placed | state.recycled | state.pool))


# the seats


def _by_no_seat(moment: Moment) -> Slip | None:
    players = moment.state.players
    if moment.state.stage == DEAL_STAGE or players == MAX_SEATS:
        return None
    seat = moment.rng.randrange(players, MAX_SEATS)
    return Slip(document.Out(seat=seat), "seat", added=True, seat=NOBODY)


def _out_of_turn(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage != DECLARING:
        return None
    others = moment.seats(state.undeclared & ~(1 << state.to_speak()))
    return Slip(document.Out(seat=moment.rng.choice(others)), "seat") if others else None


def _play_out_of_turn(moment: Moment) -> Slip | None:
    """A seat that has played to the trick plays to it again."""
    state = moment.state
    if state.stage != PLAYING or state.trick_complete() or not state.trick.seats:
        return None
    seat = moment.rng.choice(state.trick.seats)
    held = cards_in(state.held[seat])
    if not held:
        return None
    card = card_name(moment.rng.choice(held))
    return Slip(document.Play(seat=seat, card=card), "seat", added=True)


def _after_going_out(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage == END or not state.out:
        return None
    seat = moment.rng.choice(moment.seats(state.out))
    events: list[document.AnyEvent] = [document.Stay(seat=seat), document.Out(seat=seat)]
    if state.stage == PLAYING:
        events.append(document.Play(seat=seat, card=card_name(cards_in(state.held[seat])[0])))
    return Slip(moment.rng.choice(events), "seat", added=True)


def _second_declaration(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage == END or not state.stayed:
        return None
    seat = moment.rng.choice(moment.seats(state.stayed))
    stays: document.AnyEvent = document.Stay(seat=seat)
    goes: document.AnyEvent = document.Out(seat=seat)
    return Slip(moment.rng.choice([stays, goes]), "seat", added=True)


# acts out of place


def _bet(moment: Moment) -> Slip | None:
    seat = moment.rng.randrange(moment.state.players)
    events: list[document.AnyEvent] = [
        document.Pass(seat=seat),
        document.Open(seat=seat, add=2),
        document.Call(seat=seat, add=1),
        document.Raise(seat=seat, add=3),
        document.Fold(seat=seat),
        document.Carre(seat=seat, add=4),
        document.NoMore(seat=seat),
    ]
    return Slip(moment.rng.choice(events), "do", added=True)


def _late_draw(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage != PLAYING:
        return None
    seat = moment.rng.choice(moment.seats(state.stayed))
    thrown = _names(cards_in(state.held[seat])[:1])
    came = _names(_unseen(moment)[: len(thrown)])
    return Slip(document.Draw(seat=seat, discards=thrown, received=came), "do", added=True)


def _second_trump(moment: Moment) -> Slip | None:
    if moment.state.stage == DEAL_STAGE:
        return None
    card = card_name(moment.rng.randrange(PACK))
    return Slip(document.Turn(card=card), "do", added=True)


def _late_ante(moment: Moment) -> Slip | None:
    if not moment.state.begun:
        return None
    seat = moment.rng.randrange(moment.state.players)
    return Slip(document.Ante(seat=seat, add=1), "do", added=True)


def _act_after_the_end(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage != END:
        return None
    seat = moment.rng.randrange(state.players)
    card = card_name(moment.rng.randrange(PACK))
    played: document.AnyEvent = document.Play(seat=seat, card=card)
    drawn: document.AnyEvent = document.Draw(seat=seat, discards=[], received=[])
    return Slip(moment.rng.choice([played, drawn]), "do", added=True)


# antes and the deal


def _other_ante(moment: Moment) -> Slip | None:
    state = moment.state
    if state.begun:
        return None
    wrong = moment.rng.randrange(state.players)
    due = state.contributions[wrong]
    add = moment.rng.choice([add for add in range(due + 3) if add != due])
    before = [_ante(state, seat) for seat in range(wrong)]
    return Slip(document.Ante(seat=wrong, add=add), "add", added=True, before=before)


def _ante_again(moment: Moment) -> Slip | None:
    state = moment.state
    if state.begun:
        return None
    antes = [_ante(state, seat) for seat in range(state.players)]
    return Slip(moment.rng.choice(antes), "", added=True, before=antes)


def _ante(state: BourreState, seat: int) -> document.Ante:
    return document.Ante(seat=seat, add=state.contributions[seat])


def _card_dealt_twice(moment: Moment) -> Slip | None:
    state, dealt = moment.state, moment.next
    if moment.state.players > _NEVER_SHUFFLED:
        return None
    if not isinstance(dealt, document.Deal) or not state.placed or dealt.seat == state.dealer:
        return None
    cards = dealt.cards.copy()
    place = moment.rng.randrange(HAND_CARDS)
    cards[place] = card_name(moment.rng.choice(cards_in(state.placed)))
    return Slip(document.Deal(seat=dealt.seat, cards=cards), f"cards/{place}")


def _trump_of_another_hand(moment: Moment) -> Slip | None:
    state = moment.state
    others = cards_in(state.placed & ~state.held[state.dealer])
    if not isinstance(moment.next, document.Turn):
        return None
    return Slip(document.Turn(card=card_name(moment.rng.choice(others))), "card")


def _trump_of_no_hand(moment: Moment) -> Slip | None:
    state = moment.state
    if moment.state.players > _NEVER_SHUFFLED:
        return None
    if not isinstance(moment.next, document.Turn):
        return None
    card = card_name(moment.rng.choice(_unseen(moment)))
    return Slip(document.Turn(card=card), "card", seat=state.dealer)


def _too_few_cards(moment: Moment) -> Slip | None:
    dealt = moment.next
    if moment.state.players > _NEVER_SHUFFLED:
        return None
    if not isinstance(dealt, document.Deal) or dealt.seat == moment.state.dealer:
        return None
    cards = dealt.cards[: moment.rng.randrange(HAND_CARDS)]
    return Slip(document.Deal(seat=dealt.seat, cards=cards), "cards")


def _dealt_again(moment: Moment) -> Slip | None:
    state = moment.state
    if not state.dealt:
        return None
    seat = moment.rng.choice(moment.seats(state.dealt))
    cards = _names(_unseen(moment)[:HAND_CARDS])
    return Slip(document.Deal(seat=seat, cards=cards), "seat", added=True)


# declaring and drawing


def _count_unasked(moment: Moment) -> Slip | None:
    stays = moment.next
    if not isinstance(stays, document.Stay):
        return None
    count = moment.rng.randrange(HAND_CARDS + 1)
    return Slip(document.Stay(seat=stays.seat, count=count), "count")


def _count_left_out(moment: Moment) -> Slip | None:
    stays = moment.next
    return Slip(document.Stay(seat=stays.seat), "") if isinstance(stays, document.Stay) else None


def _other_count_drawn(moment: Moment) -> Slip | None:
    drawn = moment.next
    if not isinstance(drawn, document.Draw):
        return None
    counts = [count for count in range(HAND_CARDS + 1) if count != len(drawn.discards)]
    return _draw(moment, drawn.seat, moment.rng.choice(counts), "")


def _too_many_drawn(moment: Moment) -> Slip | None:
    drawn = moment.next
    if not isinstance(drawn, document.Draw):
        return None
    most = moment.state.most_drawn
    return _draw(moment, drawn.seat, moment.rng.randint(most + 1, HAND_CARDS), "discards")


def _more_received(moment: Moment) -> Slip | None:
    drawn = moment.next
    if moment.state.players > _NEVER_SHUFFLED:
        return None
    if not isinstance(drawn, document.Draw) or len(drawn.discards) == HAND_CARDS:
        return None
    return _draw(moment, drawn.seat, len(drawn.discards), "received", more=1)


def _draw(moment: Moment, seat: int, count: int, field: str, more: int = 0) -> Slip | None:
    """A draw of so many cards, those that come taken from the stock."""
    state = moment.state
    if state.fresh < count + more:
        return None
    thrown = _names(moment.rng.sample(cards_in(state.held[seat]), count))
    came = _names(moment.rng.sample(_unseen(moment), count + more))
    return Slip(document.Draw(seat=seat, discards=thrown, received=came), field)


def _strange_discard(moment: Moment) -> Slip | None:
    drawn = moment.next
    if moment.state.players > _NEVER_SHUFFLED:
        return None
    if not isinstance(drawn, document.Draw) or not drawn.discards:
        return None
    place = moment.rng.randrange(len(drawn.discards))
    strange = [card for card in _names(_unseen(moment)) if card not in drawn.received]
    if not strange:
        return None
    discards = drawn.discards.copy()
    discards[place] = moment.rng.choice(strange)
    event = document.Draw(seat=drawn.seat, discards=discards, received=drawn.received)
    return Slip(event, f"discards/{place}")


def _card_from_a_hand(moment: Moment) -> Slip | None:
    """A drawer receives a card that another seat holds."""
    state, drawn = moment.state, moment.next
    if moment.state.players > _NEVER_SHUFFLED:
        return None
    if not isinstance(drawn, document.Draw) or not drawn.received:
        return None
    place = moment.rng.randrange(len(drawn.received))
    others = [seat for seat in range(state.players) if seat != drawn.seat]
    held = cards_in(state.held[moment.rng.choice(others)])
    received = drawn.received.copy()
    received[place] = card_name(moment.rng.choice(held))
    event = document.Draw(seat=drawn.seat, discards=drawn.discards, received=received)
    return Slip(event, f"received/{place}")


# the tricks


def _to_play(moment: Moment) -> tuple[document.Play, list[int], int, int] | None:
    """The next play, the cards before it in its trick, the hand and the trump."""
    state, played = moment.state, moment.next
    if not isinstance(played, document.Play):
        return None
    before = [] if state.trick_complete() else state.trick.cards
    return played, before, state.held[played.seat], state.trump


def _card_not_held(moment: Moment) -> Slip | None:
    played = moment.next
    unseen = _unseen(moment)
    if not isinstance(played, document.Play) or not unseen:
        return None
    card = card_name(moment.rng.choice(unseen))
    return Slip(document.Play(seat=played.seat, card=card), "card")


def _of_suit(cards: int, suit: int) -> int:
    return cards & SUIT_MASK << 13 * suit


def _highest(cards: list[int], suit: int) -> int:
    return max((card for card in cards if card // 13 == suit), default=-1)


def _wrong_play(moment: Moment, wrong: list[int]) -> Slip | None:
    played = moment.next
    if not isinstance(played, document.Play) or not wrong:
        return None
    card = card_name(moment.rng.choice(wrong))
    return Slip(document.Play(seat=played.seat, card=card), "card")


def _another_suit(moment: Moment) -> Slip | None:
    return _wrong_play(moment, _not_following(moment))


def _not_following(moment: Moment) -> list[int]:
    """The cards of another suit than the one led, where the seat could follow."""
    turn = _to_play(moment)
    if turn is None or not turn[1]:
        return []
    _, before, hand, _ = turn
    led = before[0] // 13
    return cards_in(hand & ~_of_suit(hand, led)) if _of_suit(hand, led) else []


def _lower_card(moment: Moment) -> Slip | None:
    turn = _to_play(moment)
    if turn is None or not turn[1]:
        return None
    _, before, hand, trump = turn
    led = before[0] // 13
    own = cards_in(_of_suit(hand, led))
    highest = _highest(before, led)
    trumped = led != trump and _highest(before, trump) >= 0
    if not own or own[-1] < highest:
        return None
    if trumped and moment.state.options.head_when_trumped == "waived":
        return None
    return _wrong_play(moment, [card for card in own if card < highest])


def _void(moment: Moment) -> tuple[list[int], list[int], int] | None:
    """Where the seat has none of the led suit: its trumps, its other cards, the highest trump."""
    turn = _to_play(moment)
    if turn is None or not turn[1]:
        return None
    _, before, hand, trump = turn
    if _of_suit(hand, before[0] // 13):
        return None
    trumps = _of_suit(hand, trump)
    return cards_in(trumps), cards_in(hand & ~trumps), _highest(before, trump)


def _no_trump(moment: Moment) -> Slip | None:
    void = _void(moment)
    if void is None:
        return None
    trumps, others, highest = void
    return _wrong_play(moment, others) if trumps and highest < 0 else None


def _not_over_the_trump(moment: Moment) -> Slip | None:
    void = _void(moment)
    if void is None:
        return None
    trumps, others, highest = void
    if highest < 0 or not trumps or trumps[-1] < highest:
        return None
    return _wrong_play(moment, others + [card for card in trumps if card < highest])


def _no_lower_trump(moment: Moment) -> Slip | None:
    void = _void(moment)
    if void is None or moment.state.options.undertrump != "forced":
        return None
    trumps, others, highest = void
    return _wrong_play(moment, others) if trumps and trumps[-1] < highest else None


def _first_lead_past_the_ace(moment: Moment) -> Slip | None:
    state = moment.state
    turn = _to_play(moment)
    if turn is None or turn[1] or state.gone or state.trick.seats:
        return None
    ace = 13 * state.trump + _ACE
    if not turn[2] >> ace & 1:
        return None
    return _wrong_play(moment, cards_in(turn[2] & ~(1 << ace)))


def _lead_past_the_cinch(moment: Moment) -> Slip | None:
    """A seat sure of three tricks leads another card than its highest trump."""
    state = moment.state
    turn = _to_play(moment)
    if turn is None or turn[1]:
        return None
    played, _, hand, trump = turn
    gone = state.gone
    for card in state.trick.cards:
        gone |= 1 << card
    sure = won = state.won[played.seat]
    top = 13 * trump + _ACE
    for card in range(top, 13 * trump - 1, -1):
        if hand >> card & 1:
            sure += 1
        elif not gone >> card & 1:
            break
    own = cards_in(_of_suit(hand, trump))
    if won >= MAJORITY or sure < MAJORITY or not own:
        return None
    return _wrong_play(moment, [card for card in cards_in(hand) if card != own[-1]])


# reneges


def _claim_without_reason(moment: Moment) -> Slip | None:
    state = moment.state
    if state.stage < PLAYING or not state.trick.seats:
        return None
    seat = moment.rng.choice(moment.seats(state.stayed))
    return Slip(document.Renege(seat=seat), "seat", added=True)


def _late_correction(moment: Moment) -> Slip | None:
    """A seat puts a card right when that trick is gone."""
    state = moment.state
    if state.stage != PLAYING or not state.gone or state.trick_complete():
        return None
    waiting = [seat for seat in moment.seats(state.stayed) if seat not in state.trick.seats]
    if not waiting:
        return None
    seat = moment.rng.choice(waiting)
    card = card_name(moment.rng.choice(cards_in(state.held[seat])))
    return Slip(document.Renege(seat=seat, card=card), "card", added=True)


def _correction_refused(moment: Moment) -> Slip | None:
    """The last card of the trick is taken back for another legal one, which the table forbids."""
    state, played = moment.state, moment.next
    if not isinstance(played, document.Play):
        return None
    legal = cards_in(legal_plays(state, played.seat, state.held[played.seat]))
    others = [card for card in _names(legal) if card != played.card]
    if not others:
        return None
    instead = document.Renege(seat=played.seat, card=moment.rng.choice(others))
    return Slip(instead, "do", added=True, before=[played])


def _corrected(moment: Moment) -> Slip | None:
    """A card that does not follow suit is taken back in time, which the table allows."""
    played = moment.next
    wrong = _not_following(moment)
    if not isinstance(played, document.Play) or not wrong:
        return None
    slipped = document.Play(seat=played.seat, card=card_name(moment.rng.choice(wrong)))
    return Slip(slipped, "card", after=[document.Renege(seat=played.seat, card=played.card)])


def _kind(
    name: str,
    code: str,
    sentence: str,
    find: Callable[[Moment], Slip | None],
    options: Mapping[str, OptionValue] | None = None,
) -> Kind:
    """A kind of this game, at tables with these options, where players stay in readily."""
    return Kind(
        name, code, sentence, trick_slip(find, styles=_STAYING, options=options), ("bourre",)
    )


KINDS: Final[tuple[Kind, ...]] = (
    _kind(
        "out-beyond-the-table", "no-such-seat", "A seat goes out that nobody sits at.", _by_no_seat
    ),
    _kind("declared-out-of-turn", "out-of-turn", "A seat goes out before its turn.", _out_of_turn),
    _kind(
        "played-out-of-turn",
        "out-of-turn",
        "A seat plays to a trick a second time.",
        _play_out_of_turn,
    ),
    Kind(
        "act-after-going-out",
        "not-in-hand",
        "A seat that is out declares or plays.",
        trick_slip(_after_going_out),
        ("bourre",),
    ),
    _kind(
        "second-declaration",
        "decided-twice",
        "A seat that stays declares again.",
        _second_declaration,
    ),
    _kind("bet-among-tricks", "foreign-act", "Somebody bets, folds or makes a carre.", _bet),
    _kind("late-draw", "wrong-stage", "A seat draws when cards are being played.", _late_draw),
    _kind("second-trump", "wrong-stage", "A second card is turned.", _second_trump),
    _kind("ante-after-the-deal", "wrong-stage", "An ante comes when cards are dealt.", _late_ante),
    _kind(
        "act-after-the-end", "hand-over", "Somebody draws or plays at the end.", _act_after_the_end
    ),
    _kind(
        "other-ante-for-tricks",
        "ante-amount",
        "An ante is written with another amount.",
        _other_ante,
    ),
    _kind("ante-for-tricks-again", "ante-repeated", "A seat's ante is written twice.", _ante_again),
    _kind(
        "card-in-two-hands",
        "card-twice",
        "A seat is dealt a card that another has.",
        _card_dealt_twice,
    ),
    _kind(
        "trump-of-another-hand",
        "card-twice",
        "The turned card lies in a hand that is not the dealer's.",
        _trump_of_another_hand,
        {"trump-card": "dealers-fifth"},
    ),
    _kind(
        "trump-of-no-hand",
        "turn-not-dealers",
        "The turned card is none of the dealer's five.",
        _trump_of_no_hand,
        {"trump-card": "dealers-fifth"},
    ),
    _kind(
        "less-than-five-cards",
        "card-count",
        "A seat is dealt less than five cards.",
        _too_few_cards,
    ),
    _kind("five-more-cards", "dealt-twice", "A seat is dealt a second hand.", _dealt_again),
    _kind(
        "count-unasked",
        "draw-count-unasked",
        "A seat tells how many cards it will draw, where nobody does.",
        _count_unasked,
        _UNCOUNTED,
    ),
    _kind(
        "count-left-out",
        "draw-count-missing",
        "A seat does not tell how many cards it will draw.",
        _count_left_out,
        _COUNTED,
    ),
    _kind(
        "other-count-drawn",
        "draw-count-differs",
        "A seat draws another number of cards than it told.",
        _other_count_drawn,
        _COUNTED,
    ),
    _kind(
        "too-many-drawn",
        "draw-over-maximum",
        "A seat draws more cards than the table allows.",
        _too_many_drawn,
        {**_UNCOUNTED, "maximum-draw": 3},
    ),
    _kind(
        "more-received", "draw-uneven", "A card more comes than was thrown away.", _more_received
    ),
    _kind(
        "strange-discard",
        "discard-not-held",
        "A seat throws away a card that it does not hold.",
        _strange_discard,
    ),
    _kind(
        "card-from-a-hand",
        "received-impossible",
        "A drawer receives a card that lies in another hand.",
        _card_from_a_hand,
    ),
    _kind(
        "strange-card",
        "card-not-held",
        "A seat plays a card that it does not hold.",
        _card_not_held,
    ),
    _kind("another-suit", "must-follow", "A seat could follow suit and does not.", _another_suit),
    _kind(
        "lower-card",
        "must-head",
        "A seat could play over the highest card of the suit and does not.",
        _lower_card,
    ),
    _kind("no-trump", "must-trump", "A seat without the suit could trump and does not.", _no_trump),
    _kind(
        "not-over-the-trump",
        "must-overtrump",
        "A seat without the suit could overtrump and does not.",
        _not_over_the_trump,
    ),
    _kind(
        "no-lower-trump",
        "must-undertrump",
        "A seat that can only trump lower plays another suit.",
        _no_lower_trump,
    ),
    _kind(
        "lead-past-the-ace",
        "must-lead-trump",
        "The first lead is not the ace of trumps, which the leader holds and the table asks for.",
        _first_lead_past_the_ace,
        {"opening-lead": "ace-of-trumps", "cinch": False},
    ),
    _kind(
        "lead-past-the-cinch",
        "must-play-cinch",
        "A seat sure of three tricks does not lead its highest trump.",
        _lead_past_the_cinch,
        {"cinch": True, "opening-lead": "free"},
    ),
    _kind(
        "claim-without-reason",
        "renege-unfounded",
        "A seat is said to have reneged that has not.",
        _claim_without_reason,
    ),
    _kind(
        "late-correction",
        "correction-late",
        "A seat puts a card right that lies in a trick gone by.",
        _late_correction,
        {"renege": "both"},
    ),
    _kind(
        "correction-refused",
        "correction-not-allowed",
        "A card is taken back at a table where cards stay.",
        _correction_refused,
        {"renege": "pays-pot"},
    ),
    _kind(
        "corrected",
        "renege-corrected",
        "A card that does not follow suit is taken back in time.",
        _corrected,
        {"renege": "both"},
    ),
)
"""Every kind of fault in the play of Bourré."""
