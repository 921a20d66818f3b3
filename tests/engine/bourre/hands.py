"""Short hands of Bourré for the tests: a record from a line such as ``A stay, B out, A Ah``.

Seats are the letters A to H in turn order, the dealer sits last unless told. Everybody has five
cards as `DEALT` gives them unless told; spades are trump by the six of the last seat. A card after
a seat is played; ``C draw 9d 7c > 2h 2d`` throws two away and receives two. ``PAT`` has all stay.
"""

from collections.abc import Mapping, Sequence

from engine.acts import ACT_NAMES, ANTE, DEAL, DRAW, PLAY, RENEGE, STAY, TURN
from engine.bourre.options import BourreOptions
from engine.bourre.replay import replay_bourre
from engine.cards import CARD_NUMBERS, UNKNOWN, card_name, cards_in
from engine.options import OptionValue
from engine.presets import PRESETS, options_of
from engine.record import BourreRecord, DeclaredOutcome
from engine.result import BourreOutcome, Replay
from engine.violations import Action, Violation

SEATS = "ABCDEFGH"
LOUISIANA = "bourre/louisiana"
PAGAT = "bourre/pagat"

DEALT = ("Ah Kd 8c 3c As", "Qh Jd Ts 9c 4s", "Kh 9d 8s 7c 6s")
TURNED = "6s"
PAT = "A stay, B stay, C stay"
TRICKS = "AAh BQh CKh AKd BJd C9d AAs B4s C6s A8c B9c C7c BTs C8s A3c"
"""Five tricks of `DEALT` without a slip: A takes three, B two, C none."""
HIDDEN = "?? ?? ?? ?? ??"


def table_options(
    preset: str = LOUISIANA, table: Mapping[str, OptionValue] | None = None, **changed: OptionValue
) -> BourreOptions:
    """A preset's options with a table's own over them, named as in documents or in snake case."""
    named = {**(table or {})}
    named.update({name.replace("_", "-"): value for name, value in changed.items()})
    options = options_of(PRESETS[preset], named)
    assert isinstance(options, BourreOptions), options
    return options


def cards(names: str) -> list[int]:
    return [UNKNOWN if name == "??" else CARD_NUMBERS[name] for name in names.split()]


def hand(
    line: str = f"{PAT}, {TRICKS}",
    *,
    stacks: Sequence[int] = (),
    dealt: Sequence[str] = DEALT,
    turned: str | None = TURNED,
    dealer: int = -1,
    carried: int = 0,
    preset: str = LOUISIANA,
    exempt: str = "",
    declared: DeclaredOutcome | None = None,
    **changed: OptionValue,
) -> BourreRecord:
    """The record of a hand; ``exempt`` are letters of seats."""
    players = len(dealt)
    record = BourreRecord(
        options=table_options(preset, None, **changed),
        min_players=PRESETS[preset].min_players,
        max_players=PRESETS[preset].max_players,
        dealer=dealer % players,
        carried=carried,
        stacks=list(stacks or [100] * players),
        rebuys=[0] * players,
        exempt=[SEATS[seat] in exempt for seat in range(players)],
        acts=[],
        seats=[],
        adds=[],
        cards=[],
        received=[],
        declared=declared,
    )
    for seat, held in enumerate(dealt):
        add_event(record, DEAL, seat, dealt_cards=held)
    if turned is not None:
        add_event(record, TURN, -1, dealt_cards=turned)
    add_events(record, line)
    return record


def add_event(
    record: BourreRecord, act: int, seat: int, add: int = -1, dealt_cards: str = "", came: str = ""
) -> None:
    record.acts.append(act)
    record.seats.append(seat)
    record.adds.append(add)
    record.cards.append(cards(dealt_cards))
    record.received.append(cards(came))


def add_events(record: BourreRecord, line: str) -> None:
    """Adds events: acts between commas, cards played between commas or spaces."""
    for part in line.split(","):
        words = part.split()
        if words and len(words[0]) == 3:
            for word in words:
                add_event(record, PLAY, SEATS.index(word[0]), dealt_cards=word[1:])
            continue
        seat = SEATS.index(words[0])
        act = ACT_NAMES.index(words[1])
        rest = words[2:]
        if act in (STAY, ANTE):
            add_event(record, act, seat, int(rest[0]) if rest else -1)
        elif act == DRAW:
            thrown, _, came = " ".join(rest).partition(">")
            add_event(record, act, seat, dealt_cards=thrown, came=came)
        elif act in (RENEGE, DEAL, TURN):
            add_event(record, act, seat, dealt_cards=" ".join(rest))
        else:
            add_event(record, act, seat)


def replayed(record: BourreRecord) -> Replay:
    return replay_bourre(record, want_steps=True, want_turns=True)


def outcome_of(record: BourreRecord) -> BourreOutcome:
    outcome = replayed(record).outcome
    assert isinstance(outcome, BourreOutcome)
    return outcome


def settled(record: BourreRecord) -> BourreOutcome:
    """The outcome of a hand in which nothing is found."""
    assert found(record) == []
    return outcome_of(record)


def found(record: BourreRecord) -> list[str]:
    """The codes with their events, such as ``must-follow 8``, or where they are if of no event."""
    return [
        f"{v.code} {v.event}" if v.event >= 0 else f"{v.code} {v.pointer}"
        for v in replayed(record).violations
    ]


def only_finding(record: BourreRecord) -> Violation:
    (violation,) = replayed(record).violations
    return violation


def words(actions: Sequence[Action]) -> list[str]:
    """Legal acts as ``C stay``, ``C draw 0-5``, ``C play 6s 8s``."""
    return [_word(action) for action in actions]


def _word(action: Action) -> str:
    act = ACT_NAMES[action.act]
    parts = [act] if action.seat < 0 else [SEATS[action.seat], act]
    if action.least >= 0:
        parts.append(f"{action.least}-{action.most}")
    parts += [card_name(card) for card in cards_in(action.cards)] + ["??"] * action.hidden
    return " ".join(parts)


def legal_after(record: BourreRecord) -> list[str]:
    """What may be done when the events of the record are over."""
    return words(replayed(record).steps[-1].legal)
