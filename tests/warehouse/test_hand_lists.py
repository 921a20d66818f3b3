"""A list of hands passes chunks over and still is what reading all of them would make it."""

import datetime as dt
import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import delete, select

from tests.warehouse.forms import BOTH_FORMS
from tests.warehouse.uploads import NOON, all_hands, ndjson, processed, renewed, some_hands
from warehouse.conditions import HandConditions, HandSort, codes_of
from warehouse.exports import Export
from warehouse.queries import HandSummary, Page, Warehouse
from warehouse.seat_conditions import RATES
from warehouse.store import Store
from warehouse.tables import chunks, occurrences, spans

SORTS: tuple[HandSort, ...] = ("-played_at", "played_at", "-pot", "pot", "-hand_no", "hand_no")
CHOICES: dict[str, list[object]] = {
    "player": ["Anaïs", "Gaston", "Anaïs?", "Nobody"],
    "session": ["S1-0001", "S1-0002", "S9-0001"],
    "table": ["S1-0001", "S2-0001"],
    "source": ["retourne-generate", "elsewhere"],
    "preset": ["bouillotte/salon", "brelan/classique"],
    "verdict": ["legal", "illegal", "unverifiable"],
    "standing": ["first", "conflict"],
    "code": ["unknown-key", "not-a-code"],
    "severity": ["warning", "illegal"],
    "found": [True, False],
    "tag": ["odd", "none"],
    "showdown": [True, False],
    "min_pot": [5, 40, 10_000],
    "from_": ["2026-01-09T19:50:00Z", "2026-01-16", "2040-01-01"],
    "until": ["2026-01-09T19:50:00Z", "2026-01-16", "2000-01-01"],
    "hour": [20, 21, 3],
    "weekday": [5, 6],
    "tz": ["Europe/Paris", "Asia/Kolkata"],
    "dated": [True, False],
    "in_session": [True, False],
    "seats": [4, 6],
    "opponent": ["Gaston", "Nobody"],
    "place": ["first", "between", "dealer"],
    "position": [1, 2, 6],
    "made": ["entry", "by-point"],
    "chance": ["carre", "winner-folded", "stay"],
}
OF_SEAT = ("player", "place", "position", "made", "chance")
ELSEWHERE = {*OF_SEAT, "tz"}


def _filled(store: Store) -> None:
    rng = random.Random(5)  # noqa: S311 -- which hands are spoiled
    for seed, count in ((1, 50), (2, 20)):
        documents: list[dict[str, Any]] = [
            msgspec.json.decode(msgspec.json.encode(hand)) for hand in some_hands(count, seed)
        ]
        for document in documents:
            spoil = rng.randrange(8)
            if spoil == 0:
                del document["events"][-2]
            elif spoil == 1:
                document["weather"] = "rain"
            elif spoil == 2:
                del document["played_at"]
            elif spoil == 3:
                del document["session"]
        again = [dict(one, seats=_renamed(one["seats"])) for one in documents[::9]]
        rng.shuffle(documents)
        for some in (documents, again):
            processed(store, ndjson(some))  # type: ignore[arg-type] # documents, as good as hands


def _renamed(seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [dict(seat, player=seat["player"] + "?") for seat in seats]


@BOTH_FORMS
def test_a_list_is_all_that_meets_its_conditions_in_its_order(
    store: Store, warehouse: Warehouse
) -> None:
    _filled(store)
    rng = random.Random(6)  # noqa: S311 -- which questions are asked
    for one in all_hands(warehouse)[::7]:
        store.notes.tag(one.hand_id, "odd")
    conflict = store.rulings.conflicts(1)[0]
    later = next(one for one in conflict.contestants if one.standing == "conflict")
    store.rulings.rule(later.hand_id, later.hand_id, "anna", NOON)
    with store.database.write() as connection:  # as it was before spans were written down
        old = connection.scalars(select(chunks.c.id).order_by(chunks.c.id).limit(2)).all()
        for table in (spans, occurrences):
            connection.execute(delete(table).where(table.c.chunk.in_(old)))
    hands = all_hands(warehouse)
    tagged = set(warehouse.notes.tagged("odd"))
    seats: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with warehouse.exporter.make(Export("seats", "ndjson", HandConditions())) as file:
        for seat in map(msgspec.json.decode, file):
            seats[seat["hand_id"]].append(seat)
    for _ in range(60):
        names = rng.sample(sorted(CHOICES), rng.choice([0, 1, 1, 2, 3]))
        asked = {name: rng.choice(CHOICES[name]) for name in names}
        sort, limit = rng.choice(SORTS), rng.choice([2, 9, 50])
        of_seat = {name: value for name, value in asked.items() if name in OF_SEAT}
        wanted = [
            one
            for one in hands
            if _meets(one, asked, tagged)
            and any(_sits(seat, of_seat) for seat in seats[one.hand_id])
        ]
        wanted.sort(key=lambda one: _key(one, sort), reverse=sort.startswith("-"))
        conditions = HandConditions(**asked)  # type: ignore[arg-type] # each is of its field
        assert warehouse.count_hands(conditions) == len(wanted), asked
        assert _listed(warehouse, conditions, sort, limit) == [one.hand_id for one in wanted], asked


def _listed(
    warehouse: Warehouse, conditions: HandConditions, sort: HandSort, limit: int
) -> list[str]:
    """The ids of a whole list, page after page; of small pages not all."""
    found: list[str] = []
    cursor = None
    while True:
        page = warehouse.search_hands(conditions, sort=sort, limit=limit, cursor=cursor)
        assert isinstance(page, Page)
        assert len(page.hands) <= limit
        found += [one.hand_id for one in page.hands]
        cursor = page.next_cursor
        if cursor is None:
            return found


def _key(one: HandSummary, sort: HandSort) -> tuple[Any, ...]:
    played = one.played_at or dt.datetime(1, 1, 1, tzinfo=dt.UTC)
    place = (one.upload, one.ordinal)
    play = (played, one.session or "", one.hand_no or 0, *place)
    keys: dict[str, tuple[Any, ...]] = {
        "played_at": play,
        "pot": (-1 if one.pot is None else one.pot, *play),
        "hand_no": (one.hand_no or 0, one.session or "", *place),
    }
    return keys[sort.removeprefix("-")]


def _meets(one: HandSummary, asked: dict[str, Any], tagged: set[str]) -> bool:
    met: dict[str, Callable[[Any], bool]] = {
        "code": lambda value: value in one.codes,
        "found": lambda value: bool(one.codes) == value,
        "tag": lambda value: value == "odd" and one.hand_id in tagged,
        "min_pot": lambda value: one.pot is not None and one.pot >= value,
        "from_": lambda value: one.played_at is not None and one.played_at >= _moment(value),
        "until": lambda value: one.played_at is not None and one.played_at < _moment(value),
        "severity": lambda value: bool(set(one.codes) & set(codes_of(value))),
        "hour": lambda value: local is not None and local.hour == value,
        "weekday": lambda value: local is not None and local.isoweekday() == value,
        "dated": lambda value: (one.played_at is not None) == value,
        "in_session": lambda value: (one.session is not None) == value,
        "seats": lambda value: len(one.players) == value,
        "opponent": lambda value: value in one.players,
    }
    local = _local(one, asked.get("tz"))
    return all(
        met[name](value) if name in met else getattr(one, name) == value
        for name, value in asked.items()
        if name not in ELSEWHERE
    )


def _sits(seat: dict[str, Any], asked: dict[str, Any]) -> bool:
    """Whether one seat, as it was exported, is all that is asked of it."""
    last = seat["position"] == seat["seats"]
    places = {"first": seat["position"] == 1, "dealer": last}
    places["between"] = not any(places.values())
    met: dict[str, Callable[[Any], bool]] = {
        "place": lambda value: places[value],
        "made": lambda value: any(seat[name] for name in RATES[value].made),
        "chance": lambda value: any(seat[name] for name in RATES[value].chances),
    }
    return all(
        met[name](value) if name in met else seat[name] == value for name, value in asked.items()
    )


def _local(one: HandSummary, zone: str | None) -> dt.datetime | None:
    """The local time at which the UTC hour of a hand begins."""
    if one.played_at is None:
        return None
    hour = one.played_at.replace(minute=0, second=0, microsecond=0)
    return hour.astimezone(ZoneInfo(zone or "UTC"))


def _moment(text: str) -> dt.datetime:
    read = dt.datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=dt.UTC)


def test_what_is_written_down_follows_renewal_and_deletion(store: Store) -> None:
    upload = processed(store, ndjson(some_hands(25)))

    def written() -> tuple[list[int], set[int]]:
        with store.database.read() as connection:
            known = list(connection.scalars(select(spans.c.chunk).order_by(spans.c.chunk)))
            return known, set(connection.scalars(select(occurrences.c.chunk)))

    before, named = written()
    assert len(before) == 3
    assert set(before) == named
    store.reaudits.ask([upload], {}, None, NOON, force=True)
    renewed(store)
    after, named = written()
    assert len(after) == 3
    assert set(after) == named
    assert not set(after) & set(before)
    store.deletions.delete(upload, None, NOON)
    assert written() == ([], set())
