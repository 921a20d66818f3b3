"""Whatever happens to uploads in whatever order, the house is what is left of them."""

import datetime as dt
import random
from collections import Counter, defaultdict

import pytest
from sqlalchemy import func, select

from schemas.document import Hand
from tests.warehouse.forms import kept
from tests.warehouse.rollup_sums import by_scan, reader_of, rolled_up
from tests.warehouse.uploads import (
    NOON,
    all_hands,
    contradicted,
    ndjson,
    received,
    renewed,
    some_hands,
)
from warehouse.compaction import Compaction
from warehouse.intake import process_upload
from warehouse.queries import Warehouse
from warehouse.renewing import renew_upload
from warehouse.rulings import Conflict
from warehouse.settings import Settings
from warehouse.store import Store
from warehouse.tables import metadata, pack_segments, rulings, segments, uploads

_STEPS = 40
Told = tuple[str, int]  # a hand by its name, and which telling of it


class _House:
    """A house with a few uploads that may come, go and overlap, and what is known of them."""

    def __init__(self, store: Store, rng: random.Random) -> None:
        self.store = store
        self.compaction = Compaction(store.database, store.segments, 12, 1 << 24)
        self.rollups = reader_of(store, store.settings)
        self.rng = rng
        self.there: dict[str, list[Told]] = {}
        self.contents: dict[str, bytes] = {}
        self.ids: dict[str, Told] = {}
        hands = some_hands(6, seed=5)
        tellings = {hand.id.hand: _tellings(hand) for hand in hands}
        names = sorted(tellings)
        self.pool: list[tuple[bytes, list[Told]]] = []
        for _ in range(5):
            told = [(rng.choice(names), rng.choice((0, 0, 0, 1, 2))) for _ in range(7)]
            self.pool.append((ndjson(tellings[name][telling] for name, telling in told), told))
        # The ids of all tellings, from a house of its own.
        self.tellings = tellings

    def send(self) -> None:
        content, told = self.rng.choice(self.pool)
        upload = received(self.store, content, self._now())
        process_upload(self.store, upload)
        self.there[upload] = told

    def delete(self) -> None:
        if self.there:
            upload = self.rng.choice(sorted(self.there))
            assert self.store.deletions.delete(upload, None, self._now()) is not None
            del self.there[upload]

    def rule(self) -> None:
        listed = self.store.rulings.conflicts(100)
        if listed:
            conflict = self.rng.choice(listed)
            among = [one.hand_id for one in conflict.contestants]
            stands = self.rng.choice([*among, None])
            said = self.store.rulings.rule(self.rng.choice(among), stands, "anna", self._now())
            assert isinstance(said, Conflict)

    def reaudit(self) -> None:
        if self.there:
            chosen = self.rng.sample(sorted(self.there), self.rng.randint(1, len(self.there)))
            self.store.reaudits.ask(chosen, {}, None, self._now(), force=True)

    def renew_some(self) -> None:
        for upload in self.store.renewals.unfinished(_LATE)[:1]:
            renew_upload(self.store, upload, seconds=0)

    def rebuild(self) -> None:
        chunks = self.store.rebuilder.chunks()
        if chunks:
            chunk = self.rng.choice(chunks)
            recounted = self.store.rebuilder.rebuild(chunk, self._now())
            assert recounted is None or recounted.otherwise == 0

    def join(self) -> None:
        self.compaction.join(self._now(), many=2)

    def sweep(self) -> None:
        self.store.deletions.sweep()

    def _now(self) -> dt.datetime:
        return NOON + dt.timedelta(seconds=self.rng.randint(0, 1000))


_LATE = dt.datetime.max.replace(tzinfo=dt.UTC)


def _tellings(hand: Hand) -> list[Hand]:
    return [hand, contradicted(hand), contradicted(contradicted(hand))]


def _check(house: _House, settings: Settings, warehouse: Warehouse) -> None:
    store = house.store
    expected = {told for one in house.there.values() for told in one}
    hands = all_hands(warehouse)
    seen = Counter((one.hand, _telling(one.players)) for one in hands)
    assert set(seen) == expected
    assert set(seen.values()) <= {1}

    with store.database.read() as connection:
        ruled = {row.hand: row.stands for row in connection.execute(select(rulings))}
        listed = sum(
            connection.scalar(select(func.count()).select_from(table)) or 0
            for table in (segments, pack_segments)
        )
        counts = connection.execute(select(uploads)).all()
    versions: dict[str, list[str]] = defaultdict(list)
    for one in hands:
        versions[one.hand].append(one.hand_id)
    counting = {one.hand_id for one in hands if one.standing == "first"}
    for name, ids in versions.items():
        mine = counting & set(ids)
        if name not in ruled:
            assert len(mine) == 1
        elif ruled[name] is None:
            assert not mine
        elif ruled[name] in ids:
            assert mine == {ruled[name]}
        else:
            assert len(mine) == 1
    assert set(ruled) <= set(versions)
    seats = sum(len(one.players) for one in hands if one.hand_id in counting)
    assert sum(one.hands for one in warehouse.players()) == seats

    for row in counts:
        verdicts = row.legal + row.illegal + row.unverifiable
        assert row.hands == verdicts + row.duplicates == 7
    assert sum(row.hands - row.duplicates for row in counts) == len(hands)
    assert sum(row.conflicts for row in counts) == len(hands) - len(versions)

    scanned = by_scan(store, settings)
    assert rolled_up(house.rollups) == scanned
    house.rollups.renew_base()
    assert rolled_up(reader_of(store, settings)) == scanned

    store.deletions.sweep()
    assert len(kept(settings, "segments")) == listed
    assert {name.rpartition("/")[2] for name in kept(settings, "blobs")} == set(house.there)


def _telling(players: list[str]) -> int:
    return len(players[0]) - len(players[0].rstrip("?"))


@pytest.mark.parametrize(
    ("settings", "seed"),
    [
        ("embedded", 0),
        ("scale-out", 3),
        *(pytest.param("embedded", seed, marks=pytest.mark.proof) for seed in (1, 2)),
    ],
    indirect=["settings"],
)
def test_what_is_counted_is_what_the_uploads_that_are_left_say(
    store: Store,
    settings: Settings,
    warehouse: Warehouse,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("warehouse.deletion.GRACE", dt.timedelta(0))
    rng = random.Random(seed)  # noqa: S311 -- the order of events
    house = _House(store, rng)
    steps = [house.send] * 4 + [house.delete] * 2 + [house.rule] * 2 + [house.reaudit]
    steps += [house.renew_some] * 2 + [house.join] * 2 + [house.sweep, house.rebuild]
    for _ in range(3):
        for _ in range(_STEPS // 3):
            rng.choice(steps)()
        renewed(store)
        _check(house, settings, warehouse)


def test_every_table_that_names_uploads_or_chunks_is_known_here() -> None:
    """Rows of another one would forbid a deletion: whoever adds one has them deleted, too."""
    naming = {
        f"{name}.{key.parent.name}"
        for name, table in metadata.tables.items()
        for key in table.foreign_keys
        if key.target_fullname in {"uploads.id", "chunks.id"}
    }
    assert naming == {
        "chunks.upload",
        "conflicts.chunk",
        "conflicts.upload",
        "differences.chunk",
        "identities.chunk",
        "occurrences.chunk",
        "overlaps.chunk",
        "overlaps.owner",
        "packed.chunk",
        "problems.upload",
        "reaudit_chunks.chunk",
        "reaudit_chunks.made",
        "rebuilds.chunk",
        "renewals.upload",
        "segments.chunk",
        "session_chunks.chunk",
        "session_declarations.upload",
        "spans.chunk",
    }
