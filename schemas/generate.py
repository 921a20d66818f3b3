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
        for hand in _session(
            preset, session_no, min(length, hands - written), seed, _players(styles), rng
        ):
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


def _session(
    preset: Preset,
    session_no: int,
    hands: int,
    seed: int,
    who: dict[str, Style],
    rng: random.Random,
) -> Iterator[document.Hand]:
    options = preset_options(preset)
    players = rng.randint(preset.min_players, preset.max_players)
    names = rng.sample(list(who), players)
    styles = [who[name] for name in names]
    start = SEASON_START + dt.timedelta(days=DAYS_BETWEEN * (session_no - 1))
    caves = [options.rebuy] * players
    table = _Table(names, caves, rng.randrange(players), 0, [False] * players, start)
    for hand_no in range(1, hands + 1):
        rebuys = [0 if stack else options.rebuy for stack in table.stacks]
        stacks = [stack + buy for stack, buy in zip(table.stacks, rebuys, strict=True)]
        record = _played(options, table, stacks, rebuys, styles, rng)
        outcome = replay(record).outcome
        if outcome is None or outcome.stacks is None or outcome.carried is None:
            raise AssertionError("a generated hand always comes to its end with every card known")
        table.clock += dt.timedelta(seconds=rng.randint(*HAND_SECONDS))
        yield _document(preset, f"S{seed}-{session_no:04d}", hand_no, table, record, outcome)
        table.stacks = outcome.stacks
        table.carried = outcome.carried
        if isinstance(outcome, BourreOutcome) and outcome.exempt is not None:
            table.exempt = outcome.exempt
        table.dealer = (table.dealer + 1) % players


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
    preset: Preset,
    session_id: str,
    hand_no: int,
    table: _Table,
    record: HandRecord,
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
        seats=seats_of(record, table.names),
        dealer=record.dealer,
        carried=record.carried,
        events=events_of(record),
        declared=declared_of(outcome),
    )
