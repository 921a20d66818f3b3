"""Every hand that can be played at small tables of Bourré, under every option of play and pay."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

import pytest

from engine.acts import DRAW, OUT, PLAY, STAY
from engine.bourre.compulsion import legal_cards
from engine.bourre.options import BourreOptions
from engine.bourre.replay import apply
from engine.bourre.settlement import settle
from engine.bourre.state import DECLARING, DRAWING, END, NO_COUNT, BourreState
from engine.cards import CARD_NUMBERS, SUITS, cards_in
from engine.options import OptionValue
from tests.engine.bourre import naive
from tests.engine.bourre.hands import DEALT, TURNED, table_options
from tests.engine.bourre.naive_count import Whole, play_count
from tests.engine.bourre.small_tables import (
    Move,
    copied,
    dealt_table,
    engine_count,
    position,
)
from tests.engine.bourre.test_naive import rules_of

PLAY_OPTIONS: Sequence[dict[str, OptionValue]] = [
    {"head-when-trumped": head, "undertrump": under, "opening-lead": lead, "cinch": cinch}
    for head, under, lead, cinch in itertools.product(
        ("required", "waived"),
        ("forced", "free"),
        ("free", "ace-of-trumps", "top-trump"),
        (False, True),
    )
]
"""Every combination of the options of the play."""

PAY_OPTIONS: Sequence[dict[str, OptionValue]] = [
    {"tie": tie, "limit": limit, "cap": 2, "ante-exemption": exemption, "renege": renege}
    for tie, limit, exemption, renege in itertools.product(
        ("carry", "split", "replay"),
        ("none", "bourre", "bourre-and-winner"),
        ("none", "bourre-and-tied"),
        ("pays-pot", "corrected", "both"),
    )
]
"""Every combination of the options of the settlement."""

NINE = ["Ac", "Kc", "2c", "Ah", "Kh", "2h", "As", "Ks", "2s"]
SEVEN = ["Ac", "2c", "Ah", "2h", "As", "Ks", "2s"]
EIGHT = [*SEVEN, "Kc"]


def numbers(names: Sequence[str]) -> list[int]:
    return [CARD_NUMBERS[name] for name in names]


def mask(names: Sequence[str]) -> int:
    return sum(1 << card for card in numbers(names))


def options_of(values: Mapping[str, OptionValue]) -> BourreOptions:
    return table_options(table=values)


# Which cards may be played


def hands_and_tricks() -> Iterator[tuple[list[str], list[str]]]:
    """Every hand of up to three of nine cards, at every trick that makes no more than four."""
    for size in (1, 2, 3):
        for held in itertools.combinations(NINE, size):
            others = [card for card in NINE if card not in held]
            for lying in range(5 - size):
                for trick in itertools.permutations(others, lying):
                    yield list(held), list(trick)


@pytest.mark.parametrize("trump", "hsd")
def test_every_hand_at_every_trick_may_play_what_the_plain_rules_allow(trump: str) -> None:
    # A suit that nobody holds is trump too: then nothing can be trumped
    leading = [options_of(values) for values in PLAY_OPTIONS]
    following = [options_of(v) for v in PLAY_OPTIONS if v["opening-lead"] == "free"]
    ruled = {id(options): rules_of(options) for options in leading + following}
    for held, trick in hands_and_tricks():
        for number, options in enumerate(following if trick else leading):
            won = number % 3
            here = naive.Position(held, trick, trump, [], won)
            ours = legal_cards(
                options, SUITS.index(trump), numbers(trick), mask(held), mask([]), won
            )
            expected = naive.may_play(here, ruled[id(options)])
            assert ours == mask(sorted(expected)), (here, options)


# Every deal of a few cards, played in every way


def deals(players: int, size: int, pack: Sequence[str]) -> Iterator[list[list[str]]]:
    """Every way to give each seat so many cards of the pack."""
    if not players:
        yield []
        return
    for held in itertools.combinations(pack, size):
        rest = [card for card in pack if card not in held]
        for others in deals(players - 1, size, rest):
            yield [list(held), *others]


@pytest.mark.parametrize(
    ("players", "size", "pack"),
    [
        (2, 3, SEVEN),
        (3, 2, SEVEN),
        pytest.param(2, 4, EIGHT, marks=pytest.mark.proof),
        pytest.param(3, 2, EIGHT, marks=pytest.mark.proof),
        pytest.param(4, 2, EIGHT, marks=pytest.mark.proof),
    ],
    ids=lambda value: f"{len(value)} cards" if isinstance(value, list) else str(value),
)
def test_every_way_to_play_every_deal(players: int, size: int, pack: list[str]) -> None:
    for number, dealt in enumerate(deals(players, size, pack)):
        values = PLAY_OPTIONS[number % len(PLAY_OPTIONS)]
        options = options_of({**values, **PAY_OPTIONS[number % len(PAY_OPTIONS)]})
        won = [0] * players
        for trick in range(5 - size):
            won[(number + trick) % players] += 1
        stacks = [1 + (number + seat) % 5 for seat in range(players)]
        first = position([" ".join(held) for held in dealt], options, won=won, stacks=stacks)
        count = engine_count(first, _look)
        hands = dict(enumerate(dealt))
        assert count == play_count(hands, 0, "s", rules_of(options), [], dict(enumerate(won)))
        assert len(count.nodes) == players * size + 1


def _look(state: BourreState, branches: dict[Move, BourreState]) -> None:
    """What holds at every table, and at every end."""
    chips = sum(state.stacks) + state.pot
    assert state.violations == []
    if state.stage == END:
        assert not branches
        _pays_out_what_went_in(state, chips)
        return
    assert branches
    speakers = {seat for _, seat, _, _ in branches}
    at_once = state.stage == DECLARING and state.options.declare == "simultaneous"
    assert speakers == (set(cards_in(state.undeclared)) if at_once else {state.to_speak()})
    for reached in branches.values():
        assert sum(reached.stacks) + reached.pot == chips
        assert min(reached.stacks) >= 0
    held = [card for seat in range(state.players) for card in cards_in(state.held[seat])]
    assert len(held) == len(set(held)) == sum(state.size)
    assert not state.gone & sum(1 << card for card in held)


def _pays_out_what_went_in(state: BourreState, chips: int) -> None:
    outcome = settle(copied(state))
    assert outcome.stacks is not None
    assert outcome.carried is not None
    assert outcome.exempt is not None
    assert sum(outcome.stacks) + outcome.carried == chips
    assert min(outcome.stacks) >= 0
    if not state.trick.seats:
        return
    assert sum(state.won) == 5
    tricks = {seat: state.won[seat] for seat in cards_in(state.stayed)}
    result = naive.settle(state.stacks, state.pot, tricks, set(), rules_of(state.options))
    assert outcome.stacks == result.stacks
    assert outcome.carried == result.carried
    assert [seat for seat, free in enumerate(outcome.exempt) if free] == result.exempt


@pytest.mark.parametrize("values", PLAY_OPTIONS[::5], ids=str)
def test_whatever_is_not_offered_is_reported(values: dict[str, OptionValue]) -> None:
    options = options_of(values)
    for number, dealt in enumerate(deals(3, 2, SEVEN)):
        if number % 48 == 0:
            first = position([" ".join(held) for held in dealt], options, won=[1, 1, 1])
            engine_count(first, _try_everything)


def _try_everything(state: BourreState, branches: dict[Move, BourreState]) -> None:
    for act, seat, named in tries(state):
        reached = copied(state)
        apply(reached, act, seat, NO_COUNT, named, [])
        offered = (act, seat, NO_COUNT, tuple(named)) in branches
        assert bool(reached.violations) != offered, (act, seat, named)


def tries(state: BourreState) -> Iterator[tuple[int, int, list[int]]]:
    """Every act of every seat with every card that is or was about, and with one that is not."""
    about = cards_in(mask([*SEVEN, "5d"]))
    for seat in range(state.players):
        yield STAY, seat, []
        yield OUT, seat, []
        yield DRAW, seat, []
        for card in about:
            yield PLAY, seat, [card]


# Whole hands


@pytest.mark.parametrize(
    ("declare", "most"),
    [("in-turn", 0), ("simultaneous", 0), ("in-turn-with-count", 1)],
)
def test_whole_hands_from_the_declaring_on(declare: str, most: int) -> None:
    dealt = DEALT[1:] if most else DEALT
    options = options_of({"declare": declare, "maximum-draw": most})
    count = engine_count(dealt_table(dealt, TURNED, options), _look)
    assert count == Whole(dealt, TURNED, rules_of(options), declare, most).count()


# Derivations by hand


@pytest.mark.parametrize(
    ("hands", "values", "won", "expected"),
    [
        # Nothing compels anybody: each seat plays its cards in any order, 3! to the power of three
        (["Ac Kc Qc", "2h 3h 4h", "2d 3d 4d"], {}, [], 216),
        # A leads either club, B must trump, C must overtrump; then each has one card
        (["Ac Kc", "2s 9h", "3s 9d"], {}, [], 2),
        # Whatever A leads, B beats the deuce with either and the ace with neither: 2 · 2
        (["Ac 2c", "Kc 3c"], {}, [], 4),
        # To the three B must play the king, to the ace either: 1 + 2
        (["Ac 3c", "Kc 2c"], {}, [], 3),
        # B trumps with the ace, and C must undertrump; or, where that is free, throws the nine
        (["Ac Kc", "As 9h", "2s 9d"], {}, [], 2),
        (["Ac Kc", "As 9h", "2s 9d"], {"undertrump": "free"}, [], 4),
        # B has trumped; C must still play over the club that was led; or follows with either
        (["9c 8c", "2s 9h", "Ac 3c"], {}, [], 2),
        (["9c 8c", "2s 9h", "Ac 3c"], {"head-when-trumped": "waived"}, [], 4),
        # A leads either, B plays either; or A has to lead the ace of trumps
        (["As 2c", "3c 4c"], {}, [], 4),
        (["As 2c", "3c 4c"], {"opening-lead": "ace-of-trumps"}, [], 2),
        (["Ks 2c", "3c 4c"], {"opening-lead": "ace-of-trumps"}, [], 4),
        (["Ks 2c", "3c 4c"], {"opening-lead": "top-trump"}, [], 2),
        # With two tricks won the ace of trumps makes the third: it must be led; three are enough
        (["As 2c", "3c 4c"], {"cinch": True}, [2, 1], 2),
        (["As 2c", "3c 4c"], {"cinch": True}, [3, 0], 4),
    ],
)
def test_few_cards_by_hand(
    hands: list[str], values: dict[str, OptionValue], won: list[int], expected: int
) -> None:
    assert engine_count(position(hands, options_of(values), won=won)).ending() == expected


MORE = ("Ac Kc Qc Jc Tc", "2d 3d 4d 5d 6d")


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("most", [1, 2, 5])
def test_declaring_by_hand(players: int, most: int) -> None:
    # In turn each says one of w words: out, or a stay. Where all but the last are out, the last
    # has won without a word: those w ways are one. So w^n - w + 1.
    dealt = [*(*DEALT[:2], *MORE)[: players - 1], DEALT[2]]
    for declare, words in (("in-turn", 2), ("in-turn-with-count", most + 2)):
        options = options_of({"declare": declare, "maximum-draw": most})
        count = engine_count(dealt_table(dealt, TURNED, options), until=DRAWING)
        assert count.ending() == words**players - words + 1
        # The end of drawing: at least two stay.
        alone = 1 + (players - 1) * (words - 1)
        assert sum(count.ends["unplayed"]) == alone

    # At once: in any order of the seats, each in or out; none or one may stay
    factorial = len(list(itertools.permutations(range(players))))
    options = options_of({"declare": "simultaneous", "maximum-draw": most})
    count = engine_count(dealt_table(dealt, TURNED, options), until=DRAWING)
    assert count.ending() == factorial * 2**players
    assert sum(count.ends["unplayed"]) == factorial * (players + 1)
