"""What can be set from outside: where data lies, which databases serve it, how much is accepted.

Everything is read from the environment once, by `read_settings`, and handed on as one value.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_type_hints

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import replace

from schemas.document import MAX_EVENTS
from schemas.rawtree import MAX_DEPTH

_KIB: Final = 1024
_MIB: Final = 1024 * _KIB
_GIB: Final = 1024 * _MIB

LOCAL_CLUB: Final = "local"
"""The club of the embedded form, which is there from the beginning."""

Positive = Annotated[int, Meta(ge=1)]
ClubId = Annotated[
    str,
    Meta(
        description="1 to 40 of a–z 0–9 _, beginning with a letter",
        pattern="^[a-z][a-z0-9_]{0,39}$",
    ),
]
Rate = Annotated[
    str,
    Meta(
        description="a number a second, minute, hour or day, such as 600/minute",
        pattern="^[1-9][0-9]{0,8}/(second|minute|hour|day)$",
    ),
]
BucketAddress = Annotated[
    str,
    Meta(
        description="s3://BUCKET, or s3://BUCKET/PREFIX",
        pattern="^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._/-]*)?$",
    ),
]
Endpoint = Annotated[
    str, Meta(description="the URL of an S3 store", pattern="^https?://[^/?#]+/?$")
]


class Settings(Struct, frozen=True, kw_only=True):
    """One installation, seen from the house of one of its clubs. Sizes are in bytes.

    ``records_url`` is None for SQLite files in the data folder, ``broker_url`` for the embedded
    broker. ``objects`` is the bucket where blobs and segments stay, None for the data folder;
    ``s3_endpoint`` is None for AWS's own. Copies of segments take ``cache_bytes``, apart from those
    in use.

    ``login`` is "open" where whoever reaches a page from this machine is signed in to the
    local club, "key" where everybody has to. ``secure_cookies`` keeps the pages' cookie to HTTPS.
    ``webhook_private`` lets webhooks lead to addresses that are not of the open network.
    ``log_level`` is the lowest that is written to the log.
    ``metrics`` is "open" where whoever asks may read the metrics, "key" where it takes a key. One
    stream of events ends after ``stream_seconds``, and a process has at most ``max_streams``.
    ``request_rate`` and ``upload_rate`` are what one key may ask for.

    ``max_expanded_bytes`` bounds what an upload may unfold to, ``max_ratio`` how much more that is
    than what was sent, once it is more than ``unrated_bytes``. ``max_line_bytes`` bounds one hand,
    or one line of NDJSON, ``max_document_bytes`` one array or envelope. ``max_depth`` and
    ``max_events`` are of one hand, ``max_hands`` of one upload, ``max_zip_files`` of a ZIP,
    ``max_form_parts`` of one request. A chunk, which is what one commit publishes, ends at
    ``chunk_hands`` hands or ``chunk_bytes`` of them, whichever comes first.
    """

    data: Path = Path("data")
    club: ClubId = LOCAL_CLUB
    records_url: Annotated[str, Meta(pattern="^postgresql")] | None = None
    broker_url: str | None = None
    objects: BucketAddress | None = None
    s3_endpoint: Endpoint | None = None
    cache_bytes: Positive = 4 * _GIB
    login: Literal["open", "key"] = "key"
    secure_cookies: bool = False
    request_rate: Rate = "6000/minute"
    upload_rate: Rate = "600/minute"
    webhook_private: bool = False
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    metrics: Literal["open", "key"] = "key"
    stream_seconds: Positive = 300
    max_streams: Positive = 16
    max_upload_bytes: Positive = 128 * _MIB
    max_expanded_bytes: Positive = 2 * _GIB
    max_ratio: Positive = 200
    unrated_bytes: Positive = 64 * _MIB
    max_line_bytes: Positive = _MIB
    max_document_bytes: Positive = 64 * _MIB
    max_depth: Annotated[int, Meta(ge=1, le=MAX_DEPTH)] = MAX_DEPTH
    max_events: Annotated[int, Meta(ge=1, le=MAX_EVENTS)] = MAX_EVENTS
    max_hands: Positive = 5_000_000
    max_zip_files: Positive = 1_000
    max_form_parts: Positive = 100
    chunk_hands: Positive = 2_000
    chunk_bytes: Positive = 16 * _MIB

    @property
    def home(self) -> Path:
        """The folder of the club's house."""
        return self.data / "clubs" / self.club

    def of(self, club: ClubId) -> Self:
        """Return the same installation, seen from another club's house."""
        return replace(self, club=club)


VARIABLES: Final[dict[str, str]] = {
    "data": "RETOURNE_DATA",
    "records_url": "RETOURNE_RECORDS",
    "broker_url": "RETOURNE_BROKER",
    "objects": "RETOURNE_OBJECTS",
    "s3_endpoint": "RETOURNE_S3_ENDPOINT",
    "cache_bytes": "RETOURNE_CACHE_BYTES",
    "login": "RETOURNE_LOGIN",
    "secure_cookies": "RETOURNE_SECURE_COOKIES",
    "request_rate": "RETOURNE_REQUEST_RATE",
    "upload_rate": "RETOURNE_UPLOAD_RATE",
    "webhook_private": "RETOURNE_WEBHOOK_PRIVATE",
    "log_level": "RETOURNE_LOG_LEVEL",
    "metrics": "RETOURNE_METRICS",
    "stream_seconds": "RETOURNE_STREAM_SECONDS",
    "max_streams": "RETOURNE_MAX_STREAMS",
    "max_upload_bytes": "RETOURNE_MAX_UPLOAD_BYTES",
    "max_expanded_bytes": "RETOURNE_MAX_EXPANDED_BYTES",
    "max_ratio": "RETOURNE_MAX_RATIO",
    "unrated_bytes": "RETOURNE_UNRATED_BYTES",
    "max_line_bytes": "RETOURNE_MAX_LINE_BYTES",
    "max_document_bytes": "RETOURNE_MAX_DOCUMENT_BYTES",
    "max_depth": "RETOURNE_MAX_DEPTH",
    "max_events": "RETOURNE_MAX_EVENTS",
    "max_hands": "RETOURNE_MAX_HANDS",
    "max_zip_files": "RETOURNE_MAX_ZIP_FILES",
    "max_form_parts": "RETOURNE_MAX_FORM_PARTS",
    "chunk_hands": "RETOURNE_CHUNK_HANDS",
    "chunk_bytes": "RETOURNE_CHUNK_BYTES",
}


class SettingsError(ValueError):
    """An environment variable does not hold what it should."""


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that the environment asks for; an empty variable counts as absent.

    Raises:
        SettingsError: a variable holds no value of its kind; the message names it.
    """
    types = get_type_hints(Settings, include_extras=True)
    found: dict[str, object] = {}
    for field, variable in VARIABLES.items():
        text = environment.get(variable, "")
        if not text:
            continue
        if field == "data":
            found[field] = Path(text)
            continue
        try:
            found[field] = convert(text, types[field], strict=False)
        except ValidationError as error:
            raise SettingsError(f"{variable}={text!r}: {error}") from None
    return Settings(**found)  # type: ignore[arg-type] # each was converted to its field's type
