"""Legal random games as hand documents: seasons of sessions between players of several styles."""

import datetime as dt
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import UNSET

from engine.bourre import play as bourre
from engine.bourre.options import BourreOptions
from engine.presets import PRESETS, Preset, TableOptions, preset_options
from engine.record import HandRecord
from engine.replay import replay
from engine.result import BourreOutcome, Outcome
from engine.styles import STYLES, Style
from engine.vying import play as vying
from schemas import document
from schemas.declare_session import declare_session
from schemas.errors import UnreadableHand
from schemas.record import to_record
from schemas.session import Session
from schemas.writing import declared_of, events_of, seats_of

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


class Course:
    """What goes otherwise in a session than cards and players have it; here nothing does."""

    def accepts(self, hand_no: int, record: HandRecord) -> bool:
        """Whether a hand is to be played as it was; if not, it is dealt and played again."""
        del hand_no, record
        return True

    def logged(self, hand: document.Hand) -> document.Hand:
        """The hand as the log has it; the session goes on from what that comes to."""
        return hand


@dataclass(frozen=True)
class Sitting:
    """A session that is to be played: by which rules, by whom, when, and under which names.

    ``players`` sit in this order; ``name`` is that of the session and of its table.
    """

    preset: str
    source: str
    name: str
    players: dict[str, Style]
    start: dt.datetime
    hands: int


@dataclass
class _Table:
    """A session in progress: who sits where with what, and what goes on to the next hand."""

    names: list[str]
    stacks: list[int]
    dealer: int
    carried: int
    exempt: list[bool]
    clock: dt.datetime


def generate_hands(
    hands: int, seed: int, presets: Sequence[str] = tuple(PRESETS), styles: Sequence[str] = ()
) -> Iterator[document.Hand]:
    """That many legal hands, session after session; the same seed gives the same hands.

    The sessions take the presets in turn. Stacks, the dealer and carried pots go on from hand to
    hand, a player at zero buys a new cave. The players play as `PLAYERS` says, or as ``styles``
    says in turn.
    """
    rng = random.Random(seed)  # noqa: S311 -- games to look at, not secrets
    written = 0
    session_no = 0
    while written < hands:
        session_no += 1
        preset = PRESETS[presets[(session_no - 1) % len(presets)]]
        length = _session_length(preset)
        who = _players(styles)
        players = rng.randint(preset.min_players, preset.max_players)
        sitting = Sitting(
            preset=preset.name,
            source="retourne-generate",
            name=f"S{seed}-{session_no:04d}",
            players={name: who[name] for name in rng.sample(list(who), players)},
            start=SEASON_START + dt.timedelta(days=DAYS_BETWEEN * (session_no - 1)),
            hands=min(length, hands - written),
        )
        for hand in play_sitting(sitting, rng):
            yield hand
            written += 1


def generate_session(
    seed: int,
    preset: str,
    kind: Literal["session", "tournament"] = "session",
    styles: Sequence[str] = (),
) -> Session:
    """A whole session as its document, with entrants, rebuys, ledger and standings."""
    hands = list(generate_hands(_session_length(PRESETS[preset]), seed, (preset,), styles))
    for hand in hands:
        if hand.session is not UNSET:
            hand.session.kind = kind
    return declare_session(hands, hands[0].id.table, kind)


def _players(styles: Sequence[str]) -> dict[str, Style]:
    if not styles:
        return PLAYERS
    return {name: STYLES[styles[at % len(styles)]] for at, name in enumerate(PLAYERS)}


def _session_length(preset: Preset) -> int:
    hands = preset.values["session-hands"]
    return hands if isinstance(hands, int) and hands else SESSION_HANDS


def play_sitting(
    sitting: Sitting, rng: random.Random, course: Course | None = None
) -> Iterator[document.Hand]:
    """The hands of a session: legal, unless the course has something else in the log.

    Raises:
        ValueError: what the course has in the log does not come to its end.
    """
    course = course or Course()
    preset = PRESETS[sitting.preset]
    options = preset_options(preset)
    names, styles = list(sitting.players), list(sitting.players.values())
    caves = [options.rebuy] * len(names)
    dealer = rng.randrange(len(names))
    table = _Table(names, caves, dealer, 0, [False] * len(names), sitting.start)
    for hand_no in range(1, sitting.hands + 1):
        rebuys = [0 if stack else options.rebuy for stack in table.stacks]
        stacks = [stack + buy for stack, buy in zip(table.stacks, rebuys, strict=True)]
        record = _played(options, table, stacks, rebuys, styles, rng)
        while not course.accepts(hand_no, record):
            record = _played(options, table, stacks, rebuys, styles, rng)
        outcome = replay(record).outcome
        table.clock += dt.timedelta(seconds=rng.randint(*HAND_SECONDS))
        hand = _document(sitting, hand_no, table, record, outcome)
        logged = course.logged(hand)
        if logged is not hand:
            outcome = replay(_read(logged)).outcome
        yield logged
        if outcome is None or outcome.stacks is None or outcome.carried is None:
            raise ValueError(f"hand {hand_no} of {sitting.name} does not come to its end")
        table.stacks = outcome.stacks
        table.carried = outcome.carried
        if isinstance(outcome, BourreOutcome) and outcome.exempt is not None:
            table.exempt = outcome.exempt
        table.dealer = (table.dealer + 1) % len(names)


def _read(hand: document.Hand) -> HandRecord:
    record = to_record(hand)
    if isinstance(record, UnreadableHand):
        raise TypeError(f"a hand of the log cannot be read: {record}")
    return record


def _played(
    options: TableOptions,
    table: _Table,
    stacks: list[int],
    rebuys: list[int],
    styles: list[Style],
    rng: random.Random,
) -> HandRecord:
    dealer, carried = table.dealer, table.carried
    if isinstance(options, BourreOptions):
        return bourre.play_hand(options, dealer, carried, stacks, rebuys, table.exempt, styles, rng)
    return vying.play_hand(options, dealer, carried, stacks, rebuys, styles, rng)


def _document(
    sitting: Sitting, hand_no: int, table: _Table, record: HandRecord, outcome: Outcome | None
) -> document.Hand:
    if outcome is None:
        raise AssertionError("a generated hand always comes to its end with every card known")
    name = sitting.name
    return document.Hand(
        format=document.FORMAT_VERSION,
        id=document.HandId(source=sitting.source, table=name, hand=f"{name}-{hand_no:03d}"),
        played_at=table.clock,
        tz="Europe/Paris",
        session=document.SessionRef(id=name, hand_no=hand_no, kind="session"),
        rules=document.Rules(preset=sitting.preset),
        view="full",
        seats=seats_of(record, table.names),
        dealer=record.dealer,
        carried=record.carried,
        events=events_of(record),
        declared=declared_of(outcome),
    )
