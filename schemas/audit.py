"""From the raw bytes of a hand to its verdict: decode, replay, and the verdict as a document.

`examine_hand` is the one way in, for the worker, the command line and the pages alike.
"""

from msgspec import UNSET

from engine import ENGINE_VERSION
from engine import result as engine_result
from engine.acts import ACT_NAMES, RAISE
from engine.cards import SUITS, UNKNOWN, UNKNOWN_NAME, card_name, cards_in
from engine.record import VyingRecord
from engine.result import Replay
from engine.violations import Action
from engine.violations import Violation as EngineViolation
from engine.vying.replay import replay_vying
from engine.vying.state import NOBODY, STAGE_NAMES
from schemas import verdict
from schemas.decode import DecodedHand, decode_hand
from schemas.document import Hand
from schemas.errors import UnknownKey, UnreadableHand
from schemas.record import to_record
from schemas.sentences import finding_in_words, seen_in, unknown_key_in_words

HAND_CARDS = 3


class ExaminedHand:
    """A hand that could be read: its document, the engine's record of it and the replay."""

    __slots__ = ("decoded", "record", "replay")

    def __init__(self, decoded: DecodedHand, record: VyingRecord, replay: Replay) -> None:
        self.decoded = decoded
        self.record = record
        self.replay = replay

    @property
    def hand(self) -> Hand:
        """The hand document."""
        return self.decoded.hand


def examine_hand(
    raw: bytes, *, want_turns: bool = False, want_steps: bool = False
) -> ExaminedHand | UnreadableHand:
    """Decodes and replays one hand; ``want_turns`` and ``want_steps`` as in the engine's replay."""
    decoded = decode_hand(raw)
    if isinstance(decoded, UnreadableHand):
        return decoded
    record = to_record(decoded.hand)
    if isinstance(record, UnreadableHand):
        return record
    return ExaminedHand(
        decoded, record, replay_vying(record, want_steps=want_steps, want_turns=want_turns)
    )


def audit_document(examined: ExaminedHand) -> verdict.HandAudit:
    """The verdict on an examined hand as its public document, ours beside the declared."""
    hand = examined.hand
    replay = examined.replay
    return verdict.HandAudit(
        id=hand.id,
        preset=hand.rules.preset,
        verdict=replay.verdict,
        violations=[
            *(_violation(found, hand) for found in replay.violations),
            *(_unknown_key(key) for key in examined.decoded.unknown_keys),
        ],
        ours=None if replay.outcome is None else _outcome(replay.outcome),
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
    )


def _outcome(outcome: engine_result.Outcome) -> verdict.Outcome:
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


def _pot(pot: engine_result.Pot) -> verdict.Pot:
    return verdict.Pot(
        amount=pot.amount,
        eligible=pot.eligible,
        winners=pot.winners,
        by=pot.by,
        suit=None if pot.suit == NOBODY else SUITS[pot.suit],
    )


def _step(step: engine_result.Step, place: int, record: VyingRecord) -> verdict.Step:
    if step.event < 0:
        do, seat, add, cards = ("settle" if place else "ante"), None, None, None
    else:
        do, seat, add, cards = _event(step.event, record)
    return verdict.Step(
        event=None if step.event < 0 else step.event,
        do=do,
        seat=seat,
        add=add,
        cards=cards,
        state=verdict.TableState(
            stage=STAGE_NAMES[step.stage],
            stacks=step.stacks,
            contributions=step.contributions,
            highest=step.highest,
            pot=step.pot,
            carried=step.carried,
            folded=[not step.live >> seat & 1 for seat in range(len(step.stacks))],
            all_in=[
                stack == 0 and bool(step.live >> seat & 1) for seat, stack in enumerate(step.stacks)
            ],
            hands=[_hand_names(hand) for hand in step.hands],
            retourne=None if step.retourne == UNKNOWN else card_name(step.retourne),
            to_speak=None if step.to_speak == NOBODY else step.to_speak,
            legal=[_action(action) for action in step.legal],
        ),
        violations=step.findings,
    )


def _event(index: int, record: VyingRecord) -> tuple[str, int | None, int | None, list[str] | None]:
    act = record.acts[index]
    seat = record.seats[index]
    cards = [card_name(card) for card in record.cards[index]]
    adds = act <= RAISE
    return (
        ACT_NAMES[act],
        None if seat < 0 else seat,
        record.adds[index] if adds else None,
        cards or None,
    )


def _hand_names(hand: int) -> list[str]:
    known = [card_name(card) for card in cards_in(hand)]
    return known + [UNKNOWN_NAME] * (HAND_CARDS - len(known))
