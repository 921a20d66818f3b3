"""The search against a plain one that plays out every legal card, and positions by hand."""

import random

import pytest

from engine.bourre.compulsion import legal_cards
from engine.bourre.double_dummy import double_dummy_tricks
from engine.bourre.options import BourreOptions, bourre_options
from engine.cards import CARD_NUMBERS, SUITS, cards_in
from engine.options import OptionValue
from engine.presets import LOUISIANA, PAGAT

POSITIONS = [200, pytest.param(700, marks=pytest.mark.proof)]


def options_with(**changed: OptionValue) -> BourreOptions:
    named = {name.replace("_", "-"): value for name, value in changed.items()}
    return bourre_options({**LOUISIANA.values, **named})


FREE = options_with()


def mask(names: str) -> int:
    return sum(1 << CARD_NUMBERS[name] for name in names.split())


def winning_seat(trick: list[tuple[int, int]], trump: int) -> int:
    """The seat with the highest trump, or the highest card of the suit led."""
    suit = trump if any(card // 13 == trump for _, card in trick) else trick[0][1] // 13
    return max((card, seat) for seat, card in trick if card // 13 == suit)[1]


def naive_tricks(
    options: BourreOptions,
    trump: int,
    hands: list[int],
    leader: int,
    seat: int,
    gone: int,
    won: list[int],
    trick: list[tuple[int, int]],
) -> int:
    """Every legal card of every seat, to the end, with nothing remembered and nothing cut off."""
    in_trick = {player for player, _ in trick}
    waiting = [
        (leader + step) % len(hands)
        for step in range(len(hands))
        if hands[(leader + step) % len(hands)] and (leader + step) % len(hands) not in in_trick
    ]
    if trick and not waiting:
        winner = winning_seat(trick, trump)
        gone |= sum(1 << card for _, card in trick)
        won = [tricks + (player == winner) for player, tricks in enumerate(won)]
        rest = naive_tricks(options, trump, hands, winner, seat, gone, won, [])
        return rest + (winner == seat)
    if not waiting:
        return 0
    player = waiting[0]
    before = [card for _, card in trick]
    values = []
    for card in cards_in(legal_cards(options, trump, before, hands[player], gone, won[player])):
        after = [hand & ~(1 << card) for hand in hands]
        values.append(
            naive_tricks(options, trump, after, leader, seat, gone, won, [*trick, (player, card)])
        )
    return max(values) if player == seat else min(values)


def random_position(rng: random.Random) -> tuple[list[int], int, int, int, list[int]]:
    """Hands, leader, seat, cards gone and tricks won: the end of a hand of five cards.

    The suits are few at times and the ranks close, so that there is something to decide.
    """
    playing = rng.choice([2, 2, 3, 3, 4])
    size = {2: rng.randint(2, 5), 3: rng.randint(2, 4), 4: rng.randint(2, 3)}[playing]
    players = rng.randint(playing, 8)
    pack = [card for card in range(52) if card % 13 >= rng.choice([0, 5, 7])]
    rng.shuffle(pack)
    seats = rng.sample(range(players), playing)
    hands = [0] * players
    for seat in seats:
        hands[seat] = sum(1 << pack.pop() for _ in range(size))
    won = [0] * players
    gone = 0
    for _ in range(5 - size):
        won[rng.choice(seats)] += 1
        for _ in seats:
            if pack:
                gone |= 1 << pack.pop()
    return hands, rng.choice(seats), rng.choice(seats), gone, won


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("preset", ["louisiana", "pagat", "mixed"])
def test_the_search_finds_what_playing_everything_out_finds(preset: str, positions: int) -> None:
    rng = random.Random(preset)  # noqa: S311 - positions have to repeat
    for _ in range(positions):
        if preset == "mixed":
            options = options_with(
                cinch=rng.random() < 0.5,
                opening_lead=rng.choice(["free", "ace-of-trumps", "top-trump"]),
                head_when_trumped=rng.choice(["required", "waived"]),
                undertrump=rng.choice(["forced", "free"]),
            )
        else:
            options = bourre_options((PAGAT if preset == "pagat" else LOUISIANA).values)
        hands, leader, seat, gone, won = random_position(rng)
        trump = rng.randrange(4)
        position = (options, trump, hands, leader, seat, gone, won)
        assert double_dummy_tricks(*position) == naive_tricks(*position, []), position


def test_five_top_trumps_take_all() -> None:
    hands = [mask("As Ks Qs Js Ts"), mask("9s 8s 7s 6s 5s"), mask("Ah Kh Qh Jh Th")]
    for leader in range(3):
        assert double_dummy_tricks(FREE, SUITS.index("s"), hands, leader, 0, 0, [0] * 3) == 5
        assert double_dummy_tricks(FREE, SUITS.index("s"), hands, leader, 1, 0, [0] * 3) == 0


def test_who_has_to_lead_loses_the_tenace() -> None:
    # Trumps: ace and queen against king and three. Led into, the queen takes the three or the ace
    # the king, and the other the rest. Leading the ace leaves the king over the queen; leading the
    # queen loses her to the king.
    hands = [mask("As Qs"), mask("Ks 3s")]
    spades = SUITS.index("s")
    assert double_dummy_tricks(FREE, spades, hands, 1, 0, 0, [0, 0]) == 2
    assert double_dummy_tricks(FREE, spades, hands, 0, 0, 0, [0, 0]) == 1


def test_the_others_play_together() -> None:
    # No trumps are left. Seat 0 has two kings, each other seat one ace and a low card of the suit
    # of the other's ace. With either alone seat 0 takes a trick; together they take both.
    kings, hearts, diamonds = mask("Kh Kd"), mask("Ah 3d"), mask("Ad 3h")
    spades = SUITS.index("s")
    assert double_dummy_tricks(FREE, spades, [kings, hearts, 0], 1, 0, 0, [0] * 3) == 1
    assert double_dummy_tricks(FREE, spades, [kings, 0, diamonds], 2, 0, 0, [0] * 3) == 1
    for leader in range(3):
        assert (
            double_dummy_tricks(FREE, spades, [kings, hearts, diamonds], leader, 0, 0, [0] * 3) == 0
        )


def test_a_search_that_costs_too_much_gives_up() -> None:
    hands = [
        mask("3d Ah 2s 4s 8s"),
        mask("4c Tc Jc 9s Ts"),
        mask("3c 8c 7d Th Js"),
        mask("5c Qc Kc Td Kh"),
        mask("Ac 8d 4h 5h Qs"),
        mask("7c Qd 7h 8h Jh"),
        mask("5d 6d Jd Kd 9h"),
        mask("6c 2d 2h Qh Ks"),
    ]
    diamonds = SUITS.index("d")
    assert double_dummy_tricks(FREE, diamonds, hands, 6, 0, 0, [0] * 8) is None
    assert double_dummy_tricks(FREE, diamonds, hands, 6, 6, 0, [0] * 8) is not None
