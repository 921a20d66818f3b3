"""What the service answers, as types. Members that a newer service adds are passed over.

The names are those of the API; a test holds them to its OpenAPI document.
"""

import datetime as dt
from typing import Final, Literal, TypedDict

from msgspec import Struct

from engine.options import OptionValue
from schemas.session_verdict import (
    ComparedStanding,
    Input,
    SessionFinding,
    UnreadableInSession,
    Versions,
)
from schemas.verdict import HandAudit, HandReplay

FINISHED: Final = frozenset({"done", "failed", "quarantined"})
UNSETTLED: Final = frozenset({"stale", "auditing"})


HandVerdict = Literal["legal", "illegal", "unverifiable"]
Rows = Literal["hands", "seats", "findings"]
RowFormat = Literal["csv", "ndjson", "parquet"]


class HandConditions(TypedDict, total=False):
    """What a hand must be to be chosen; the conditions are to be met all together.

    ``from_`` and ``until`` bound the time of play: from the one on, and before the other. A text is
    a day or a moment of ISO 8601; a moment without an offset is of UTC. ``hour`` and ``weekday``
    (1 Monday) are those of the time zone ``tz``, or of UTC. ``place``, ``position``, ``made`` and
    ``chance``, the ids of rates, speak of the seat of ``player``, or of anybody's without one.
    """

    upload: "Upload | str"
    player: str
    session: str
    source: str
    table: str
    preset: str
    verdict: HandVerdict
    standing: Literal["first", "conflict"]
    code: str
    severity: Literal["illegal", "unverifiable", "warning"]
    found: bool
    tag: str
    showdown: bool
    min_pot: int
    from_: str | dt.date
    until: str | dt.date
    hour: int
    weekday: int
    tz: str
    dated: bool
    in_session: bool
    seats: int
    opponent: str
    place: Literal["first", "between", "dealer"]
    position: int
    made: str
    chance: str


class SessionConditions(TypedDict, total=False):
    """What a session must be to be listed, to be met all together; times as for hands."""

    id: str
    kind: Literal["session", "tournament"]
    verdict: HandVerdict
    state: Literal["none", "stale", "auditing", "done", "failed"]
    from_: str | dt.date
    until: str | dt.date
    upload: "Upload | str"
    agrees: bool


class Failure(Struct, frozen=True):
    """Why an upload was given up, or why its last attempt failed."""

    code: str
    detail: str | None


class Counts(Struct, frozen=True):
    """What became of the hands read so far. Conflicts count among the verdicts as well."""

    hands: int
    legal: int
    illegal: int
    unverifiable: int
    duplicates: int
    unreadable: int
    conflicts: int


class Upload(Struct, frozen=True, kw_only=True):
    """An upload as it stands. ``size`` and ``bytes_read`` are in bytes, ``progress`` is 0 to 1.

    ``sha256`` is that of its bytes, and ``id`` too unless a ``dialect`` was asked for.
    """

    id: str
    sha256: str
    name: str | None
    dialect: str | None
    status: str
    size: int
    bytes_read: int
    progress: float
    counts: Counts
    problems: int
    attempts: int
    failure: Failure | None
    received_at: dt.datetime
    finished_at: dt.datetime | None
    links: dict[str, str]

    @property
    def finished(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in FINISHED


class Problem(Struct, frozen=True):
    """A hand that could not be read. ``ordinal`` is its place in the upload, counted from 1.

    ``offset`` is in bytes of the unpacked upload, ``pointer`` is within the hand's document. Of a
    ZIP, ``line`` and ``offset`` are in the ``file`` that is named.
    """

    ordinal: int
    line: int
    offset: int
    code: str
    pointer: str
    expected: str
    seen: str
    file: str | None = None


class Conflict(Struct, frozen=True):
    """Two hands of one identity: ``first_hand_id`` came first, ``hand_id`` is kept beside it."""

    source: str
    table: str
    hand: str
    first_hand_id: str
    hand_id: str


class HandSummary(Struct, frozen=True, kw_only=True):
    """A hand in a list. Chips are whole; what the hand never came to is None."""

    hand_id: str
    source: str
    table: str
    hand: str
    upload: str
    ordinal: int
    line: int
    file: str | None
    played_at: dt.datetime | None
    tz: str | None
    session: str | None
    session_kind: str | None
    hand_no: int | None
    preset: str
    players: list[str]
    verdict: str
    codes: list[str]
    pot: int | None
    carried: int | None
    showdown: bool | None
    engine: str
    standing: str
    links: dict[str, str]


class Verdict(HandAudit, kw_only=True):
    """The verdict on a hand, ours beside the declared, and where the hand comes from."""

    hand_id: str
    standing: str
    upload: str
    ordinal: int
    line: int
    file: str | None
    played_at: dt.datetime | None
    links: dict[str, str]


class Replay(HandReplay, kw_only=True):
    """A hand with the table after each of its events, and where the hand comes from."""

    hand_id: str
    standing: str
    upload: str
    ordinal: int
    line: int
    file: str | None
    played_at: dt.datetime | None
    links: dict[str, str]


class Session(Struct, frozen=True, kw_only=True):
    """A session, and how far its audit is. What is said of its audit is of the last one.

    ``state`` is ``none`` without hands, ``stale`` or ``auditing`` until the audit is made, and then
    ``done`` or ``failed``.
    """

    key: str
    id: str
    kind: str
    state: str
    verdict: str | None
    preset: str | None
    hands: int
    findings: int
    first_played: dt.datetime | None
    last_played: dt.datetime | None
    created_at: dt.datetime
    changed_at: dt.datetime
    failure: Failure | None
    links: dict[str, str]

    @property
    def settled(self) -> bool:
        """Whether the audit, if there is one, is of the session as it stands."""
        return self.state not in UNSETTLED


class VerdictCounts(Struct, frozen=True):
    """How many of a session's hands have which verdict."""

    legal: int
    illegal: int
    unverifiable: int


class SessionFacts(Struct, frozen=True):
    """What the audit says of a session: the standings ours beside the declared, the findings.

    ``parts_at`` and ``hand`` are numbers of hands, whose ids are in ``hand_ids``.
    """

    preset: str
    options: dict[str, OptionValue]
    verdict: str
    hands: VerdictCounts
    standings: list[ComparedStanding]
    carried: int | None
    findings: list[SessionFinding]
    unreadable: list[UnreadableInSession]
    hand_ids: dict[int, str]
    inputs: list[Input]
    versions: Versions


class SessionVerdict(Session, frozen=True, kw_only=True):
    """A session with its last audit, which is of before where it is not settled."""

    made_at: dt.datetime | None
    audit: SessionFacts | None
