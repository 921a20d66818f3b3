"""What the pages cost over a house of many hands: each query by itself, and each page as a whole.

The house is made once, in a folder that is kept if it is named: hands of the generator, some of
them spoiled, are examined and published like any other, and then published again and again as
others: under other names of the upload, the table, the hand, the session and the players, at other
times. So only the examination of the copies is left out. Run it with
`PYTHONPATH=. .venv/bin/python benchmarks/pages.py --hands 1000000 --data FOLDER`.
"""

import argparse
import datetime as dt
import hashlib
import logging
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import duckdb
import msgspec
import structlog
from msgspec.structs import replace

from schemas.generate import generate_hands
from schemas.streams import RawHand
from service.registry import Registry
from service.web import create_app
from warehouse.conditions import HandConditions
from warehouse.identity import Identity
from warehouse.publishing import Draft
from warehouse.queries import Page, Warehouse
from warehouse.records import Problem, Run
from warehouse.rows import COLUMNS, KINDS, HandRows, Kind, Row
from warehouse.settings import Settings
from warehouse.store import Store

EXAMINED: Final = 4_000
"""So many hands are examined, at most; all others are copies of them."""

SEED: Final = 7
CIRCLES: Final = 10
"""So many times as many players as the generator has."""

YEARS: Final = dt.timedelta(days=3_650)
"""The copies begin anywhere in so many years."""

ROUNDS: Final = 7
Work = Callable[[], object]

_ILLEGAL_EVERY, _UNKNOWN_KEY_EVERY = 50, 35
_AT: Final = {kind: {name: at for at, name in enumerate(COLUMNS[kind])} for kind in KINDS}


class Copy:
    """Turns hands into those of others."""

    def __init__(self, number: int, upload: str, later: dt.timedelta) -> None:
        self._number = number
        self._upload = upload
        self._later = later

    def of(self, hand: HandRows) -> HandRows:
        """Returns the same hand of another upload, table and time, and of other players."""
        name = hashlib.sha256(f"{hand.hand_id} {self._number}".encode()).hexdigest()[:24]
        rows = {kind: [self._row(kind, name, row) for row in of] for kind, of in hand.rows.items()}
        source, table, number = hand.identity
        identity = Identity(source, self._other(table), number)
        return replace(hand, hand_id=name, identity=identity, rows=rows)

    def _row(self, kind: Kind, name: str, row: Row) -> Row:
        at, copied = _AT[kind], list(row)
        copied[at["hand_id"]] = name
        if kind != "findings":
            copied[at["upload"]] = self._upload
            copied[at["session"]] = self._other(row[at["session"]])
            copied[at["played_at"]] = row[at["played_at"]] + self._later
        if kind == "hands":
            copied[at["table"]] = self._other(row[at["table"]])
            copied[at["content"]] = hashlib.sha256(name.encode()).hexdigest()
            copied[at["players"]] = [self._player(player) for player in row[at["players"]]]
            copied[at["document"]] = self._document(row[at["document"]])
        elif row[at["player"]] is not None:
            copied[at["player"]] = self._player(row[at["player"]])
        return tuple(copied)

    def _document(self, raw: bytes) -> bytes:
        document = msgspec.json.decode(raw)
        document["id"]["table"] = self._other(document["id"]["table"])
        document["session"]["id"] = self._other(document["session"]["id"])
        moment = dt.datetime.fromisoformat(document["played_at"])
        document["played_at"] = (moment + self._later).isoformat()
        for seat in document["seats"]:
            seat["player"] = self._player(seat["player"])
        return msgspec.json.encode(document)

    def _other(self, name: str) -> str:
        return f"{name}/{self._number}"

    def _player(self, name: str) -> str:
        return f"{name} {self._number % CIRCLES + 1}"


def main() -> None:
    """Makes the house, measures and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--data", type=Path, help="made if it is not there, and kept")
    parser.add_argument("--chunk", type=int, default=2_000, help="hands published at once")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as scratch:
        settings = Settings(
            data=asked.data or Path(scratch),
            chunk_hands=asked.chunk,
            login="open",
            request_rate="99999999/second",
        )
        if not settings.home.exists():
            fill(settings, asked.hands)
        measure(settings, asked.rounds)


def fill(settings: Settings, hands: int) -> None:
    """Makes a house of so many hands, to the next whole copy."""
    started = time.monotonic()
    with Store(settings) as store:
        raws = list(documents(min(hands, EXAMINED)))
        content = b"".join(raw + b"\n" for raw in raws)
        run = begin(store, content)
        examined = [
            found
            for at, raw in enumerate(raws, 1)
            if not isinstance(
                found := store.examiner.rows(RawHand(at, 0, raw), run.upload.id, at), Problem
            )
        ]
        publish(store, run, examined)
        copies = -(-(hands - len(examined)) // len(examined))
        for number in range(1, copies + 1):
            run = begin(store, f"{number}".encode())
            copy = Copy(number, run.upload.id, YEARS * number / copies)
            publish(store, run, [copy.of(hand) for hand in examined])
    print(f"made {hands:,} hands in {time.monotonic() - started:.0f} s")


def documents(hands: int) -> Iterator[bytes]:
    """Generated hands, some without one of their events, some with a key that nobody knows."""
    for at, hand in enumerate(generate_hands(hands, SEED)):
        document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(hand))
        if at % _ILLEGAL_EVERY == 0:
            del document["events"][-3]
        if at % _UNKNOWN_KEY_EVERY == 0:
            document["weather"] = "rain"
        yield msgspec.json.encode(document)


def begin(store: Store, content: bytes) -> Run:
    """Receives an upload, to be worked on here."""
    now = dt.datetime.now(dt.UTC)
    upload = store.records.receive(store.blobs.store([content]), "copy.ndjson", now)
    run = store.records.begin(upload.id, now)
    if not isinstance(run, Run):
        raise SystemExit("the folder has a house already, and it is not whole")
    return run


def publish(store: Store, run: Run, hands: list[HandRows]) -> None:
    """Publishes an upload's hands in chunks of the usual size."""
    size = store.settings.chunk_hands
    now = dt.datetime.now(dt.UTC)
    for first in range(0, len(hands), size):
        some = hands[first : first + size]
        store.publisher.publish(run, Draft(first + 1, first + len(some), some, [], 0), now)
    store.records.finish(run, now)


def measure(settings: Settings, rounds: int) -> None:
    """Measures queries, pages and a floor in turn, and prints their medians."""
    fresh = Warehouse(settings)
    started = time.perf_counter()
    players = fresh.players()
    first = time.perf_counter() - started
    hands = settings.home / "segments" / "hands"
    files = [str(path) for path in hands.iterdir()]
    counting = "SELECT count(*) FROM read_parquet($files)"
    [(count,)] = duckdb.connect().execute(counting, {"files": files}).fetchall()
    print(f"{count:,} hands in {len(files)} segments, {len(players)} players")
    print(f"{'the first question of the rollups after a start':58}{1000 * first:>8.0f} ms")

    works = {**queries(fresh, players[0].player), **pages(settings, fresh, players[0].player)}
    works["floor: one column of all hands by DuckDB"] = scan(files)
    times: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(rounds + 1):
        for name, work in works.items():
            began = time.perf_counter()
            work()
            if turn:  # the first round warms up
                times[name].append(time.perf_counter() - began)
    print(f"{'median of ' + str(rounds) + ' rounds, and the best':58}{'ms':>8}{'best':>8}")
    for name, taken in times.items():
        print(f"{name:58}{1000 * statistics.median(taken):>8.0f}{1000 * min(taken):>8.0f}")


def queries(warehouse: Warehouse, player: str) -> dict[str, Work]:
    """What the pages ask, each by itself."""
    first = warehouse.search_hands()
    if not isinstance(first, Page):
        raise SystemExit("a list without a cursor always has a page")
    one = first.hands[0]
    wanted: dict[str, HandConditions] = {
        "nothing": HandConditions(),
        "a player": HandConditions(player=player),
        "a session": HandConditions(session=one.session),
        "illegal": HandConditions(verdict="illegal"),
        "a month": HandConditions(from_="2030-05-01", until="2030-06-01"),
        "a player, Bourré, illegal": HandConditions(
            player=player, preset="bourre/domino", verdict="illegal"
        ),
    }
    works: dict[str, Work] = {
        f"hands, last first: {name}": partial(warehouse.search_hands, asked)
        for name, asked in wanted.items()
    }
    works["hands, page 2"] = lambda: warehouse.search_hands(cursor=first.next_cursor)
    works["hands, largest pot first"] = lambda: warehouse.search_hands(sort="-pot")
    works["hands, by number"] = lambda: warehouse.search_hands(sort="hand_no")
    works["a hand by its id"] = lambda: warehouse.find_hand(one.hand_id)
    works["players, most hands first"] = warehouse.search_players
    works["a player's figures"] = lambda: warehouse.figures.of([player])
    works["a player's hands"] = lambda: warehouse.played.of([player])
    works["a player's zone"] = lambda: warehouse.played.zone([player])
    works["a player's opponents"] = lambda: warehouse.played.opponents([player])
    works["a player's 500 last judged hands"] = lambda: warehouse.played.judged_turns([player], 500)
    return works


def pages(settings: Settings, warehouse: Warehouse, player: str) -> dict[str, Work]:
    """The pages themselves, as a browser on this machine asks for them."""
    Registry(settings).ensure_local_key(dt.datetime.now(dt.UTC))
    client = create_app(settings).test_client()
    found = warehouse.search_hands(limit=1)
    if not isinstance(found, Page):
        raise SystemExit("a list without a cursor always has a page")
    hand = found.hands[0]
    paths = (
        "/",
        "/hands",
        "/hands?verdict=illegal",
        f"/hands?player={player}",
        f"/hands/{hand.hand_id}",
        f"/uploads/{hand.upload}",
        "/players",
        f"/players/{player}",
        "/sessions",
    )

    def get(path: str) -> None:
        answer = client.get(path, headers={"Accept": "text/html"})
        if answer.status_code != 200:
            raise SystemExit(f"{path} answered {answer.status}")

    def name(path: str) -> str:
        return path.replace(hand.hand_id, "HAND").replace(hand.upload, "UPLOAD")

    return {f"GET {name(path)}": partial(get, path) for path in paths}


def scan(files: list[str]) -> Work:
    """Reads a column of all hands, in a DuckDB that knows the files already."""
    connection = duckdb.connect()
    connection.execute("SET GLOBAL parquet_metadata_cache = true")
    sql = "SELECT max(played_at) FROM read_parquet($files)"
    return lambda: connection.execute(sql, {"files": files}).fetchall()


if __name__ == "__main__":
    main()
