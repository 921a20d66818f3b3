"""The figures of players from small sets of hands, worked out by hand."""

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

from dashboards import player_charts
from dashboards.figures import MOST_POINTS, Chart, csv_of
from dashboards.player_charts import Part
from dashboards.profit_figure import BAND, compared_profit, profit_chart, session_breaks
from warehouse.curves import PlayedHand
from warehouse.figures import BrelanLuck
from warehouse.played import JudgedTurn, Opponent
from warehouse.statistics import STATISTICS, Statistic
from warehouse.totals import NOTHING, Totals
from warehouse.uncertainty import Interval

EIGHT = dt.datetime(2026, 3, 14, 20)  # noqa: DTZ001 -- as segments hold it: UTC
PARIS = ZoneInfo("Europe/Paris")


def hand(
    number: int,
    showdown: int,
    uncontested: int = 0,
    premium: int = 0,
    session: str | None = None,
    minutes: int = 0,
    q: int | None = None,
) -> PlayedHand:
    return PlayedHand(
        hand_id=f"hand-{number}",
        played_at=EIGHT + dt.timedelta(minutes=minutes),
        session=session,
        preset="bouillotte/salon",
        seats=4,
        unit=1,
        net=showdown + uncontested + premium,
        net_showdown=showdown,
        net_uncontested=uncontested,
        premium=premium,
        q=q,
    )


def traces(chart: Chart) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in json.loads(chart.figure)["data"]}


def lines(hands: list[PlayedHand]) -> dict[str, dict[str, Any]]:
    return traces(profit_chart(hands, "/hands/HAND"))


def counted(hands: int, **sums: int) -> Totals:
    return Totals(hands, 0.0, {**NOTHING.sums, **sums})


def statistic(name: str) -> Statistic:
    return next(one for one in STATISTICS if one.id == name)


def test_profit_adds_up_hand_by_hand_and_so_do_its_sources() -> None:
    drawn = lines([hand(1, -15), hand(2, 0, uncontested=7), hand(3, 4, premium=3)])

    assert drawn["Net"]["x"] == [0, 1, 2, 3]
    assert drawn["Net"]["y"] == [0, -15, -8, -1]
    assert drawn["At showdown"]["y"] == [0, -15, -15, -11]
    assert drawn["Without showdown"]["y"] == [0, 0, 7, 7]
    assert drawn["Premiums"]["y"] == [0, 0, 0, 3]
    assert "Deal-adjusted" not in drawn


def test_the_band_is_of_as_many_hands_as_were_played() -> None:
    # 1 and 3 have a standard deviation of √2; 1.96 · √2 · √2 = 3.92 around 4.
    band = lines([hand(1, 1), hand(2, 3)])[BAND]

    assert band["x"] == [0, 1, 2, 2, 1, 0]
    assert band["y"] == [0, 3.8, 7.9, 0.1, -1.8, 0]


def test_the_luck_of_the_deal_is_taken_out() -> None:
    # q less a quarter is a half and minus a quarter, and each unit of that was worth 40.
    adjusted = lines([hand(1, 20, q=750_000), hand(2, -10, q=0)])["Deal-adjusted"]

    assert adjusted["y"] == [0, 0, 0]


def test_a_point_leads_to_its_hand_and_the_start_to_none() -> None:
    drawn = lines([hand(1, -15), hand(2, 7)])

    assert drawn["Net"]["customdata"] == ["", "/hands/hand-1", "/hands/hand-2"]


def test_a_long_career_is_thinned_but_keeps_its_extremes_and_its_end() -> None:
    hands = [hand(number, 1 if number % 2 else -1) for number in range(1, 20_001)]
    hands[7_000] = hand(7_001, 5_000)
    hands[7_001] = hand(7_002, -5_000)
    chart = profit_chart(hands, "/hands/HAND")
    drawn = traces(chart)["Net"]

    assert len(drawn["x"]) <= MOST_POINTS + 4
    assert max(drawn["y"]) == 5_000
    assert drawn["x"][-1] == 20_000
    assert len(chart.rows) == 20_000


def test_another_session_is_a_break_once_though_two_are_played_at_the_same_time() -> None:
    hands = [hand(place, 0, session=name) for place, name in enumerate("aabab")]

    assert session_breaks(hands) == [2]


def test_without_sessions_more_than_an_hour_is_a_break() -> None:
    hands = [hand(1, 0), hand(2, 0, minutes=60), hand(3, 0, minutes=121)]

    assert session_breaks(hands) == [2]


def test_both_themes_come_with_the_figure() -> None:
    templates = json.loads(profit_chart([hand(1, 1)], "HAND").figure)["templates"]

    assert set(templates) == {"light", "dark"}
    assert templates["light"]["layout"]["colorway"] != templates["dark"]["layout"]["colorway"]


def test_players_are_drawn_over_each_other_and_one_without_hands_is_not() -> None:
    chart = compared_profit({"anna": [hand(1, 5), hand(2, -2)], "ben": []}, "/hands/HAND")

    assert chart is not None
    assert traces(chart)["anna"]["y"] == [0, 5, 3]
    assert "ben" not in traces(chart)
    assert compared_profit({"ben": []}, "/hands/HAND") is None


def test_a_name_is_no_link_in_a_figure() -> None:
    chart = compared_profit({"<a href='//x'>&": [hand(1, 5)]}, "/hands/HAND")

    assert chart is not None
    assert list(traces(chart)) == ["&lt;a href='//x'&gt;&amp;"]


def test_a_rate_apart_leaves_out_where_there_was_no_chance_but_tells_its_hands() -> None:
    parts = [
        Part("20", counted(6, entered=5, decided=10), "/hands?a"),
        Part("21", counted(2), "/hands?b"),
    ]
    one = statistic("entry")
    chart = player_charts.rate_chart("hour", "Hour", one, parts, parts[0].totals.rate(one))
    [points] = json.loads(chart.figure)["data"]

    # Wilson's interval of 5 of 10 is 23.7 % to 76.3 %.
    assert points["x"] == ["20"]
    assert points["y"] == [50]
    assert [round(points["error_y"]["array"][0], 1)] == [26.3]
    assert [row.cells for row in chart.rows] == [
        ["20", 5, 10, 50.0, 23.7, 76.3, 6, 0.0],
        ["21", 0, 0, None, None, None, 2, 0.0],
    ]


def test_a_session_is_told_with_its_hours_in_local_time() -> None:
    hands = [hand(1, -15, session="a"), hand(2, 5, session="a", minutes=30), hand(3, 2)]
    chart = player_charts.sessions_chart(hands, PARIS, lambda some: some[0].hand_id)

    assert [row.cells for row in chart.rows] == [
        [1, "14 Mar 2026, 21:00", "a", 2, -10, 0.5, -20.0],
        [2, "14 Mar 2026, 21:00", None, 1, 2, 0.0, None],
    ]
    won, lost = json.loads(chart.figure)["data"]
    assert (won["x"], won["y"], lost["x"], lost["y"]) == ([2], [2], [1], [-10])


def test_calls_and_folds_fall_into_four_groups_by_their_price() -> None:
    turns = [
        JudgedTurn("a", "call", 0.5, 0.25),
        JudgedTurn("b", "call", 0.1, 0.25),
        JudgedTurn("c", "fold", 0.1, 0.25),
        JudgedTurn("d", "fold", 0.25, 0.25),
        JudgedTurn("e", "fold", 0.26, 0.25),
    ]
    drawn = traces(player_charts.strength_chart(turns, "/hands/HAND"))

    assert list(drawn) == [
        "Calls above the price (1)",
        "Calls below the price (1)",
        "Folds below the price (2)",
        "Folds above the price (1)",
    ]
    assert drawn["Folds above the price (1)"]["customdata"] == ["/hands/e"]


def test_chips_go_both_ways_and_those_met_less_often_are_in_the_table() -> None:
    met = [Opponent(f"p{place}", 20 - place, (-1) ** place * 10.0) for place in range(14)]
    chart = player_charts.opponents_chart(met, str.upper)
    won, lost = json.loads(chart.figure)["data"]

    assert (won["x"], lost["x"]) == ([10.0] * 6, [-10.0] * 6)
    assert won["customdata"][0] == "P0"
    assert len(chart.rows) == 14


def test_luck_is_shown_with_its_interval() -> None:
    luck = BrelanLuck(20, 57, 3, 1.0, 2.0, Interval(-0.4, 7.0))
    [points] = json.loads(player_charts.luck_chart([luck]).figure)["data"]

    assert points["x"] == [2.0]
    assert points["error_x"]["array"] == [5.0]
    assert points["error_x"]["arrayminus"] == [2.4]


def test_no_text_of_a_csv_is_a_formula() -> None:
    assert csv_of(["a"], [["=1+1"], ["-2"], [-2], [None]]) == "a\r\n'=1+1\r\n'-2\r\n-2\r\n\"\"\r\n"
