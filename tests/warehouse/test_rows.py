"""The rows of the worked hands, whose chips and decisions are counted by hand in their rulings."""

from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from engine.cards import card_name
from schemas.audit import ExaminedHand, examine_hand
from schemas.document import Hand
from schemas.generate import generate_hands
from schemas.streams import RawHand
from warehouse.chance import chance_table
from warehouse.counters import COUNTERS
from warehouse.identity import content_hash, hand_id, identity_of
from warehouse.rows import COLUMNS, HandRows, Kind, hand_rows

_DECIDES = {"carre", "decline", "pass", "open", "call", "raise", "fold", "no-more"}
_RULES = Path(__file__).parents[1] / "rules"


def _rows_of(raw: bytes) -> HandRows:
    examined = examine_hand(raw, want_turns=True)
    assert isinstance(examined, ExaminedHand)
    return hand_rows(examined, RawHand(7, 700, raw), "u" * 64, 3)


def _named(kind: Kind, rows: HandRows) -> list[dict[str, Any]]:
    columns = [column for column in COLUMNS[kind] if column != "standing"]
    return [dict(zip(columns, row, strict=True)) for row in rows.rows[kind]]


def _seats(worked: str) -> list[dict[str, Any]]:
    return _named("seats", _rows_of((_RULES / f"{worked}.json").read_bytes()))


def _counted(seat: dict[str, Any]) -> dict[str, int]:
    """What is counted of a seat, but for sums, and acts held against a price."""
    names = [one.name for one in COUNTERS if not one.wide]
    judged = ("_judged", "_price")
    return {name: seat[name] for name in names if seat[name] and not name.endswith(judged)}


def _judged(seat: dict[str, Any]) -> dict[str, int]:
    """What is known of a seat's acts by strength and price, but for the strength itself."""
    names = [one.name for one in COUNTERS if one.name.endswith("_judged") or "price" in one.name]
    return {name: seat[name] for name in names if seat[name]}


def _once(names: str) -> dict[str, int]:
    return dict.fromkeys(names.split(), 1)


def _lines(seats: list[dict[str, Any]]) -> list[tuple[int, int, int, int]]:
    lines = ("net", "net_showdown", "net_uncontested", "premium")
    return [tuple(seat[line] for line in lines) for seat in seats]


def test_w1_chips() -> None:
    # 85 / 109 / 48 / 70 from 100 / 100 / 12 / 100; Anna folded, the others met at the showdown.
    assert _lines(_seats("w1")) == [
        (-15, 0, -15, 0),
        (9, 9, 0, 0),
        (36, 36, 0, 0),
        (-30, -30, 0, 0),
    ]


def test_w2_premiums_are_a_line_of_their_own() -> None:
    # Premiums -3 / +4 / -3 / +2 within final stacks of 77 / 145 / 96 / 82; Carla folded her ante.
    assert _lines(_seats("w2-live")) == [
        (-23, -20, 0, -3),
        (45, 41, 0, 4),
        (-4, 0, -1, -3),
        (-18, -20, 0, 2),
    ]


def test_w3_premiums_of_a_ledger_are_added() -> None:
    # Stacks 107 / 95 / 99 / 99, ledger +5 / +1 / -3 / -3.
    assert _lines(_seats("w3")) == [(12, 7, 0, 5), (-4, -5, 0, 1), (-4, 0, -1, -3), (-4, 0, -1, -3)]


def test_w1_decisions() -> None:
    anna, ben, carla, dan = _seats("w1")
    # With Anna still in, Carla's spades win all the same.
    assert _counted(anna) == _once(
        "carred could_carre decided entered could_raise faced_open faced_raise folded_to_raise "
        "calls folds folds_all_shown dealt_known"
    )
    assert _counted(ben) == _once(
        "carred could_carre recarred could_recarre decided entered could_raise raised faced_open "
        "raises showed showed_and_won won_by_point entered_and_showed dealt_known"
    )
    # Carla has 11 chips: too few for the carre of 20 or to raise over 30, enough to open.
    assert _counted(carla) == _once(
        "decided entered could_open faced_carre passed_to_carre faced_raise calls entered_all_in "
        "showed showed_and_won won_by_point entered_and_showed dealt_known"
    )
    assert _counted(dan) == _once(
        "decided entered could_open faced_carre opened could_raise faced_raise calls "
        "could_raise_again showed entered_and_showed dealt_known"
    )


def test_w1_prices() -> None:
    anna, ben, carla, dan = _seats("w1")
    # Anna calls 9 into 33, and folds where 15 more would have made 87 into 102.
    assert (anna["calls_judged"], anna["price_at_call"]) == (1, 214_286)  # 9 ÷ 42
    assert (anna["folds_judged"], anna["price_at_fold"]) == (1, 147_059)  # 15 ÷ 102
    assert (ben["raises_judged"], ben["calls_judged"]) == (1, 0)
    # Carla calls with her last 11 into 61; Dan calls 15 into 72.
    assert (carla["calls_judged"], carla["price_at_call"]) == (1, 152_778)  # 11 ÷ 72
    assert (dan["opens_judged"], dan["price_at_call"]) == (1, 172_414)  # 15 ÷ 87


def test_strength_is_the_table_s_chance_and_judges_the_price() -> None:
    anna, _, carla, _ = _seats("w1")
    table = chance_table("AKQ98", 4)
    assert table is not None
    numbers = {card_name(card): card for card in range(52)}
    for seat, cards in ((anna, "8h Qh 8c"), (carla, "As Ks Qs")):
        hand = sum(1 << numbers[card] for card in cards.split())
        won, deals = table.chance(hand, numbers["9s"])
        assert seat["q"] == round(won * 1_000_000 / deals)
    assert anna["q_at_call"] == anna["q_at_fold"] == anna["q"]
    assert anna["calls_below_price"] == (anna["q"] < 214_286)
    assert anna["folds_above_price"] == (anna["q"] > 147_059)


def test_w3_a_carre_is_sure_to_win() -> None:
    first, raiser, third, dealer = _seats("w3")
    assert first["q"] == first["q_at_open"] == first["q_at_call"] == 1_000_000
    # The opening of 1 meets the dealer's 1; 1 into 2, then 1 into 3; 4 more into 8.
    assert _judged(first) == {"opens_judged": 1, "calls_judged": 1, "price_at_call": 333_333}
    assert (raiser["calls_judged"], raiser["price_at_call"]) == (1, 333_333)
    assert (third["price_at_call"], third["price_at_fold"]) == (250_000, 333_333)
    # The dealer's call of 0 has no price.
    assert (dealer["calls_judged"], dealer["folds_judged"]) == (0, 1)


def test_w3_decisions() -> None:
    first, raiser, third, dealer = _seats("w3")
    assert _counted(first) == _once(
        "could_carre decided entered could_open opened could_raise faced_raise calls "
        "showed showed_and_won won_by_brelan entered_and_showed dealt_known brelans_dealt"
    )
    assert _counted(raiser) == _once(
        "decided entered faced_open could_raise raised could_raise_again raised_again calls raises "
        "showed entered_and_showed dealt_known brelans_dealt"
    )
    gave_way = _once(
        "decided entered faced_open could_raise faced_raise folded_to_raise calls folds "
        "folds_all_shown dealt_known"
    )
    assert _counted(third) == gave_way
    assert _counted(dealer) == gave_way


def test_a_pot_taken_without_a_showdown_is_a_steal() -> None:
    hand = msgspec.json.decode((_RULES / "w3.json").read_bytes())
    del hand["declared"]
    deal = hand["events"][:5]
    opening = {"do": "open", "seat": 0, "add": 2}  # one more than the dealer has in
    folds = ({"do": "fold", "seat": seat} for seat in (1, 2, 3))
    hand["events"] = [*deal, opening, *folds]
    first, *others = _named("seats", _rows_of(msgspec.json.encode(hand)))
    assert _counted(first) == _once(
        "could_carre decided entered could_open opened entered_and_stole dealt_known brelans_dealt"
    )
    gave_way = _once(
        "decided faced_open folded_to_open could_raise folds folds_all_shown dealt_known"
    )
    assert _counted(others[0]) == {**gave_way, "brelans_dealt": 1}
    assert [_counted(other) for other in others[1:]] == [gave_way, gave_way]
    # The dealer's ante of 1 is all that changes hands.
    nets = [seat["net_uncontested"] for seat in (first, *others)]
    assert nets == [1, 0, 0, -1]


def test_a_side_pot_that_nobody_else_was_left_in_is_not_won_at_the_showdown() -> None:
    hand = msgspec.json.decode((_RULES / "w1.json").read_bytes())
    del hand["declared"]
    raised = next(place for place, one in enumerate(hand["events"]) if one["do"] == "raise")
    shows = [event for event in hand["events"] if event["do"] == "show"]
    call = {"do": "call", "seat": 2, "add": 11}  # all of it; the rest is Ben's alone once both fold
    folds = ({"do": "fold", "seat": seat} for seat in (3, 0))
    hand["events"] = [*hand["events"][: raised + 1], call, *folds, *shows]
    rows = _rows_of(msgspec.json.encode(hand))
    assert rows.verdict == "legal"
    _, ben, carla, _ = _named("seats", rows)
    assert (carla["showed_and_won"], carla["won_by_point"], carla["won_by_brelan"]) == (1, 1, 0)
    assert ben["showed"] == 1
    assert (ben["showed_and_won"], ben["won_by_point"], ben["won_by_brelan"]) == (0, 0, 0)


@pytest.mark.parametrize("options", [{"brelans": False}, {"favori": "best"}])
def test_a_brelan_dealt_is_three_of_a_rank_whatever_counts_as_one(options: dict[str, Any]) -> None:
    hand = msgspec.json.decode((_RULES / "w3.json").read_bytes())
    del hand["declared"]
    hand["rules"]["options"] = options
    deal = hand["events"][:5]
    deal[2]["cards"] = ["Qh", "Qd", "8h"]
    deal[4]["card"] = "Qc"  # with the third hand's pair a favori
    folds = ({"do": "fold", "seat": seat} for seat in (1, 2, 3))
    hand["events"] = [*deal, {"do": "open", "seat": 0, "add": 2}, *folds]
    rows = _rows_of(msgspec.json.encode(hand))
    assert rows.verdict == "legal"
    assert [seat["brelans_dealt"] for seat in _named("seats", rows)] == [1, 1, 0, 0]


def test_positions_are_counted_from_the_dealers_right() -> None:
    assert [seat["position"] for seat in _seats("w1")] == [1, 2, 3, 4]
    hand = msgspec.json.decode((_RULES / "w1.json").read_bytes(), type=Hand)
    moved = msgspec.json.encode(replace(hand, dealer=1))
    assert [seat["position"] for seat in _named("seats", _rows_of(moved))] == [3, 4, 1, 2]


def test_an_illegal_hand_has_seats_but_counts_nothing() -> None:
    hand = msgspec.json.decode((_RULES / "w1.json").read_bytes())
    hand["declared"]["carried"] = 5
    rows = _rows_of(msgspec.json.encode(hand))
    assert rows.verdict == "illegal"
    for seat in _named("seats", rows):
        assert not seat["counted"]
        assert seat["net"] is None
        assert _counted(seat) == {}
    [finding] = _named("findings", rows)
    assert (finding["code"], finding["severity"]) == ("declared-carried", "discrepancy")


@pytest.mark.parametrize(
    ("played_at", "tz", "hour"),
    [
        ("2026-07-14T20:15:00+02:00", None, 18),
        ("2026-07-14T20:15:00Z", "Europe/Paris", 20),
        ("2026-07-14T20:15:00", "Europe/Paris", 18),
        ("2026-07-14T20:15:00", None, 20),
        ("2026-07-14T20:15:00", "Europe/Nowhere", 20),
        ("2026-07-14T20:15:00", "../etc/passwd", 20),
    ],
)
def test_times_are_kept_in_utc(played_at: str, tz: str | None, hour: int) -> None:
    hand = msgspec.json.decode((_RULES / "w1.json").read_bytes())
    hand["played_at"] = played_at
    if tz is not None:
        hand["tz"] = tz
    [row] = _named("hands", _rows_of(msgspec.json.encode(hand)))
    assert (row["played_at"].hour, row["played_at"].minute) == (hour, 15)


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_the_lines_add_up_to_the_net_and_every_rate_is_one(seed: int) -> None:
    for hand in generate_hands(30, seed):
        rows = _rows_of(msgspec.json.encode(hand))
        seats = _named("seats", rows)
        assert rows.verdict == "legal"
        for net, *lines in _lines(seats):
            assert net == sum(lines)
        assert sum(seat["premium"] for seat in seats) == 0
        for seat in seats:
            assert seat["opened"] <= seat["could_open"]
            assert seat["carred"] <= seat["could_carre"]
            assert seat["raised"] <= seat["could_raise"] <= seat["decided"]
            assert seat["folded_to_open"] <= seat["faced_open"]
            assert seat["folded_to_raise"] <= seat["faced_raise"]
            assert seat["raised_again"] <= seat["could_raise_again"]
            assert seat["entered_and_showed"] <= seat["entered"] <= seat["decided"]
            assert seat["showed_and_won"] <= seat["showed"]
            assert seat["entered_and_stole"] + seat["entered_and_showed"] <= seat["entered"]


def test_only_what_a_hand_says_makes_its_content() -> None:
    raw = (_RULES / "w1.json").read_bytes()
    hand = msgspec.json.decode(raw, type=Hand)
    plain = msgspec.json.decode(raw)
    turned_round = dict(reversed(plain.items()))
    turned_round["declared"]["stacks"], turned_round["x"] = [85, 109, 48, 70], {"own": 1}
    premiums = plain["declared"]["premiums"]
    turned_round["declared"]["premiums"] = dict(reversed(premiums.items()))
    same = msgspec.json.decode(msgspec.json.encode(turned_round), type=Hand)
    assert content_hash(same) == content_hash(hand)
    assert content_hash(replace(hand, dealer=1)) != content_hash(hand)


def test_a_usual_value_that_is_left_out_is_the_same_content() -> None:
    written = msgspec.json.decode((_RULES / "w3.json").read_bytes())
    written |= {"view": "full", "unit": 1, "carried": 0}
    written["rules"]["options"] = {}
    written["seats"][0]["rebuy"] = 0
    left_out = {key: written[key] for key in written if key not in {"view", "unit", "carried"}}
    left_out["rules"] = {"preset": written["rules"]["preset"]}
    seats = [{key: seat[key] for key in ("player", "stack")} for seat in written["seats"]]
    left_out["seats"] = seats
    one, other = (
        content_hash(msgspec.json.decode(msgspec.json.encode(document), type=Hand))
        for document in (written, left_out)
    )
    assert one == other


def test_an_id_is_of_identity_and_content() -> None:
    hand = msgspec.json.decode((_RULES / "w1.json").read_bytes(), type=Hand)
    identity, content = identity_of(hand), content_hash(hand)
    name = hand_id(identity, content)
    assert len(name) == 24
    assert hand_id(identity, "other") != name
    moved = identity._replace(source=identity.source + identity.table[0], table=identity.table[1:])
    assert hand_id(moved, content) != name


def test_w4_chips() -> None:
    # 37 / 49 / 37 / 49 / 49 from 50 each; nothing of Bourré is a showdown or a premium.
    rows = _rows_of((_RULES / "w4.json").read_bytes())
    (hand,) = _named("hands", rows)
    seats = _named("seats", rows)

    assert (hand["pot"], hand["carried"], hand["showdown"]) == (20, 44, False)
    assert _lines(seats) == [(net, 0, net, 0) for net in (-13, -1, -13, -1, -1)]
    assert all(seat["counted"] for seat in seats)


def test_w4_decisions() -> None:
    # Trumps are clubs; 20 lie in a pot to which five antes of 1 belong; everybody stands pat.
    p1, p2, p3, p4, p5 = _seats("w4")
    stayed = _once("bourre_hands declared stayed declared_more stayed_more played pat")
    stayed |= {"cards_played": 5, "cards_seen": 5}
    assert _counted(p1) == stayed | _once("declared_with_3 stayed_with_3 bourred led")
    assert _counted(p2) == stayed | _once("declared_with_1 stayed_with_1 tricks led")
    assert _counted(p3) == stayed | _once("declared_with_0 stayed_with_0 bourred")
    assert _counted(p4) == stayed | _once("declared_with_2 stayed_with_2 tied led led_and_won") | {
        "tricks": 2
    }
    assert _counted(p5) == stayed | _once("declared_with_3 stayed_with_3 tied") | {
        "tricks": 2,
        "led": 2,
    }
    assert [seat["bourre_chips"] for seat in (p1, p2, p3, p4, p5)] == [12, 0, 12, 0, 0]
    for seat in (p1, p2, p3, p4, p5):
        assert (seat["ante_chips"], seat["pot_chips"], seat["pot_at_stay"]) == (1, 0, 20)
        assert (seat["deck"], seat["seats"]) == (52, 5)


def test_what_was_sure_with_all_cards_seen_is_worked_out_of_some_hands() -> None:
    # X leads: the ace of trumps, and that of hearts behind it, are sure. X leads the latter first,
    # and Y, void in hearts, has to trump it; X is left with one trick, Y has four of three.
    hand: dict[str, Any] = msgspec.json.decode((_RULES / "w4.json").read_bytes())
    hand |= {"seats": hand["seats"][:2], "dealer": 1, "declared": {}}
    held = [["As", "Ah", "2d", "2c", "3c"], ["Kd", "Kc", "Qc", "Qd", "Ks"]]
    tricks = ["Ah Ks", "Kd 2d", "Kc 2c", "Qc 3c", "Qd As"]
    leaders = [0, 1, 1, 1, 1]
    hand["events"] = [
        *({"do": "deal", "seat": seat, "cards": cards} for seat, cards in enumerate(held)),
        {"do": "turn", "card": "Ks"},
        *({"do": "stay", "seat": seat} for seat in (0, 1)),
        *({"do": "draw", "seat": seat, "discards": [], "received": []} for seat in (0, 1)),
        *(
            {"do": "play", "seat": (leader + place) % 2, "card": card}
            for leader, trick in zip(leaders, tricks, strict=True)
            for place, card in enumerate(trick.split())
        ),
    ]
    told = ("counted", "solved", "sure_tricks", "tricks_of_solved")
    seen = []
    for number in range(40):
        hand["id"]["hand"] = str(number)
        rows = _rows_of(msgspec.json.encode(hand))
        x, y = ([seat[name] for name in told] for seat in _named("seats", rows))
        picked = rows.hand_id[-1] in "08"
        assert x == ([True, 1, 2, 1] if picked else [True, 0, 0, 0])
        assert y == ([True, 1, 3, 4] if picked else [True, 0, 0, 0])
        seen.append(picked)
    assert 0 < sum(seen) < len(seen)


def test_a_decision_takes_the_time_since_the_event_before_it() -> None:
    hand = msgspec.json.decode((_RULES / "w3.json").read_bytes())
    for place, event in enumerate(hand["events"]):
        event["at"] = 1_000 * place
    opening = next(event for event in hand["events"] if event["do"] == "open")
    opening["at"] -= 400  # 600 ms after the event before it; the next one 1,400 ms after it
    del hand["events"][-1]["at"]
    first, raiser, *_ = _named("seats", _rows_of(msgspec.json.encode(hand)))
    decisions = [event for event in hand["events"] if event["do"] in _DECIDES]
    times = {seat: [e for e in decisions if e["seat"] == seat and "at" in e] for seat in range(4)}
    assert first["timed"] == len(times[0])
    assert first["decision_ms"] == 1_000 * len(times[0]) - 400
    assert raiser["timed"] == len(times[1])
    assert raiser["decision_ms"] == 1_000 * len(times[1]) + 400


def test_a_rebuy_is_counted() -> None:
    hand = msgspec.json.decode((_RULES / "w1.json").read_bytes())
    hand["seats"][0]["rebuy"] = 100
    assert [seat["rebought"] for seat in _named("seats", _rows_of(msgspec.json.encode(hand)))] == [
        1,
        0,
        0,
        0,
    ]
