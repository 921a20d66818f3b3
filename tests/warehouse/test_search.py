"""What the search finds among hands that are known one by one, and in which order."""

import base64
import datetime as dt
import json
from collections.abc import Iterator

import pytest

from tests.dashboards.evening import evening, low_raise
from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import NOON, ndjson, processed, some_hands
from warehouse.conditions import HandConditions, HandSort
from warehouse.cursors import BadCursor
from warehouse.queries import Page, PlayersFound, ProfitFound, Warehouse
from warehouse.search import PlayerSort
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.upload_search import UploadConditions, UploadsFound, UploadSort

ALL = {"plain", "brelans", "again", "low-raise", "wrong-stacks", "unseen", "hostile"}


@pytest.fixture(scope="module")
def evening_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """The evening's hands; tests only read them."""
    settings = Settings(data=tmp_path_factory.mktemp("evening"))
    with Store(settings) as store:
        processed(store, evening())
        yield Warehouse(settings)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ALL),
        ({"from_": "2026-03-14T20:02:00Z"}, {"brelans", "again"}),
        ({"until": "2026-03-14T20:02:00Z"}, {"plain"}),
        ({"from_": "2026-03-14T21:02:00+01:00", "until": "2026-03-14T20:03Z"}, {"brelans"}),
        ({"from_": "2026-03-14", "until": "2026-03-15"}, {"plain", "brelans", "again"}),
        ({"until": "2026-03-14"}, set()),
        ({"severity": "illegal"}, {"low-raise"}),
        ({"severity": "discrepancy"}, {"wrong-stacks"}),
        ({"severity": "unverifiable"}, {"unseen"}),
        ({"found": False}, {"plain", "again", "hostile"}),
        ({"found": True, "verdict": "legal"}, {"brelans"}),
        ({"showdown": True}, ALL - {"low-raise"}),
        ({"min_pot": 62}, ALL - {"low-raise", "brelans"}),
        ({"min_pot": 61, "player": "Anna"}, ALL - {"low-raise", "hostile"}),
        ({"source": "salon", "table": "T7"}, ALL),
        ({"source": "Salon"}, set()),
        ({"standing": "conflict"}, set()),
        ({"session": "march/1", "preset": "bouillotte/salon"}, {"plain", "brelans"}),
    ],
)
def test_conditions_are_met_all_together(
    evening_warehouse: Warehouse, asked: dict[str, object], expected: set[str]
) -> None:
    page = evening_warehouse.search_hands(HandConditions(**asked))  # type: ignore[arg-type]
    assert isinstance(page, Page)
    assert {hand.hand for hand in page.hands} == expected


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("-played_at", ["again", "brelans", "plain"]),
        ("played_at", ["plain", "brelans", "again"]),
        ("-pot", ["again", "plain", "brelans"]),
        ("pot", ["brelans", "plain", "again"]),
        ("hand_no", ["plain", "brelans", "again"]),
        ("-hand_no", ["again", "brelans", "plain"]),
    ],
)
def test_hands_are_in_the_order_asked_for(
    evening_warehouse: Warehouse, sort: HandSort, expected: list[str]
) -> None:
    asked = HandConditions(from_="2026-03-14")
    seen: list[str] = []
    cursor = None
    while True:  # a page each
        page = evening_warehouse.search_hands(asked, sort=sort, limit=1, cursor=cursor)
        assert isinstance(page, Page)
        seen += [hand.hand for hand in page.hands]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == expected


def test_a_cursor_without_an_end_is_refused(warehouse: Warehouse) -> None:
    deep = base64.urlsafe_b64encode(b'["",' + b"[" * 2_000).decode()
    assert isinstance(warehouse.search_hands(cursor=deep), BadCursor)


def test_a_cursor_of_another_list_is_refused(evening_warehouse: Warehouse) -> None:
    page = evening_warehouse.search_hands(limit=2)
    assert isinstance(page, Page)
    cursor = page.next_cursor
    anna = HandConditions(player="Anna")
    assert isinstance(evening_warehouse.search_hands(limit=2, cursor=cursor), Page)
    assert isinstance(evening_warehouse.search_hands(anna, cursor=cursor), BadCursor)
    assert isinstance(evening_warehouse.search_hands(sort="pot", cursor=cursor), BadCursor)
    assert isinstance(evening_warehouse.search_players(cursor=cursor), BadCursor)
    assert isinstance(evening_warehouse.profit_page("Anna", limit=1, cursor=cursor), BadCursor)


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        # W1 brings Anna -15, Ben 9, Carla 36, Dan -30; W2 -24, 43, 0, -19. W1 counts twice.
        ("net", [("Dan", -79), ("Anna", -54), ("Ben", 61), ("Carla", 72)]),
        ("-net", [("Carla", 72), ("Ben", 61), ("Anna", -54), ("Dan", -79)]),
        ("-per_100", [("Carla", 72), ("Ben", 61), ("Anna", -54), ("Dan", -79)]),
        ("player", [("Anna", -54), ("Ben", 61), ("Carla", 72), ("Dan", -79)]),
        ("-hands", [("Dan", -79), ("Carla", 72), ("Ben", 61), ("Anna", -54)]),
    ],
)
def test_players_are_in_the_order_asked_for(
    evening_warehouse: Warehouse, sort: PlayerSort, expected: list[tuple[str, int]]
) -> None:
    seen: list[tuple[str, int]] = []
    cursor = None
    while True:
        found = evening_warehouse.search_players(sort=sort, limit=3, cursor=cursor)
        assert isinstance(found, PlayersFound)
        seen += [(one.player, one.net) for one in found.players if one.hands > 1]
        cursor = found.next_cursor
        if cursor is None:
            break
    assert seen == expected


def test_players_are_found_by_a_part_of_their_name(evening_warehouse: Warehouse) -> None:
    def names(part: str) -> list[str]:
        found = evening_warehouse.search_players(part, sort="player")
        assert isinstance(found, PlayersFound)
        return [one.player for one in found.players]

    assert names("AN") == names("an")
    assert {"Anna", "Dan"} <= set(names("an"))
    assert names("%") == []
    assert names("arl") == ["Carla"]


@BOTH_FORMS
def test_names_of_one_person_are_one_player_everywhere(store: Store, warehouse: Warehouse) -> None:
    processed(store, evening())
    before = warehouse.player("Anna")
    warehouse.aliases.merge("Anna", "Ben", NOON)
    warehouse.aliases.merge("Zoe", "Dan", NOON)  # a name that nobody played under

    anna = warehouse.player("Ben")
    assert before is not None
    assert anna is not None
    assert (anna.player, anna.hands, anna.net) == ("Anna", 6, -54 + 61)
    assert anna.net == anna.net_showdown + anna.net_uncontested + anna.premium
    everybody = {one.player: one for one in warehouse.players()}
    assert everybody["Anna"] == anna
    assert everybody["Zoe"].net == -79
    assert not {"Ben", "Dan"} & everybody.keys()
    found = warehouse.search_players("ben")
    assert isinstance(found, PlayersFound)
    assert [one.player for one in found.players] == ["Anna"]

    points = warehouse.profit("Anna")
    assert [point.net for point in points] == [-15, 9, -24, 43, -15, 9]
    assert [point.number for point in points] == [1, 2, 3, 4, 5, 6]
    assert warehouse.profit("Ben") == points
    entry = {rate.id: rate for rate in warehouse.rates("Ben")}["entry"]
    assert (entry.k, entry.n) == (6, 6)  # each of the two enters in each of the three hands

    for name in ("Anna", "Ben"):
        page = warehouse.search_hands(HandConditions(player=name))
        assert isinstance(page, Page)
        assert {hand.hand for hand in page.hands} == ALL - {"hostile"}
        assert all("Ben" in hand.players for hand in page.hands)  # as it was written

    warehouse.aliases.split("Anna", "Ben", NOON)
    assert warehouse.player("Anna") == before


def test_profit_goes_on_where_the_page_ended(store: Store, warehouse: Warehouse) -> None:
    hands = some_hands(60)
    processed(store, ndjson(hands[30:]))
    processed(store, ndjson(hands[:30]))
    player = warehouse.players()[0].player
    whole = warehouse.profit(player)
    points = []
    cursor = None
    while True:
        page = warehouse.profit_page(player, limit=7, cursor=cursor)
        assert isinstance(page, ProfitFound)
        points += page.points
        cursor = page.next_cursor
        if cursor is None:
            break
    assert points == whole
    assert len(whole) > 7


def test_who_has_no_hand_that_counts_is_a_player_all_the_same(
    store: Store, warehouse: Warehouse
) -> None:
    processed(store, json.dumps(low_raise()).encode())
    anna = warehouse.player("Anna")
    assert anna is not None
    assert (anna.hands, anna.net, anna.first_played) == (0, 0, None)
    assert warehouse.players() == []
    assert warehouse.player("nobody") is None
    assert warehouse.player("\0") is None


@BOTH_FORMS
def test_uploads_are_found_by_conditions_in_an_order(store: Store, warehouse: Warehouse) -> None:
    names = ["March.ndjson", "100%_sure.json", None, "march-2.ndjson"]
    for number, name in enumerate(names):
        blob = store.blobs.store([b"[%d" % number + b" " * number])
        store.records.receive(blob, name, NOON + dt.timedelta(hours=number))

    def found(sort: UploadSort = "-received_at", **asked: str) -> list[str | None]:
        seen: list[str | None] = []
        cursor = None
        while True:
            page = warehouse.search_uploads(
                UploadConditions(**asked),  # type: ignore[arg-type]
                sort=sort,
                limit=1,
                cursor=cursor,
            )
            assert isinstance(page, UploadsFound)
            seen += [upload.name for upload in page.uploads]
            cursor = page.next_cursor
            if cursor is None:
                return seen

    assert found() == names[::-1]
    assert found("received_at") == names
    assert found("-size") == names[::-1]
    assert found(name="MARCH") == ["march-2.ndjson", "March.ndjson"]
    assert found(name="%") == found(name="_") == ["100%_sure.json"]
    assert found(from_="2026-03-14T13:00Z", until="2026-03-14T15:00Z") == [None, "100%_sure.json"]
    assert found(status="received") == names[::-1]
    assert found(status="done") == []
    page = warehouse.search_uploads(UploadConditions(), limit=1)
    assert isinstance(page, UploadsFound)
    other = warehouse.search_uploads(UploadConditions(), sort="size", cursor=page.next_cursor)
    assert isinstance(other, BadCursor)
