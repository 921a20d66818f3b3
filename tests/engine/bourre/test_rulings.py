"""The rulings of Bourré and the values of its options, each by a hand computed from the rules.

In `DEALT` spades are trump. A holds As, B Ts 4s, C the turned 6s and 8s. Played as in `TRICKS`, A
takes three, B two, C none.
"""

import pytest

from engine.presets import PRESETS, OptionError, options_of
from engine.record import DeclaredOutcome
from engine.result import BourreOutcome, PotPayment
from tests.engine.bourre.hands import (
    HIDDEN,
    PAGAT,
    PAT,
    TRICKS,
    found,
    hand,
    legal_after,
    outcome_of,
    replayed,
    settled,
)


def payments(outcome: BourreOutcome) -> list[tuple[int, int, int, str]]:
    assert outcome.pot_payments is not None
    return [_plain(payment) for payment in outcome.pot_payments]


def _plain(payment: PotPayment) -> tuple[int, int, int, str]:
    return payment.seat, payment.amount, payment.short, payment.by


# The ante, what a hand begins with


def test_everybody_antes_onto_the_carried_pot() -> None:
    outcome = settled(hand(carried=7))

    assert outcome.contributions == [1, 1, 1]
    assert outcome.pots[0].amount == 10


def test_an_ante_of_another_amount() -> None:
    assert settled(hand(ante=5)).pots[0].amount == 15


def test_a_stack_below_the_ante_posts_what_it_has_and_plays_on() -> None:
    outcome = settled(hand(ante=5, stacks=(100, 3, 100)))

    assert outcome.contributions == [5, 3, 5]
    assert outcome.all_in == [False, True, False]
    assert outcome.stacks == [108, 0, 82]


# B1: in or out


def test_the_dealer_s_left_declares_first() -> None:
    assert legal_after(hand("A stay"))[:2] == ["B stay", "B out"]


def test_the_last_one_left_takes_the_pot_without_play() -> None:
    outcome = settled(hand("A stay, B out, C out", carried=4))

    assert outcome.pots[0].by == "uncontested"
    assert outcome.pots[0].winners == {0: 7}
    assert outcome.stacks == [106, 99, 99]
    assert outcome.folded == [False, True, True]
    assert outcome.carried == 0


def test_the_dealer_takes_it_without_a_word() -> None:
    assert settled(hand("A out, B out")).stacks == [99, 99, 102]


def test_a_stay_of_the_last_one_means_nothing() -> None:
    assert settled(hand("A out, B out, C stay")).stacks == [99, 99, 102]


def test_declaring_at_once_has_no_turns() -> None:
    record = hand("C stay, A out", declare="simultaneous")
    assert legal_after(record) == ["B stay", "B out"]
    assert settled(hand("C stay, A out, B out", declare="simultaneous")).stacks == [99, 99, 102]


def test_declaring_at_once_nobody_is_excused_and_all_may_be_out() -> None:
    assert found(hand("C out, A out", declare="simultaneous")) == ["hand-incomplete /events"]
    outcome = settled(hand("C out, A out, B out", declare="simultaneous"))

    assert (outcome.pots[0].by, outcome.pots[0].winners) == ("carried", {})
    assert outcome.stacks == [99, 99, 99]
    assert outcome.carried == 3


def test_a_count_that_is_announced_binds() -> None:
    counted = f"A stay 0, B stay 0, C stay 2, C draw 9d 7c > 2h 2d, {drawn(2)}"
    assert settled(hand(counted, preset=PAGAT)).tricks == [3, 1, 1]
    short = "A stay 0, B stay 0, C stay 2, C draw 9d > 2d, AAh"
    assert found(hand(short, preset=PAGAT))[0] == "draw-count-differs 7"


def test_who_has_announced_a_draw_may_draw_no_other() -> None:
    counted = hand("A stay 0, B stay 3, C stay 2, A draw >", preset=PAGAT)
    assert legal_after(counted) == ["B draw 3-3"]


def test_an_announced_draw_that_never_comes_is_found_at_the_first_lead() -> None:
    counted = f"A stay 0, B stay 0, C stay 2, {TRICKS}"
    assert found(hand(counted, preset=PAGAT)) == ["draw-count-differs 7"]


# B2: the draw


def drawn(cards: int) -> str:
    """Five tricks after C has drawn two cards for 9d 7c, or none."""
    return "AAh BQh CKh AKd BJd C2d AAs B4s C6s A8c B9c C8s C2h A3c BTs" if cards else TRICKS


def test_draws_come_after_all_have_spoken_from_the_dealer_s_left() -> None:
    assert legal_after(hand(PAT)) == ["A draw 0-5"]
    assert legal_after(hand(f"{PAT}, A draw 8c > 2c")) == ["B draw 0-5"]


def test_a_seat_that_stands_pat_may_say_so_or_not() -> None:
    said = hand(f"{PAT}, A draw >, B draw >, C draw 9d 7c > 2h 2d, {drawn(2)}")
    unsaid = hand(f"{PAT}, C draw 9d 7c > 2h 2d, {drawn(2)}")
    assert settled(said).stacks == settled(unsaid).stacks == [102, 99, 99]


def test_the_turned_trump_may_be_thrown_away_and_its_suit_stays_trump() -> None:
    line = f"{PAT}, C draw 6s > 2h, AAh BQh C2h AKd BJd C9d AAs B4s C8s A8c B9c C7c BTs CKh A3c"
    assert settled(hand(line)).tricks == [3, 2, 0]


def test_an_extra_card_is_nobody_s() -> None:
    line = f"{PAT}, {TRICKS}"
    assert settled(hand(line, turned="2s", trump_card="extra")).tricks == [3, 2, 0]
    assert found(hand(line, turned="6s", trump_card="extra")) == ["card-twice 3"]
    received = f"{PAT}, C draw 9d > 2s"
    assert found(hand(received, turned="2s", trump_card="extra"))[0] == "received-impossible 7"


@pytest.mark.parametrize("most", range(6))
def test_the_most_that_may_be_drawn(most: int) -> None:
    offered = legal_after(hand(PAT, maximum_draw=most))
    assert offered == ([f"A draw 0-{most}"] if most else ["A play 3c 8c Kd Ah As"])


@pytest.mark.parametrize(("players_from", "most"), [(0, 4), (4, 4), (3, 2), (2, 2)])
def test_a_smaller_draw_from_so_many_players_up(players_from: int, most: int) -> None:
    record = hand(PAT, maximum_draw=4, smaller_draw=2, smaller_draw_from=players_from)
    assert legal_after(record) == [f"A draw 0-{most}"]


# B3: when the stock runs out


EIGHT = (
    "2c 3c 4c 5c 6c",
    "7c 8c 9c Tc Jc",
    "Qc Kc Ac 2d 3d",
    "4d 5d 6d 7d 8d",
    "9d Td Jd Qd Kd",
    "Ad 2h 3h 4h 5h",
    "6h 7h 8h 9h Th",
    "Jh Qh Kh Ah 2s",
)
"""Eight hands of five; the spades from 3 to A are the stock of twelve."""
ALL_BUT_G = "A stay, B stay, C stay, D stay, E stay, F stay, G out, H stay"
SERVED = (
    f"{ALL_BUT_G}, A draw 2c 3c 4c 5c 6c > 3s 4s 5s 6s 7s, B draw 7c 8c 9c Tc Jc > 8s 9s Ts Js Qs"
)
"""Ten of the twelve are gone: Ks and As are left. The next drawer needs more."""


def eight(line: str, recycle: str = "discards") -> list[str]:
    record = hand(f"{SERVED}, {line}", dealt=EIGHT, turned="2s", recycle=recycle)
    return [code for code in found(record) if not code.startswith("hand-incomplete")]


def test_the_rest_of_the_stock_then_the_discards_of_those_served() -> None:
    assert eight("C draw Qc Kc Ac > Ks As 4c") == []
    assert eight("C draw Qc Kc Ac > 4c Ks As") == []  # in whatever order it is written


def test_nobody_gets_back_a_card_of_their_own() -> None:
    assert eight("C draw Qc Kc Ac > Ks As Kc") == ["received-impossible 19"]


def test_nothing_is_shuffled_back_while_the_stock_lasts() -> None:
    assert eight("C draw Qc Kc > Ks 4c") == ["received-impossible 19"]


def test_a_card_in_another_hand_is_not_dealt() -> None:
    assert eight("C draw Qc Kc Ac > Ks As 4d") == ["received-impossible 19"]


def test_what_is_shuffled_back_comes_once_and_later_discards_wait() -> None:
    line = "C draw Qc Kc Ac > Ks As 4c, D draw 4d > "
    assert eight(f"{line} 5c") == []
    assert eight(f"{line} 4c") == ["received-impossible 20"]
    assert eight(f"{line} Kc") == ["received-impossible 20"]


def test_folded_hands_are_shuffled_back_where_the_table_does_so() -> None:
    line = "C draw Qc Kc Ac > Ks As 6h"
    assert eight(line) == ["received-impossible 19"]
    assert eight(line, recycle="discards-and-folded") == []


def test_hidden_cards_may_be_any_that_are_left() -> None:
    assert eight("C draw Qc Kc Ac > ?? ?? ??") == []
    assert eight("C draw Qc Kc Ac > Ks ?? 4c, D draw 4d > As") == ["received-impossible 20"]


# B4: who leads what


def test_the_first_stayer_left_of_the_dealer_leads_then_the_winner_of_each_trick() -> None:
    assert legal_after(hand("A out, B stay, C stay, B draw >, C draw >"))[0].startswith("B play")
    assert legal_after(hand(f"{PAT}, AAh BQh CKh"))[0].startswith("A play")
    assert legal_after(hand(f"{PAT}, A8c B9c C7c"))[0].startswith("B play")


@pytest.mark.parametrize(
    ("dealt", "rule", "offered"),
    [
        ("Ah Kd 8c 3c As", "free", "A play 3c 8c Kd Ah As"),
        ("Ah Kd 8c 3c As", "ace-of-trumps", "A play As"),
        ("Ah Kd 8c 3c As", "top-trump", "A play As"),
        ("Ks Qs Kd 8c 3c", "ace-of-trumps", "A play 3c 8c Kd Qs Ks"),
        ("Ks Qs Kd 8c 3c", "top-trump", "A play Ks"),
        ("Js Qs Kd 8c 3c", "top-trump", "A play Qs"),
        ("Js 9s Kd 8c 3c", "top-trump", "A play 3c 8c Kd 9s Js"),
    ],
)
def test_the_first_lead(dealt: str, rule: str, offered: str) -> None:
    others = ("Qh Jd Tc 9c 4s", "Kh 9d 8s 7c 6s")
    record = hand(PAT, dealt=(dealt, *others), opening_lead=rule, maximum_draw=0)
    assert legal_after(record) == [offered]


def test_the_second_lead_is_free() -> None:
    record = hand(f"{PAT}, AAs B4s C6s", opening_lead="top-trump")
    assert legal_after(record) == ["A play 3c 8c Kd Ah"]


CINCH = ("As Ks Qs 3c 2c", "Ah Qh Jd 9c 4s", "Kh 9d 8s 7c 6s")


def test_a_cinch_is_played_from_the_top() -> None:
    free = hand(PAT, dealt=CINCH, maximum_draw=0)
    bound = hand(PAT, dealt=CINCH, maximum_draw=0, cinch=True)
    assert legal_after(free) == ["A play 2c 3c Qs Ks As"]
    assert legal_after(bound) == ["A play As"]
    after_one = hand(f"{PAT}, AAs B4s C6s", dealt=CINCH, cinch=True)
    assert legal_after(after_one) == ["A play Ks"]
    after_three = hand(f"{PAT}, AAs B4s C6s AKs B9c C8s AQs BJd C9d", dealt=CINCH, cinch=True)
    assert legal_after(after_three) == ["A play 2c 3c"]


def test_tricks_won_and_trumps_played_count_for_a_cinch() -> None:
    dealt = ("Ks Qs Ad Kd 2c", "Ah Qh Jd 9c 4s", "As 9d 8c 7c 6s")
    ace_out = hand(f"{PAT}, AKs B4s CAs", dealt=dealt, cinch=True)
    assert legal_after(ace_out) == ["C play 7c 8c 9d 6s"]
    two_won = hand(f"{PAT}, AAd BJd C9d AKd", dealt=dealt, cinch=True, maximum_draw=0)
    assert legal_after(two_won) == ["B play 4s"]
    line = f"{PAT}, AAs B4s C6s AAd BJd C9d"
    dealt = ("As Ks Ad 3c 2c", "Ah Qh Jd 9c 4s", "Kh 9d 8c 7c 6s")
    assert legal_after(hand(line, dealt=dealt, cinch=True)) == ["A play Ks"]


def test_a_cinch_trumps_with_the_highest() -> None:
    dealt = ("Kd 8c 3c 2h 9h", "As Ks Qs 9c Jd", "Kh 9d 8s 7c 6s")
    record = hand(f"{PAT}, A2h", dealt=dealt)
    assert legal_after(record) == ["B play Qs Ks As"]
    record = hand(f"{PAT}, A2h", dealt=dealt, cinch=True)
    assert legal_after(record) == ["B play As"]


# How one follows (B5)


FOLLOWING = ("8c 3c 2h Kd As", "9c Jc 2c Jd 4s", "9d 8s 7h Kh 6s")


@pytest.mark.parametrize(
    ("played", "offered"),
    [
        ("A8c", "B play 9c Jc"),  # it follows, and over it if able
        ("AKd", "B play Jd"),  # follow, though it is not over it
        ("A2h", "B play 4s"),  # none of the suit: trump
        ("A2h B4s", "C play 7h Kh"),  # follow, and head though it is trumped: both are over 2h
        ("A8c B9c", "C play 6s 8s"),  # none: trump
        ("AAs", "B play 4s"),
    ],
)
def test_what_follows(played: str, offered: str) -> None:
    assert legal_after(hand(f"{PAT}, {played}", dealt=FOLLOWING)) == [offered]


@pytest.mark.parametrize(
    ("rule", "offered"), [("required", "C play Kh"), ("waived", "C play 7h Kh")]
)
def test_heading_when_the_trick_is_trumped(rule: str, offered: str) -> None:
    dealt = ("8c 3c 9h Kd As", "9c Jc 2c Jd 4s", "9d 8s 7h Kh 6s")
    record = hand(f"{PAT}, A9h B4s", dealt=dealt, head_when_trumped=rule)
    assert legal_after(record) == [offered]


def test_over_the_trump_that_lies_there_or_under_it() -> None:
    dealt = ("2h 3c 2c Kd As", "9c Jc 4d Jd 7s", "9d 8s Tc Kc 6s")
    assert legal_after(hand(f"{PAT}, A2h B7s", dealt=dealt)) == ["C play 8s"]
    dealt = ("2h 3c 2c Kd As", "9c Jc 4d Jd Ts", "9d 8s Tc Kc 6s")
    assert legal_after(hand(f"{PAT}, A2h BTs", dealt=dealt)) == ["C play 6s 8s"]
    record = hand(f"{PAT}, A2h BTs", dealt=dealt, undertrump="free")
    assert legal_after(record) == ["C play Tc Kc 9d 6s 8s"]


def test_neither_the_suit_nor_a_trump_anything() -> None:
    dealt = ("2h 3c 2c Kd As", "9c Jc 4d Jd 8d", "9d 8s Tc Kc 6s")
    assert legal_after(hand(f"{PAT}, A2h", dealt=dealt)) == ["B play 9c Jc 4d 8d Jd"]


# B6: the renege


RENEGE = "AAh BJd CKh AKd B4s C9d BTs C6s AAs A8c B9c C7c BQh C8s A3c"
"""B throws Jd on hearts though it holds Qh, and takes two tricks: A two, B two, C one."""


def test_an_offender_pays_once_and_cannot_win() -> None:
    outcome = outcome_of(hand(f"{PAT}, {RENEGE}", carried=3))

    assert outcome.tricks == [2, 2, 1]
    assert outcome.reneged == [1]
    assert outcome.pots[0].eligible == [0, 2]
    assert outcome.pots[0].winners == {0: 6}  # two against one, without B
    assert payments(outcome) == [(1, 6, 0, "renege")]
    assert outcome.stacks == [105, 93, 99]
    assert outcome.carried == 6


def test_an_offender_without_a_trick_pays_once() -> None:
    line = "AAh BQh CKh AKd BJd C8s C7c A8c B9c BTs C6s AAs A3c B4s C9d"
    outcome = outcome_of(hand(f"{PAT}, {line}"))
    assert "must-follow 12" in found(hand(f"{PAT}, {line}"))
    assert payments(outcome) == [(2, 3, 0, "renege")]


@pytest.mark.parametrize("renege", ["pays-pot", "both", "corrected"])
def test_what_a_renege_costs(renege: str) -> None:
    outcome = outcome_of(hand(f"{PAT}, {RENEGE}", renege=renege))
    costs = renege != "corrected"
    assert outcome.reneged == ([1] if costs else [])
    assert payments(outcome) == ([(1, 3, 0, "renege")] if costs else [])
    assert outcome.pots[0].winners == ({0: 3} if costs else {})  # A and B tie with two


def corrected(renege: str) -> list[str]:
    line = TRICKS.replace("BQh", "BJd, B renege Qh,")
    return found(hand(f"{PAT}, {line}", renege=renege))


def test_a_card_is_taken_back_in_time_where_the_table_lets_it() -> None:
    assert corrected("both") == corrected("corrected") == ["renege-corrected 8"]
    assert corrected("pays-pot") == ["must-follow 8", "correction-not-allowed 9"]


def test_a_corrected_renege_costs_nothing_and_its_trick_goes_by_the_new_card() -> None:
    line = "A8c BTs, B renege 9c, C7c AAh BQh CKh"
    record = hand(f"{PAT}, {line}", renege="both")
    assert found(record)[:2] == ["renege-corrected 8", "out-of-turn 11"]  # B leads, not A
    done = hand(f"{PAT}, {TRICKS.replace('BQh', 'BJd, B renege Qh,')}", renege="both")
    assert outcome_of(done).stacks == [102, 99, 96]


def test_the_last_card_of_a_trick_may_be_taken_back_before_the_next_lead() -> None:
    line = "A8c B9c C8s, C renege 7c"
    assert legal_after(hand(f"{PAT}, {line}", renege="both"))[0].startswith("B play")
    late = hand(f"{PAT}, A8c B9c C8s CKh, C renege 7c", renege="both")
    assert "must-follow 9" in found(late)


def test_a_hidden_renege_is_shown_by_a_later_card_and_dated_to_its_own_event() -> None:
    record = hand(f"{PAT}, {RENEGE}", dealt=(HIDDEN, HIDDEN, "?? ?? ?? ?? 6s"))
    (violation,) = replayed(record).violations

    assert (violation.code, violation.event, violation.seat) == ("must-follow", 8, 1)
    assert (violation.expected, violation.seen) == (["Qh"], "Jd")
    assert replayed(record).steps[9].findings == [0]
    assert outcome_of(record).stacks == [102, 96, 99]


def test_a_claim_is_compared_with_the_cards() -> None:
    assert found(hand(f"{PAT}, {RENEGE}, B renege")) == ["must-follow 8"]
    refuted = hand(f"{PAT}, {TRICKS}, B renege")
    assert found(refuted) == ["renege-unfounded 22"]
    assert outcome_of(refuted).reneged == []


def test_a_claim_that_hidden_cards_leave_open_is_taken_as_the_table_took_it() -> None:
    line = TRICKS.replace("B4s", "B??")
    record = hand(f"{PAT}, {line}, B renege", dealt=(HIDDEN, HIDDEN, HIDDEN))
    assert found(record) == ["cards-missing /events"]
    assert outcome_of(record).reneged == [1]


# B7: who wins


def test_most_tricks_alone_win_the_pot() -> None:
    outcome = settled(hand())
    assert outcome.tricks == [3, 2, 0]
    assert (outcome.pots[0].by, outcome.pots[0].winners) == ("tricks", {0: 3})
    assert outcome.stacks == [102, 99, 96]


TIED = ("Ah Kd 8c 3c 2s", "Qh Jd Ts 9c 4s", "Kh 9d 8s 7c 6s")
TWO_TWO = "AAh BQh CKh AKd BJd C9d A8c B9c C7c BTs C6s A2s B4s C8s A3c"
"""A two, B two, C one."""


def test_a_tie_carries_the_pot() -> None:
    outcome = settled(hand(f"{PAT}, {TWO_TWO}", dealt=TIED))
    assert outcome.tricks == [2, 2, 1]
    assert (outcome.pots[0].by, outcome.pots[0].winners) == ("carried", {})
    assert (outcome.stacks, outcome.carried) == ([99, 99, 99], 3)
    assert outcome.replaying == []


def test_a_tie_is_split_in_whole_chips_with_the_rest_left() -> None:
    outcome = settled(hand(f"{PAT}, {TWO_TWO}", dealt=TIED, tie="split"))
    assert outcome.pots[0].winners == {0: 1, 1: 1}
    assert (outcome.stacks, outcome.carried) == ([100, 100, 99], 1)


def test_a_tie_is_replayed_among_the_tied_only() -> None:
    outcome = settled(hand(f"{PAT}, {TWO_TWO}", dealt=TIED, tie="replay"))
    assert outcome.replaying == [0, 1]
    assert (outcome.pots[0].winners, outcome.carried) == ({}, 3)


def test_five_ones_are_a_tie() -> None:
    dealt = (
        "Ah 2d 3c 9c 7c",
        "3h Ad 5c 8d 9d",
        "4h 3d Kc 2h Td",
        "5h 4d 6c Kh 2c",
        "6h 5d 8c 7h 6s",
    )
    stays = "A stay, B stay, C stay, D stay, E stay"
    tricks = "AAh B3h C4h D5h E6h A2d BAd C3d D4d E5d B5c CKc D6c E8c A3c"
    tricks += " C2h DKh E7h A9c B8d D2c E6s A7c B9d CTd"
    outcome = settled(hand(f"{stays}, {tricks}", dealt=dealt))
    assert outcome.tricks == [1, 1, 1, 1, 1]
    assert (outcome.pots[0].winners, outcome.carried) == ({}, 5)


def test_nobody_wins_without_a_trick() -> None:
    """B has all five tricks and has reneged; A and C are bourré, and nobody is left to win."""
    dealt = ("2h 3h 4h 2d 3d", "Ah Kh As Ks Qs", "9d 8s 7c 7d 6s")
    line = "A2h BAs C6s BAh C8s A3h"
    assert found(hand(f"{PAT}, {line}", dealt=dealt))[0] == "must-follow 8"
    line = "A2h BAs C6s BKs C8s A2d BQs C7c A3d BAh C7d A3h BKh C9d A4h"
    outcome = outcome_of(hand(f"{PAT}, {line}", dealt=dealt))
    assert outcome.tricks == [0, 5, 0]
    assert (outcome.pots[0].by, outcome.pots[0].winners) == ("carried", {})
    assert payments(outcome) == [
        (0, 3, 0, "bourre"),
        (1, 3, 0, "renege"),
        (2, 3, 0, "bourre"),
    ]
    assert outcome.carried == 12


# B8: who pays


def test_every_bourre_pays_the_pot_of_before_the_award_into_the_next() -> None:
    outcome = settled(hand(carried=7))
    assert payments(outcome) == [(2, 10, 0, "bourre")]
    assert (outcome.stacks, outcome.carried) == ([109, 99, 89], 10)


@pytest.mark.parametrize(
    ("limit", "taken", "paid", "carried"),
    [("none", 33, 33, 33), ("bourre", 33, 12, 12), ("bourre-and-winner", 12, 12, 33)],
)
def test_limits(limit: str, taken: int, paid: int, carried: int) -> None:
    outcome = settled(hand(carried=30, limit=limit, cap=12))
    assert outcome.pots[0].amount == 33
    assert outcome.pots[0].winners == {0: taken}
    assert payments(outcome) == [(2, paid, 0, "bourre")]
    assert outcome.carried == carried


def test_the_cap_holds_for_a_pot_won_without_play() -> None:
    outcome = settled(hand("A out, B out", carried=30, limit="bourre-and-winner", cap=12))
    assert (outcome.stacks, outcome.carried) == ([99, 99, 111], 21)


def test_a_renege_is_capped_as_well() -> None:
    outcome = outcome_of(hand(f"{PAT}, {RENEGE}", carried=30, limit="bourre", cap=12))
    assert payments(outcome) == [(1, 12, 0, "renege")]


def test_who_cannot_pay_pays_the_stack_and_the_rest_is_noted() -> None:
    outcome = settled(hand(carried=30, stacks=(100, 100, 21)))
    assert payments(outcome) == [(2, 20, 13, "bourre")]
    assert (outcome.stacks, outcome.carried) == ([132, 99, 0], 20)


def test_nobody_is_exempt_unless_the_table_exempts() -> None:
    assert settled(hand()).exempt == [False, False, False]


def test_the_bourre_and_the_tied_owe_no_ante_next_hand() -> None:
    assert settled(hand(ante_exemption="bourre-and-tied")).exempt == [False, False, True]
    tied = hand(f"{PAT}, {TWO_TWO}", dealt=TIED, ante_exemption="bourre-and-tied")
    assert settled(tied).exempt == [True, True, False]
    split = hand(f"{PAT}, {TWO_TWO}", dealt=TIED, ante_exemption="bourre-and-tied", tie="split")
    assert settled(split).exempt == [False, False, False]


def test_an_exempt_seat_posts_nothing() -> None:
    outcome = settled(hand(exempt="B", ante_exemption="bourre-and-tied", carried=5))
    assert outcome.contributions == [1, 0, 1]
    assert outcome.pots[0].amount == 7


def test_where_nobody_is_exempt_the_ante_counts_as_posted() -> None:
    record = hand(exempt="B")
    assert found(record) == ["exemption-not-allowed /seats/1/exempt"]
    assert outcome_of(record).contributions == [1, 1, 1]


# What the log is silent about


def test_a_log_of_what_all_saw_settles_fully() -> None:
    outcome = settled(hand(dealt=(HIDDEN, HIDDEN, "?? ?? ?? ?? 6s")))
    assert outcome.stacks == [102, 99, 96]


def test_whoever_leads_took_a_hidden_trick_and_the_last_one_stays_open() -> None:
    record = hand(f"{PAT}, {TRICKS.replace('B4s', 'B??')}", dealt=(HIDDEN, HIDDEN, HIDDEN))
    assert found(record) == ["cards-missing /events"]
    assert replayed(record).verdict == "unverifiable"
    assert outcome_of(record).stacks == [102, 99, 96]
    record = hand(f"{PAT}, {TRICKS.replace('C8s', 'C??')}", dealt=(HIDDEN, HIDDEN, HIDDEN))
    outcome = outcome_of(record)
    assert (outcome.tricks, outcome.stacks, outcome.carried) == (None, None, None)
    assert outcome.pots[0].amount == 3
    assert replayed(record).violations[0].expected == {2: 1}


def test_a_hidden_trump_leaves_open_what_it_decides() -> None:
    record = hand(f"{PAT}, {TRICKS}", turned="??")
    assert replayed(record).violations[0].expected == {"trump": 1}
    assert outcome_of(record).stacks is None  # the last trick has two suits


# What is declared


def test_a_declared_result_that_is_ours_is_not_found() -> None:
    ours = DeclaredOutcome(
        [(3, {0: 3})], {0: 0}, [102, 99, 96], 3, {0: 3, 1: 2, 2: 0}, {0: 0, 1: 0, 2: 3}
    )
    assert found(hand(declared=ours)) == []


def test_every_declared_part_is_compared() -> None:
    theirs = DeclaredOutcome([(4, {1: 4})], {0: 1}, [101, 99, 97], 0, {1: 3, 7: 1}, {2: 2})
    assert found(hand(declared=theirs)) == [
        "declared-pots /declared/pots/0/amount",
        "declared-pots /declared/pots/0/winners",
        "declared-premiums /declared/premiums/0",
        "declared-tricks /declared/tricks/1",
        "declared-tricks /declared/tricks/7",
        "declared-payments /declared/payments/2",
        "declared-stacks /declared/stacks/0",
        "declared-stacks /declared/stacks/2",
        "declared-carried /declared/carried",
    ]


# Options


@pytest.mark.parametrize("name", sorted(PRESETS["bourre/pagat"].values))
def test_a_value_that_an_option_cannot_have_is_refused_by_name(name: str) -> None:
    error = options_of(PRESETS["bourre/pagat"], {name: "nonsense"})
    assert isinstance(error, OptionError)
    assert (error.option, error.seen) == (name, "'nonsense'")


def test_an_option_of_another_game_is_refused_with_those_of_this_one() -> None:
    error = options_of(PRESETS["bourre/louisiana"], {"favori": "best"})
    assert isinstance(error, OptionError)
    assert error.option == "favori"
    assert "maximum-draw" in error.expected
    error = options_of(PRESETS["bouillotte/salon"], {"cinch": True})
    assert isinstance(error, OptionError)
    assert "favori" in error.expected
