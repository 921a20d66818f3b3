from warehouse.counters import PLACE
from warehouse.statistics import AVERAGES, STATISTICS

NOT_SHOWN = {
    *("price_at_fold", "brelans_dealt", "dealt_known"),
    *("cards_played", "ante_chips", "pot_chips"),
}
"""Counters that a statistic of another kind than a rate or an average is made of."""


def test_every_statistic_is_made_of_counters_and_every_counter_is_told() -> None:
    used = {name for one in STATISTICS for name in (*one.made, *one.chances)}
    used |= {name.lstrip("-") for one in AVERAGES for name in (*one.total, *one.times)}
    assert used - {"hands"} <= set(PLACE)
    assert set(PLACE) - used == NOT_SHOWN


def test_no_two_statistics_share_an_id() -> None:
    ids = [*(one.id for one in STATISTICS), *(one.id for one in AVERAGES)]
    assert len(set(ids)) == len(ids)
