"""From the raw bytes of a hand to its verdict: decode, replay, and the verdict as a document.

`examine_hand` is the one way in, for the worker, the command line and the pages alike.
"""

from msgspec import UNSET

from engine import ENGINE_VERSION
from engine import result as engine_result
from engine.acts import ACT_NAMES, DRAW, RAISE
from engine.bourre.state import STAGE_NAMES as BOURRE_STAGE_NAMES
from engine.cards import SUITS, UNKNOWN, UNKNOWN_NAME, card_name, cards_in
from engine.record import BourreRecord, HandRecord
from engine.replay import replay
from engine.result import Replay
from engine.violations import Action
from engine.violations import Violation as EngineViolation
from engine.vying.opening import HAND_CARDS
from engine.vying.state import NOBODY, STAGE_NAMES
from schemas import verdict
from schemas.decode import OF_FORMAT, DecodedHand, HandLimits, decode_hand
from schemas.document import Hand
from schemas.errors import UnknownKey, UnreadableHand
from schemas.record import to_record
from schemas.sentences import finding_in_words, seen_in, unknown_key_in_words


class ExaminedHand:
    """A hand that could be read: its document, the engine's record of it and the replay."""

    __slots__ = ("decoded", "record", "replay")

    def __init__(self, decoded: DecodedHand, record: HandRecord, replay: Replay) -> None:
        self.decoded = decoded
        self.record = record
        self.replay = replay

    @property
    def hand(self) -> Hand:
        """The hand document."""
        return self.decoded.hand


def examine_hand(
    raw: bytes,
    *,
    limits: HandLimits = OF_FORMAT,
    want_turns: bool = False,
    want_steps: bool = False,
) -> ExaminedHand | UnreadableHand:
    """Decodes and replays one hand; ``want_turns`` and ``want_steps`` as in the engine's replay."""
    decoded = decode_hand(raw, limits)
    if isinstance(decoded, UnreadableHand):
        return decoded
    record = to_record(decoded.hand)
    if isinstance(record, UnreadableHand):
        return record
    return ExaminedHand(
        decoded, record, replay(record, want_steps=want_steps, want_turns=want_turns)
    )


def audit_document(examined: ExaminedHand) -> verdict.HandAudit:
    """The verdict on an examined hand as its public document, ours beside the declared."""
    hand = examined.hand
    replayed = examined.replay
    return verdict.HandAudit(
        id=hand.id,
        preset=hand.rules.preset,
        verdict=replayed.verdict,
        violations=[
            *(_violation(found, hand) for found in replayed.violations),
            *(_unknown_key(key) for key in examined.decoded.unknown_keys),
        ],
        ours=None if replayed.outcome is None else _outcome(replayed.outcome),
        declared=None if hand.declared is UNSET else hand.declared,
        engine=ENGINE_VERSION,
    )


def replay_document(raw: bytes) -> verdict.HandReplay | UnreadableHand:
    """The hand with the table after every event."""
    examined = examine_hand(raw, want_steps=True)
    if isinstance(examined, UnreadableHand):
        return examined
    hand = examined.hand
    return verdict.HandReplay(
        audit=audit_document(examined),
        players=[seat.player for seat in hand.seats],
        dealer=hand.dealer,
        steps=[
            _step(step, place, examined.record) for place, step in enumerate(examined.replay.steps)
        ],
    )


def _violation(found: EngineViolation, hand: Hand) -> verdict.Violation:
    return verdict.Violation(
        code=found.code,
        severity=found.severity,
        pointer=found.pointer,
        event=None if found.event < 0 else found.event,
        seat=None if found.seat < 0 else found.seat,
        player=hand.seats[found.seat].player if 0 <= found.seat < len(hand.seats) else None,
        expected=found.expected,
        seen=seen_in(hand, found),
        legal=[_action(action) for action in found.legal],
        ruling=found.ruling,
        message=finding_in_words(found, hand),
    )


def _unknown_key(key: UnknownKey) -> verdict.Violation:
    return verdict.Violation(
        code="unknown-key",
        severity="warning",
        pointer=key.pointer,
        event=None,
        seat=None,
        player=None,
        expected=key.suggestion,
        seen=key.pointer.rsplit("/", 1)[-1],
        legal=[],
        ruling="format",
        message=unknown_key_in_words(key),
    )


def _action(action: Action) -> verdict.LegalAction:
    return verdict.LegalAction(
        do=ACT_NAMES[action.act],
        seat=None if action.seat < 0 else action.seat,
        min=None if action.least < 0 else action.least,
        max=None if action.most < 0 else action.most,
        cards=_names(action.cards, action.hidden) if action.cards or action.hidden else None,
    )


def _outcome(outcome: engine_result.Outcome) -> verdict.Outcome | verdict.BourreOutcome:
    if isinstance(outcome, engine_result.BourreOutcome):
        return _bourre_outcome(outcome)
    return verdict.Outcome(
        pots=[_pot(pot) for pot in outcome.pots],
        returned={seat: chips for seat, chips in enumerate(outcome.returned) if chips},
        premiums=None if outcome.premiums is None else dict(enumerate(outcome.premiums)),
        premium_payments=[
            verdict.Premium(
                holder=payment.holder,
                payer=payment.payer,
                amount=payment.amount,
                short=payment.short,
            )
            for payment in outcome.payments
        ],
        premium_account=outcome.premium_account,
        stacks=outcome.stacks,
        carried=outcome.carried,
        points=None if outcome.points is None else dict(zip(SUITS, outcome.points, strict=True)),
        owners=None
        if outcome.owners is None
        else {
            suit: None if owner == NOBODY else owner
            for suit, owner in zip(SUITS, outcome.owners, strict=True)
        },
    )


def _bourre_outcome(outcome: engine_result.BourreOutcome) -> verdict.BourreOutcome:
    payments = outcome.pot_payments
    exempt = outcome.exempt
    return verdict.BourreOutcome(
        pots=[_pot(pot) for pot in outcome.pots],
        tricks=outcome.tricks,
        payments=None
        if payments is None
        else [
            verdict.PotPayment(
                seat=payment.seat, amount=payment.amount, short=payment.short, by=payment.by
            )
            for payment in payments
        ],
        stacks=outcome.stacks,
        carried=outcome.carried,
        reneged=outcome.reneged,
        exempt=None if exempt is None else [seat for seat, free in enumerate(exempt) if free],
        replaying=outcome.replaying,
    )


def _pot(pot: engine_result.Pot) -> verdict.Pot:
    return verdict.Pot(
        amount=pot.amount,
        eligible=pot.eligible,
        winners=pot.winners,
        by=pot.by,
        suit=None if pot.suit == NOBODY else SUITS[pot.suit],
    )


def _step(step: engine_result.Step, place: int, record: HandRecord) -> verdict.Step:
    event = None if step.event < 0 else step.event
    act = -1 if event is None else record.acts[event]
    seat = -1 if event is None else record.seats[event]
    return verdict.Step(
        event=event,
        do=ACT_NAMES[act] if act >= 0 else "settle" if place else "ante",
        seat=None if seat < 0 else seat,
        add=record.adds[event] if event is not None and 0 <= act <= RAISE else None,
        cards=None if event is None else [card_name(card) for card in record.cards[event]] or None,
        state=_table(step),
        violations=step.findings,
        received=_received(event, act, record),
    )


def _received(event: int | None, act: int, record: HandRecord) -> list[str] | None:
    if event is None or act != DRAW or not isinstance(record, BourreRecord):
        return None
    return [card_name(card) for card in record.received[event]]


def _table(step: engine_result.Step) -> verdict.TableState:
    play = step.play
    stages = STAGE_NAMES if play is None else BOURRE_STAGE_NAMES
    sizes = [HAND_CARDS] * len(step.hands) if play is None else play.sizes
    return verdict.TableState(
        stage=stages[step.stage],
        stacks=step.stacks,
        contributions=step.contributions,
        highest=step.highest,
        pot=step.pot,
        carried=step.carried,
        folded=[not step.live >> seat & 1 for seat in range(len(step.stacks))],
        all_in=[
            stack == 0 and bool(step.live >> seat & 1) for seat, stack in enumerate(step.stacks)
        ],
        hands=[
            _names(hand, sizes[seat] - hand.bit_count()) for seat, hand in enumerate(step.hands)
        ],
        retourne=None if step.retourne == UNKNOWN else card_name(step.retourne),
        to_speak=None if step.to_speak == NOBODY else step.to_speak,
        legal=[_action(action) for action in step.legal],
        play=None if play is None else _play(play, step.live),
        pots=[
            verdict.CutPot(
                amount=amount,
                eligible=[seat for seat in range(len(step.stacks)) if eligible >> seat & 1],
            )
            for amount, eligible in step.pots
        ]
        or UNSET,
    )


def _play(play: engine_result.TrickTable, live: int) -> verdict.Play:
    return verdict.Play(
        trump=None if play.trump < 0 else SUITS[play.trump],
        stayed=[
            bool(live >> seat & 1) if play.declared >> seat & 1 else None
            for seat in range(len(play.won))
        ],
        trick=[
            verdict.PlayedCard(seat=seat, card=card_name(card))
            for seat, card in zip(play.seats, play.cards, strict=True)
        ],
        winner=None if play.winner < 0 else play.winner,
        tricks=play.won,
    )


def _names(cards: int, hidden: int) -> list[str]:
    """The cards of a mask, and ``??`` for each one more that is hidden."""
    return [card_name(card) for card in cards_in(cards)] + [UNKNOWN_NAME] * max(0, hidden)
