"""A settlement by hand: every chip on its own, every card looked at, no cleverness.

Written from the rulings alone, so that it can stand as a witness against the engine. Cards are
names such as ``Qh``, seats are indices in turn order.
"""

from dataclasses import dataclass, field

RANKS_LOW_FIRST = "23456789TJQKA"
WORTH = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10}
COLOURS = {"c": "black", "s": "black", "h": "red", "d": "red"}


@dataclass
class Situation:
    """A showdown before it is settled. ``stacks`` are the chips not in the pot."""

    options: dict[str, str | int | bool]
    dealer: int
    carried: int
    stacks: list[int]
    contributions: list[int]
    folded: list[bool]
    hands: list[list[str]]
    retourne: str


@dataclass
class NaivePot:
    amount: int
    eligible: list[int]
    winner: int = -1


@dataclass
class Settlement:
    returned: list[int]
    pots: list[NaivePot]
    premiums: list[int]
    stacks: list[int]
    shortfall: int = 0
    points: dict[str, int] = field(default_factory=dict)


def settle(situation: Situation) -> Settlement:
    """V10–V13, V15 and V17, one chip after the other."""
    seats = range(len(situation.stacks))
    in_front = list(situation.contributions)
    stacks = list(situation.stacks)
    live = [seat for seat in seats if not situation.folded[seat]]

    returned = [0 for _ in seats]
    for seat in seats:
        others = [in_front[other] for other in seats if other != seat]
        while in_front[seat] > max(others):
            in_front[seat] -= 1
            stacks[seat] += 1
            returned[seat] += 1

    pots = _cut(in_front, live, situation.carried)
    points = _suit_points(situation)
    _award(pots, points, situation)
    for pot in pots:
        stacks[pot.winner] += pot.amount

    premiums, shortfall = _premiums(situation, pots, stacks)
    if situation.options["premium-account"] == "stack":
        stacks = [stack + premium for stack, premium in zip(stacks, premiums, strict=True)]
    return Settlement(returned, pots, premiums, stacks, shortfall, points)


def _cut(in_front: list[int], live: list[int], carried: int) -> list[NaivePot]:
    """Chip number n of anybody is fought for by the live players who put in n chips or more."""
    main = NaivePot(carried, sorted(live))
    pots = [main]
    for number in range(1, max(in_front) + 1):
        eligible = [seat for seat in live if in_front[seat] >= number]
        chips = len([chips for chips in in_front if chips >= number])
        if eligible != pots[-1].eligible:
            pots.append(NaivePot(0, eligible))
        pots[-1].amount += chips
    return pots


def _suit_points(situation: Situation) -> dict[str, int]:
    points = dict.fromkeys("cdhs", 0)
    table = [situation.retourne]
    for hand in situation.hands:
        table.extend(hand)
    for card in table:
        rank = card[0]
        points[card[1]] += WORTH[rank] if rank in WORTH else int(rank)
    return points


def _award(pots: list[NaivePot], points: dict[str, int], situation: Situation) -> None:
    winning_suits: list[str] = []
    for place, pot in enumerate(pots):
        if len(pot.eligible) == 1:
            pot.winner = pot.eligible[0]
            continue
        holders = [seat for seat in pot.eligible if brelan(situation, seat) is not None]
        if holders:
            holders.sort(key=lambda seat: _height(situation, seat))
            pot.winner = holders[-1]
            continue
        pot.winner, suits = _by_point(pot.eligible, points, winning_suits, situation)
        if place == 0 and situation.options["side-pot-suit"] == "main":
            winning_suits = suits


def _by_point(
    eligible: list[int], points: dict[str, int], first: list[str], situation: Situation
) -> tuple[int, list[str]]:
    """The richest owned suit, unless one of the suits that stand first is owned."""
    owner = {}
    for suit in "cdhs":
        best = ""
        for seat in eligible:
            for card in situation.hands[seat]:
                if card[1] == suit and (best == "" or _rank(card[0]) > _rank(best)):
                    best = card[0]
                    owner[suit] = seat
    candidates = [suit for suit in first if suit in owner]
    if not candidates:
        richest = max(points[suit] for suit in owner)
        candidates = [suit for suit in owner if points[suit] == richest]
    players = len(situation.stacks)
    seat = situation.dealer
    while True:
        seat = (seat + 1) % players
        mine = [suit for suit in candidates if owner[suit] == seat]
        if mine:
            return seat, mine


def brelan(situation: Situation, seat: int) -> str | None:
    """Which brelan a seat holds: the best that its three cards make."""
    options = situation.options
    if not options["brelans"]:
        return None
    hand = situation.hands[seat]
    ranks = [card[0] for card in hand]
    up = situation.retourne[0]
    if ranks[0] == ranks[1] == ranks[2]:
        return "carre" if ranks[0] == up else "simple"
    if options["favori"] != "off" and ranks.count(up) == 2:
        return "favori"
    if options["mistigri"] != "off":
        joker = "Qc" if options["mistigri"] == "queen" else "Jc"
        if joker in hand:
            pair = [card for card in hand if card != joker]
            same_rank = pair[0][0] == pair[1][0]
            same_colour = COLOURS[pair[0][1]] == COLOURS[pair[1][1]]
            if same_rank and same_colour:
                return "mistigri"
    return None


def _height(situation: Situation, seat: int) -> tuple[int, int]:
    kind = brelan(situation, seat)
    order = ["mistigri", "favori", "simple", "carre"]
    if situation.options["favori"] == "best":
        order = ["mistigri", "simple", "carre", "favori"]
    best = max(_rank(card[0]) for card in situation.hands[seat])
    return order.index(str(kind)), best if kind == "simple" else 0


def _premiums(
    situation: Situation, pots: list[NaivePot], stacks: list[int]
) -> tuple[list[int], int]:
    """What every seat has won and paid, and what payers could not pay (V15)."""
    options = situation.options
    seats = range(len(stacks))
    holders = [seat for seat in seats if brelan(situation, seat) is not None]
    if options["premium-holders"] == "live":
        holders = [seat for seat in holders if not situation.folded[seat]]
    holders.sort(key=lambda seat: _height(situation, seat), reverse=True)
    purse = list(stacks)
    net = [0 for _ in seats]
    shortfall = 0
    for holder in holders:
        for payer in seats:
            if payer == holder:
                continue
            due = _due(situation, holder, pots)
            if payer in holders:
                if options["premium-between-holders"] == "waive":
                    continue
                due -= _due(situation, payer, pots)
            for _ in range(due):
                if options["premium-account"] == "stack" and purse[payer] == 0:
                    shortfall += 1
                    continue
                purse[payer] -= 1
                purse[holder] += 1
                net[payer] -= 1
                net[holder] += 1
    return net, shortfall


def _due(situation: Situation, holder: int, pots: list[NaivePot]) -> int:
    kind = brelan(situation, holder)
    if kind == "favori" and pots[0].winner == holder:
        return int(situation.options["premium-favori-pot"])
    return int(situation.options[f"premium-{kind}"])


def _rank(rank: str) -> int:
    return RANKS_LOW_FIRST.index(rank)
