"""Every value of every option of the vying games, in a hand that shows what it changes."""

import pytest

from engine.options import VYING_OPTIONS, OptionValue
from engine.presets import PRESETS, OptionError, options_of
from tests.engine.hands import (
    CARDS,
    HISTORICO,
    SALON,
    codes,
    hand,
    legal_after,
    only_finding,
    settled,
)

THREE_NINES = ("9h 9d 9c", "Kh Kd Qc", "Ah Kc 8d", "8h Qs Qd")


def refusal(name: str, value: OptionValue) -> OptionError:
    error = options_of(PRESETS[SALON], {name: value})
    assert isinstance(error, OptionError)
    return error


# deck


def test_deck_by_count_has_no_queens_for_three_and_jacks_for_five() -> None:
    three = hand("A decline | A pass, B pass, C pass", stacks=(100,) * 3)
    queen = hand(
        "A decline | A pass, B pass, C pass",
        stacks=(100,) * 3,
        dealt=("Ah Kd Qc", "Kh 9d 9c", "9h 8d 8s"),
    )
    five = hand("A decline | A pass, B pass, C pass, D pass, E pass", stacks=(100,) * 5)
    jack = hand(
        "A decline | A pass, B pass, C pass, D pass",
        dealt=("Ah Kd Jc", "Kh 9d 9c", "9h 8d 8s", "8h Qs Kc"),
    )

    assert codes(three) == codes(five) == []
    assert codes(queen) == codes(jack) == ["card-not-in-deck"]


def test_deck_can_be_written_out() -> None:
    line = "A decline | A pass, B pass, C pass, D pass"
    dealt = ("Ah Kd Tc", *CARDS[1:])

    assert codes(hand(line, dealt=dealt, deck="AKQJT98")) == []
    assert codes(hand(line, dealt=dealt, deck="AKQJ98")) == ["card-not-in-deck"]
    assert codes(hand(line, dealt=("Ah Kd 7c", *CARDS[1:]), deck="AKQJT987")) == []
    assert codes(hand(line, dealt=("Ah Kd 6c", *CARDS[1:]), deck="AKQJT9876")) == []
    assert codes(hand(line, dealt=("Ah Kd Kc", *CARDS[1:3], "8h 9s As"), deck="AK98")) == []


@pytest.mark.parametrize("deck", ["AK9", "KA98", "AAK9", "AKX98", "AKQJT98765", "", 20, True])
def test_deck_is_four_to_nine_ranks_from_the_highest_down(deck: OptionValue) -> None:
    assert refusal("deck", deck).option == "deck"


# ante, dealer-extra


def test_ante_and_dealer_extra_are_posted_before_the_cards() -> None:
    record = hand("| A pass, B pass, C pass, D pass", ante=2, dealer_extra=3)

    assert settled(record).stacks == [98, 98, 98, 95]
    assert settled(hand("| A pass, B pass, C pass, D pass", ante=1, dealer_extra=0)).carried == 4
    assert settled(hand("| A pass, B pass, C pass, D pass", ante=0)).carried == 1


def test_without_any_ante_there_is_no_carre() -> None:
    record = hand("", ante=0, dealer_extra=0)

    assert "A carre 0" not in legal_after(record)
    assert "A decline" not in legal_after(record)


# carre


def test_carre_none_offers_none() -> None:
    assert "A carre 5" not in legal_after(hand("", carre="none"))
    assert (
        only_finding(hand("A carre 5 | A pass, B pass, C pass, D pass", carre="none")).code
        == "carre-closed"
    )


def test_carre_chain_goes_round_to_the_dealer() -> None:
    assert legal_after(hand("A carre 5, B carre 10, C carre 20"))[:2] == ["D carre 40", "D decline"]
    assert "A carre 80" not in legal_after(hand("A carre 5, B carre 10, C carre 20, D carre 40"))


def test_carre_first_is_the_first_players_alone() -> None:
    assert legal_after(hand("", carre="first"))[:2] == ["A carre 5", "A decline"]
    assert "B carre 10" not in legal_after(hand("A carre 5", carre="first"))
    # The carrer speaks last and wins when the others pass
    assert settled(hand("A carre 5 | B pass, C pass, D pass", carre="first")).pots[0].winners == {
        0: 6
    }


# open-minimum


def test_open_minimum_is_what_the_opener_adds_at_least() -> None:
    line = "A decline | A pass, B pass, C pass"

    assert legal_after(hand(line, open_minimum=0))[1] == "D open 0-98"
    assert legal_after(hand(line, open_minimum=1))[1] == "D open 1-98"
    # One who has to add 1 to reach the highest anyway adds no more than that
    assert legal_after(hand("A decline |", open_minimum=1))[1] == "A open 1-99"


# no-more


def test_no_more_round_or_none() -> None:
    line = "A decline | A open 4, B call 4, C call 4, D fold"

    assert legal_after(hand(line, no_more=True)) == ["B no-more", "B raise 1-95"]
    assert settled(hand(line, no_more=False)).showdown


# carry


def test_carry_says_who_posts_on_a_carried_pot() -> None:
    line = "| A pass, B pass, C pass, D pass"

    assert settled(hand(line, carried=5, carry="dealer")).stacks == [100, 100, 100, 99]
    assert settled(hand(line, carried=5, carry="everyone")).stacks == [99, 99, 99, 99]


# favori

FAVORI_AND_SIMPLE = ("9h 9d Kc", "8h 8d 8c", "Ah Kd Qc", "Kh Qs Qd")


@pytest.mark.parametrize(
    ("favori", "winner", "by"),
    [("off", 1, "brelan"), ("below-simple", 1, "brelan"), ("best", 0, "brelan")],
)
def test_favori_against_a_simple_brelan(favori: str, winner: int, by: str) -> None:
    (pot,) = settled(
        hand(
            "A decline | A open 4, B call 4, C fold, D fold",
            dealt=FAVORI_AND_SIMPLE,
            turned="9s",
            favori=favori,
        )
    ).pots

    assert (pot.winners, pot.by) == ({winner: 13}, by)


def test_favori_beats_the_point_unless_off() -> None:
    line = "A decline | A open 4, B call 4, C fold, D fold"
    dealt = ("9h 9d Kc", "Ah Kh 8d", "Kd Qc 8c", "Qh Qs Qd")

    (off,) = settled(hand(line, dealt=dealt, turned="9s", premium_holders="live")).pots
    (on,) = settled(
        hand(line, dealt=dealt, turned="9s", premium_holders="live", favori="below-simple")
    ).pots

    assert (off.winners, off.by) == ({1: 13}, "point")  # hearts, 9 11 10 10, are B's
    assert (on.winners, on.by) == ({0: 13}, "brelan")


# mistigri


@pytest.mark.parametrize(
    ("mistigri", "deck", "held", "winner"),
    [
        ("off", "AKQJ98", "Qc 9h 9d", 1),
        ("queen", "AKQJ98", "Qc 9h 9d", 0),
        ("jack", "AKQJ98", "Qc 9h 9d", 1),
        ("off", "AKQJ98", "Jc 9c 9s", 1),
        ("queen", "AKQJ98", "Jc 9c 9s", 1),
        ("jack", "AKQJ98", "Jc 9c 9s", 0),
    ],
)
def test_mistigri_is_a_brelan_where_the_table_has_it(
    mistigri: str, deck: str, held: str, winner: int
) -> None:
    (pot,) = settled(
        hand(
            "A decline | A open 4, B call 4, C fold, D fold",
            dealt=(held, "Ah Kh Qh", "Kd Kc 8c", "8h Qs Qd"),
            turned="8s",
            mistigri=mistigri,
            deck=deck,
        )
    ).pots

    assert pot.winners == {winner: 13}


# brelans


def test_without_brelans_the_point_decides_and_no_premium_is_paid() -> None:
    line = "A decline | A open 4, B call 4, C fold, D fold"

    on = settled(hand(line, dealt=THREE_NINES, turned="8s", brelans=True))
    off = settled(hand(line, dealt=THREE_NINES, turned="8s", brelans=False))

    assert (on.pots[0].winners, on.premiums) == ({0: 13}, [3, -1, -1, -1])
    # hearts 9 10 11 8 = 38 are richest; of A and B, B's king is higher
    assert (off.pots[0].winners, off.pots[0].by, off.premiums) == ({1: 13}, "point", [0, 0, 0, 0])


# premiums


def premiums(dealt: tuple[str, ...], turned: str, **overrides: OptionValue) -> list[int]:
    outcome = settled(
        hand(
            "A decline | A open 4, B call 4, C fold, D fold",
            dealt=dealt,
            turned=turned,
            table={name.replace("_", "-"): value for name, value in overrides.items()},
        )
    )
    assert outcome.premiums is not None
    return outcome.premiums


def test_premium_simple() -> None:
    assert premiums(THREE_NINES, "8s") == [3, -1, -1, -1]
    assert premiums(THREE_NINES, "8s", premium_simple=2) == [6, -2, -2, -2]
    assert premiums(THREE_NINES, "8s", premium_simple=0) == [0, 0, 0, 0]


def test_premium_carre() -> None:
    assert premiums(THREE_NINES, "9s") == [6, -2, -2, -2]
    assert premiums(THREE_NINES, "9s", premium_carre=4) == [12, -4, -4, -4]


def test_premium_favori_and_favori_pot() -> None:
    wins = ("9h 9d Kc", "Ah Kh 8d", "Kd Qc 8c", "8h Qs Qd")
    loses = ("9h 9d Kc", "8h 8d 8c", "Ah Kd Qc", "Kh Qs Qd")
    rules: dict[str, OptionValue] = {"favori": "below-simple"}

    # It wins the pot: 2 each
    assert premiums(wins, "9s", **rules) == [6, -2, -2, -2]
    assert premiums(wins, "9s", premium_favori_pot=3, **rules) == [9, -3, -3, -3]
    # The eights win the pot: C and D pay both holders 1, the holders nothing to each other
    assert premiums(loses, "9s", **rules) == [2, 2, -2, -2]
    assert premiums(loses, "9s", premium_favori=0, **rules) == [0, 2, -1, -1]


def test_premium_mistigri() -> None:
    dealt = ("Qc 9h 9d", "Ah Kh Qh", "Kd Kc 8c", "8h Qs Qd")

    assert premiums(dealt, "8s", mistigri="queen") == [3, -1, -1, -1]
    assert premiums(dealt, "8s", mistigri="queen", premium_mistigri=2) == [6, -2, -2, -2]


def test_premium_between_holders() -> None:
    # A's carré is due 2, B's kings 1
    dealt = ("9h 9d 9c", "Kh Kd Kc", "Ah Qd 8c", "8h Qs Qc")

    assert premiums(dealt, "9s", premium_between_holders="waive") == [4, 2, -3, -3]
    assert premiums(dealt, "9s", premium_between_holders="net") == [5, 1, -3, -3]


def test_a_holder_whose_own_premium_is_nothing_still_pays_no_holder_where_they_waive() -> None:
    dealt = ("9h 9d 9c", "Qc 8h 8d", "Ah Qd 8c", "Kh Qs Ac")

    assert premiums(dealt, "9s", mistigri="queen", premium_mistigri=0) == [4, 0, -2, -2]


def test_premium_holders() -> None:
    # C has folded three kings
    dealt = ("9h 9d 8c", "Ah Ad 9c", "Kh Kd Kc", "8h Qs Qc")

    assert premiums(dealt, "8s", premium_holders="shown") == [-1, -1, 3, -1]
    assert premiums(dealt, "8s", premium_holders="live") == [0, 0, 0, 0]


def test_premium_account() -> None:
    line = "A decline | A open 4, B call 4, C fold, D fold"
    short = (100, 100, 100, 3)

    stack = settled(hand(line, dealt=THREE_NINES, turned="8s", stacks=short))
    ledger = settled(
        hand(
            line,
            dealt=THREE_NINES,
            turned="9s",
            stacks=short,
            premium_account="ledger",
        )
    )

    assert (stack.premiums, stack.stacks) == ([3, -1, -1, -1], [111, 94, 98, 0])
    # The dealer has 1 left and owes 2: a ledger goes below nothing, the stacks stay
    assert (ledger.premiums, ledger.stacks) == ([6, -2, -2, -2], [108, 95, 99, 1])


# side-pot-suit


def test_side_pot_suit_main_or_fresh() -> None:
    # Hearts and spades 39 each. A, the nearest, wins the main pot with spades. In the side pot D
    # owns spades, B owns hearts and is nearer.
    record = {
        suit: hand(
            "A decline | A pass, B open 29, C fold, D call 28, A call 11, D no-more",
            stacks=(12, 100, 100, 100),
            dealt=("As Ks 8c", "Ah Kh 9d", "Qh 8h Qd", "8s Kd 9c"),
            turned="Qs",
            side_pot_suit=suit,
        )
        for suit in ("main", "fresh")
    }

    assert settled(record["main"]).points == [17, 29, 39, 39]
    assert [pot.winners for pot in settled(record["main"]).pots] == [{0: 37}, {3: 36}]
    assert [pot.winners for pot in settled(record["fresh"]).pots] == [{0: 37}, {1: 36}]


# heads-up-close


def test_heads_up_close_by_state_or_by_a_call_alone() -> None:
    line = "A decline | A open 4, B call 4, C fold, D fold"

    assert settled(hand(line, heads_up_close="state")).showdown
    # B's call came while three were in: only the no-more round ends it now
    assert legal_after(hand(line, heads_up_close="call")) == ["B no-more", "B raise 1-95"]
    assert settled(hand(line + ", B no-more", heads_up_close="call")).showdown


def test_heads_up_close_by_call_closes_at_the_call_between_two() -> None:
    line = "A decline | A open 4, B fold, C fold, D call 3"

    assert settled(hand(line, heads_up_close="call")).showdown


def test_heads_up_close_with_a_carrer_who_is_merely_matched() -> None:
    line = "A carre 5, B decline | B open 5, C fold, D fold"

    assert settled(hand(line, heads_up_close="state")).showdown
    assert legal_after(hand(line, heads_up_close="call"))[0] == "A call 0"


# rebuy


def test_rebuy_is_the_cave_that_one_at_zero_buys() -> None:
    line = "A decline | A pass, B pass, C pass, D pass"

    assert codes(hand(line, rebuys={1: 100})) == []
    assert codes(hand(line, rebuys={1: 100}, rebuy=50)) == ["rebuy-amount"]
    assert codes(hand(line, stacks=(100, 50, 100, 100), rebuys={1: 50}, rebuy=50)) == []


# The table of options itself


def test_presets_give_every_option_an_accepted_value() -> None:
    for preset in (PRESETS[SALON], PRESETS[HISTORICO]):
        assert preset.values.keys() == VYING_OPTIONS.keys()
        for name, value in preset.values.items():
            assert VYING_OPTIONS[name].accepts(value), (preset.name, name)


def test_an_unknown_option_is_refused_by_name() -> None:
    error = refusal("antes", 1)

    assert (error.option, error.seen) == ("antes", "antes")
    assert "ante, dealer-extra" in error.expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ante", -1),
        ("ante", True),
        ("ante", "1"),
        ("carre", "Chain"),
        ("open-minimum", 2),
        ("open-minimum", True),
        ("no-more", 1),
        ("no-more", "yes"),
        ("brelans", 0),
        ("rebuy", 0),
        ("premium-simple", 10**9 + 1),
        ("session-hands", -1),
        ("final-carried", "kept"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_refused(name: str, value: OptionValue) -> None:
    assert (refusal(name, value).option, refusal(name, value).seen) == (name, repr(value))


def test_historico_is_the_portuguese_text() -> None:
    # Only the dealer antes, nobody takes less than one chip to open, four players
    assert legal_after(hand("A decline |", preset=HISTORICO)) == ["A pass", "A open 1-100"]
    found = only_finding(
        hand(
            "A decline | A pass, B pass, C pass",
            stacks=(100, 100, 100),
            preset=HISTORICO,
        )
    )
    assert (found.code, found.expected, found.seen) == ("player-count", "4 to 4", 3)
