"""The sample data of a new data folder: a generated season, the worked hands, planted faults.

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

import schemas
from schemas.generate import generate_hands

_log = structlog.get_logger("sample")

SEASON_HANDS: Final = 1_000
SEASON_SEED: Final = 1
EXAMPLES: Final = Path(schemas.__file__).parent / "examples"
TIMEOUT_SECONDS: Final = 30


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
    """The sample's uploads by name, each NDJSON, the season packed by gzip."""
    season = map(msgspec.json.encode, generate_hands(SEASON_HANDS, SEASON_SEED))
    return {
        "sample-season.ndjson.gz": gzip.compress(_lines(season), mtime=0),
        "worked-hands.ndjson": _lines(_examples("w*.json")),
        "hidden-cards.ndjson": _lines(_examples("hidden-cards.json")),
        "planted-faults.ndjson": _lines(_examples("violations/*.json")),
    }


def _examples(pattern: str) -> Iterable[bytes]:
    for path in sorted(EXAMPLES.glob(pattern)):
        yield json.dumps(json.loads(path.read_bytes()), ensure_ascii=False).encode()


def _lines(documents: Iterable[bytes]) -> bytes:
    return b"".join(document + b"\n" for document in documents)
