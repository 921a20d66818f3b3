"""What joining small segments brings: a house to which every hand came in an upload of its own.

The same questions are asked before and after, in processor time. Run it with
`PYTHONPATH=. .venv/bin/python benchmarks/compaction.py --hands 3000 --data FOLDER`; a house that is
in the folder already is measured as it is, and joined.
"""

import argparse
import datetime as dt
import logging
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from benchmarks.house import begin, documents
from benchmarks.pages import queries
from warehouse.deletion import GRACE
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.rollup_base import RollupBase
from warehouse.settings import Settings
from warehouse.store import Store

ROUNDS: Final = 3


def main() -> None:
    """Makes a house unless there is one, and measures it before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=3_000)
    parser.add_argument("--data", type=Path)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=asked.data or Path(folder))
        with Store(settings) as store:
            if not store.records.recent_uploads(1):
                _make(store, asked.hands)
            before = _measured(settings)
            began, made = time.process_time(), 0
            while store.compaction.join(dt.datetime.now(dt.UTC), many=2) is not None:
                made += 1
            joining = time.process_time() - began
            after = _measured(settings)
        print(f"{'ms of the processor, median of ' + str(ROUNDS):50}{'before':>10}{'after':>10}")
        for name, taken in before.items():
            print(f"{name:50}{taken:>10.0f}{after[name]:>10.0f}")
        print(f"joined into {made} packs in {joining:.1f} s of the processor")
        print(f"the small segments are deleted after {GRACE}")


def _make(store: Store, hands: int) -> None:
    for document in documents(hands):
        run = begin(store, document)
        store.records.rest(run, dt.datetime.now(dt.UTC))
        process_upload(store, run.upload.id)


def _measured(settings: Settings) -> dict[str, float]:
    """Returns the milliseconds that each question takes."""

    def load() -> None:
        RollupBase(settings.home).discard()
        Warehouse(settings).players()

    warehouse = Warehouse(settings)
    player = warehouse.players()[0].player
    works: dict[str, Callable[[], object]] = {
        "all rollups are read": load,
        **queries(warehouse, player),
    }
    times: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(ROUNDS + 1):
        for name, work in works.items():
            began = time.process_time()
            work()
            if turn:  # the first round warms up
                times[name].append(1000 * (time.process_time() - began))
    return {name: statistics.median(taken) for name, taken in times.items()}


if __name__ == "__main__":
    main()
