"""From the engine's record of a hand and its outcome to the document that a client would write."""

from typing import Final

from msgspec import UNSET

from engine import acts
from engine.cards import card_name
from engine.record import BourreRecord, HandRecord
from engine.result import BourreOutcome, Outcome
from schemas import document


def declared_of(outcome: Outcome) -> document.Declared:
    """An outcome with nothing left open, as a client would declare it."""
    pots = [
        document.DeclaredPot(amount=pot.amount, winners=pot.winners or {}) for pot in outcome.pots
    ]
    stacks = outcome.stacks or []
    carried = outcome.carried or 0
    if isinstance(outcome, BourreOutcome):
        return document.Declared(
            pots=pots,
            stacks=stacks,
            carried=carried,
            tricks=dict(enumerate(outcome.tricks or [])),
            payments={seat: chips for seat, chips in enumerate(outcome.paid() or []) if chips},
        )
    return document.Declared(
        pots=pots,
        premiums=dict(enumerate(outcome.premiums or [])),
        stacks=stacks,
        carried=carried,
    )


def seats_of(record: HandRecord, names: list[str]) -> list[document.Seat]:
    """The seats as the hand begins, with a rebuy or an exemption only where there is one."""
    exempt = record.exempt if isinstance(record, BourreRecord) else [False] * len(names)
    return [
        document.Seat(
            player=name,
            stack=record.stacks[seat],
            rebuy=record.rebuys[seat] or UNSET,
            exempt=exempt[seat] or UNSET,
        )
        for seat, name in enumerate(names)
    ]


def events_of(record: HandRecord) -> list[document.AnyEvent]:
    """The events of a record without antes."""
    return [event_of(record, index) for index in range(len(record.acts))]


_BY_ACT: Final[dict[int, type[document.AnyEvent]]] = {
    acts.CARRE: document.Carre,
    acts.DECLINE: document.Decline,
    acts.DEAL: document.Deal,
    acts.PASS: document.Pass,
    acts.OPEN: document.Open,
    acts.CALL: document.Call,
    acts.RAISE: document.Raise,
    acts.FOLD: document.Fold,
    acts.NO_MORE: document.NoMore,
    acts.SHOW: document.Show,
    acts.OUT: document.Out,
}
_ADDING: Final = frozenset({acts.CARRE, acts.OPEN, acts.CALL, acts.RAISE})


def event_of(record: HandRecord, index: int) -> document.AnyEvent:
    """One event of a record that is no ante, no claim and no act of another game."""
    act = record.acts[index]
    seat = record.seats[index]
    cards = [card_name(card) for card in record.cards[index]]
    if act == acts.TURN:
        return document.Turn(card=cards[0])
    if isinstance(record, BourreRecord) and act in (acts.STAY, acts.DRAW, acts.PLAY):
        return _of_tricks(record, index, act, seat, cards)
    parts: dict[str, object] = {"seat": seat}
    if act in _ADDING:
        parts["add"] = record.adds[index]
    if cards:
        parts["cards"] = cards
    return _BY_ACT[act](**parts)  # type: ignore[arg-type]


def _of_tricks(
    record: BourreRecord, index: int, act: int, seat: int, cards: list[str]
) -> document.AnyEvent:
    if act == acts.PLAY:
        return document.Play(seat=seat, card=cards[0])
    if act == acts.STAY:
        count = record.adds[index]
        return document.Stay(seat=seat, count=UNSET if count < 0 else count)
    received = [card_name(card) for card in record.received[index]]
    return document.Draw(seat=seat, discards=cards, received=received)
