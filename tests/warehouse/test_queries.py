import base64
import threading
from itertools import pairwise

import pytest
from msgspec import UNSET, convert
from msgspec.structs import replace

from schemas.document import Hand
from tests.warehouse.uploads import all_hands, ndjson, processed, some_hands
from warehouse.conditions import HandConditions
from warehouse.cursors import BadCursor
from warehouse.queries import HandSummary, Page, Warehouse
from warehouse.statistics import STATISTICS
from warehouse.store import Store
from warehouse.uncertainty import wilson


def _pages(warehouse: Warehouse, limit: int, **conditions: str) -> list[list[HandSummary]]:
    pages = []
    cursor = None
    while True:
        page = warehouse.search_hands(
            convert(conditions, HandConditions), limit=limit, cursor=cursor
        )
        assert isinstance(page, Page)
        pages.append(page.hands)
        cursor = page.next_cursor
        if cursor is None:
            return pages


def _names(hands: list[HandSummary]) -> list[str]:
    return [hand.hand for hand in hands]


def test_an_empty_warehouse_answers_everything(warehouse: Warehouse) -> None:
    assert warehouse.find_hand("0" * 24) is None
    assert warehouse.search_hands() == Page([], None)
    assert warehouse.players() == []
    assert warehouse.profit("Anna") == []
    assert warehouse.rates("Anna") == []
    assert warehouse.records.recent_uploads(10) == []


def test_what_nobody_played_is_not_found(store: Store, warehouse: Warehouse) -> None:
    processed(store, ndjson(some_hands(3)))
    assert warehouse.find_hand("0" * 24) is None
    assert warehouse.search_hands(HandConditions(player="nobody")) == Page([], None)
    assert warehouse.profit("nobody") == []
    assert all(rate.n == 0 and rate.low is None for rate in warehouse.rates("nobody"))


@pytest.mark.parametrize("limit", [1, 7, 10, 60, 61])
def test_pages_visit_every_hand_once(store: Store, warehouse: Warehouse, limit: int) -> None:
    hands = some_hands(60)
    # Many hands without a time, a session or both, so that the order has ties to break.
    vague = [replace(hand, played_at=UNSET) for hand in hands[:20]]
    vaguer = [replace(hand, played_at=UNSET, session=UNSET) for hand in hands[20:40]]
    same = [replace(hand, played_at=hands[40].played_at) for hand in hands[40:]]
    processed(store, ndjson([*vague, *vaguer]))
    processed(store, ndjson(same))
    pages = _pages(warehouse, limit)
    assert [len(page) for page in pages[:-1]] == [limit] * (len(pages) - 1)
    seen = [name for page in pages for name in _names(page)]
    assert sorted(seen) == sorted(hand.id.hand for hand in hands)
    assert seen == _names(all_hands(warehouse))


def test_a_list_begins_with_the_last_hand_played(store: Store, warehouse: Warehouse) -> None:
    processed(store, ndjson(some_hands(60)))
    times = [hand.played_at for hand in all_hands(warehouse) if hand.played_at is not None]
    assert len(times) == 60
    assert times == sorted(times, reverse=True)


def test_what_comes_in_between_two_pages_moves_no_hand(store: Store, warehouse: Warehouse) -> None:
    hands = some_hands(40)
    processed(store, ndjson(hands[20:]))
    first = warehouse.search_hands(limit=10)
    assert isinstance(first, Page)
    processed(store, ndjson(hands[:20]))
    second = warehouse.search_hands(limit=40, cursor=first.next_cursor)
    assert isinstance(second, Page)
    assert len({*_names(first.hands), *_names(second.hands)}) == 40


def test_conditions_narrow_the_list(store: Store, warehouse: Warehouse) -> None:
    hands = some_hands(60)
    wrong = [_wrongly_declared(hand) for hand in hands[50:]]
    first = processed(store, ndjson(hands[:30]))
    processed(store, ndjson([*hands[30:50], *wrong]))

    def found(**conditions: str) -> set[str]:
        return {name for page in _pages(warehouse, 9, **conditions) for name in _names(page)}

    def expected(condition: object) -> set[str]:
        assert callable(condition)
        return {hand.id.hand for hand in hands if condition(hand)}

    preset, session = hands[0].rules.preset, hands[0].session
    assert session is not UNSET
    player = hands[0].seats[0].player
    assert found(upload=first) == {hand.id.hand for hand in hands[:30]}
    assert found(preset=preset) == expected(lambda hand: hand.rules.preset == preset)
    assert found(session=session.id) == expected(lambda hand: hand.session.id == session.id)
    assert found(verdict="illegal") == {hand.id.hand for hand in wrong}
    assert found(code="declared-carried") == {hand.id.hand for hand in wrong}
    assert found(player=player) == expected(
        lambda hand: player in [seat.player for seat in hand.seats]
    )
    assert found(player=player, verdict="illegal") == found(player=player) & found(
        verdict="illegal"
    )


def test_a_value_is_never_read_as_sql(store: Store, warehouse: Warehouse) -> None:
    processed(store, ndjson(some_hands(3)))
    for value in ("' OR true --", "\0", "$files", "👑" * 500):
        conditions = ("upload", "player", "verdict", "code", "preset", "session")
        for condition in conditions:
            asked = HandConditions(**{condition: value})  # type: ignore[arg-type]
            found = warehouse.search_hands(asked)
            assert found == Page([], None)
        assert warehouse.find_hand(value) is None
        assert warehouse.profit(value) == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"not json",
        b'["2026-01-01T00:00:00","",0,"",1]',
    ],
)
def test_a_cursor_from_elsewhere_is_refused(
    store: Store, warehouse: Warehouse, content: bytes
) -> None:
    processed(store, ndjson(some_hands(3)))
    cursor = base64.urlsafe_b64encode(content).decode()
    assert warehouse.search_hands(cursor=cursor) == BadCursor(cursor)
    assert warehouse.search_hands(cursor="é") == BadCursor("é")


def test_profit_is_in_the_order_of_play_and_sums_up(store: Store, warehouse: Warehouse) -> None:
    hands = some_hands(120)
    # The later half arrives first.
    processed(store, ndjson(hands[60:]))
    processed(store, ndjson(hands[:60]))
    for summary in warehouse.players():
        points = warehouse.profit(summary.player)
        assert [point.number for point in points] == list(range(1, summary.hands + 1))
        for point in points:
            lines = point.net_showdown + point.net_uncontested + point.premium
            assert point.net == lines
        for before, after in pairwise(points):
            assert before.played_at is not None
            assert after.played_at is not None
            assert before.played_at <= after.played_at
        assert sum(point.net for point in points) == summary.net
        assert sum(point.premium for point in points) == summary.premium
        assert summary.first_played == points[0].played_at
        assert summary.last_played == points[-1].played_at


def test_no_chip_is_made_or_lost_among_the_players(store: Store, warehouse: Warehouse) -> None:
    hands = some_hands(200)
    processed(store, ndjson(hands))
    # What a hand carries on is missing from its stacks and is found again in the next one's.
    carried_in = sum(0 if hand.carried is UNSET else hand.carried for hand in hands)
    carried_on = sum(hand.carried or 0 for hand in all_hands(warehouse))
    assert sum(player.net for player in warehouse.players()) == carried_in - carried_on


def test_rates_are_the_sums_of_the_seats(store: Store, warehouse: Warehouse) -> None:
    processed(store, ndjson(some_hands(120)))
    player = warehouse.players()[0]
    rates = {rate.id: rate for rate in warehouse.rates(player.player)}
    assert list(rates) == [
        one.id for one in STATISTICS if one.game in {r.game for r in rates.values()}
    ]
    assert rates["showdown"].n == rates["steal"].n == rates["va-tout"].n == rates["entry"].k
    assert 0 < rates["entry"].k <= rates["entry"].n <= player.hands
    for rate in rates.values():
        expected = wilson(rate.k, rate.n) if rate.n else (None, None)
        assert (rate.low, rate.high) == expected


def test_threads_ask_at_the_same_time(store: Store, warehouse: Warehouse) -> None:
    processed(store, ndjson(some_hands(60)))
    expected = warehouse.players()
    answers = []

    def ask() -> None:
        answers.extend([warehouse.players() for _ in range(10)])

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 60


def _wrongly_declared(hand: Hand) -> Hand:
    declared = hand.declared
    assert declared is not UNSET
    assert declared.carried is not UNSET
    return replace(hand, declared=replace(declared, carried=declared.carried + 1))
