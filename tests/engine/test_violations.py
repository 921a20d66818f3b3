"""Every finding: a legal hand with one slip, the finding that names it, and no other finding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from engine.options import OptionValue
from engine.record import DeclaredOutcome, VyingRecord
from engine.violations import CODES
from tests.engine.hands import HISTORICO, SALON, codes, hand, only_finding, replayed, words

EVERYBODY_PASSES = "A pass, B pass, C pass, D pass"
DEALS = ["A deal", "B deal", "C deal", "D deal", "turn"]
FOUR = (100, 100, 100, 100)


@dataclass(frozen=True)
class Slip:
    """A hand with one slip and what is found in it. ``legal`` None stands for no event."""

    code: str
    line: str
    pointer: str
    seat: int
    expected: object
    seen: object
    legal: Sequence[str] = ()
    stacks: Sequence[int] = FOUR
    rebuys: Mapping[int, int] = field(default_factory=dict)
    declared: DeclaredOutcome | None = None
    preset: str = SALON
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def record(self) -> VyingRecord:
        return hand(
            self.line,
            stacks=self.stacks,
            rebuys=self.rebuys,
            declared=self.declared,
            preset=self.preset,
            table=self.options,
        )


def declared(
    pots: list[tuple[int, dict[int, int]]] | None = None,
    premiums: dict[int, int] | None = None,
    stacks: list[int] | None = None,
    carried: int | None = None,
) -> DeclaredOutcome:
    return DeclaredOutcome(pots, premiums, stacks, carried)


WON_BY_A = "A decline | A open 4, B call 4, C fold, D fold"  # 13 chips: 108, 95, 99, 98
SHOWDOWN_BY_TWO = WON_BY_A

SLIPS = [
    # the seats
    Slip(
        "player-count",
        "A decline | A open 4, B fold",
        "/seats",
        -1,
        "3 to 5",
        2,
        stacks=(100, 100),
        options={"deck": "AKQ98"},
    ),
    Slip("player-count", "A decline |", "/seats", -1, "3 to 5", 2, stacks=(100, 100)),
    Slip(
        "no-such-seat",
        "A decline | A pass, D pass, B pass, C pass",
        "/events/6/seat",
        -1,
        2,
        3,
        ["B pass", "B open 1-99"],
        stacks=(100, 100, 100),
    ),
    Slip(
        "stack-empty",
        "A decline | A pass, C pass, D pass",
        "/seats/1/stack",
        1,
        100,
        0,
        stacks=(100, 0, 100, 100),
    ),
    Slip(
        "rebuy-above-zero",
        "A decline | " + EVERYBODY_PASSES,
        "/seats/2/rebuy",
        2,
        0,
        50,
        stacks=(100, 100, 150, 100),
        rebuys={2: 100},
    ),
    Slip(
        "rebuy-amount",
        "A decline | " + EVERYBODY_PASSES,
        "/seats/0/rebuy",
        0,
        100,
        60,
        stacks=(60, 100, 100, 100),
        rebuys={0: 60},
    ),
    # acts out of place
    Slip(
        "foreign-act",
        "A decline | A pass, B foreign, B pass, C pass, D pass",
        "/events/7/do",
        1,
        "an act of a vying game",
        "foreign",
        ["B pass", "B open 1-99"],
    ),
    Slip(
        "wrong-stage",
        "A decline | A pass, B carre 5, B pass, C pass, D pass",
        "/events/7/do",
        1,
        "pass or open",
        "carre",
        ["B pass", "B open 1-99"],
    ),
    Slip(
        "wrong-stage",
        "| A pass, B decline, B pass, C pass, D pass",
        "/events/6/do",
        1,
        "pass or open",
        "decline",
        ["B pass", "B open 1-99"],
    ),
    Slip(
        "wrong-stage",
        "A pass, B pass, C pass, D pass",
        "/events/0/do",
        0,
        "turn",
        "pass",
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "wrong-stage",
        "A deal Ah Kd 8c, B deal Kh 9d 9c, C deal 9h 8d 8s, turn Ks, D deal 8h Qs Kc, "
        + EVERYBODY_PASSES,
        "/events/4/do",
        3,
        "pass or open",
        "deal",
        ["A pass", "A open 1-99"],
    ),
    Slip(
        "wrong-stage",
        "| A pass, turn Ks, B pass, C pass, D pass",
        "/events/6/do",
        -1,
        "pass or open",
        "turn",
        ["B pass", "B open 1-99"],
    ),
    Slip(
        "wrong-stage",
        "A decline, B ante 1 | " + EVERYBODY_PASSES,
        "/events/1/do",
        1,
        "carre, decline, deal or turn",
        "ante",
        DEALS,
    ),
    # antes and carres
    Slip(
        "ante-amount",
        "A ante 1, B ante 2, C ante 1, D ante 2, A decline | " + EVERYBODY_PASSES,
        "/events/1/add",
        1,
        1,
        2,
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "ante-amount",
        "A ante 1, D ante 1, A decline | " + EVERYBODY_PASSES,
        "/events/1/add",
        3,
        2,
        1,
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "ante-repeated",
        "A ante 1, A ante 1, A decline | " + EVERYBODY_PASSES,
        "/events/1",
        0,
        None,
        1,
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "carre-closed",
        "A decline, B carre 5 | " + EVERYBODY_PASSES,
        "/events/1/do",
        1,
        "deal",
        "carre",
        DEALS,
    ),
    Slip(
        "carre-closed",
        "A decline, A decline | " + EVERYBODY_PASSES,
        "/events/1/do",
        0,
        "deal",
        "decline",
        DEALS,
    ),
    Slip(
        "carre-amount",
        "A carre 4, B decline | B pass, C pass, D pass",
        "/events/0/add",
        0,
        5,
        4,
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "carre-unaffordable",  # P is 10 after the first carre, B has 9 left
        "A carre 5, B carre 9 | B pass, C pass, D pass",
        "/events/1/do",
        1,
        10,
        9,
        DEALS,
        stacks=(100, 10, 100, 100),
    ),
    # cards
    Slip(
        "card-twice",
        "A deal Ah Kd 8c, B deal Kh Ah 9c, C deal 9h 8d 8s, D deal 8h Qs Kc, turn Ks, "
        + EVERYBODY_PASSES,
        "/events/1/cards/1",
        1,
        None,
        "Ah",
        ["B deal", "C deal", "D deal", "turn"],
    ),
    Slip(
        "card-twice",
        "A deal Ah Kd 8c, B deal Kh 9d 9c, C deal 9h 8d 8s, D deal 8h Qs Kc, turn Qs, "
        + EVERYBODY_PASSES,
        "/events/4/card",
        -1,
        None,
        "Qs",
        ["turn"],
    ),
    Slip(
        "card-twice",
        "A deal Ah Kd Kd, B deal Kh 9d 9c, C deal 9h 8d 8s, D deal 8h Qs Kc, turn Ks, "
        + EVERYBODY_PASSES,
        "/events/0/cards/2",
        0,
        None,
        "Kd",
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "card-not-in-deck",
        "A deal Ah Kd 8c, B deal Kh 9d Jc, C deal 9h 8d 8s, D deal 8h Qs Kc, turn Ks, "
        + EVERYBODY_PASSES,
        "/events/1/cards/2",
        1,
        None,
        "Jc",
        ["B deal", "C deal", "D deal", "turn"],
    ),
    Slip(
        "card-not-in-deck",
        "turn Ts, " + EVERYBODY_PASSES,
        "/events/0/card",
        -1,
        None,
        "Ts",
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "card-count",
        "A deal Ah Kd, B deal Kh 9d 9c, C deal 9h 8d 8s, D deal 8h Qs Kc, turn Ks, "
        + EVERYBODY_PASSES,
        "/events/0/cards",
        0,
        3,
        2,
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "dealt-twice",
        "A deal Ah Kd 8c, A deal Kh 9d 9c, B deal Kh 9d 9c, C deal 9h 8d 8s, D deal 8h Qs Kc"
        ", turn Ks, " + EVERYBODY_PASSES,
        "/events/1/seat",
        0,
        None,
        0,
        ["B deal", "C deal", "D deal", "turn"],
    ),
    # whose turn it is
    Slip(
        "out-of-turn",
        "A decline | B pass, A pass, C pass, D pass",
        "/events/6/seat",
        1,
        0,
        1,
        ["A pass", "A open 1-99"],
    ),
    Slip(
        "out-of-turn",
        "A decline | A open 4, C call 4, B fold, D fold",
        "/events/7/seat",
        2,
        1,
        2,
        ["B call 4", "B raise 5-99", "B fold"],
    ),
    Slip(
        "out-of-turn",
        "B carre 5, A decline | " + EVERYBODY_PASSES,
        "/events/0/seat",
        1,
        0,
        1,
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "out-of-turn",
        "B decline | " + EVERYBODY_PASSES,
        "/events/0/seat",
        1,
        0,
        1,
        ["A carre 5", "A decline", *DEALS],
    ),
    Slip(
        "not-in-hand",
        "A decline | A open 4, B fold, C call 4, B call 4, D fold",
        "/events/9/seat",
        1,
        3,
        1,
        ["D call 3", "D raise 4-98", "D fold"],
    ),
    Slip(
        "all-in",
        "A decline | A open 4, B call 4, C call 4, B raise 1, D fold, C no-more",
        "/events/9/seat",
        1,
        3,
        1,
        ["D call 3", "D raise 4-98", "D fold"],
        stacks=(100, 5, 100, 100),
    ),
    # before the opening
    Slip(
        "fold-before-opening",
        "A decline | A fold, B pass, C pass, D pass",
        "/events/6/do",
        0,
        "pass",
        "fold",
        ["A pass", "A open 1-99"],
    ),
    Slip(
        "not-opened",
        "A decline | A call 1, B fold, C fold",
        "/events/6/do",
        0,
        "pass or open",
        "call",
        ["A pass", "A open 1-99"],
    ),
    Slip(
        "not-opened",
        "A decline | A raise 4, B fold, C fold, D fold",
        "/events/6/do",
        0,
        "pass or open",
        "raise",
        ["A pass", "A open 1-99"],
    ),
    Slip(
        "not-opened",
        "A decline | A no-more, B pass, C pass, D pass",
        "/events/6/do",
        0,
        "pass or open",
        "no-more",
        ["A pass", "A open 1-99"],
    ),
    Slip(
        "open-below-minimum",
        "A decline | A open 0, B fold, C fold",
        "/events/6/add",
        0,
        1,
        0,
        ["A pass", "A open 1-99"],
    ),
    Slip(
        "open-below-minimum",
        "A decline | A pass, B pass, C pass, D open 0, A fold, B fold, C fold",
        "/events/9/add",
        3,
        1,
        0,
        ["D pass", "D open 1-99"],
        preset=HISTORICO,
    ),
    Slip(
        "open-unreachable",  # C needs 10 to reach B's 11
        "A carre 5, B carre 10, C decline | C open 4, D fold, A fold",
        "/events/8/do",
        2,
        10,
        4,
        ["C pass"],
        stacks=(100, 100, 5, 100),
    ),
    Slip(
        "opened-at-par",
        "A decline | A pass, B pass, C pass, D open 0, A fold, B fold, C fold",
        "/events/9/add",
        3,
        None,
        0,
        ["D pass", "D open 0-98"],
    ),
    # after it
    Slip(
        "pass-after-opening",
        "A decline | A open 4, B pass, C fold, D fold",
        "/events/7/do",
        1,
        "call, raise or fold",
        "pass",
        ["B call 4", "B raise 5-99", "B fold"],
    ),
    Slip(
        "already-opened",
        "A decline | A open 4, B open 5, C fold, D fold, A fold",
        "/events/7/do",
        1,
        "call, raise or fold",
        "open",
        ["B call 4", "B raise 5-99", "B fold"],
    ),
    Slip(
        "no-more-early",
        "A decline | A open 4, B no-more, C fold, D fold",
        "/events/7/do",
        1,
        "call, raise or fold",
        "no-more",
        ["B call 4", "B raise 5-99", "B fold"],
    ),
    Slip(
        "call-amount",
        "A decline | A open 4, B call 3, C fold, D fold",
        "/events/7/add",
        1,
        4,
        3,
        ["B call 4", "B raise 5-99", "B fold"],
    ),
    Slip(
        "raise-below-minimum",
        "A decline | A open 4, B raise 4, C fold, D fold",
        "/events/7/add",
        1,
        5,
        4,
        ["B call 4", "B raise 5-99", "B fold"],
    ),
    Slip(
        "raise-unreachable",
        "A decline | A open 4, B raise 3, C fold, D fold",
        "/events/7/do",
        1,
        5,
        3,
        ["B call 3", "B fold"],
        stacks=(100, 4, 100, 100),
    ),
    *(
        Slip(
            "over-stack",
            f"A decline | A {act} 100, B fold, C fold, D fold",
            "/events/6/add",
            0,
            99,
            100,
            ["A pass", "A open 1-99"],
        )
        for act in ("open",)
    ),
    *(
        Slip(
            "over-stack",
            f"A decline | A open 4, B {act} 100, C fold, D fold, A fold",
            "/events/7/add",
            1,
            99,
            100,
            ["B call 4", "B raise 5-99", "B fold"],
        )
        for act in ("raise",)
    ),
    Slip(
        "over-stack",
        "A decline | A open 4, B call 100, C fold, D fold",
        "/events/7/add",
        1,
        99,
        100,
        ["B call 4", "B raise 5-99", "B fold"],
    ),
    # the no-more round
    Slip(
        "call-in-no-more",
        "A decline | A open 4, B call 4, C call 4, D fold, B call 0, C no-more",
        "/events/10/do",
        1,
        "no-more or raise",
        "call",
        ["B no-more", "B raise 1-95"],
    ),
    Slip(
        "fold-in-no-more",
        "A decline | A open 4, B call 4, C call 4, D fold, B fold",
        "/events/10/do",
        1,
        "no-more or raise",
        "fold",
        ["B no-more", "B raise 1-95"],
    ),
    # the end
    Slip(
        "betting-closed",
        SHOWDOWN_BY_TWO + ", B raise 5",
        "/events/10/do",
        1,
        "show",
        "raise",
        ["A show", "B show", "C show", "D show"],
    ),
    Slip(
        "hand-over",
        "A decline | A open 4, B fold, C fold, D fold, A raise 1",
        "/events/10/do",
        0,
        None,
        "raise",
        [],
    ),
    Slip(
        "hand-incomplete",
        "A decline | A pass",
        "/events",
        1,
        None,
        None,
        ["B pass", "B open 1-99"],
    ),
    Slip("hand-incomplete", "A decline", "/events", -1, None, None, DEALS),
    Slip(
        "show-early",
        "A decline | A show Ah Kd 8c, " + EVERYBODY_PASSES,
        "/events/6/do",
        0,
        "pass or open",
        "show",
        ["A pass", "A open 1-99"],
    ),
    Slip(
        "show-differs",
        SHOWDOWN_BY_TWO + ", A show Ah Kd Qh",
        "/events/10/cards",
        0,
        ["8c", "Kd", "Ah"],
        ["Ah", "Kd", "Qh"],
        ["A show", "B show", "C show", "D show"],
    ),
    Slip(
        "show-differs",  # three cards that are his, but not the three that he has
        SHOWDOWN_BY_TWO + ", A show Ah Kd Kd",
        "/events/10/cards",
        0,
        ["8c", "Kd", "Ah"],
        ["Ah", "Kd", "Kd"],
        ["A show", "B show", "C show", "D show"],
    ),
    Slip(
        "show-differs",
        SHOWDOWN_BY_TWO + ", A show Ah Kd",
        "/events/10/cards",
        0,
        ["8c", "Kd", "Ah"],
        ["Ah", "Kd"],
        ["A show", "B show", "C show", "D show"],
    ),
    Slip(
        "shown-without-showdown",
        "A decline | " + EVERYBODY_PASSES + ", A show Ah Kd 8c",
        "/events/10/do",
        0,
        None,
        "show",
        [],
    ),
    Slip(
        "cards-missing",
        "A deal Ah Kd 8c, B deal Kh 9d 9c, C deal 9h 8d 8s, D deal ?? ?? ??, turn Ks"
        ", A open 4, B call 4, C fold, D fold",
        "/events",
        -1,
        {3: 3},
        None,
    ),
    # what the client declares: A won 13
    Slip(
        "declared-pots",
        WON_BY_A,
        "/declared/pots/0/amount",
        -1,
        13,
        12,
        declared=declared(pots=[(12, {0: 13})]),
    ),
    Slip(
        "declared-pots",
        WON_BY_A,
        "/declared/pots/0/winners",
        -1,
        {0: 13},
        {1: 13},
        declared=declared(pots=[(13, {1: 13})]),
    ),
    Slip(
        "declared-pots",
        WON_BY_A,
        "/declared/pots",
        -1,
        1,
        2,
        declared=declared(pots=[(10, {0: 10}), (3, {0: 3})]),
    ),
    Slip(
        "declared-premiums",
        WON_BY_A,
        "/declared/premiums/2",
        2,
        0,
        1,
        declared=declared(premiums={0: 0, 2: 1}),
    ),
    Slip(
        "declared-stacks",
        WON_BY_A,
        "/declared/stacks/3",
        3,
        98,
        99,
        declared=declared(stacks=[108, 95, 99, 99]),
    ),
    Slip(
        "declared-stacks",
        WON_BY_A,
        "/declared/stacks",
        -1,
        4,
        3,
        declared=declared(stacks=[108, 95, 99]),
    ),
    Slip(
        "declared-carried",
        WON_BY_A,
        "/declared/carried",
        -1,
        0,
        13,
        declared=declared(carried=13),
    ),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: f"{slip.code} {slip.pointer}")
def test_one_slip_gives_one_finding(slip: Slip) -> None:
    found = only_finding(slip.record())

    assert (found.code, found.pointer) == (slip.code, slip.pointer)
    assert (found.seat, found.expected, found.seen) == (slip.seat, slip.expected, slip.seen)
    assert words(found.legal) == list(slip.legal)
    assert f"/events/{found.event}" in found.pointer or found.event == -1


def test_every_code_of_the_vying_games_has_its_slip() -> None:
    vying = {code for code, known in CODES.items() if not known.ruling.startswith("B")}

    # these two come with hidden cards alone, and the first beside what is missing
    assert {slip.code for slip in SLIPS} == vying - {"declared-impossible", "cards-too-many"}


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        (WON_BY_A, "legal"),
        ("A decline | A pass, B pass, C pass, D open 0, A fold, B fold, C fold", "legal"),
        ("A decline | A open 4, B call 3, C fold, D fold", "illegal"),
        ("A decline, turn Ks, A open 4, B call 4, C fold, D fold", "unverifiable"),
        ("A decline, turn Ks, A open 4, B call 3, C fold, D fold", "illegal"),
    ],
)
def test_the_gravest_finding_makes_the_verdict(line: str, verdict: str) -> None:
    assert replayed(hand(line)).verdict == verdict


def test_a_wrong_declaration_is_illegal_too() -> None:
    assert replayed(hand(WON_BY_A, declared=declared(carried=1))).verdict == "illegal"


def test_one_slip_does_not_hide_the_next() -> None:
    line = "A decline, B decline | A open 4, B call 3, C pass, D fold, A show Ah Kd Qh"

    assert codes(hand(line)) == [
        "carre-closed",
        "call-amount",
        "pass-after-opening",
        "show-differs",
    ]
