"""The figures of players from small sets of hands, worked out by hand."""

import json
from typing import Any
from zoneinfo import ZoneInfo

import plotly.graph_objects as go  # type: ignore[import-untyped] # plotly ships no types

from dashboards import player_charts
from dashboards.figures import MOST_POINTS, Chart, csv_of
from dashboards.profit_figure import BAND, compared_profit, profit_chart, session_breaks
from dashboards.rate_figures import Part, rate_chart
from tests.warehouse.played_hands import hand as played_hand
from tests.warehouse.played_hands import in_columns
from warehouse.curves import sittings
from warehouse.figures import BrelanLuck
from warehouse.played import JudgedTurn, Opponent
from warehouse.statistics import STATISTICS, Statistic
from warehouse.totals import NOTHING, Totals
from warehouse.uncertainty import Interval

PARIS = ZoneInfo("Europe/Paris")


def hand(
    number: int,
    showdown: int,
    uncontested: int = 0,
    premium: int = 0,
    session: str | None = None,
    minutes: int = 0,
    q: int | None = None,
) -> dict[str, Any]:
    return played_hand(
        showdown + uncontested + premium,
        minutes=minutes,
        session=session,
        q=q,
        hand_id=f"hand-{number}",
        net_showdown=showdown,
        net_uncontested=uncontested,
        premium=premium,
    )


def drawing(chart: Chart) -> dict[str, Any]:
    """What is drawn, which Plotly's own library takes for a figure."""
    figure: dict[str, Any] = json.loads(chart.figure)
    for template in figure["templates"].values():
        go.Figure(figure["data"], {**figure["layout"], "template": template})
    return figure


def traces(chart: Chart) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in drawing(chart)["data"]}


def profit(*hands: dict[str, Any]) -> Chart:
    in_order = in_columns(*hands)
    return profit_chart(in_order, session_breaks(sittings(in_order)), "/hands/HAND")


def lines(*hands: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return traces(profit(*hands))


def asked(**conditions: str) -> str:
    return "&".join(f"{name}={text}" for name, text in conditions.items())


def counted(hands: int, **sums: int) -> Totals:
    return Totals(hands, 0.0, {**NOTHING.sums, **sums})


def statistic(name: str) -> Statistic:
    return next(one for one in STATISTICS if one.id == name)


def test_profit_adds_up_hand_by_hand_and_so_do_its_sources() -> None:
    drawn = lines(hand(1, -15), hand(2, 0, uncontested=7), hand(3, 4, premium=3))

    assert drawn["Net"]["x"] == [0, 1, 2, 3]
    assert drawn["Net"]["y"] == [0, -15, -8, -1]
    assert drawn["At showdown"]["y"] == [0, -15, -15, -11]
    assert drawn["Without showdown"]["y"] == [0, 0, 7, 7]
    assert drawn["Premiums"]["y"] == [0, 0, 0, 3]
    assert "Deal-adjusted" not in drawn


def test_the_band_is_of_as_many_hands_as_were_played() -> None:
    # 1 and 3 have a standard deviation of √2; 1.96 · √2 · √2 = 3.92 around 4.
    band = lines(hand(1, 1), hand(2, 3))[BAND]

    assert band["x"] == [0, 1, 2, 2, 1, 0]
    assert band["y"] == [0, 3.8, 7.9, 0.1, -1.8, 0]


def test_the_luck_of_the_deal_is_taken_out() -> None:
    # q less a quarter is a half and minus a quarter, and each unit of that was worth 40.
    adjusted = lines(hand(1, 20, q=750_000), hand(2, -10, q=0))["Deal-adjusted"]

    assert adjusted["y"] == [0, 0, 0]


def test_a_point_leads_to_its_hand_and_the_start_to_none() -> None:
    drawn = lines(hand(1, -15), hand(2, 7))

    assert drawn["Net"]["customdata"] == ["", "/hands/hand-1", "/hands/hand-2"]


def test_a_long_career_is_thinned_but_keeps_its_extremes_and_its_end() -> None:
    hands = [hand(number, 1 if number % 2 else -1) for number in range(1, 20_001)]
    hands[7_000] = hand(7_001, 5_000)
    hands[7_001] = hand(7_002, -5_000)
    hands[9_000] = hand(9_001, -40, premium=40)
    hands[9_001] = hand(9_002, 40, premium=-40)
    chart = profit(*hands)
    drawn = traces(chart)

    assert len(drawn["Net"]["x"]) <= MOST_POINTS + 12
    assert max(drawn["Net"]["y"]) == 5_000
    assert max(drawn["Premiums"]["y"]) == 40
    assert drawn["Net"]["x"][-1] == 20_000
    assert "of each stretch the first and the last" in (chart.thinned or "")
    assert len(chart.rows) == 20_000
    assert [row.cells[0] for row in chart.rows[19_998:]] == [19_999, 20_000]
    assert chart.rows[7_000].links == {0: "/hands/hand-7001"}
    assert chart.as_csv().count("\n") == 20_001


def test_another_session_is_a_break_once_though_two_are_played_at_the_same_time() -> None:
    hands = in_columns(*(hand(place, 0, session=name) for place, name in enumerate("aabab")))

    assert session_breaks(sittings(hands)) == [2]


def test_without_sessions_more_than_an_hour_is_a_break() -> None:
    hands = in_columns(hand(1, 0), hand(2, 0, minutes=60), hand(3, 0, minutes=121))

    assert session_breaks(sittings(hands)) == [2]


def test_both_themes_come_with_the_figure() -> None:
    templates = drawing(profit(hand(1, 1)))["templates"]

    assert set(templates) == {"light", "dark"}
    assert templates["light"]["layout"]["colorway"] != templates["dark"]["layout"]["colorway"]


def test_players_are_drawn_over_each_other_and_one_without_hands_is_not() -> None:
    chart = compared_profit(
        {"anna": in_columns(hand(1, 5), hand(2, -2)), "ben": in_columns()}, "/hands/HAND"
    )

    assert chart is not None
    assert traces(chart)["anna"]["y"] == [0, 5, 3]
    assert "ben" not in traces(chart)
    assert compared_profit({"ben": in_columns()}, "/hands/HAND") is None


def test_a_name_is_no_link_in_a_figure() -> None:
    chart = compared_profit({"<a href='//x'>&": in_columns(hand(1, 5))}, "/hands/HAND")

    assert chart is not None
    assert list(traces(chart)) == ["&lt;a href='//x'&gt;&amp;"]


def test_a_rate_apart_leaves_out_where_there_was_no_chance_but_tells_its_hands() -> None:
    parts = [
        Part("20", counted(6, entered=5, decided=10), {"hour": "20"}),
        Part("21", counted(2), {"hour": "21"}),
    ]
    one = statistic("entry")
    chart = rate_chart("hour", "Hour", one, parts, parts[0].totals.rate(one), asked)
    [points] = drawing(chart)["data"]

    # Wilson's interval of 5 of 10 is 23.7 % to 76.3 %.
    assert points["x"] == ["20"]
    assert points["customdata"] == ["hour=20&chance=entry"]
    assert chart.rows[0].links == {
        0: "hour=20",
        1: "hour=20&made=entry",
        2: points["customdata"][0],
    }
    assert points["y"] == [50]
    assert [round(points["error_y"]["array"][0], 1)] == [26.3]
    assert [row.cells for row in chart.rows] == [
        ["20", 5, 10, 50.0, 23.7, 76.3, 6, 0.0],
        ["21", 0, 0, None, None, None, 2, 0.0],
    ]


def test_a_session_is_told_with_its_hours_in_local_time() -> None:
    hands = in_columns(hand(1, -15, session="a"), hand(2, 5, session="a", minutes=30), hand(3, 2))
    chart = player_charts.sessions_chart(sittings(hands), PARIS, lambda one: f"/{one.first}")

    assert [row.cells for row in chart.rows] == [
        [1, "14 Mar 2026, 21:00", "a", 2, -10, 0.5, -20.0],
        [2, "14 Mar 2026, 21:00", None, 1, 2, 0.0, None],
    ]
    won, lost = drawing(chart)["data"]
    assert won["customdata"] == ["/2"]
    assert (won["x"], won["y"], lost["x"], lost["y"]) == ([2], [2], [1], [-10])


def test_many_sessions_are_drawn_some_in_a_row_and_told_one_by_one() -> None:
    hands = in_columns(*(hand(place, 1 - place % 3, session=f"{place}") for place in range(500)))
    chart = player_charts.sessions_chart(sittings(hands), PARIS, lambda one: f"/{one.first}")
    won, lost = drawing(chart)["data"]

    # By threes 1, 0 and -1 come to nothing; two of them are left at the end, 1 and 0.
    assert (won["x"][:2], won["x"][-1], lost["x"]) == ([1, 4], 499, [])
    assert sum(won["y"]) == 1
    assert len(chart.rows) == 500
    assert chart.thinned is not None
    assert chart.thinned.startswith("3 sessions in a row")
    one = statistic("entry")
    parts = [Part(f"{place}", counted(1, entered=1, decided=1), {}) for place in range(500)]
    apart = rate_chart("session", "Session", one, parts, parts[0].totals.rate(one), asked)
    [points] = drawing(apart)["data"]
    assert (len(points["x"]), points["hovertext"][0]) == (100, "5 of 5")


def test_calls_and_folds_fall_into_four_groups_by_their_price() -> None:
    turns = [
        JudgedTurn("a", "call", 0.5, 0.25),
        JudgedTurn("b", "call", 0.1, 0.25),
        JudgedTurn("c", "fold", 0.1, 0.25),
        JudgedTurn("d", "fold", 0.25, 0.25),
        JudgedTurn("e", "fold", 0.26, 0.25),
    ]
    drawn = traces(player_charts.strength_chart(turns, lambda turn: f"/hands/{turn.hand_id}"))

    assert list(drawn) == [
        "Calls above the price (1)",
        "Calls below the price (1)",
        "Folds below the price (2)",
        "Folds above the price (1)",
    ]
    assert drawn["Folds above the price (1)"]["customdata"] == ["/hands/e"]


def test_chips_go_both_ways_and_those_met_less_often_are_in_the_table() -> None:
    met = [Opponent(f"p{place}", 20 - place, (-1) ** place * 10.0) for place in range(14)]
    chart = player_charts.opponents_chart(met, str.upper, str.title)
    won, lost = drawing(chart)["data"]

    assert (won["x"], lost["x"]) == ([10.0] * 6, [-10.0] * 6)
    assert won["customdata"][0] == "P0"
    assert len(chart.rows) == 14


def test_luck_is_shown_with_its_interval() -> None:
    luck = BrelanLuck(20, 57, 3, 1.0, 2.0, Interval(-0.4, 7.0))
    [points] = drawing(player_charts.luck_chart([luck]))["data"]

    assert points["x"] == [2.0]
    assert points["error_x"]["array"] == [5.0]
    assert points["error_x"]["arrayminus"] == [2.4]


def test_no_text_of_a_csv_is_a_formula() -> None:
    assert csv_of(["a"], [["=1+1"], ["-2"], [-2], [None]]) == "a\r\n'=1+1\r\n'-2\r\n-2\r\n\"\"\r\n"
