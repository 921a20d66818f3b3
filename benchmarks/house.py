"""A house of many hands, made once in a folder: a few are examined, all others are copies of them.

Hands of the generator, some of them spoiled, are examined and published like any other, and then
published again and again as others: under other names of the upload, the table, the hand, the
session and the players, at other times. So only the examination of the copies is left out.
"""

import datetime as dt
import hashlib
import time
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from schemas.generate import generate_hands
from schemas.streams import RawHand
from warehouse.identity import Identity
from warehouse.publishing import Draft
from warehouse.records import Problem, Run
from warehouse.rows import COLUMNS, KINDS, HandRows, Kind, Row
from warehouse.settings import Settings
from warehouse.store import Store

SEED: Final = 7
YEARS: Final = dt.timedelta(days=3_650)
"""The copies begin anywhere in so many years."""

_ILLEGAL_EVERY, _UNKNOWN_KEY_EVERY = 50, 35
_AT: Final = {kind: {name: at for at, name in enumerate(COLUMNS[kind])} for kind in KINDS}


class Copy:
    """Turns hands into those of others: of one of so many circles of players."""

    def __init__(self, number: int, upload: str, later: dt.timedelta, circles: int) -> None:
        self._number = number
        self._circle = number % circles + 1
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
        return f"{name} {self._circle}"


def fill(settings: Settings, hands: int, examined: int, circles: int) -> None:
    """Makes a house of so many hands, to the next whole copy, of so many circles of players.

    So many hands are examined at most; all others are copies of them.
    """
    started = time.monotonic()
    with Store(settings) as store:
        raws = list(documents(min(hands, examined)))
        content = b"".join(raw + b"\n" for raw in raws)
        run = begin(store, content)
        originals = [
            found
            for at, raw in enumerate(raws, 1)
            if not isinstance(
                found := store.examiner.rows(RawHand(at, 0, raw), run.upload.id, at), Problem
            )
        ]
        publish(store, run, originals)
        copies = -(-(hands - len(originals)) // len(originals))
        for number in range(1, copies + 1):
            run = begin(store, f"{number}".encode())
            copy = Copy(number, run.upload.id, YEARS * number / copies, circles)
            publish(store, run, [copy.of(hand) for hand in originals])
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
