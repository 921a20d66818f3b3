"""From the hand document to the engine's record: names become ints, presets become options."""

from typing import Final

from msgspec import UNSET

from engine.acts import (
    ANTE,
    CALL,
    CARRE,
    DEAL,
    DECLINE,
    DRAW,
    FOLD,
    FOREIGN,
    NO_MORE,
    OPEN,
    OUT,
    PASS,
    PLAY,
    RAISE,
    RENEGE,
    SHOW,
    STAY,
    TURN,
)
from engine.bourre.options import BourreOptions
from engine.cards import CARD_NUMBERS, UNKNOWN, UNKNOWN_NAME
from engine.options import OptionValue, VyingOptions
from engine.presets import PRESETS, OptionError, Preset, options_of
from engine.record import BourreRecord, DeclaredOutcome, HandRecord, VyingRecord
from schemas import document
from schemas.errors import UnreadableHand, clip, step

NUMBERS: Final[dict[str, int]] = {**CARD_NUMBERS, UNKNOWN_NAME: UNKNOWN}

NO_CARDS: Final[list[int]] = []
NO_OPTIONS: Final[dict[str, OptionValue]] = {}

VYING_ACTS: Final[dict[type, int]] = {
    document.Ante: ANTE,
    document.Carre: CARRE,
    document.Decline: DECLINE,
    document.Deal: DEAL,
    document.Turn: TURN,
    document.Pass: PASS,
    document.Open: OPEN,
    document.Call: CALL,
    document.Raise: RAISE,
    document.Fold: FOLD,
    document.NoMore: NO_MORE,
    document.Show: SHOW,
    document.Stay: FOREIGN,
    document.Out: FOREIGN,
    document.Draw: FOREIGN,
    document.Play: FOREIGN,
    document.Renege: FOREIGN,
}

BOURRE_ACTS: Final[dict[type, int]] = {
    **dict.fromkeys(VYING_ACTS, FOREIGN),
    document.Ante: ANTE,
    document.Deal: DEAL,
    document.Turn: TURN,
    document.Stay: STAY,
    document.Out: OUT,
    document.Draw: DRAW,
    document.Play: PLAY,
    document.Renege: RENEGE,
}


def to_record(hand: document.Hand) -> HandRecord | UnreadableHand:
    """The hand as the engine reads it, or why its rules, dealer or cards name nothing we know."""
    preset = PRESETS.get(hand.rules.preset)
    if preset is None:
        return UnreadableHand(
            code="unknown-preset",
            pointer="/rules/preset",
            expected="one of " + ", ".join(PRESETS),
            seen=hand.rules.preset,
        )
    overrides = NO_OPTIONS if hand.rules.options is UNSET else hand.rules.options
    options = options_of(preset, overrides)
    if isinstance(options, OptionError):
        return UnreadableHand(
            code="unknown-option",
            pointer=step("/rules/options", options.option),
            expected=options.expected,
            seen=clip(options.seen),
        )
    if hand.dealer >= len(hand.seats):
        return UnreadableHand(
            code="out-of-range",
            pointer="/dealer",
            expected=f"a seat from 0 to {len(hand.seats) - 1}",
            seen=str(hand.dealer),
        )
    try:
        if isinstance(options, BourreOptions):
            return _bourre_record(hand, preset, options)
        return _vying_record(hand, preset, options)
    except KeyError:
        return _unknown_card(hand)


def _vying_record(
    hand: document.Hand, preset: Preset, options: VyingOptions
) -> VyingRecord | UnreadableHand:
    for index, seat in enumerate(hand.seats):
        if seat.exempt is True:
            return UnreadableHand(
                code="unknown-value",
                pointer=f"/seats/{index}/exempt",
                expected="`false`, for nobody is exempt from the ante in this game",
                seen="true",
            )
    record = VyingRecord(
        options=options,
        min_players=preset.min_players,
        max_players=preset.max_players,
        dealer=hand.dealer,
        carried=0 if hand.carried is UNSET else hand.carried,
        stacks=[seat.stack for seat in hand.seats],
        rebuys=[0 if seat.rebuy is UNSET else seat.rebuy for seat in hand.seats],
        acts=[],
        seats=[],
        adds=[],
        cards=[],
        declared=None if hand.declared is UNSET else _declared(hand.declared),
    )
    _read_events(hand.events, record)
    return record


def _bourre_record(hand: document.Hand, preset: Preset, options: BourreOptions) -> BourreRecord:
    record = BourreRecord(
        options=options,
        min_players=preset.min_players,
        max_players=preset.max_players,
        dealer=hand.dealer,
        carried=0 if hand.carried is UNSET else hand.carried,
        stacks=[seat.stack for seat in hand.seats],
        rebuys=[0 if seat.rebuy is UNSET else seat.rebuy for seat in hand.seats],
        exempt=[seat.exempt is True for seat in hand.seats],
        acts=[],
        seats=[],
        adds=[],
        cards=[],
        received=[],
        declared=None if hand.declared is UNSET else _declared(hand.declared),
    )
    _read_bourre_events(hand.events, record)
    return record


def _read_events(events: list[document.AnyEvent], record: VyingRecord) -> None:
    acts, seats, adds, cards = record.acts, record.seats, record.adds, record.cards
    for event in events:
        act = VYING_ACTS[type(event)]
        acts.append(act)
        seats.append(-1 if act == TURN else event.seat)  # type: ignore[union-attr]
        adds.append(event.add if act <= RAISE else 0)  # type: ignore[union-attr]
        if DEAL <= act <= SHOW:
            cards.append([NUMBERS[card] for card in event.cards])  # type: ignore[union-attr]
        elif act == TURN:
            cards.append([NUMBERS[event.card]])  # type: ignore[union-attr,index]
        else:
            cards.append(NO_CARDS)


def _read_bourre_events(events: list[document.AnyEvent], record: BourreRecord) -> None:
    acts, seats, adds = record.acts, record.seats, record.adds
    cards, received = record.cards, record.received
    for event in events:
        act = BOURRE_ACTS[type(event)]
        acts.append(act)
        seats.append(-1 if act == TURN else event.seat)  # type: ignore[union-attr]
        adds.append(_number(event) if act in (STAY, ANTE) else -1)
        received.append(NO_CARDS)
        if act in (PLAY, TURN):
            cards.append([NUMBERS[event.card]])  # type: ignore[union-attr,index]
        elif act == DEAL:
            cards.append([NUMBERS[card] for card in event.cards])  # type: ignore[union-attr]
        elif act == DRAW:
            cards.append([NUMBERS[card] for card in event.discards])  # type: ignore[union-attr]
            received[-1] = [NUMBERS[card] for card in event.received]  # type: ignore[union-attr]
        elif act == RENEGE and event.card is not UNSET:  # type: ignore[union-attr]
            cards.append([NUMBERS[event.card]])  # type: ignore[union-attr]
        else:
            cards.append(NO_CARDS)


def _number(event: document.AnyEvent) -> int:
    """An ante's chips, or the count of a stay, −1 where it announces none."""
    if isinstance(event, document.Ante):
        return event.add
    count = UNSET if not isinstance(event, document.Stay) else event.count
    return -1 if count is UNSET else count


def _declared(declared: document.Declared) -> DeclaredOutcome:
    pots = declared.pots
    return DeclaredOutcome(
        pots=None if pots is UNSET else [(pot.amount, pot.winners) for pot in pots],
        premiums=None if declared.premiums is UNSET else declared.premiums,
        stacks=None if declared.stacks is UNSET else declared.stacks,
        carried=None if declared.carried is UNSET else declared.carried,
        tricks=None if declared.tricks is UNSET else declared.tricks,
        payments=None if declared.payments is UNSET else declared.payments,
    )


def _unknown_card(hand: document.Hand) -> UnreadableHand:
    """Finds the first card that names nothing, after reading has failed on one."""
    for index, event in enumerate(hand.events):
        for field in ("cards", "card", "discards", "received"):
            value = getattr(event, field, None)
            if isinstance(value, str) and value not in NUMBERS:
                return _unknown(f"/events/{index}/{field}", value)
            for place, card in enumerate(value if isinstance(value, list) else ()):
                if card not in NUMBERS:
                    return _unknown(f"/events/{index}/{field}/{place}", card)
    raise AssertionError("reading failed on a card, yet every card is known")


def _unknown(pointer: str, seen: str) -> UnreadableHand:
    return UnreadableHand(
        code="unknown-card",
        pointer=pointer,
        expected="a rank of AKQJT98765432 and a suit of cdhs, such as Qh, or ?? where unknown",
        seen=seen,
    )
