"""Figures of a small set of hands, counted by hand."""

import datetime as dt
from math import comb
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from tests.warehouse.rollup_sums import reader_of
from tests.warehouse.uploads import processed
from warehouse.figures import FigureReader, Slice
from warehouse.settings import Settings
from warehouse.statistics import STATISTICS
from warehouse.store import Store
from warehouse.totals import EVERYTHING, Narrowed

_RULES = Path(__file__).parents[1] / "rules"
PARIS = ZoneInfo("Europe/Paris")


def _worked(name: str, hand: str, played_at: str, session: str | None = None) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.json.decode((_RULES / f"{name}.json").read_bytes())
    document["id"]["hand"] = hand
    document["played_at"] = played_at
    if session is not None:
        document["session"] = {"id": session, "hand_no": 1}
    return document


@pytest.fixture
def figures(store: Store, settings: Settings) -> FigureReader:
    """The historico hand W3 twice, in two sessions, and once more in units of 2; and W4."""
    hands = [
        _worked("w3", "1", "2026-03-14T20:15:00Z", "a"),
        _worked("w3", "2", "2026-03-14T23:30:00Z", "b"),
        {**_worked("w3", "3", "2026-03-15T10:00:00Z", "b"), "unit": 2},
        _worked("w4", "4", "2026-03-15T11:00:00Z"),
    ]
    processed(store, b"\n".join(map(msgspec.json.encode, hands)))
    return FigureReader(reader_of(store, settings))


def test_the_net_of_100_hands_is_in_units_and_by_session(figures: FigureReader) -> None:
    found = figures.of(["A"])
    # +12 a hand, of which the third counts half: 12 + 12 + 6 = 30 units in 3 hands.
    assert found.totals.hands == 3
    assert found.totals.units == 30
    assert found.totals.sums["net"] == 36
    assert found.per_100 is not None
    assert found.per_100.mean == pytest.approx(1000)
    # Two sessions: one of 1,200 a hand, one of 900.
    assert found.per_100.interval is not None
    assert (found.per_100.interval.low, found.per_100.interval.high) == pytest.approx((900, 1200))


def test_rates_and_averages_are_over_all_hands(figures: FigureReader) -> None:
    raiser = figures.of(["B"])
    rates = {rate.id: rate for rate in raiser.rates}
    # B calls the opening, raises once everybody has called, and loses the showdown.
    assert (rates["entry"].k, rates["entry"].n) == (3, 3)
    assert (rates["reraise-use"].k, rates["reraise-use"].n) == (3, 3)
    assert (rates["AFq"].k, rates["AFq"].n) == (3, 6)
    assert (rates["won-at-showdown"].k, rates["won-at-showdown"].n) == (0, 3)
    assert rates["by-brelan"].n == 0
    assert rates["by-brelan"].low is None
    averages = {one.id: one for one in raiser.averages}
    assert averages["price-at-call"].value == pytest.approx(33.3333)
    assert "stay" not in rates
    assert raiser.aggression.value is None  # three raises, three calls: too few


def test_bourre_has_figures_of_its_own(figures: FigureReader) -> None:
    found = figures.of(["P5"])
    rates = {rate.id: (rate.k, rate.n) for rate in found.rates}
    assert rates["stay"] == rates["stay-with-3"] == rates["stay-more"] == (1, 1)
    assert rates["stay-with-2"] == (0, 0)
    assert rates["tie"] == rates["pat"] == (1, 1)
    assert rates["lead-win"] == (0, 2)
    averages = {one.id: one.value for one in found.averages}
    assert averages["tricks/stay"] == 2
    assert averages["draw-mean"] == 0
    assert averages["stay-ROI"] == 0
    lost = {one.id: one.value for one in figures.of(["P1"]).averages}
    assert lost["bourre-cost"] == 12
    assert lost["stay-ROI"] == -60  # 12 of the pot of 20


def test_an_hour_is_one_of_sittings_that_a_pause_of_more_than_an_hour_parts(
    store: Store, settings: Settings
) -> None:
    played = {
        "a": ("20:15", "20:45", "21:45", "22:50"),  # 90 minutes, then one hand after 65
        "b": ("23:00", "23:30"),  # half an hour
        None: ("10:00", "10:45"),  # three quarters
    }
    hands = [
        _worked("w3", f"{session} {at}", f"2026-03-14T{at}:00Z", session)
        for session, times in played.items()
        for at in times
    ]
    processed(store, b"\n".join(map(msgspec.json.encode, hands)))
    figures = FigureReader(reader_of(store, settings))
    found = figures.of(["A"]).per_hour
    assert found is not None
    # Seven hands of +12 each in 1.5 + 0.5 + 0.75 hours; the one alone has no length.
    assert (found.sittings, found.hours, found.units) == (3, 2.75, 84)
    assert found.mean.mean == pytest.approx(84 / 2.75)
    # As many an hour at least as the slowest of them, 36 in 1.5, and no more than the fastest.
    assert found.mean.interval is not None
    assert found.mean.interval.low == pytest.approx(24)
    assert found.mean.interval.high == pytest.approx(48)
    evening = Narrowed(since=dt.datetime(2026, 3, 14, 22, tzinfo=dt.UTC))
    later = figures.of(["A"], evening).per_hour
    assert later is not None
    assert (later.sittings, later.hours) == (1, 0.5)
    assert figures.of(["A"], Narrowed(place="first")).per_hour is None
    assert figures.of(["A"], Narrowed(session="c")).per_hour is None


def test_reneges_are_of_all_cards_that_were_seen_though_the_hand_does_not_count(
    store: Store, settings: Settings
) -> None:
    renege = _worked("w4", "1", "2026-03-14T20:15:00Z")
    del renege["declared"]
    plays = [event for event in renege["events"] if event["do"] == "play"]
    # P1 has to undertrump in the third trick and plays 2♠; P3 follows hearts with 4♠.
    plays[14]["card"], plays[22]["card"] = plays[22]["card"], plays[14]["card"]
    plays[8]["card"], plays[18]["card"] = plays[18]["card"], plays[8]["card"]
    back = _worked("w4", "2", "2026-03-14T20:30:00Z")
    back["rules"]["options"]["renege"] = "both"
    events = back["events"]
    at = next(place for place, event in enumerate(events) if event.get("card") == "6h")
    events[at : at + 1] = [
        {"do": "play", "seat": 2, "card": "4s"},
        {"do": "renege", "seat": 2, "card": "6h"},
    ]
    processed(store, b"\n".join(map(msgspec.json.encode, [renege, back])))
    figures = FigureReader(reader_of(store, settings))

    def per_thousand(player: str) -> dict[str, float | None]:
        averages = figures.of([player]).averages
        return {one.id: one.value for one in averages if one.id.startswith("renege") and one.value}

    assert per_thousand("P1") == {"reneges/1000": 100, "renege-undertrump/1000": 100}  # of 10 cards
    follow = 1_000 / 11  # of 11: the one taken back was seen as well
    assert per_thousand("P3") == pytest.approx(
        {
            "reneges/1000": follow,
            "renege-follow/1000": follow,
            "renege-corrected/1000": follow,
        }
    )
    assert per_thousand("P2") == {}
    found = figures.of(["P1"])
    assert found.totals.hands == 1
    assert found.totals.sums["cards_played"] == 5
    [rate] = [(rate.k, rate.n) for rate in found.rates if rate.id == "renege"]
    assert rate == (1, 10)


def test_luck_is_against_the_pack_in_play(figures: FigureReader) -> None:
    [luck] = figures.of(["A"]).luck
    # Three brelans of three hands; 20 of the 1,140 hands of a pack of 20 are one.
    assert (luck.deck, luck.hands, luck.dealt) == (20, 3, 3)
    assert luck.expected == pytest.approx(60 / 1140)
    assert luck.over == pytest.approx(3 - 60 / 1140)
    # At least 29.24 % of hands would be brelans, by the exact interval of 3 of 3: 0.025^(1/3).
    assert luck.interval.low == pytest.approx(3 * 0.025 ** (1 / 3) - 60 / 1140)


def test_a_rate_is_apart_by_position_session_and_local_time(figures: FigureReader) -> None:
    entry = STATISTICS[0]

    def of(slices: list[Slice]) -> list[tuple[Any, ...]]:
        rates = [one.totals.rate(entry) for one in slices]
        return [
            (*one.key, one.totals.hands, rate.k, rate.n)
            for one, rate in zip(slices, rates, strict=True)
        ]

    assert of(figures.apart(entry, ["D"], EVERYTHING, "seats", "position")) == [(4, 4, 3, 3, 3)]
    assert of(figures.apart(entry, ["A"], EVERYTHING, "session")) == [
        ("a", 1, 1, 1),
        ("b", 2, 2, 2),
    ]
    # 23:30 UTC is half past midnight of Sunday in Paris.
    for part, expected in {
        lambda local: local.hour: [(0, 1, 1, 1), (11, 1, 1, 1), (21, 1, 1, 1)],
        lambda local: local.isoweekday(): [(6, 1, 1, 1), (7, 2, 2, 2)],
        lambda local: f"{local:%Y-%m}": [("2026-03", 3, 3, 3)],
    }.items():
        assert of(figures.by_local(entry, ["A"], EVERYTHING, part, PARIS)) == expected
    assert figures.presets(["A", "P5"]) == ["bouillotte/historico", "bourre/louisiana"]


@pytest.mark.parametrize(
    ("narrowed", "hands"),
    [
        (Narrowed(session="b"), 2),
        (Narrowed(preset="bourre/louisiana"), 0),
        (Narrowed(place="first"), 3),
        (Narrowed(place="dealer"), 0),
        (Narrowed(since=dt.datetime(2026, 3, 15, tzinfo=dt.UTC)), 1),
        (Narrowed(until=dt.datetime(2026, 3, 15, tzinfo=dt.UTC)), 2),
    ],
)
def test_hands_are_narrowed_by_conditions(
    figures: FigureReader, narrowed: Narrowed, hands: int
) -> None:
    assert figures.of(["A"], narrowed).totals.hands == hands


def test_names_of_one_person_are_added_up(figures: FigureReader) -> None:
    both = figures.of(["A", "B"])
    assert both.totals.hands == 6
    assert both.totals.sums["net"] == 36 - 12


def test_a_flag_does_not_stand_on_a_single_hand(store: Store, settings: Settings) -> None:
    # D alone folds to the opening, once; B, C have one chance each and do not.
    hand = _worked("w3", "1", "2026-03-14T20:15:00Z")
    processed(store, msgspec.json.encode(hand))
    figures = FigureReader(reader_of(store, settings))
    flags = [flag for name in "ABCD" for flag in figures.of([name]).flags]
    assert flags
    assert not any(flag.stands for flag in flags)


def test_a_flag_stands_only_where_chance_would_not_do(store: Store, settings: Settings) -> None:
    # C and D fold to the raise in every hand; nobody else ever does, however often they face one.
    hands = [_worked("w3", str(number), "2026-03-14T20:15:00Z") for number in range(30)]
    processed(store, b"\n".join(map(msgspec.json.encode, hands)))
    found = FigureReader(reader_of(store, settings)).of(["C"])
    flags = {flag.id: flag for flag in found.flags}
    raised = flags["fold-to-raise"]
    assert (raised.rate.k, raised.rate.n) == (30, 30)
    assert raised.usual == pytest.approx(30 / 60)  # D folds, A calls
    # All 30 of C's among the 60 folds of 90 chances that are dealt out to both.
    assert raised.p == pytest.approx(comb(60, 30) / comb(90, 30))
    assert raised.stands
    assert "fold-to-open" not in flags
