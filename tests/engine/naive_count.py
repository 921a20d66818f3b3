"""The tree of a small table counted by the naive betting alone: the engine has no part in it."""

from dataclasses import replace

from tests.engine.naive_betting import Table, choices, hear, sit_down
from tests.engine.small_tables import Count, SmallTable, below, one_end

Key = tuple[object, ...]


def naive_count(small: SmallTable) -> Count:
    """Every legal decision of every hand that can be played at the table."""
    table = sit_down(small.options, small.dealer, small.carried, small.stacks)
    return _count(table, dealt=False, counts={})


def _count(table: Table, *, dealt: bool, counts: dict[Key, Count]) -> Count:
    lines = choices(table, dealt=dealt)
    if not lines and not dealt:
        return _count(table, dealt=True, counts=counts)
    key = _key(table, dealt=dealt)
    if key not in counts:
        branches = []
        for line in lines:
            seat, act, *amounts = line.split()
            least, _, most = (amounts or ["0"])[0].partition("-")
            for add in range(int(least), int(most or least) + 1):
                reached = _copied(table)
                hear(reached, (act, int(seat), add))
                branches.append(_count(reached, dealt=dealt, counts=counts))
        counts[key] = below(branches) if lines else one_end(_way_it_ended(table))
    return counts[key]


def _copied(table: Table) -> Table:
    return replace(
        table,
        stacks=table.stacks.copy(),
        put_in=table.put_in.copy(),
        carrers=table.carrers.copy(),
        folded=table.folded.copy(),
        spoken=table.spoken.copy(),
    )


def _way_it_ended(table: Table) -> str:
    if table.bettor is None:
        return "carrer" if table.carrers else "carried"
    return "uncontested" if len(table.live()) == 1 else "showdown"


def _key(table: Table, *, dealt: bool) -> Key:
    return (
        dealt,
        tuple(table.stacks),
        tuple(table.put_in),
        tuple(table.carrers),
        table.refused,
        frozenset(table.folded),
        frozenset(table.spoken),
        table.bettor,
        table.in_last_round,
        table.called_by_one_of_two,
    )
