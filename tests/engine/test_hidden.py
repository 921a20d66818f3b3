"""Hidden cards: what follows whatever they are, what is missing, and what cannot be true."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import UNKNOWN
from engine.record import DeclaredOutcome, VyingRecord
from engine.result import Replay
from engine.violations import Violation
from engine.vying.declared_hidden import report_hidden, report_impossible
from engine.vying.hidden import HiddenShowdown
from engine.vying.possible_brelans import BrelanSearch
from engine.vying.replay import replay_vying
from engine.vying.settlement import settle
from engine.vying.showdown import NO_BRELAN, brelan_strength
from engine.vying.state import NOBODY
from engine.vying.unseen import NO, YES, Unseen
from tests.engine.completions import Showdown, declared_of, everything, random_showdown
from tests.engine.hands import hand, settled
from tests.engine.random_play import copied, declare, outcome_of, play

TWO_IN = "A decline | A open 4, B call 4, C fold, D fold"  # 13 chips: 108, 95, 99, 98
HIDDEN = "?? ?? ??"


def dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 -- a repeatable game, no secret


def judged(
    *dealt: str, turned: str = "Ks", line: str = TWO_IN, claim: DeclaredOutcome | None = None
) -> Replay:
    return replay_vying(hand(line, dealt=dealt, turned=turned, declared=claim))


def told(replay: Replay) -> list[tuple[str, str, object]]:
    return [(found.code, found.pointer, found.expected) for found in replay.violations]


def claimed(winner: int, amount: int = 13) -> DeclaredOutcome:
    return DeclaredOutcome([(amount, {winner: amount})], None, None, None)


# By hand. Unseen but for what the hands say: the deck is A K Q 9 8.


def test_a_folded_hand_that_cannot_tip_the_suits_decides_nothing() -> None:
    # Hearts 38, A's. Clubs 17 and at most A♣ and a ten more: 38, and A comes before B. Diamonds are
    # A's too, spades nobody's.
    record = hand(TWO_IN, dealt=("Ah Kd 8c", "Kh 9d 9c", "9h 8d 8s", "8h ?? ??"))
    outcome = settled(record)
    assert outcome.stacks == [108, 95, 99, 98]
    assert (outcome.pots[0].by, outcome.pots[0].suit) == ("point", NOBODY)


def test_a_folded_hand_that_could_tip_the_suits_leaves_the_pot_open() -> None:
    # With A♣ K♣ Q♣ at D's clubs come to 48, and they are B's.
    replay = judged("Ah Kd 8c", "Kh 9d 9c", "9h 8d 8s", HIDDEN)
    assert told(replay) == [("cards-missing", "/events", {3: 3})]
    assert outcome_of(replay).pots[0].winners is None


def test_only_the_hidden_cards_that_matter_are_missing() -> None:
    # A's nines beat any hand without a brelan; B may have one, C and D have folded.
    replay = judged("9h 9d 9c", "Kh Ah ??", "?? 8d 8s", HIDDEN, line=TWO_IN)
    assert outcome_of(replay).pots[0].winners == {0: 13}
    # the premium hangs on C's third 8 and on D's brelan; B's two ranks make none
    assert told(replay) == [("cards-missing", "/events", {2: 1, 3: 3})]


def test_a_hidden_live_hand_could_hold_a_higher_brelan() -> None:
    replay = judged("9h 9d 9c", HIDDEN, "Ks Qs 8c", "8h 8d As", turned="8s")
    assert told(replay) == [("cards-missing", "/events", {1: 3})]
    carre = judged("9h 9d 9c", HIDDEN, "Ks Qs 8c", "8h 8d As", turned="9s")
    assert outcome_of(carre).pots[0].winners == {0: 13}
    assert outcome_of(carre).pots[0].by == "brelan-carre"


def test_a_simple_brelan_that_no_hidden_hand_can_beat_decides() -> None:
    # Of aces, kings and queens no three are left to B; three eights are, and are less than nines.
    replay = judged("9h 9d 9c", HIDDEN, "Ah Kh Qh", "Ad Kd Qd", turned="Qs")
    (pot,) = outcome_of(replay).pots
    assert (pot.winners, pot.by) == ({0: 13}, "brelan")
    # whether B has them is what the premiums hang on
    assert told(replay) == [("cards-missing", "/events", {1: 3})]
    # with the fourth eight turned they are a carré
    carre = judged("9h 9d 9c", HIDDEN, "Ah Kh Qh", "Ad Kd Qd", turned="8s")
    assert outcome_of(carre).pots[0].winners is None


@pytest.mark.parametrize(
    ("holders", "missing"), [("shown", {2: 3, 3: 3}), ("live", None)], ids=["shown", "live"]
)
def test_hidden_folders_matter_to_premiums_that_they_can_earn(
    holders: str, missing: dict[int, int] | None
) -> None:
    record = hand(
        TWO_IN,
        dealt=("9h 9d 9c", "Kh Ah 8c", HIDDEN, HIDDEN),
        turned="9s",
        premium_holders=holders,
    )
    replay = replay_vying(record)
    assert outcome_of(replay).pots[0].winners == {0: 13}
    if missing is None:
        assert outcome_of(replay).premiums == [6, -2, -2, -2]
    else:
        assert outcome_of(replay).premiums is None
        assert told(replay) == [("cards-missing", "/events", missing)]


def test_a_hidden_retourne_is_missing_where_it_decides() -> None:
    # Spades 30, A's; hearts 29, B's: an ace, king or queen of hearts turned gives it to B.
    replay = judged("As Ks 8d", "Kh 9h 9c", "9s 8h 8c", "Qc Qd Kd", turned="??")
    assert told(replay)[0][2] == {"retourne": 1}
    # B's spades under A's, hearts without B: nothing that is turned changes the winner
    sure = judged("As Ks Ah", "Kd 9h 9c", "Qs 8h 8s", "9s 8d Qh", turned="??")
    assert outcome_of(sure).pots[0].winners == {0: 13}


def test_a_declared_winner_that_no_cards_allow_is_illegal() -> None:
    line = "A decline | A open 4, B call 4, C fold, D call 3, B no-more, D no-more"
    # Only clubs are B's, 8 and with A K Q hidden 39 at most. Diamonds are D's, and 40 already.
    replay = judged(
        "Ah Qd 8h", "Qh 9d 8c", HIDDEN, "Kh Kd Qs", turned="Ad", line=line, claim=claimed(1, 16)
    )
    assert told(replay) == [
        ("cards-missing", "/events", {2: 3}),
        ("declared-impossible", "/declared/pots/0/winners", [0, 3]),
    ]
    possible = judged(
        "Ah Qd 8h", "Qh 9d 8c", HIDDEN, "Kh Kd Qs", turned="Ad", line=line, claim=claimed(3, 16)
    )
    assert told(possible) == [("cards-missing", "/events", {2: 3})]
    assert possible.verdict == "unverifiable"


@pytest.mark.parametrize("shares", [{}, {2: 13}, {0: 6, 1: 7}, {0: 12}, {7: 13}], ids=str)
def test_an_open_pot_is_still_one_eligible_seat_s(shares: dict[int, int]) -> None:
    claim = DeclaredOutcome([(13, shares)], None, None, None)
    replay = judged("Ah Kd 8c", "Kh 9d 9c", "9h 8d 8s", HIDDEN, claim=claim)
    assert [found.code for found in replay.violations] == ["cards-missing", "declared-impossible"]


def test_premiums_and_stacks_that_no_cards_allow_are_illegal() -> None:
    dealt = ("Ah Kd 8c", "Kh 9d 9c", "9h 8d 8s", HIDDEN)

    def found(premiums: dict[int, int] | None, stacks: list[int] | None) -> list[Violation]:
        claim = DeclaredOutcome(None, premiums, stacks, None)
        return judged(*dealt, claim=claim).violations[1:]

    assert found({0: -1, 3: 3}, [107, 94, 98, 101]) == []
    (premium,) = found({0: 1}, None)
    assert (premium.code, premium.pointer) == ("declared-impossible", "/declared/premiums/0")
    assert (premium.expected, premium.ruling) == ([-1, 0], "V15")
    (together,) = found({0: -1, 3: 0}, None)
    assert (together.pointer, together.ruling) == ("/declared/premiums", "V15")
    (stacks,) = found(None, [95, 95, 112, 98])
    assert (stacks.code, stacks.pointer) == ("declared-impossible", "/declared/stacks")
    assert [v.pointer for v in found({0: 0}, [107, 94, 98, 101])] == ["/declared/stacks"]


def test_trials_that_run_out_claim_nothing() -> None:
    rng = dice(7)
    unsure = 0
    for _ in range(60):
        showdown = random_showdown(rng, 3)
        state = showdown.state()
        full = showdown.hidden()
        assert full is not None or showdown.hands == state.hands
        if full is None:
            continue
        poor = HiddenShowdown(state, full.cuts, full.stacks, 0)
        outcome = settle(state, poor)
        for _ in range(3):
            everyone = list(showdown.completions())
            whole = settle(rng.choice(everyone).state())
            report_impossible(state, declared_of(whole), outcome, poor)
        assert state.violations == []
        report_hidden(state, poor)
        unsure += [found.code for found in state.violations] == ["cards-too-many"]
    assert unsure


# Against every completion


def weighed(showdown: Showdown, holders: int) -> set[tuple[int, ...]]:
    """The brelans of the holders, completion by completion."""
    return {
        tuple(
            brelan_strength(cards, whole.retourne, whole.options)
            if holders >> seat & 1
            else NO_BRELAN
            for seat, cards in enumerate(whole.hands)
        )
        for whole in showdown.completions()
    }


@pytest.mark.parametrize("block", range(6))
def test_what_is_decided_and_possible_is_what_all_completions_say(block: int) -> None:
    rng = dice(block)
    for _ in range(60):
        showdown = random_showdown(rng, 3 if block % 2 else 2)
        hidden = showdown.hidden()
        if hidden is None:
            continue
        outcome = settle(showdown.state(), hidden)
        truth = everything(showdown)
        for index, pot in enumerate(outcome.pots):
            could = {s for s in range(5) if hidden.winners[index] >> s & 1}
            assert could == truth.winners[index], showdown
            assert (pot.winners is None) == (len(could) > 1)
            ways = truth.ways[index]
            if pot.winners is not None:
                decisions = {by for by, _ in ways}
                assert pot.by == (next(iter(decisions)) if len(decisions) == 1 else None), showdown
                assert pot.suit == (next(iter(ways))[1] if len(ways) == 1 else NOBODY), showdown
        for winners in product(*truth.winners):
            found = hidden.search.can_be(list(winners))
            assert found == (YES if winners in truth.tuples else NO), showdown
        if outcome.premiums is None:
            assert len(truth.premiums) > 1, showdown
        else:
            assert truth.premiums == {tuple(outcome.premiums)}, showdown
        if outcome.stacks is not None:
            assert truth.stacks == {tuple(outcome.stacks)}, showdown
        holders = showdown.live if showdown.options.premium_holders == "live" else 31
        brelans = BrelanSearch(Unseen(showdown.state()), holders)
        assert brelans.complete
        assert {tuple(found) for found in brelans.found} == weighed(showdown, holders), showdown


@pytest.mark.parametrize("block", range(3))
def test_no_true_claim_is_called_impossible(block: int) -> None:
    rng = dice(block + 100)
    for _ in range(60):
        showdown = random_showdown(rng, 3)
        hidden = showdown.hidden()
        if hidden is None:
            continue
        state = showdown.state()
        outcome = settle(state, hidden)
        for whole in rng.sample(list(showdown.completions()), 2):
            report_impossible(state, declared_of(settle(whole.state())), outcome, hidden)
        assert state.violations == [], showdown


def masked(record: VyingRecord, rng: random.Random) -> VyingRecord:
    """The record with cards hidden: whole hands, or single cards, in deal and show alike."""
    made = copied(record)
    whole = rng.random() < 0.5
    hidden = {card for cards in record.cards for card in cards if rng.random() < 0.25}
    for seat in range(-1, len(record.stacks)):
        if whole and rng.random() < 0.4:
            hidden |= {
                card
                for index, cards in enumerate(record.cards)
                if record.seats[index] == seat
                for card in cards
            }
    made.cards = [[UNKNOWN if card in hidden else card for card in cards] for cards in record.cards]
    return made


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_hiding_cards_never_makes_a_true_hand_illegal(seed: int) -> None:
    rng = dice(seed)
    record = play(rng).record
    hidden = masked(record, rng)
    hidden.declared = declare(record)
    assert replay_vying(hidden).verdict != "illegal"
