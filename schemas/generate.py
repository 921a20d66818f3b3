"""Legal random games as hand documents: seasons of sessions between players of several styles."""

import datetime as dt
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import UNSET

from engine import acts
from engine.cards import card_name
from engine.presets import PRESETS, Preset, preset_options
from engine.record import VyingRecord
from engine.result import Outcome
from engine.styles import STYLES, Style
from engine.vying.play import play_hand
from engine.vying.replay import replay_vying
from schemas import document
from schemas.declare_session import declare_session
from schemas.session import Session

SESSION_HANDS: Final = 40
SEASON_START: Final = dt.datetime(2026, 1, 9, 19, 30, tzinfo=dt.UTC)
DAYS_BETWEEN: Final = 7
HAND_SECONDS: Final = (35, 140)

PLAYERS: Final[dict[str, Style]] = {
    "Anaïs": STYLES["steady"],
    "Bastien": STYLES["loose"],
    "Camille": STYLES["tight"],
    "Désiré": STYLES["carre-happy"],
    "Éloïse": STYLES["bluffing"],
    "Fabrice": STYLES["steady"],
    "Gaston": STYLES["loose"],
    "Hélène": STYLES["tight"],
}
"""The generator's players and how each of them plays."""


@dataclass
class _Table:
    """A session in progress: who sits where with what, and what goes on to the next hand."""

    names: list[str]
    stacks: list[int]
    dealer: int
    carried: int
    clock: dt.datetime


def generate_hands(
    hands: int, seed: int, presets: Sequence[str] = tuple(PRESETS)
) -> Iterator[document.Hand]:
    """That many legal hands, session after session; the same seed gives the same hands.

    The sessions take the presets in turn. Stacks, the dealer and carried pots go on from hand to
    hand, a player at zero buys a new cave.
    """
    rng = random.Random(seed)  # noqa: S311 -- games to look at, not secrets
    written = 0
    session_no = 0
    while written < hands:
        session_no += 1
        preset = PRESETS[presets[(session_no - 1) % len(presets)]]
        length = _session_length(preset)
        for hand in _session(preset, session_no, min(length, hands - written), seed, rng):
            yield hand
            written += 1


def generate_session(
    seed: int, preset: str, kind: Literal["session", "tournament"] = "session"
) -> Session:
    """A whole session as its document, with entrants, rebuys, ledger and standings."""
    hands = list(generate_hands(_session_length(PRESETS[preset]), seed, (preset,)))
    for hand in hands:
        if hand.session is not UNSET:
            hand.session.kind = kind
    return declare_session(hands, hands[0].id.table, kind)


def _session_length(preset: Preset) -> int:
    hands = preset.values["session-hands"]
    return hands if isinstance(hands, int) and hands else SESSION_HANDS


def _session(
    preset: Preset, session_no: int, hands: int, seed: int, rng: random.Random
) -> Iterator[document.Hand]:
    options = preset_options(preset)
    players = rng.randint(preset.min_players, preset.max_players)
    names = rng.sample(list(PLAYERS), players)
    styles = [PLAYERS[name] for name in names]
    start = SEASON_START + dt.timedelta(days=DAYS_BETWEEN * (session_no - 1))
    table = _Table(names, [options.rebuy] * players, rng.randrange(players), 0, start)
    for hand_no in range(1, hands + 1):
        rebuys = [0 if stack else options.rebuy for stack in table.stacks]
        stacks = [stack + buy for stack, buy in zip(table.stacks, rebuys, strict=True)]
        record = play_hand(options, table.dealer, table.carried, stacks, rebuys, styles, rng)
        outcome = replay_vying(record).outcome
        if outcome is None or outcome.stacks is None:
            raise AssertionError("a generated hand always comes to its end with every card known")
        table.clock += dt.timedelta(seconds=rng.randint(*HAND_SECONDS))
        yield _document(preset, f"S{seed}-{session_no:04d}", hand_no, table, record, outcome)
        table.stacks = outcome.stacks
        table.carried = outcome.carried
        table.dealer = (table.dealer + 1) % players


def _document(
    preset: Preset,
    session_id: str,
    hand_no: int,
    table: _Table,
    record: VyingRecord,
    outcome: Outcome,
) -> document.Hand:
    return document.Hand(
        format=document.FORMAT_VERSION,
        id=document.HandId(
            source="retourne-generate", table=session_id, hand=f"{session_id}-{hand_no:03d}"
        ),
        played_at=table.clock,
        tz="Europe/Paris",
        session=document.SessionRef(id=session_id, hand_no=hand_no, kind="session"),
        rules=document.Rules(preset=preset.name),
        view="full",
        seats=[
            document.Seat(player=name, stack=stack, rebuy=rebuy)
            if rebuy
            else document.Seat(player=name, stack=stack)
            for name, stack, rebuy in zip(table.names, record.stacks, record.rebuys, strict=True)
        ],
        dealer=record.dealer,
        carried=record.carried,
        events=[_event(record, index) for index in range(len(record.acts))],
        declared=declared_of(outcome),
    )


def declared_of(outcome: Outcome) -> document.Declared:
    """An outcome with nothing left open, as a client would declare it."""
    return document.Declared(
        pots=[
            document.DeclaredPot(amount=pot.amount, winners=pot.winners or {})
            for pot in outcome.pots
        ],
        premiums=dict(enumerate(outcome.premiums or [])),
        stacks=outcome.stacks or [],
        carried=outcome.carried,
    )


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
}
_ADDING: Final = frozenset({acts.CARRE, acts.OPEN, acts.CALL, acts.RAISE})


def _event(record: VyingRecord, index: int) -> document.AnyEvent:
    act = record.acts[index]
    cards = [card_name(card) for card in record.cards[index]]
    if act == acts.TURN:
        return document.Turn(card=cards[0])
    parts: dict[str, object] = {"seat": record.seats[index]}
    if act in _ADDING:
        parts["add"] = record.adds[index]
    if cards:
        parts["cards"] = cards
    return _BY_ACT[act](**parts)  # type: ignore[arg-type]
