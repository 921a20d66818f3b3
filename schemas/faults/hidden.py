"""The faults in what the log hides: a card face down, and a result that no unseen cards allow.

What may lie in the hidden places is dealt out there, every way, and each is settled.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import msgspec
from msgspec import UNSET

from engine.cards import RANKS, card_name, cards_in, deck_mask
from engine.presets import PRESETS
from engine.record import HandRecord, VyingRecord
from engine.result import Outcome
from engine.vying.opening import HAND_CARDS
from engine.vying.premiums import has_premiums
from engine.vying.settlement import settle
from engine.vying.state import SHOWDOWN
from schemas import document
from schemas.errors import UnreadableHand
from schemas.faults.hands import declaring, given
from schemas.faults.kinds import Case, Kind, Planted, outcome_of, rewritten, written
from schemas.faults.slips import vying_tables
from schemas.record import NUMBERS, to_record

_MOST_OFF: Final = 9
"""A declared amount is off by so many chips at most."""
_LARGE_DECK: Final = "AKQJT98"
_PREMIUMS: Final = (
    "premium-simple",
    "premium-carre",
    "premium-favori",
    "premium-favori-pot",
    "premium-mistigri",
)
_SUITS: Final = 4
_SEATS: Final = 4
"""At a table of so many a hand is seen besides three of a showdown."""


# the log with cards face down


def _with_cards(
    events: Sequence[document.AnyEvent], instead: dict[str, str]
) -> list[document.AnyEvent]:
    """The events with other cards wherever these are dealt, turned or shown."""
    made: list[document.AnyEvent] = []
    for event in events:
        if isinstance(event, document.Deal | document.Show):
            cards = [instead.get(card, card) for card in event.cards]
            made.append(msgspec.structs.replace(event, cards=cards))
        elif isinstance(event, document.Turn):
            made.append(document.Turn(card=instead.get(event.card, event.card)))
        else:
            made.append(event)
    return made


def _hiding(hand: document.Hand, cards: Sequence[str]) -> document.Hand:
    events = _with_cards(hand.events, dict.fromkeys(cards, "??"))
    return msgspec.structs.replace(hand, events=events)


def _dealt(hand: document.Hand, seat: int) -> list[str]:
    return next(
        event.cards
        for event in hand.events
        if isinstance(event, document.Deal) and event.seat == seat
    )


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _endings(record: HandRecord, seat: int, cards: Sequence[str]) -> list[Outcome]:
    """What the hand may come to where these cards of the seat are hidden; none without showdown."""
    if not isinstance(record, VyingRecord):
        return []
    *_, (_, state) = vying_tables(record)
    if state.stage != SHOWDOWN:
        return []
    hidden = _mask([NUMBERS[card] for card in cards])
    known = state.hands[seat] & ~hidden
    unseen = cards_in(state.deck & ~(state.seen_cards & ~hidden))
    endings = []
    for chosen in combinations(unseen, len(cards)):
        state.hands[seat] = known | _mask(chosen)
        endings.append(settle(state))
    return endings


def _some_hidden(case: Case) -> tuple[Case, list[Outcome]]:
    """The hand with one to three cards of a seat face down, and what it may come to then."""
    seat = case.rng.randrange(len(case.hand.seats))
    cards = case.rng.sample(_dealt(case.hand, seat), case.rng.randint(1, HAND_CARDS))
    hidden = Case(_hiding(case.hand, cards), case.record, case.rng)
    return hidden, _endings(case.record, seat, cards)


def _hidden_card(case: Case) -> Planted | None:
    """A card that the result needs is not in the log: dealt and shown face down."""
    seat = case.rng.randrange(len(case.hand.seats))
    card = case.rng.choice(_dealt(case.hand, seat))
    pots = outcome_of(case.record).pots
    if not pots or pots[0].by != "point":
        return None
    endings = _endings(case.record, seat, [card])
    first = endings[0]
    if all(_winners(end) == _winners(first) and end.premiums == first.premiums for end in endings):
        return None
    return Planted(written(_hiding(case.hand, [card])), "/events", None, card, "??")


def _winners(ending: Outcome) -> list[int]:
    """The seat that wins each pot."""
    return [seat for pot in ending.pots for seat in pot.winners or {}]


def _hidden_play(case: Case) -> Planted | None:
    """The last card of the last trick is not in the log."""
    *events, last = case.hand.events
    if not isinstance(last, document.Play):
        return None
    hidden = msgspec.structs.replace(last, card="??")
    hand = msgspec.structs.replace(case.hand, events=[*events, hidden])
    return Planted(written(hand), "/events", None, last.card, "??")


# a declared result that cannot be


def _impossible_winner(case: Case) -> Planted | None:
    if all(len(pot.eligible) < 3 for pot in outcome_of(case.record).pots):
        return None
    hidden, endings = _some_hidden(case)
    if not endings:
        return None
    wrong = []
    for place, pot in enumerate(endings[0].pots):
        could = {_winners(ending)[place] for ending in endings}
        if len(could) > 1:
            wrong += [(place, seat) for seat in pot.eligible if seat not in could]
    if not wrong:
        return None
    place, seat = case.rng.choice(wrong)
    pots = list(given(given(hidden.hand.declared).pots))
    before = pots[place].winners
    after = {seat: pots[place].amount}
    pots[place] = document.DeclaredPot(amount=pots[place].amount, winners=after)
    return declaring(hidden, f"pots/{place}/winners", None, before, after, pots=pots)


def _impossible_premium(case: Case) -> Planted | None:
    if not isinstance(case.record, VyingRecord) or not has_premiums(case.record.options):
        return None
    hidden, endings = _some_hidden(case)
    reached = [ending.premiums or [] for ending in endings]
    if not endings or all(premiums == reached[0] for premiums in reached):
        return None
    seat = case.rng.randrange(len(case.hand.seats))
    could = [premiums[seat] for premiums in reached]
    off = case.rng.randint(1, _MOST_OFF)
    after = case.rng.choice([min(could) - off, max(could) + off])
    premiums = dict(given(given(hidden.hand.declared).premiums))
    before = premiums[seat]
    premiums[seat] = after
    return declaring(hidden, f"premiums/{seat}", seat, before, after, premiums=premiums)


def _impossible_stacks(case: Case) -> Planted | None:
    """Chips in another stack than the declared pots and premiums, which may be so, bring them."""
    hidden, endings = _some_hidden(case)
    if not endings or all(ending.stacks == endings[0].stacks for ending in endings):
        return None
    before = given(given(hidden.hand.declared).stacks)
    giver = case.rng.choice([seat for seat, stack in enumerate(before) if stack])
    taker = case.rng.choice([seat for seat in range(len(before)) if seat != giver])
    chips = case.rng.randint(1, min(before[giver], _MOST_OFF))
    after = list(before)
    after[giver] -= chips
    after[taker] += chips
    return declaring(hidden, "stacks", None, before, after, stacks=after)


# more hidden than can be tried


def _too_much_hidden(case: Case) -> Planted | None:
    """Three aces win against two hands half hidden under a hidden retourne; that is hard to show.

    Of the two, one shows a king and one a queen. A king and a queen lie elsewhere, so that neither
    can come to four of a rank with the retourne.
    """
    pots = outcome_of(case.record).pots
    if len(case.hand.seats) < _SEATS or len(pots) != 1 or len(pots[0].eligible) < 3:
        return None
    winner, *unseen = case.rng.sample(pots[0].eligible, 3)
    hands, turned = _hard_cards(case, winner, unseen)
    dealt = [card for cards in hands for card in cards]
    instead = dict(zip(_cards_of(case.hand), [*dealt, turned], strict=True))
    hand = _judged_anew(case.hand, _with_cards(case.hand.events, instead))
    cards = [*hands[unseen[0]][1:], *hands[unseen[1]][1:], turned]
    hidden = msgspec.structs.replace(_hiding(hand, cards), view="table")
    return Planted(written(hidden), "/events", None, cards, "??")


def _cards_of(hand: document.Hand) -> list[str]:
    """Every card that is dealt, by seat, and the retourne."""
    cards = [card for seat in range(len(hand.seats)) for card in _dealt(hand, seat)]
    return cards + [event.card for event in hand.events if isinstance(event, document.Turn)]


def _hard_cards(case: Case, winner: int, unseen: list[int]) -> tuple[list[list[str]], str]:
    """The hands by seat, what is seen of them first, and the retourne."""
    hands: list[list[int]] = [[] for _ in case.hand.seats]
    aces, kings, queens = (
        case.rng.sample([13 * suit + RANKS.index(rank) for suit in range(_SUITS)], HAND_CARDS)
        for rank in "AKQ"
    )
    hands[winner] = aces
    hands[unseen[0]].append(kings[0])
    hands[unseen[1]].append(queens[0])
    other = next(seat for seat, cards in enumerate(hands) if not cards)
    hands[other] += [kings[1], queens[1]]
    rest = cards_in(deck_mask(_LARGE_DECK) & ~_mask([card for cards in hands for card in cards]))
    case.rng.shuffle(rest)
    for cards in hands:
        cards += [rest.pop() for _ in range(HAND_CARDS - len(cards))]
    return [[card_name(card) for card in cards] for cards in hands], card_name(rest.pop())


def _judged_anew(hand: document.Hand, events: list[document.AnyEvent]) -> document.Hand:
    """The hand with other cards, by rules that leave much open, and what it comes to then.

    The deck is large, a favori counts, and no brelan pays a premium.
    """
    preset = hand.rules.preset
    paid = [name for name in _PREMIUMS if PRESETS[preset].values[name]]
    options: dict[str, str | int | bool] = {
        "deck": _LARGE_DECK,
        "favori": "below-simple",
        **dict.fromkeys(paid, 0),
    }
    table = msgspec.structs.replace(
        hand,
        rules=document.Rules(preset=preset, options=options),
        events=events,
        declared=UNSET,
    )
    record = to_record(table)
    if isinstance(record, UnreadableHand):
        raise TypeError(f"a hand with other cards cannot be read: {record}")
    return rewritten(table, record, events)


_BESIDE: Final = ("cards-missing",)

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "hidden-card",
        "cards-missing",
        "A card that decides the point is dealt and shown face down.",
        _hidden_card,
        ("vying",),
    ),
    Kind(
        "hidden-play",
        "cards-missing",
        "The last card of the last trick is played face down.",
        _hidden_play,
        ("bourre",),
    ),
    Kind(
        "impossible-winner",
        "declared-impossible",
        "Cards are hidden, and a pot goes to a seat that no cards there let win it.",
        _impossible_winner,
        ("vying",),
        _BESIDE,
    ),
    Kind(
        "impossible-premium",
        "declared-impossible",
        "Cards are hidden, and a premium is declared that no cards there give.",
        _impossible_premium,
        ("vying",),
        _BESIDE,
    ),
    Kind(
        "impossible-stacks",
        "declared-impossible",
        "Cards are hidden, and the stacks are none that the declared pots and premiums bring.",
        _impossible_stacks,
        ("vying",),
        _BESIDE,
    ),
    Kind(
        "too-much-hidden",
        "cards-too-many",
        "Of two hands and the retourne more is hidden than can be tried, out of a large deck.",
        _too_much_hidden,
        ("vying",),
    ),
)
"""Every kind of fault in what is hidden."""
