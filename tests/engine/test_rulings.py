"""One small hand or more for every vying ruling, with numbers computed by hand."""

import pytest

from engine.options import OptionValue
from engine.result import PremiumPayment
from engine.vying.showdown import brelan_strength
from tests.engine.hands import (
    HISTORICO,
    cards,
    hand,
    legal_after,
    only_finding,
    replayed,
    settled,
    table_options,
)


def strength(held: str, turned: str, **options: OptionValue) -> int:
    mask = sum(1 << card for card in cards(held))
    return brelan_strength(mask, cards(turned)[0], table_options(table=options))


def paid(payments: list[PremiumPayment]) -> list[tuple[int, int, int, int]]:
    return [(p.holder, p.payer, p.amount, p.short) for p in payments]


# V1: brelan carré, then simple brelan by rank, then the point


def test_v1_a_carre_beats_a_simple_brelan_beats_the_point() -> None:
    carre = strength("8c 8d 8h", "8s")
    aces = strength("Ac Ad Ah", "8s")
    nines = strength("9c 9d 9h", "8s")
    nothing = strength("Ac Kc Qc", "8s")

    assert carre > aces > nines > nothing


def test_v1_two_own_cards_and_the_retourne_are_no_brelan() -> None:
    assert strength("9c 9d Ah", "9s") == strength("Ac Kc Qc", "9s")


def test_v1_the_higher_simple_brelan_wins_the_pot() -> None:
    dealt = ("9h 9d 9c", "Kh Kd Kc", "Ah Ad Ac", "8h Qs Qc")
    outcome = settled(hand("| A open 4, B call 4, C fold, D fold", dealt=dealt, turned="8s"))

    (pot,) = outcome.pots
    assert (pot.by, pot.winners) == ("brelan", {1: 13})


# V2: antes and carres count towards K; a carre is exactly P


def test_v2_four_carres_of_the_salon() -> None:
    record = hand("A carre 5, B carre 10, C carre 20, D carre 40 | A pass, B pass, C pass")
    outcome = settled(record)

    # K 6, 11, 21, 42 and P 80; Dan has all passes and takes back 21 that nobody called
    assert outcome.returned == [0, 0, 0, 21]
    assert outcome.contributions == [6, 11, 21, 21]
    assert outcome.pots[0].amount == 59
    assert outcome.stacks == [94, 89, 79, 138]


def test_v2_four_carres_of_the_historico() -> None:
    record = hand("A carre 1, B carre 2, C carre 4, D carre 8 |", preset=HISTORICO)

    # K 1, 2, 4, 9: the dealer's ante and his 8
    assert legal_after(record) == ["A pass", "A open 8-99"]
    record = hand("A carre 1, B carre 2, C carre 4, D carre 8 | A open 8", preset=HISTORICO)
    assert legal_after(record)[0] == "B call 7"


def test_v2_the_salon_dealer_starts_with_two() -> None:
    assert legal_after(hand("A decline | A pass, B pass, C pass")) == ["D pass", "D open 0-98"]
    assert legal_after(hand("A decline |")) == ["A pass", "A open 1-99"]


def test_v2_one_who_cannot_afford_the_carre_has_refused() -> None:
    stacks = (100, 10, 100, 100)

    # After A's 5 the pot holds 10, B has 9 left: nobody may carre any more
    assert "B carre 10" not in legal_after(hand("A carre 5", stacks=stacks))
    assert settled(hand("A carre 5, B decline | B pass, C pass, D pass", stacks=stacks))
    assert settled(hand("A carre 5 | B pass, C pass, D pass", stacks=stacks))


def test_v2_exactly_the_stack_is_enough_for_a_carre() -> None:
    outcome = settled(
        hand(
            "A carre 5, B carre 10 | C open 10, D fold, A fold",
            stacks=(100, 11, 100, 100),
        )
    )

    assert outcome.all_in == [False, True, False, False]
    assert outcome.pots[0].amount == 6 + 11 + 11 + 2


def test_v2_the_first_refusal_ends_the_chain() -> None:
    found = only_finding(hand("A decline, B carre 5 | A pass, B pass, C pass, D pass"))

    assert (found.code, found.ruling) == ("carre-closed", "V2")


# V3: a salon dealer may open for nothing


def test_v3_a_dealer_who_opens_at_par_is_legal_and_flagged() -> None:
    record = hand("A decline | A pass, B pass, C pass, D open 0, A call 1, B fold, C fold")
    replay = replayed(record)

    assert replay.verdict == "legal"
    assert [(v.code, v.severity) for v in replay.violations] == [("opened-at-par", "warning")]


def test_v3_the_historico_opener_adds_at_least_one() -> None:
    record = hand("A decline | A pass, B pass, C pass", preset=HISTORICO)

    assert legal_after(record) == ["D pass", "D open 1-99"]


# V4: carried chips are dead money in the main pot


def test_v4_carried_chips_go_to_the_main_pot_and_nobodys_contribution() -> None:
    # C is all-in with 4 and holds the best hand; the carried 6 are his, not the side pot's
    record = hand(
        "| A open 10, B call 10, C call 4, D fold, B no-more",
        dealt=("Kh Kd 8c", "Qh Qd 9c", "Ah Ad Ac", "8h 9s Kc"),
        turned="8s",
        stacks=(100, 100, 4, 100),
        carried=6,
    )
    outcome = settled(record)

    assert outcome.contributions == [10, 10, 4, 1]
    assert [(pot.amount, pot.eligible) for pot in outcome.pots] == [
        (6 + 4 + 4 + 4 + 1, [0, 1, 2]),
        (12, [0, 1]),
    ]


def test_v4_the_whole_pot_is_carried_when_everybody_passes() -> None:
    outcome = settled(hand("| A pass, B pass, C pass, D pass", carried=5))

    assert (outcome.carried, outcome.pots, outcome.stacks) == (6, [], [100, 100, 100, 99])


# V5: the last carrer wins when everyone else passes


@pytest.mark.parametrize("last", ["", ", A pass"])
def test_v5_the_last_carrer_wins_at_once(last: str) -> None:
    outcome = settled(hand("A carre 5, B decline | B pass, C pass, D pass" + last))

    # K 6/1/1/2; 4 of A's chips are uncalled
    assert (outcome.showdown, outcome.returned) == (False, [4, 0, 0, 0])
    assert outcome.pots[0].winners == {0: 6}
    assert outcome.stacks == [104, 99, 99, 98]


def test_v5_nothing_but_his_pass_may_follow() -> None:
    found = only_finding(hand("A carre 5, B decline | B pass, C pass, D pass, A open 0"))

    assert (found.code, found.ruling) == ("hand-over", "V5")


# V6: a stack below M may only pass, and call with everything


def test_v6_a_short_stack_may_not_open_but_may_pass_and_call_all_in() -> None:
    line = "A carre 5, B carre 10, C decline | "
    stacks = (100, 100, 5, 100)

    assert legal_after(hand(line, stacks=stacks)) == ["C pass"]
    outcome = settled(
        hand(line + "C pass, D open 9, A fold, B call 0, C call 4, B no-more", stacks=stacks)
    )
    assert outcome.all_in == [False, False, True, False]


def test_v6_va_tout_is_an_opening_or_a_raise_of_everything() -> None:
    outcome = settled(hand("A decline | A open 99, B call 99, C fold, D fold"))

    assert outcome.all_in == [True, True, False, False]
    assert outcome.pots[0].winners == {0: 203}


# V7: the minimum raise is one chip


def test_v7_a_raise_is_one_chip_over_the_highest() -> None:
    assert legal_after(hand("A decline | A open 4")) == ["B call 4", "B raise 5-99", "B fold"]


# V8: with two left, the state decides


def test_v8_a_call_between_two_closes_the_betting() -> None:
    assert settled(hand("A decline | A open 4, B fold, C fold, D call 3")).showdown


def test_v8_a_fold_that_leaves_two_who_have_matched_closes_it_too() -> None:
    assert settled(hand("A decline | A open 4, B call 4, C fold, D fold")).showdown


# V9: the no-more round of three or more


def test_v9_it_starts_right_of_the_last_raiser_and_skips_the_all_in() -> None:
    stacks = (100, 6, 100, 100)
    line = "A decline | A pass, B pass, C open 4, D call 3, A raise 9, B call 5, C call 5, D call 5"

    # A raised, B is all-in: C speaks first, then D; A does not speak at all
    assert legal_after(hand(line, stacks=stacks)) == ["C no-more", "C raise 1-90"]
    assert legal_after(hand(line + ", C no-more", stacks=stacks)) == [
        "D no-more",
        "D raise 1-90",
    ]
    assert settled(hand(line + ", C no-more, D no-more", stacks=stacks)).showdown


def test_v9_a_raise_starts_the_round_anew() -> None:
    line = "A decline | A open 4, B call 4, C call 4, D fold, B no-more, C raise 5"
    assert legal_after(hand(line))[0] == "A call 5"
    line += ", A call 5, B call 5"
    assert legal_after(hand(line))[0] == "A no-more"
    assert settled(hand(line + ", A no-more, B no-more")).showdown


def test_v9_with_one_stack_left_the_betting_is_closed() -> None:
    stacks = (100, 10, 10, 100)

    outcome = settled(hand("A decline | A open 20, B call 9, C call 9, D fold", stacks=stacks))
    assert outcome.showdown
    assert outcome.returned == [11, 0, 0, 0]


def test_v9_the_last_carrer_who_is_merely_matched_may_still_raise() -> None:
    line = "A carre 5, B decline | B open 5, C call 5, D fold"

    assert legal_after(hand(line)) == ["A call 0", "A raise 1-94", "A fold"]


# V10: chips above the second-highest K return


def test_v10_uncalled_chips_return_and_folders_count() -> None:
    # A folded at 41: of C's 61 only what is above that returns, though B is all-in at 17
    outcome = settled(
        hand(
            "A decline | A open 9, B call 9, C raise 20, D call 19"
            ", A raise 31, B call 7, C raise 40, D fold, A fold",
            stacks=(100, 17, 100, 100),
        )
    )

    # K: A 41, B 17 all-in, C 61, D 21
    assert outcome.returned == [0, 0, 61 - 41, 0]
    assert outcome.contributions == [41, 17, 41, 21]


# V11: pots are cut at the K of each live player


def test_v11_folded_chips_stay_in_the_layers_they_reached() -> None:
    # K: A 30 and B 30 live, C all-in at 12, D folded at 20
    outcome = settled(
        hand(
            "A decline | A pass, B pass, C pass, D open 18, A call 19, B raise 29, C call 11"
            ", D fold, A call 10, A no-more",
            stacks=(100, 100, 12, 100),
        )
    )

    assert outcome.contributions == [30, 30, 12, 20]
    assert [(pot.amount, pot.eligible) for pot in outcome.pots] == [
        (12 * 4, [0, 1, 2]),
        (18 + 18 + 8, [0, 1]),
    ]


def test_v11_a_side_pot_with_one_eligible_player_is_his() -> None:
    # A opens to 30, D (folding at 20) came along, B and C are all-in at 10
    outcome = settled(
        hand(
            "A decline | A open 9, B call 9, C call 9, D raise 18, A raise 20, D fold",
            stacks=(100, 10, 10, 100),
            dealt=("8h Kd 8c", "Kh 9d 9c", "Ah 8d Qc", "9h Qs Kc"),
            turned="As",
        )
    )

    assert outcome.returned == [10, 0, 0, 0]
    assert [(p.amount, p.eligible, p.winners, p.by) for p in outcome.pots] == [
        (40, [0, 1, 2], {2: 40}, "point"),
        (20, [0], {0: 20}, "uncontested"),
    ]


# V12: the point


def test_v12_folded_cards_and_the_retourne_count() -> None:
    outcome = settled(hand("A decline | A open 4, B call 4, C fold, D fold"))

    # clubs 8 9 K, diamonds K 9 8, hearts A K 9 8, spades 8 Q and the turned K
    assert outcome.points == [27, 27, 38, 28]
    assert outcome.owners == [1, 0, 0, -1]  # spades: C and D have folded
    assert (outcome.pots[0].by, outcome.pots[0].suit) == ("point", 2)


def test_v12_an_unowned_suit_is_skipped() -> None:
    # Spades are richest, 11 + 10 + 10 + 9, but only folders and the retourne have them
    outcome = settled(
        hand(
            "A decline | A open 4, B call 4, C fold, D fold",
            dealt=("8h Kd 8c", "Kh 9d 9c", "As Qs 8d", "Ks Qc Kc"),
            turned="9s",
        )
    )

    assert outcome.points == [37, 27, 18, 40]
    assert outcome.owners == [1, 0, 1, -1]
    assert outcome.pots[0].winners == {1: 13}  # B's nine of clubs


@pytest.mark.parametrize(("dealer", "winner"), [(3, 0), (0, 1), (1, 0)])
def test_v12_equal_suits_go_to_the_owner_first_after_the_dealer(dealer: int, winner: int) -> None:
    # A owns diamonds, B owns hearts, 38 each. A dealer speaks last.
    line = {
        3: "A decline | A open 4, B call 4, C fold, D fold",
        0: "B decline | B open 4, C fold, D fold, A call 3",
        1: "C decline | C pass, D pass, A open 4, B call 3, C fold, D fold",
    }[dealer]
    outcome = settled(
        hand(
            line,
            dealer=dealer,
            dealt=("Ad Kd 8c", "Ah Kh 9c", "9h 9d 8s", "8h 8d Kc"),
            turned="Qs",
        )
    )

    assert outcome.points is not None
    assert outcome.points[1:3] == [38, 38]
    assert list(outcome.pots[0].winners or {}) == [winner]


# V13: the main pot's suit decides the side pots

_SHORT_C = (100, 100, 12, 100)
_THREE_IN = (
    "A decline | A pass, B open 29, C call 11, D call 28, A fold, D no-more"  # main B C D, side B D
)


def test_v13_the_main_suit_decides_the_side_pot_where_it_is_owned() -> None:
    # Spades 40: C's ace wins the main pot. D's eight of spades then beats B's ace of hearts.
    outcome = settled(
        hand(
            _THREE_IN,
            stacks=_SHORT_C,
            dealt=("8c 9c Qd", "Ah Kh 9d", "As Ks Qs", "8s Ad Qc"),
            turned="9s",
        )
    )

    assert outcome.points == [27, 30, 21, 48]
    assert [pot.winners for pot in outcome.pots] == [{2: 49 - 12}, {3: 36}]


@pytest.mark.parametrize(
    ("dealer", "line", "winner"),
    [
        (3, _THREE_IN, 1),
        (1, "C decline | C pass, D open 29, A fold, B call 28, C call 11, B no-more", 3),
    ],
)
def test_v13_tied_suits_of_the_main_winner_stand_in_the_tie(
    dealer: int, line: str, winner: int
) -> None:
    # Hearts and spades 40 each, C owns both. In the side pot B owns hearts and D spades; the one
    # nearer after the dealer wins it.
    outcome = settled(
        hand(
            line,
            stacks=_SHORT_C,
            dealer=dealer,
            dealt=("Qh Qs Kd", "Kh 9h 8d", "As Ah 9c", "Ks 9s 8c"),
            turned="Kc",
        )
    )

    assert outcome.points == [27, 18, 40, 40]
    assert [pot.winners for pot in outcome.pots] == [{2: 37}, {winner: 36}]


def test_v13_without_an_owner_the_next_richest_suit_that_a_side_player_owns() -> None:
    # Spades 40 are C's, B and D have none; hearts 39 are B's, diamonds 30 D's
    outcome = settled(
        hand(
            _THREE_IN,
            stacks=_SHORT_C,
            dealt=("8h Qh 8c", "Ah Kh 9d", "As Ks Qs", "Ad Kd Qc"),
            turned="9s",
        )
    )

    assert outcome.points == [18, 30, 39, 40]
    assert [(pot.winners, pot.suit) for pot in outcome.pots] == [({2: 37}, 3), ({1: 36}, 2)]


def test_v13_after_a_brelan_the_side_pot_is_judged_afresh() -> None:
    # C's nines win the main pot. Hearts 31 are richest and belong to B, for the side pot alone.
    outcome = settled(
        hand(
            _THREE_IN,
            stacks=_SHORT_C,
            dealt=("8h Qd 8c", "Ah Kc Qs", "9s 9h 9d", "Kh Ad Qc"),
            turned="8s",
        )
    )

    assert outcome.points == [28, 30, 38, 27]
    assert [(pot.winners, pot.by) for pot in outcome.pots] == [
        ({2: 37}, "brelan"),
        ({1: 36}, "point"),
    ]


# V14: no cards and no premium without a showdown


def test_v14_a_pot_won_without_a_showdown_pays_no_premium() -> None:
    dealt = ("9h 9d 9c", "Kh Kd Kc", "Ah Ad Ac", "8h Qs Qc")
    outcome = settled(hand("A decline | A open 4, B fold, C fold, D fold", dealt=dealt))

    assert (outcome.showdown, outcome.premiums) == (False, [0, 0, 0, 0])
    assert outcome.returned == [3, 0, 0, 0]  # K 5 against the dealer's 2
    assert outcome.stacks == [104, 99, 99, 98]


# V15: premiums after the pots, carré first, then by rank, no debt


def test_v15_carre_is_paid_first_and_the_shortfall_is_recorded() -> None:
    # D has 2 left: A's carré takes both of them, nothing remains for B's brelan
    outcome = settled(
        hand(
            "A decline | A open 9, B call 9, C fold, D fold",
            stacks=(100, 100, 100, 4),
            dealt=("9h 9d 9c", "Kh Kd Kc", "Ah Qd 8c", "8h Qs Qc"),
            turned="9s",
        )
    )

    assert paid(outcome.payments) == [
        (0, 2, 2, 0),
        (0, 3, 2, 0),
        (1, 2, 1, 0),
        (1, 3, 0, 1),
    ]
    assert outcome.premiums == [4, 1, -3, -2]
    assert outcome.stacks == [90 + 23 + 4, 90 + 1, 99 - 3, 0]


def test_v15_a_higher_brelan_is_paid_before_a_lower_one() -> None:
    # D has 1 left: the kings take it, the queens get nothing
    outcome = settled(
        hand(
            "A decline | A open 9, B call 9, C fold, D fold",
            stacks=(100, 100, 100, 3),
            dealt=("Qh Qd Qc", "Kh Kd Kc", "Ah 9d 8c", "8h Qs Ac"),
            turned="9s",
        )
    )

    assert outcome.premiums == [1, 2, -2, -1]
    assert outcome.stacks == [91, 90 + 23 + 2, 97, 0]


def test_v15_the_pots_are_paid_before_the_premiums() -> None:
    # C is all-in and wins the pot by the point; A's folded carré is paid out of that pot
    outcome = settled(
        hand(
            "A decline | A open 4, B call 4, C call 4, D raise 20, A fold, B fold, C call 1",
            stacks=(100, 100, 6, 100),
            dealt=("9h 9d 9c", "Kh Kd Qc", "Ah Kc Ac", "8h Qs Qd"),
            turned="9s",
        )
    )

    assert outcome.pots[0].winners == {2: 5 + 5 + 6 + 6}
    assert outcome.premiums == [6, -2, -2, -2]
    assert outcome.stacks == [101, 93, 20, 92]


# V16: an ante that a stack cannot cover


def test_v16_a_short_ante_is_all_in() -> None:
    line = "| A open 4, B fold, C fold"

    # The dealer has 1 and owes 2: K 1, M 1
    outcome = settled(hand(line, stacks=(100, 100, 100, 1)))
    assert outcome.showdown
    assert outcome.returned == [4, 0, 0, 0]
    assert outcome.contributions == [1, 1, 1, 1]
    assert outcome.all_in[3]


# V17: the favori and the mistigri


def test_v17_favori_is_exactly_a_pair_with_the_retourne_of_its_rank() -> None:
    nothing = strength("Ac Kd 9h", "8s", favori="below-simple")

    assert strength("9c 9d Ah", "9s", favori="below-simple") > nothing
    assert strength("9c 9d Ah", "As", favori="below-simple") == nothing
    assert strength("9c 9d Ah", "9s") == nothing  # off


def test_v17_mistigri_is_the_card_and_a_pair_of_one_colour() -> None:
    nothing = strength("Ac Kd 9h", "8s", mistigri="queen")

    assert strength("Qc 9h 9d", "8s", mistigri="queen") > nothing
    assert strength("Qc 9c 9s", "8s", mistigri="queen") > nothing
    assert strength("Qc 9c 9d", "8s", mistigri="queen") == nothing
    assert strength("Qs 9h 9d", "8s", mistigri="queen") == nothing
    assert strength("Jc 9h 9d", "8s", mistigri="queen") == nothing
    assert strength("Jc 9h 9d", "8s", mistigri="jack") > nothing


def test_v17_carre_simple_favori_mistigri_is_the_order() -> None:
    both: dict[str, OptionValue] = {"favori": "below-simple", "mistigri": "queen"}
    carre = strength("8c 8d 8h", "8s", **both)
    eights = strength("8c 8d 8h", "9s", **both)
    favori = strength("Ac Ad 9h", "As", **both)
    mistigri = strength("Qc Ah Ad", "8s", **both)

    assert carre > eights > favori > mistigri > 0


def test_v17_a_favori_with_the_mistigri_counts_as_the_better() -> None:
    both: dict[str, OptionValue] = {"favori": "below-simple", "mistigri": "queen"}

    assert strength("Qc 9h 9d", "9s", **both) == strength("9h 9d Kc", "9s", **both)


# V18: the hand that inherits an all-pass pot


@pytest.mark.parametrize("preset", ["bouillotte/salon", HISTORICO])
def test_v18_only_the_dealer_antes_and_a_carre_matches_carried_chips(preset: str) -> None:
    # Carried 5 and the dealer's 1: P 6
    assert legal_after(hand("A carre 6", carried=5, preset=preset))[:2] == [
        "B carre 12",
        "B decline",
    ]
    assert legal_after(hand("A decline | A pass", carried=5, preset=preset))[1] == "B open 1-100"


def test_v18_everyone_posts_one_more_where_the_table_carries_so() -> None:
    outcome = settled(hand("| A pass, B pass, C pass, D pass", carried=5, carry="everyone"))

    assert (outcome.carried, outcome.stacks) == (9, [99, 99, 99, 99])


# V19: passing before the opening, a call of nothing


def test_v19_nobody_folds_before_the_opening() -> None:
    assert legal_after(hand("A decline |")) == ["A pass", "A open 1-99"]


def test_v19_a_call_of_nothing_where_the_seat_still_has_to_speak() -> None:
    # A opens to exactly the dealer's 2
    line = "A decline | A open 1, B call 1, C fold"

    assert legal_after(hand(line)) == ["D call 0", "D raise 1-98", "D fold"]
    assert settled(hand(line + ", D call 0, B no-more, D no-more")).pots[0].winners == {0: 7}
