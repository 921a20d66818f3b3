"""A plain second opinion: what may be played by the text of the rules, and who gets and pays what.

Written from the rules alone, with names of cards and plain lists, and nothing from the engine.
"""

from dataclasses import dataclass, field

ORDER = "23456789TJQKA"


def height(card: str) -> int:
    return ORDER.index(card[0])


@dataclass
class Rules:
    """A table's rules in plain words."""

    head_when_trumped: bool = True
    undertrump_forced: bool = True
    opening_lead: str = "free"
    cinch: bool = False
    tie: str = "carry"
    cap: int | None = None
    cap_on_winner: bool = False
    exempting: bool = False


@dataclass
class Position:
    """What a player sees who has to play."""

    hand: list[str]
    trick: list[str]
    trump: str
    gone: list[str] = field(default_factory=list)
    tricks_won: int = 0

    def winning(self) -> str:
        """The card that would win the trick now."""
        trumps = [card for card in self.trick if card[1] == self.trump]
        led = [card for card in self.trick if card[1] == self.trick[0][1]]
        return max(trumps or led, key=height)

    def would_win(self, card: str) -> bool:
        best = self.winning()
        if card[1] == best[1]:
            return height(card) > height(best)
        return card[1] == self.trump


def may_play(position: Position, rules: Rules) -> set[str]:
    """Every card of the hand that the rules allow."""
    allowed = follow(position, rules) if position.trick else lead(position, rules)
    if rules.cinch and is_cinch(position):
        top = max((c for c in position.hand if c[1] == position.trump), key=height)
        if not position.trick:
            return {top} if top in allowed else allowed
        winners = {c for c in allowed if c[1] == position.trump and position.would_win(c)}
        if winners:
            allowed = (allowed - winners) | {top}
    return allowed


def is_cinch(position: Position) -> bool:
    """Sure of three tricks, and not there yet."""
    sure = 0
    for rank in reversed(ORDER):
        card = rank + position.trump
        if card in position.hand:
            sure += 1
        elif card not in position.gone:
            break
    return position.tricks_won < 3 <= position.tricks_won + sure


def lead(position: Position, rules: Rules) -> set[str]:
    honours = {"free": "", "ace-of-trumps": "A", "top-trump": "AKQ"}[rules.opening_lead]
    if not position.gone:
        for rank in honours:
            if rank + position.trump in position.hand:
                return {rank + position.trump}
    return set(position.hand)


def follow(position: Position, rules: Rules) -> set[str]:
    led = position.trick[0][1]
    suited = {card for card in position.hand if card[1] == led}
    trumps = {card for card in position.hand if card[1] == position.trump}
    if suited:
        trumped = led != position.trump and any(c[1] == position.trump for c in position.trick)
        if trumped and not rules.head_when_trumped:
            return suited
        highest = max((c for c in position.trick if c[1] == led), key=height)
        over = {card for card in suited if height(card) > height(highest)}
        return over or suited
    if trumps:
        lying = [card for card in position.trick if card[1] == position.trump]
        over = {c for c in trumps if all(height(c) > height(other) for other in lying)}
        if over:
            return over
        if rules.undertrump_forced:
            return trumps
    return set(position.hand)


@dataclass
class Result:
    """What a hand comes to."""

    stacks: list[int]
    carried: int
    exempt: list[int]


def settle(
    stacks: list[int], pot: int, tricks: dict[int, int], reneged: set[int], rules: Rules
) -> Result:
    """Pays out a hand: ``tricks`` by seat of those that stayed, stacks after the antes."""
    stacks = list(stacks)
    rivals = {seat: won for seat, won in tricks.items() if seat not in reneged and won}
    best = max(rivals.values(), default=0)
    leaders = [seat for seat, won in rivals.items() if won == best]
    shares = {}
    if len(leaders) == 1 or (leaders and rules.tie == "split"):
        share = pot // len(leaders)
        if rules.cap_on_winner and rules.cap is not None:
            share = min(share, rules.cap)
        shares = dict.fromkeys(leaders, share)
    due = pot if rules.cap is None else min(pot, rules.cap)
    carried = pot - sum(shares.values())
    for seat, won in tricks.items():
        stacks[seat] += shares.get(seat, 0)
        if seat in reneged or not won:
            paid = min(due, stacks[seat])
            stacks[seat] -= paid
            carried += paid
    exempt = []
    if rules.exempting:
        tied = [] if shares else leaders
        exempt = sorted({*tied, *(seat for seat, won in tricks.items() if not won)})
    return Result(stacks, carried, exempt)


def took(trick: list[tuple[int, str]], trump: str) -> int:
    """The seat that takes a trick of seats and cards in the order of play."""
    position = Position([], [card for _, card in trick], trump)
    return next(seat for seat, card in trick if card == position.winning())
