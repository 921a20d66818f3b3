"""The sample data of a new data folder: a season, worked hands, planted faults, a tournament.

It goes the way of every upload, through the API, so that what a newcomer sees is what the product
does with a client's own logs.
"""

import gzip
import json
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec
import structlog
from msgspec import UNSET

import schemas
from schemas.declare_session import declare_session
from schemas.document import Hand, SessionRef
from schemas.generate import generate_hands
from schemas.session import DeclaredStanding, Session

_log = structlog.get_logger("sample")

SEASON_HANDS: Final = 1_000
SEASON_SEED: Final = 1
EXAMPLES: Final = Path(schemas.__file__).parent / "examples"
TIMEOUT_SECONDS: Final = 30

TOURNAMENT: Final = "club-42/coupe-de-printemps"
TOURNAMENT_SEED: Final = 41
_SLIP_AT: Final = 7
_SLIP: Final = 10
_RICHER, _POORER = "Désiré", "Bastien"


def load_sample(base_url: str, key: str) -> None:
    """Uploads the sample to the service at `base_url`, into the house that the key opens.

    Raises:
        OSError: the service does not answer, or refuses an upload.
    """
    headers = {"Authorization": f"Bearer {key}"}
    for name, body in sample_uploads().items():
        target = f"{base_url}/api/v1/uploads?name={quote(name)}"
        request = urllib.request.Request(target, data=body, headers=headers, method="POST")  # noqa: S310 - our own
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS):  # noqa: S310 - likewise
            _log.info("sample uploaded", name=name, size=len(body))


def sample_uploads() -> dict[str, bytes]:
    """The sample's uploads by name: NDJSON, the season packed by gzip, and a session document."""
    season = map(msgspec.json.encode, generate_hands(SEASON_HANDS, SEASON_SEED))
    return {
        "sample-season.ndjson.gz": gzip.compress(_lines(season), mtime=0),
        "worked-hands.ndjson": _lines(_examples("w*.json")),
        "hidden-cards.ndjson": _lines(_examples("hidden-cards.json")),
        "planted-faults.ndjson": _lines(_examples("violations/*.json")),
        "tournament.json": msgspec.json.encode(_tournament()),
    }


def _tournament() -> Session:
    """A tournament whose table credited chips to the wrong player after a hand, up to the end."""
    hands = list(generate_hands(12, TOURNAMENT_SEED, ("bouillotte/historico",)))
    for number, hand in enumerate(hands, 1):
        hand.session = SessionRef(id=TOURNAMENT, hand_no=number, kind="tournament")
    session = declare_session(hands, TOURNAMENT, "tournament")
    _miscount(hands[_SLIP_AT - 1])
    session.hands = [msgspec.Raw(msgspec.json.encode(hand)) for hand in hands]
    if session.standings is not UNSET:
        _miscount_standings(session.standings)
    return session


def _miscount(hand: Hand) -> None:
    if hand.declared is UNSET or hand.declared.stacks is UNSET:
        raise AssertionError("a generated hand declares its stacks")
    for seat, sits in enumerate(hand.seats):
        hand.declared.stacks[seat] += _slip_of(sits.player)


def _miscount_standings(standings: list[DeclaredStanding]) -> None:
    """The results and places as they would be with the slip, and nothing else of the accounts."""
    for standing in standings:
        result = int(str(standing.result)) + _slip_of(standing.player)
        standing.result = standing.decimal = str(result)
        standing.stack = standing.ledger = standing.share = standing.bought = UNSET
    standings.sort(key=lambda standing: -int(str(standing.result)))
    for place, standing in enumerate(standings, 1):
        standing.position = place


def _slip_of(player: str) -> int:
    return {_RICHER: _SLIP, _POORER: -_SLIP}.get(player, 0)


def _examples(pattern: str) -> Iterable[bytes]:
    for path in sorted(EXAMPLES.glob(pattern)):
        yield json.dumps(json.loads(path.read_bytes()), ensure_ascii=False).encode()


def _lines(documents: Iterable[bytes]) -> bytes:
    return b"".join(document + b"\n" for document in documents)
