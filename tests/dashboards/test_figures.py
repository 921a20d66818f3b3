import datetime as dt
import json
from typing import Any

from dashboards.figures import MOST_POINTS, profit_figure, session_breaks
from warehouse.queries import ProfitPoint

EIGHT = dt.datetime(2026, 3, 14, 20, tzinfo=dt.UTC)


def point(
    number: int,
    showdown: int,
    uncontested: int = 0,
    premium: int = 0,
    session: str | None = None,
    minutes: int = 0,
) -> ProfitPoint:
    return ProfitPoint(
        hand_id=f"hand-{number}",
        number=number,
        played_at=EIGHT + dt.timedelta(minutes=minutes),
        session=session,
        net=showdown + uncontested + premium,
        net_showdown=showdown,
        net_uncontested=uncontested,
        premium=premium,
    )


def lines(points: list[ProfitPoint]) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in json.loads(profit_figure(points))["data"]}


def test_profit_adds_up_hand_by_hand_and_so_do_its_sources() -> None:
    drawn = lines([point(1, -15), point(2, 0, uncontested=7), point(3, 4, premium=3)])

    assert drawn["Net"]["x"] == [0, 1, 2, 3]
    assert drawn["Net"]["y"] == [0, -15, -8, -1]
    assert drawn["At showdown"]["y"] == [0, -15, -15, -11]
    assert drawn["Without showdown"]["y"] == [0, 0, 7, 7]
    assert drawn["Premiums"]["y"] == [0, 0, 0, 3]


def test_a_point_names_its_hand_and_the_start_names_none() -> None:
    assert lines([point(1, -15), point(2, 7)])["Net"]["customdata"] == ["", "hand-1", "hand-2"]


def test_a_long_career_is_thinned_but_keeps_its_extremes_and_its_end() -> None:
    points = [point(number, 1 if number % 2 else -1) for number in range(1, 20_001)]
    points[7_000] = point(7_001, 5_000)
    points[7_001] = point(7_002, -5_000)
    drawn = lines(points)["Net"]

    assert len(drawn["x"]) <= MOST_POINTS + 4
    assert max(drawn["y"]) == 5_000
    assert drawn["x"][-1] == 20_000


def test_another_session_is_a_break() -> None:
    points = [point(1, 0, session="a"), point(2, 0, session="a"), point(3, 0, session="b")]

    assert session_breaks(points) == [2]


def test_without_sessions_more_than_an_hour_is_a_break() -> None:
    points = [point(1, 0), point(2, 0, minutes=60), point(3, 0, minutes=121)]

    assert session_breaks(points) == [2]


def test_both_themes_come_with_the_figure() -> None:
    templates = json.loads(profit_figure([point(1, 1)]))["templates"]

    assert set(templates) == {"light", "dark"}
    assert templates["light"]["layout"]["colorway"] != templates["dark"]["layout"]["colorway"]
