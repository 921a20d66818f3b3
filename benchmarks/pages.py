"""What the pages cost over a house of many hands: each query by itself, and each page as a whole.

It prints tables in Markdown: the time of the processor, which another process takes less from than
from that of the clock, and both. What is asked for once after a start is asked in processes of
their own. Run it with
`PYTHONPATH=. .venv/bin/python benchmarks/pages.py --hands 1000000 --data FOLDER`.
"""

import argparse
import datetime as dt
import html
import json
import logging
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import duckdb
import structlog
from flask.testing import FlaskClient

from benchmarks.house import fill
from service.registry import Registry
from service.web import create_app
from warehouse.conditions import HandConditions
from warehouse.custom import CustomStatistic
from warehouse.queries import HandSummary, Page, Warehouse
from warehouse.rollup_base import RollupBase
from warehouse.sessions.auditing import process_session
from warehouse.sessions.search import SessionConditions, SessionPage
from warehouse.settings import Settings

ROUNDS: Final = 7
_OWN: Final = CustomStatistic("own", "Folds of what was played", "folds", "decided")
_PART: Final = re.compile(r'data-part="([^"]+)"|data-hx-get="([^"]+)" data-hx-trigger="load"')

Work = Callable[[], object]


def main() -> None:
    """Makes the house if there is none, measures and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--data", type=Path, help="made if it is not there, and kept")
    parser.add_argument("--chunk", type=int, default=2_000, help="hands published at once")
    parser.add_argument("--examined", type=int, default=4_000, help="all others are copies")
    parser.add_argument("--circles", type=int, default=10, help="circles of eight players")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--first", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as scratch:
        settings = Settings(
            data=asked.data or Path(scratch),
            chunk_hands=asked.chunk,
            login="open",
            request_rate="99999999/second",
        )
        if asked.first is not None:
            print(json.dumps(first(settings, asked.first)))
            return
        if not settings.home.exists():
            fill(settings, asked.hands, asked.examined, asked.circles)
        measure(settings, asked.rounds)


def measure(settings: Settings, rounds: int) -> None:
    """Measures what a start costs, then queries, pages and a floor in turn, and prints tables."""
    RollupBase(settings.home).discard()
    starts = {"the rollups, without their file": first_in_a_process(settings, "rollups")}
    starts["the rollups"] = first_in_a_process(settings, "rollups")
    warehouse = Warehouse(settings)
    files = [str(path) for path in (settings.home / "segments" / "hands").iterdir()]
    counting = "SELECT count(*) FROM read_parquet($files)"
    [(count,)] = duckdb.connect().execute(counting, {"files": files}).fetchall()
    player = warehouse.players()[0].player
    paths = addresses(warehouse, player)
    for path in ("/", "/hands", "/players", paths["a player"]):
        starts[f"the page {path}"] = first_in_a_process(settings, path)
    print(f"{count:,} hands in {len(files):,} chunks, {warehouse.count_players():,} players\n")
    print("| first in a process of its own | ms of the processor | ms by the clock | MB then |")
    print("| --- | --: | --: | --: |")
    for name, (processor, clock, memory) in starts.items():
        print(f"| {name} | {processor:,.0f} | {clock:,.0f} | {memory:,.0f} |")

    works = queries(warehouse, player)
    works["floor: one column of all hands by DuckDB"] = scan(files)
    table("what is asked", works, rounds)
    client = browser(settings)
    whole = with_parts(client, paths)
    table("page", {name: partial(get, client, path) for name, path in whole.items()}, rounds)
    print(f"\n{memory_of_this():,.0f} MB are taken by this process then.")


def table(title: str, works: dict[str, Work], rounds: int) -> None:
    """Times works in turn, round after round, and prints medians and the best."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for turn in range(rounds + 1):
        for name, work in works.items():
            taken = timed(work)
            if turn:  # the first round warms up
                times[name].append(taken)
    print(f"\n| {title} | ms of the processor | best | ms by the clock | best |")
    print("| --- | --: | --: | --: | --: |")
    for name, pairs in times.items():
        sides = zip(*pairs, strict=True)
        cells = [f"{of(side):,.0f}" for side in sides for of in (statistics.median, min)]
        print(f"| {name} | {' | '.join(cells)} |")


def timed(work: Work) -> tuple[float, float]:
    """Returns the milliseconds of the processor and of the clock that a work takes."""
    processor, clock = time.process_time(), time.perf_counter()
    work()
    return 1_000 * (time.process_time() - processor), 1_000 * (time.perf_counter() - clock)


def first_in_a_process(settings: Settings, what: str) -> tuple[float, float, float]:
    """Returns what `first` does in a process of its own."""
    chunk = str(settings.chunk_hands)
    arguments = ["--data", str(settings.data), "--chunk", chunk, "--first", what]
    done = subprocess.run(  # noqa: S603 -- this file
        [sys.executable, __file__, *arguments], check=True, stdout=subprocess.PIPE
    )
    processor, clock, memory = json.loads(done.stdout)
    return processor, clock, memory


def first(settings: Settings, what: str) -> tuple[float, float, float]:
    """Asks for the rollups or for a page; returns both times, and the process's memory in MB."""
    if what == "rollups":
        taken = timed(Warehouse(settings).count_players)
        memory = memory_of_this()
        for thread in threading.enumerate():  # one may be at their file
            if thread is not threading.current_thread():
                thread.join()
        return *taken, memory
    client = browser(settings)
    return *timed(partial(get, client, what)), memory_of_this()


def memory_of_this() -> float:
    """Returns the memory of this process in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def queries(warehouse: Warehouse, player: str) -> dict[str, Work]:
    """What the pages and the API ask, each by itself."""
    listed = warehouse.search_hands()
    if not isinstance(listed, Page):
        raise SystemExit("a list without a cursor always has a page")
    one = listed.hands[0]
    wanted: dict[str, HandConditions] = {
        "": HandConditions(),
        " of a player": HandConditions(player=player),
        " of a session": HandConditions(session=one.session),
        ", illegal": HandConditions(verdict="illegal"),
        " of a month": HandConditions(from_="2030-05-01", until="2030-06-01"),
        " of a player, Bourré, illegal": HandConditions(
            player=player, preset="bourre/domino", verdict="illegal"
        ),
    }
    works: dict[str, Work] = {
        f"hands{name}, last first": partial(warehouse.search_hands, asked)
        for name, asked in wanted.items()
    }
    works["hands, the second page"] = lambda: warehouse.search_hands(cursor=listed.next_cursor)
    works["hands, largest pot first"] = lambda: warehouse.search_hands(sort="-pot")
    works["hands by number"] = lambda: warehouse.search_hands(sort="hand_no")
    works["how many hands of a player"] = lambda: warehouse.count_hands(wanted[" of a player"])
    works["a hand by its id"] = lambda: warehouse.find_hand(one.hand_id)
    works["findings by code"] = warehouse.overview.found
    works["sessions, last first"] = lambda: warehouse.session_search.find(SessionConditions())
    works["players, most hands first"] = warehouse.search_players
    works["all players with their rates"] = warehouse.grid.rows
    everybody = [row.player for row in warehouse.grid.rows()][:100]
    works["the lines of 100 players"] = lambda: warehouse.grid.lines(everybody)
    works["a player's figures"] = lambda: warehouse.figures.of([player])
    works["a player's hands"] = lambda: warehouse.played.of([player])
    works["a player's zone"] = lambda: warehouse.played.zone([player])
    works["a player's opponents"] = lambda: warehouse.played.opponents([player])
    works["a statistic of the club's own, of a player"] = lambda: warehouse.custom.rate(
        _OWN, [player]
    )
    works["the same of everybody"] = lambda: warehouse.custom.by_player(_OWN)
    return works


def addresses(warehouse: Warehouse, player: str) -> dict[str, str]:
    """Where the pages are, each with what it shows; what they show is made if it is not there."""
    listed = warehouse.search_hands(limit=1)
    sessions = warehouse.session_search.find(SessionConditions(), limit=1)
    if not isinstance(listed, Page) or not isinstance(sessions, SessionPage):
        raise SystemExit("a list without a cursor always has a page")
    hand, session = listed.hands[0], sessions.sessions[0].key
    process_session(warehouse, session)
    warehouse.custom.put(_OWN, dt.datetime.now(dt.UTC))
    other = next(name for name in hand.players if name != player)
    return dict(_addresses(hand, session, player, other))


def _addresses(
    hand: HandSummary, session: str, player: str, other: str
) -> Iterator[tuple[str, str]]:
    yield "home", "/"
    yield "hands", "/hands"
    yield "illegal hands", "/hands?verdict=illegal"
    yield "hands of a player", f"/hands?player={player}"
    yield "hands by number", "/hands?sort=hand_no"
    yield "a hand", f"/hands/{hand.hand_id}"
    yield "uploads", "/uploads"
    yield "an upload", f"/uploads/{hand.upload}"
    yield "an upload's report", f"/uploads/{hand.upload}/report"
    yield "players", "/players"
    yield "a player", f"/players/{player}"
    yield "a player of one game", f"/players/{player}?preset=bouillotte/salon"
    yield "two players", f"/players/compare?player={player}&player={other}"
    yield "sessions", "/sessions"
    yield "a session", f"/sessions/{session}"
    yield "conflicts", "/conflicts"
    yield "statistics", "/statistics"
    yield "a statistic", f"/statistics/{_OWN.id}"
    yield "keys", "/settings/keys"
    yield "webhooks", "/settings/webhooks"


def with_parts(client: FlaskClient, paths: dict[str, str]) -> dict[str, str]:
    """Returns where pages are, and behind the first that has it, each part that comes later."""
    found, known = dict[str, str](), set[str]()
    for name, path in paths.items():
        found[name] = path
        for own, loaded in _PART.findall(get(client, path)):
            part = html.unescape(own or loaded)
            label = part.rpartition("part=")[2].partition("?")[0]
            if label not in known:
                known.add(label)
                found[f"— {name}, later: {label}"] = part
    return found


def browser(settings: Settings) -> FlaskClient:
    """A browser on this machine, which is let in."""
    Registry(settings).ensure_local_key(dt.datetime.now(dt.UTC))
    return create_app(settings).test_client()


def get(client: FlaskClient, path: str) -> str:
    """Gets a page."""
    answer = client.get(path, headers={"Accept": "text/html"})
    if answer.status_code != 200:
        raise SystemExit(f"{path} answered {answer.status}")
    return answer.text


def scan(files: list[str]) -> Work:
    """Reads a column of all hands, in a DuckDB that knows the files already."""
    connection = duckdb.connect()
    connection.execute("SET GLOBAL parquet_metadata_cache = true")
    sql = "SELECT max(played_at) FROM read_parquet($files)"
    return lambda: connection.execute(sql, {"files": files}).fetchall()


if __name__ == "__main__":
    main()
