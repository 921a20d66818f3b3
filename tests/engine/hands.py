"""Short hands for the tests: a record from a line such as ``A carre 5, B decline | C pass, …``.

Seats are the letters A to E in turn order, the dealer sits last unless told. ``|`` stands for the
deal of three cards to everyone and the retourne. In the cards that are dealt unless told, the
first live seat owns the richest suit, and nobody has a brelan.
"""

from collections.abc import Mapping, Sequence

from engine.acts import ACT_NAMES, DEAL, SHOW, TURN
from engine.cards import CARD_NUMBERS, UNKNOWN
from engine.options import OptionValue, VyingOptions
from engine.presets import PRESETS, options_of
from engine.record import DeclaredOutcome, VyingRecord
from engine.result import Outcome, Replay
from engine.violations import Action, Violation
from engine.vying.replay import replay_vying

SEATS = "ABCDE"
SALON = "bouillotte/salon"
HISTORICO = "bouillotte/historico"

CARDS = ("Ah Kd 8c", "Kh 9d 9c", "9h 8d 8s", "8h Qs Kc", "Qd Jc 9s")
TURNED = "Ks"


def table_options(
    preset: str = SALON, table: Mapping[str, OptionValue] | None = None, **overrides: OptionValue
) -> VyingOptions:
    """A preset's options with a table's own over them, named as in documents or in snake case."""
    named = {**(table or {})}
    named.update({name.replace("_", "-"): value for name, value in overrides.items()})
    options = options_of(PRESETS[preset], named)
    assert isinstance(options, VyingOptions), options
    return options


def cards(names: str) -> list[int]:
    """The numbers of cards written with spaces between; ``??`` is an unknown card."""
    return [UNKNOWN if name == "??" else CARD_NUMBERS[name] for name in names.split()]


def hand(
    line: str,
    *,
    stacks: Sequence[int] = (100, 100, 100, 100),
    dealt: Sequence[str] = CARDS,
    turned: str = TURNED,
    dealer: int = -1,
    carried: int = 0,
    preset: str = SALON,
    rebuys: Mapping[int, int] | None = None,
    declared: DeclaredOutcome | None = None,
    table: Mapping[str, OptionValue] | None = None,
    **overrides: OptionValue,
) -> VyingRecord:
    """The record of a hand. A line without ``|`` is all events, written out one by one."""
    players = len(stacks)
    record = VyingRecord(
        options=table_options(preset, table, **overrides),
        min_players=PRESETS[preset].min_players,
        max_players=PRESETS[preset].max_players,
        dealer=dealer % players,
        carried=carried,
        stacks=list(stacks),
        rebuys=[(rebuys or {}).get(seat, 0) for seat in range(players)],
        acts=[],
        seats=[],
        adds=[],
        cards=[],
        declared=declared,
    )
    before, bar, after = line.partition("|")
    add_events(record, before)
    if bar:
        for seat in range(players):
            add_events(record, f"{SEATS[seat]} deal {dealt[seat]}")
        add_events(record, f"turn {turned}")
    add_events(record, after)
    return record


def add_events(record: VyingRecord, line: str) -> None:
    """Adds events such as ``A pass, B open 3, C show Ah Kd 8c, turn 9s``."""
    for part in line.split(","):
        words = part.split()
        if not words:
            continue
        seat = SEATS.index(words.pop(0)) if len(words[0]) == 1 else -1
        act = ACT_NAMES.index(words.pop(0))
        shows = act in (DEAL, TURN, SHOW)
        record.acts.append(act)
        record.seats.append(seat)
        record.adds.append(int(words[0]) if words and not shows else 0)
        record.cards.append(cards(" ".join(words)) if shows else [])


def replayed(record: VyingRecord) -> Replay:
    return replay_vying(record, want_turns=True)


def settled(record: VyingRecord) -> Outcome:
    """The outcome of a hand in which nothing is found."""
    replay = replayed(record)
    assert [(found.code, found.pointer) for found in replay.violations] == []
    assert replay.outcome is not None
    return replay.outcome


def only_finding(record: VyingRecord) -> Violation:
    """The one thing that is found in a hand."""
    (found,) = replayed(record).violations
    return found


def codes(record: VyingRecord) -> list[str]:
    return [found.code for found in replayed(record).violations]


def words(actions: Sequence[Action]) -> list[str]:
    """Legal acts as ``C call 9``, ``C raise 10-99``, ``C fold``."""
    return [_word(action) for action in actions]


def _word(action: Action) -> str:
    act = ACT_NAMES[action.act]
    who = act if action.seat < 0 else f"{SEATS[action.seat]} {act}"
    if action.least < 0:
        return who
    if action.least == action.most:
        return f"{who} {action.least}"
    return f"{who} {action.least}-{action.most}"


def legal_after(record: VyingRecord) -> list[str]:
    """What may be done when the events of the record are over."""
    return words(replay_vying(record, want_steps=True).steps[-1].legal)
