"""The presets beside `salon` and `historico`, each in a hand that shows what it changes."""

from engine.result import Outcome
from tests.engine.hands import SALON, codes, hand, legal_after, settled

CLASSIQUE = "brelan/classique"
ACADEMIE_1834 = "bouillotte/academie-1834"
FOSTER = "bouillotte/foster"
MISTIGRI = "bouillotte/mistigri"

TWO_IN = "A decline | A open 4, B call 4, C fold, D fold"
THREE_NINES = ("9h 9d 9c", "Kh Kd Qc", "Ah Kc 8d", "8h Qs Qd")
PAIR_OF_KINGS = ("Ah 9d 8c", "Kh Kd Qc", "9h 8d 8s", "8h Qs Kc")
QUEEN_OF_CLUBS = ("Ah Kd 8c", "Qc 9h 9d", "8d 8s As", "8h Qs Kc")


def stacks(outcome: Outcome) -> list[int] | None:
    return outcome.stacks


# brelan/classique


def test_two_may_play_brelan_and_everybody_antes_one() -> None:
    # K 1/1, opened to 3 and called: P 6. Hearts 21 are A's.
    played = settled(hand("| A open 2, B call 2", stacks=(100, 100), preset=CLASSIQUE))

    assert played.pots[0].amount == 6
    assert played.stacks == [103, 97]


def test_an_opening_of_brelan_adds_at_least_one() -> None:
    assert legal_after(hand("|", stacks=(100, 100), preset=CLASSIQUE)) == ["A pass", "A open 1-99"]


def test_brelan_is_dealt_from_the_tens_too_and_not_from_the_sevens() -> None:
    line = "| A pass, B pass"
    tens = hand(line, stacks=(100, 100), dealt=("Ah Kd Tc", "Jh 9d 9c"), preset=CLASSIQUE)
    seven = hand(line, stacks=(100, 100), dealt=("Ah Kd 7c", "Jh 9d 9c"), preset=CLASSIQUE)

    assert codes(tens) == []
    assert codes(seven) == ["card-not-in-deck"]


def test_a_deck_by_count_has_none_for_two() -> None:
    two = hand("| A pass, B pass", stacks=(100, 100), preset=CLASSIQUE, deck="by-count")

    assert codes(two) == ["player-count"]


def test_brelan_has_no_carre() -> None:
    assert codes(hand("A carre 2 | A pass, B pass", stacks=(100, 100), preset=CLASSIQUE)) == [
        "carre-closed"
    ]


def test_brelan_is_over_when_all_have_called() -> None:
    line = "| A open 2, B call 2, C call 2"
    three = {"stacks": (100, 100, 100), "preset": CLASSIQUE}

    assert stacks(settled(hand(line, **three))) == [106, 97, 97]  # type: ignore[arg-type]
    assert codes(hand(line + ", B no-more", **three)) == ["betting-closed"]  # type: ignore[arg-type]


def test_after_an_all_pass_everybody_antes_again() -> None:
    passed = settled(hand("| A pass, B pass", stacks=(100, 100), preset=CLASSIQUE))
    taken = settled(hand("| A open 1, B fold", stacks=(99, 99), carried=2, preset=CLASSIQUE))

    assert (passed.carried, passed.stacks) == (2, [99, 99])
    # P 2 + 1 + 1; A's uncalled chip goes back
    assert taken.pots[0].amount == 4
    assert taken.stacks == [102, 98]


def test_a_brelan_wins_the_pot_of_brelan_and_no_premium() -> None:
    played = settled(
        hand(
            "| A open 2, B call 2",
            stacks=(100, 100),
            dealt=("9h 9d 9c", "Ah Kd Kc"),
            preset=CLASSIQUE,
        )
    )

    assert (played.pots[0].by, played.premiums, played.stacks) == ("brelan", [0, 0], [103, 97])


# the salon's relatives


def test_the_academie_pays_two_for_a_brelan_and_four_for_a_carre() -> None:
    # P 13: A's 5, B's 5, C's 1, D's 2
    simple = hand(TWO_IN, dealt=THREE_NINES, preset=ACADEMIE_1834)
    carre = hand(TWO_IN, dealt=THREE_NINES, turned="9s", preset=ACADEMIE_1834)

    assert stacks(settled(simple)) == [114, 93, 97, 96]
    assert stacks(settled(carre)) == [120, 91, 95, 94]


def test_fosters_favori_brings_two_with_the_pot_and_one_without() -> None:
    winning = hand(TWO_IN, dealt=PAIR_OF_KINGS, preset=FOSTER)
    # B folds the favori; hearts 38 are A's
    folded = hand(
        "A decline | A open 4, B fold, C call 4, D fold", dealt=PAIR_OF_KINGS, preset=FOSTER
    )

    assert stacks(settled(winning)) == [93, 114, 97, 96]
    assert stacks(settled(folded)) == [107, 102, 94, 97]


def test_foster_pays_four_for_a_carre() -> None:
    carre = hand(TWO_IN, dealt=THREE_NINES, turned="9s", preset=FOSTER)

    assert stacks(settled(carre)) == [120, 91, 95, 94]


def test_mistigri_is_a_brelan_where_the_table_has_it() -> None:
    # without it hearts and clubs stand at 28, and A is nearer than B
    assert stacks(settled(hand(TWO_IN, dealt=QUEEN_OF_CLUBS, preset=MISTIGRI))) == [94, 111, 98, 97]
    assert stacks(settled(hand(TWO_IN, dealt=QUEEN_OF_CLUBS, preset=SALON))) == [108, 95, 99, 98]
