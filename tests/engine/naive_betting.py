"""The betting by hand: who may do what is worked out anew from the first event, every time.

Written from the rulings alone as a witness against the engine. It reads legal hands only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.options import VyingOptions

Event = tuple[str, int, int]
"""An act's name, its seat and the chips that it adds."""


@dataclass
class Table:
    """Chips and words on the table."""

    options: VyingOptions
    dealer: int
    carried: int
    stacks: list[int]
    put_in: list[int] = field(default_factory=list)
    carrers: list[int] = field(default_factory=list)
    refused: bool = False
    folded: set[int] = field(default_factory=set)
    spoken: set[int] = field(default_factory=set)
    bettor: int | None = None
    in_last_round: bool = False
    called_by_one_of_two: bool = False

    def highest(self) -> int:
        return max(self.put_in)

    def pot(self) -> int:
        return self.carried + sum(self.put_in)

    def live(self) -> list[int]:
        return [seat for seat in range(len(self.stacks)) if seat not in self.folded]

    def after(self, seat: int) -> list[int]:
        players = len(self.stacks)
        return [(seat + step) % players for step in range(1, players + 1)]

    def pay(self, seat: int, chips: int) -> None:
        self.stacks[seat] -= chips
        self.put_in[seat] += chips


def what_may_be_done(
    options: VyingOptions,
    dealer: int,
    carried: int,
    stacks: Sequence[int],
    events: Sequence[Event],
    *,
    dealt: bool,
) -> list[str]:
    """Every legal decision as words, such as ``2 raise 5-90``; none when nothing is to decide."""
    table = sit_down(options, dealer, carried, stacks)
    for event in events:
        hear(table, event)
    return choices(table, dealt=dealt)


def sit_down(options: VyingOptions, dealer: int, carried: int, stacks: Sequence[int]) -> Table:
    """The table when the antes are posted."""
    table = Table(options, dealer, carried, list(stacks), [0] * len(stacks))
    _antes(table)
    return table


def choices(table: Table, *, dealt: bool) -> list[str]:
    """Every legal decision at a table."""
    if not dealt:
        return _carre(table)
    if table.bettor is None:
        return _before_the_opening(table)
    return _after_the_opening(table)


def _antes(table: Table) -> None:
    """V2, V16, V18."""
    for seat in range(len(table.stacks)):
        if table.carried:
            due = 1 if seat == table.dealer or table.options.carry == "everyone" else 0
        else:
            due = table.options.ante
            if seat == table.dealer:
                due += table.options.dealer_extra
        table.pay(seat, min(due, table.stacks[seat]))


def hear(table: Table, event: Event) -> None:
    """One legal decision."""
    act, seat, add = event
    table.pay(seat, add)
    if act == "carre":
        table.carrers.append(seat)
    elif act == "decline":
        table.refused = True
    elif act in ("open", "raise"):
        table.bettor = seat
        table.spoken = {seat}
        table.in_last_round = False
    else:
        table.spoken.add(seat)
    if act == "fold":
        table.folded.add(seat)
    table.called_by_one_of_two = act == "call" and len(table.live()) == 2
    if table.bettor is not None and _next_to_answer(table) is None and not table.in_last_round:
        table.in_last_round = True
        table.spoken = {table.bettor}


def _carre(table: Table) -> list[str]:
    """V2: exactly P, by one who has it; the first refusal ends it."""
    most = {"none": 0, "first": 1, "chain": len(table.stacks)}[table.options.carre]
    if table.refused or len(table.carrers) >= most or table.pot() == 0:
        return []
    seat = table.after(table.dealer)[len(table.carrers)]
    if table.stacks[seat] < table.pot():
        return []
    return [f"{seat} carre {table.pot()}", f"{seat} decline"]


def _before_the_opening(table: Table) -> list[str]:
    """V3, V5, V6, V19."""
    first_after = table.carrers[-1] if table.carrers else table.dealer
    waiting = [
        seat for seat in table.after(first_after) if seat not in table.spoken and table.stacks[seat]
    ]
    if not waiting or waiting == table.carrers[-1:]:
        return []
    seat = waiting[0]
    least = max(table.highest() - table.put_in[seat], table.options.open_minimum)
    if table.stacks[seat] < least:
        return [f"{seat} pass"]
    return [f"{seat} pass", f"{seat} open {least}-{table.stacks[seat]}"]


def _after_the_opening(table: Table) -> list[str]:
    """V6, V7, V8, V9, V19."""
    if _is_closed(table):
        return []
    seat = _next_to_answer(table)
    if seat is None:
        return []
    owes = table.highest() - table.put_in[seat]
    acts = [] if table.in_last_round else [f"{seat} call {min(owes, table.stacks[seat])}"]
    if table.in_last_round:
        acts.append(f"{seat} no-more")
    if table.stacks[seat] > owes:
        acts.append(f"{seat} raise {owes + 1}-{table.stacks[seat]}")
    if not table.in_last_round:
        acts.append(f"{seat} fold")
    return acts


def _next_to_answer(table: Table) -> int | None:
    assert table.bettor is not None
    for seat in table.after(table.bettor):
        if seat not in table.spoken and seat not in table.folded and table.stacks[seat] > 0:
            return seat
    return None


def _is_closed(table: Table) -> bool:
    live = table.live()
    if len(live) == 1:
        return True
    all_even = all(
        table.put_in[seat] == table.highest() or table.stacks[seat] == 0 for seat in live
    )
    if not all_even:
        return False
    if len([seat for seat in live if table.stacks[seat] > 0]) <= 1:
        return True
    if len(live) == 2 and (table.options.heads_up_close == "state" or table.called_by_one_of_two):
        return True
    return table.in_last_round and not table.options.no_more
