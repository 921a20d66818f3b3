"""The faults around the play, of any game.

At the table as it begins, in the declared result, and in a log that ends early.
"""

from typing import Final, TypeVar

import msgspec
from msgspec import UNSET

from engine.bourre.play import BourreGame
from engine.options import DECK_BY_COUNT
from engine.presets import PRESETS
from engine.record import BourreRecord
from engine.styles import STYLES
from engine.vying.play import VyingGame
from schemas import document
from schemas.errors import UnreadableHand
from schemas.faults.kinds import Case, Kind, Planted, opened_at_par, rewritten, written
from schemas.record import to_record
from schemas.writing import events_of

_MOST_OFF: Final = 9
"""A declared amount is off by so many chips at most."""
_LARGE_DECK: Final = "AKQJT98"
_MOST_PLAYERS: Final = 6

_Value = TypeVar("_Value")


# the table as it begins


def _other_number_of_players(case: Case) -> Planted | None:
    hand = case.hand
    preset = PRESETS[hand.rules.preset]
    strange = {*range(2, _MOST_PLAYERS + 1)} - {*range(preset.min_players, preset.max_players + 1)}
    players = case.rng.choice(sorted(strange))
    guests = [
        document.Seat(player=f"Invité {number}", stack=case.record.options.rebuy)
        for number in range(1, players + 1)
    ]
    rules = hand.rules
    if preset.values["deck"] == "by-count" and players not in DECK_BY_COUNT:
        rules = document.Rules(preset=preset.name, options={"deck": _LARGE_DECK})
    table = msgspec.structs.replace(
        hand,
        rules=rules,
        seats=[*hand.seats, *guests][:players],
        dealer=hand.dealer % players,
    )
    return _played(case, table, "/seats", None, len(hand.seats), players)


def _without_chips(case: Case) -> Planted | None:
    seat = case.rng.randrange(len(case.hand.seats))
    before = case.hand.seats[seat]
    changed = msgspec.structs.replace(before, stack=0, rebuy=UNSET)
    table = _with_seat(case.hand, seat, changed)
    return _played(case, table, f"/seats/{seat}/stack", seat, before.stack, 0)


def _rebuy_with_chips(case: Case) -> Planted | None:
    cave = case.record.options.rebuy
    return _with_rebuy(case, cave, cave + case.rng.randint(1, cave))


def _other_cave(case: Case) -> Planted | None:
    cave = case.record.options.rebuy
    amount = case.rng.choice([chips for chips in range(1, 2 * cave) if chips != cave])
    return _with_rebuy(case, amount, amount)


def _with_rebuy(case: Case, rebuy: int, stack: int) -> Planted | None:
    seat = case.rng.randrange(len(case.hand.seats))
    before = case.hand.seats[seat]
    changed = msgspec.structs.replace(before, stack=stack, rebuy=rebuy)
    table = _with_seat(case.hand, seat, changed)
    stood = None if before.rebuy is UNSET else before.rebuy
    return _played(case, table, f"/seats/{seat}/rebuy", seat, stood, rebuy)


def _exempt_without_reason(case: Case) -> Planted | None:
    if PRESETS[case.hand.rules.preset].values["ante-exemption"] != "none":
        return None
    seat = case.rng.randrange(len(case.hand.seats))
    changed = msgspec.structs.replace(case.hand.seats[seat], exempt=True)
    table = _with_seat(case.hand, seat, changed)
    return _played(case, table, f"/seats/{seat}/exempt", seat, None, True)  # noqa: FBT003 -- the value of the key


def _with_seat(hand: document.Hand, seat: int, changed: document.Seat) -> document.Hand:
    seats = hand.seats.copy()
    seats[seat] = changed
    return msgspec.structs.replace(hand, seats=seats)


def _played(
    case: Case,
    table: document.Hand,
    pointer: str,
    seat: int | None,
    before: int | None,
    after: object,
) -> Planted | None:
    hand = played(case, table)
    return None if hand is None else Planted(written(hand), pointer, seat, before, after)


def played(case: Case, table: document.Hand) -> document.Hand | None:
    """A hand legally played at a table, which need not be as it should.

    None where somebody opens for nothing, which would be reported.
    """
    record = to_record(msgspec.structs.replace(table, events=[]))
    if isinstance(record, UnreadableHand):
        raise TypeError(f"a table to be played at cannot be read: {record}")
    rng = case.rng
    styles = [rng.choice(list(STYLES.values())) for _ in record.stacks]
    if isinstance(record, BourreRecord):
        BourreGame(record, styles, rng).play_on()
    else:
        VyingGame(record, styles, rng).play_on()
    hand = rewritten(table, record, events_of(record))
    return None if opened_at_par(hand.events) else hand


# the declared result


def _other_pot(case: Case) -> Planted | None:
    declared, rng = _declared(case), case.rng
    pots = list(given(declared.pots))
    if not pots:
        return None
    place = rng.randrange(len(pots))
    before = pots[place].amount
    after = _off(case, before)
    pots[place] = document.DeclaredPot(amount=after, winners=pots[place].winners)
    return declaring(case, f"pots/{place}/amount", None, before, after, pots=pots)


def _other_winner(case: Case) -> Planted | None:
    declared, rng = _declared(case), case.rng
    pots = list(given(declared.pots))
    won = [place for place, pot in enumerate(pots) if pot.winners]
    if not won:
        return None
    place = rng.choice(won)
    before = pots[place].winners
    others = [seat for seat in range(len(case.hand.seats)) if seat not in before]
    after = {rng.choice(others): sum(before.values())}
    pots[place] = document.DeclaredPot(amount=pots[place].amount, winners=after)
    return declaring(case, f"pots/{place}/winners", None, before, after, pots=pots)


def _other_number_of_pots(case: Case) -> Planted | None:
    pots = list(given(_declared(case).pots))
    changed = pots[:-1]
    if not pots or case.rng.random() < 0.5:
        changed = [*pots, document.DeclaredPot(amount=2, winners={0: 2})]
    return declaring(case, "pots", None, len(pots), len(changed), pots=changed)


def _other_premium(case: Case) -> Planted | None:
    declared, seat = _declared(case), case.rng.randrange(len(case.hand.seats))
    premiums = {} if declared.premiums is UNSET else dict(declared.premiums)
    before = premiums.get(seat)
    premiums[seat] = (before or 0) + case.rng.choice([-2, -1, 1, 2])
    return declaring(case, f"premiums/{seat}", seat, before, premiums[seat], premiums=premiums)


def _other_stack(case: Case) -> Planted | None:
    stacks = list(given(_declared(case).stacks))
    seat = case.rng.randrange(len(stacks))
    before = stacks[seat]
    stacks[seat] = _off(case, before)
    return declaring(case, f"stacks/{seat}", seat, before, stacks[seat], stacks=stacks)


def _other_number_of_stacks(case: Case) -> Planted | None:
    stacks = list(given(_declared(case).stacks))
    changed = stacks[:-1]
    if case.rng.random() < 0.5 and len(stacks) < document.MAX_SEATS:
        changed = [*stacks, 100]
    return declaring(case, "stacks", None, len(stacks), len(changed), stacks=changed)


def _other_carried(case: Case) -> Planted | None:
    before = given(_declared(case).carried)
    after = _off(case, before)
    return declaring(case, "carried", None, before, after, carried=after)


def _tricks_of_bets(case: Case) -> Planted | None:
    tricks = {case.rng.randrange(len(case.hand.seats)): case.rng.randint(1, 5)}
    return declaring(case, "tricks", None, None, tricks, tricks=tricks)


def _payments_of_bets(case: Case) -> Planted | None:
    payments = {case.rng.randrange(len(case.hand.seats)): case.rng.randint(1, 20)}
    return declaring(case, "payments", None, None, payments, payments=payments)


def _other_tricks(case: Case) -> Planted | None:
    tricks = dict(given(_declared(case).tricks))
    seat = case.rng.randrange(len(case.hand.seats))
    before = tricks[seat]
    tricks[seat] = case.rng.choice([won for won in range(6) if won != before])
    return declaring(case, f"tricks/{seat}", seat, before, tricks[seat], tricks=tricks)


def _other_payment(case: Case) -> Planted | None:
    payments = dict(given(_declared(case).payments))
    seat = case.rng.randrange(len(case.hand.seats))
    before = payments.get(seat)
    payments[seat] = _off(case, before or 0)
    return declaring(case, f"payments/{seat}", seat, before, payments[seat], payments=payments)


def _declared(case: Case) -> document.Declared:
    return given(case.hand.declared)


def given(value: _Value | msgspec.UnsetType) -> _Value:
    """A part that every generated hand has."""
    if isinstance(value, msgspec.UnsetType):
        raise TypeError("a generated hand declares all of its result")
    return value


def _off(case: Case, chips: int) -> int:
    """Another amount, not far away."""
    near = range(max(0, chips - _MOST_OFF), chips + _MOST_OFF + 1)
    return case.rng.choice([other for other in near if other != chips])


def declaring(
    case: Case, part: str, seat: int | None, before: object, after: object, **parts: object
) -> Planted:
    """The hand with other parts of its declared result; the finding is at ``part``."""
    hand = msgspec.structs.replace(
        case.hand,
        declared=msgspec.structs.replace(_declared(case), **parts),
    )
    return Planted(written(hand), f"/declared/{part}", seat, before, after)


# a log that ends early


def _cut_short(case: Case) -> Planted | None:
    events = case.hand.events
    last = max(
        index
        for index, event in enumerate(events)
        if not isinstance(event, document.Deal | document.Turn | document.Show)
    )
    left = case.rng.randint(0, last)
    hand = msgspec.structs.replace(case.hand, events=events[:left])
    lost = events[left]
    dealt = isinstance(lost, document.Deal | document.Turn)
    seat = None if dealt else lost.seat  # type: ignore[union-attr]
    return Planted(written(hand), "/events", seat, msgspec.to_builtins(lost), None)


KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "other-number-of-players",
        "player-count",
        "More or fewer players sit down than the preset seats.",
        _other_number_of_players,
        ("vying",),
    ),
    Kind("without-chips", "stack-empty", "A seat without chips is dealt in.", _without_chips),
    Kind(
        "rebuy-with-chips",
        "rebuy-above-zero",
        "A seat that has chips left buys a cave.",
        _rebuy_with_chips,
    ),
    Kind("other-cave", "rebuy-amount", "A cave of another size is bought.", _other_cave),
    Kind(
        "exempt-without-reason",
        "exemption-not-allowed",
        "A seat is exempt from its ante at a table that exempts nobody.",
        _exempt_without_reason,
        ("bourre",),
    ),
    Kind("other-pot", "declared-pots", "A declared pot has another amount.", _other_pot),
    Kind("other-winner", "declared-pots", "A declared pot goes to another seat.", _other_winner),
    Kind(
        "other-number-of-pots",
        "declared-pots",
        "A pot more or less is declared.",
        _other_number_of_pots,
    ),
    Kind("other-premium", "declared-premiums", "A declared premium is another.", _other_premium),
    Kind("other-stack", "declared-stacks", "A declared stack is another.", _other_stack),
    Kind(
        "other-number-of-stacks",
        "declared-stacks",
        "A stack more or less is declared than there are seats.",
        _other_number_of_stacks,
    ),
    Kind("other-carried", "declared-carried", "Other chips are declared carried.", _other_carried),
    Kind(
        "tricks-of-bets",
        "declared-tricks",
        "Tricks are declared where none are played.",
        _tricks_of_bets,
        ("vying",),
    ),
    Kind(
        "payments-of-bets",
        "declared-payments",
        "Payments into the next pot are declared where there are none.",
        _payments_of_bets,
        ("vying",),
    ),
    Kind(
        "other-tricks",
        "declared-tricks",
        "A seat's declared tricks are others.",
        _other_tricks,
        ("bourre",),
    ),
    Kind(
        "other-payment",
        "declared-payments",
        "A declared payment into the next pot is another.",
        _other_payment,
        ("bourre",),
    ),
    Kind("cut-short", "hand-incomplete", "The log ends before the hand does.", _cut_short),
)
"""Every kind of fault around the play."""
