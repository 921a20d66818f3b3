"""What the API says of sessions: the documents of its answers, made of the records and audits."""

import datetime as dt
from collections import Counter
from http import HTTPStatus
from typing import Annotated, Any, Final, Literal

from flask import url_for
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from engine.options import OptionValue
from engine.terms import Verdict
from schemas.document import HandId
from schemas.session import (
    MAX_PLAYERS,
    MAX_SESSION_HANDS,
    DeclaredStanding,
    LedgerPoint,
)
from schemas.session_verdict import (
    ComparedStanding,
    Input,
    SessionFinding,
    UnreadableInSession,
    Versions,
)
from service.api.answers import Cursor, Limit, warehouse
from service.api.hands import HandKey
from service.api.operations import Reply
from service.api.uploads import Failure
from warehouse.conditions import Moment, UploadId, hold_moments, moment
from warehouse.sessions.marks import Kind
from warehouse.sessions.records import UNSETTLED, Session, State
from warehouse.sessions.runs import StoredAudit
from warehouse.sessions.search import SessionConditions, SessionSort

RETRY_SECONDS: Final = 2
"""So many seconds later it is worth asking again for an audit that is being made."""

MOST_ATTACHED: Final = 1_000

SessionKey = Annotated[
    str,
    Meta(
        title="The session's key.",
        description="the 24 hex digits of a session's key",
        pattern="^[0-9a-f]{24}$",
    ),
]
Digest = Annotated[
    str,
    Meta(
        title="A version of what is declared; the one that counts unless given.",
        description="the 64 hex digits of a version",
        pattern="^[0-9a-f]{64}$",
    ),
]
Declaration = Annotated[
    Raw,
    Meta(
        description="A session document as it came, without its hands.",
        extra_json_schema={"type": "object"},
    ),
]
Report = Annotated[
    Raw,
    Meta(
        description="The report, as JSON or as a page.",
        extra_json_schema={"type": "string", "format": "binary"},
    ),
]
WholeSession = Annotated[
    Raw,
    Meta(
        description="A session document with its hands.",
        extra_json_schema={"type": "object"},
    ),
]


class SessionItem(Struct, frozen=True, kw_only=True):
    """A session in a list.

    ``state`` is that of its audit: `none` without hands, `stale` while it is to be made, `auditing`
    while it is being made. ``verdict``, ``preset``, ``hands`` and ``findings``, in which warnings
    do not count, are of the last audit.
    """

    key: str
    id: str
    kind: Kind
    state: State
    verdict: Verdict | None
    preset: str | None
    hands: int
    findings: int
    first_played: dt.datetime | None
    last_played: dt.datetime | None
    created_at: dt.datetime
    changed_at: dt.datetime
    failure: Failure | None
    links: dict[str, str]


class SessionPage(Struct, frozen=True):
    """Sessions, in the order asked for; ``next`` leads on."""

    sessions: list[SessionItem]
    next: str | None


class Version(Struct, frozen=True):
    """A version of what is declared, and whether it counts: the one that came last does.

    ``upload`` is the first one in which it came, ``null`` where it was sent by itself.
    """

    version: str
    counts: bool
    upload: str | None
    received_at: dt.datetime


class SessionDetails(SessionItem, frozen=True, kw_only=True):
    """A session with the versions of what is declared, the newest first.

    ``listed`` is how many hands the version that counts lists; ``attached`` are those that were
    attached beside it.
    """

    versions: list[Version]
    listed: int
    attached: list[HandId]


class HandCounts(Struct, frozen=True):
    """How many of a session's hands have which verdict."""

    legal: int
    illegal: int
    unverifiable: int


class SessionFacts(Struct, frozen=True):
    """The audit of a session, but for its single hands.

    ``parts_at`` and ``hand`` are numbers of hands, whose ids are in ``hand_ids``. ``inputs`` name
    the session's document by its hash.
    """

    preset: str
    options: dict[str, OptionValue]
    verdict: Verdict
    hands: HandCounts
    standings: list[ComparedStanding]
    carried: int | None
    findings: list[SessionFinding]
    unreadable: list[UnreadableInSession]
    hand_ids: dict[int, str]
    inputs: list[Input]
    versions: Versions


class SessionVerdict(SessionItem, frozen=True, kw_only=True):
    """What the audit says of a session: the last one, which may be of an earlier state of it."""

    made_at: dt.datetime | None
    audit: SessionFacts | None


class AuditedHand(Struct, frozen=True, kw_only=True):
    """A hand of a session, and the accounts after it by player; see the audit of a session."""

    hand_no: int
    hand_id: str | None
    id: HandId
    dealer: str
    verdict: Verdict
    codes: list[str]
    unverified_before: bool
    stacks: dict[str, int] | None
    carried: int | None
    ledger: dict[str, int]
    bought: dict[str, int]
    unexplained: int
    links: dict[str, str]


class AuditedHandPage(Struct, frozen=True):
    """The hands of a session in their order, as the last audit has them; ``next`` leads on."""

    hands: list[AuditedHand]
    next: str | None


class DeclaredParts(Struct, forbid_unknown_fields=True):
    """The ledger and the standings that are declared from now on; what is not here is not."""

    standings: Annotated[list[DeclaredStanding], Meta(max_length=MAX_PLAYERS)] | UnsetType = UNSET
    ledger: Annotated[list[LedgerPoint], Meta(max_length=MAX_SESSION_HANDS)] | UnsetType = UNSET


class HandsToAttach(Struct, frozen=True, forbid_unknown_fields=True):
    """Stored hands that belong to a session, in their order: by their ids here, by identity."""

    hands: Annotated[list[HandKey], Meta(max_length=MOST_ATTACHED)] = []
    hand_ids: Annotated[list[HandId], Meta(max_length=MOST_ATTACHED)] = []


class SessionsQuery(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The conditions on a session, to be met all together, and the order of the list."""

    id: (
        Annotated[str, Meta(title="The session, by its id.", min_length=1, max_length=200)] | None
    ) = None
    kind: Annotated[Kind, Meta(title="What it is.")] | None = None
    verdict: Annotated[Verdict, Meta(title="The verdict of its audit.")] | None = None
    state: Annotated[State, Meta(title="How far its audit is.")] | None = None
    from_: Annotated[Moment, Meta(title="Played then or later.")] | None = field(
        default=None, name="from"
    )
    until: Annotated[Moment, Meta(title="Begun before.")] | None = None
    upload: UploadId | None = None
    agrees: (
        Annotated[bool, Meta(title="Whether its declared result is what its hands come to.")] | None
    ) = None
    sort: Annotated[
        SessionSort, Meta(title="By what the list is ordered, and whether downwards (`-`).")
    ] = "-played_at"
    limit: Limit = 50
    cursor: Cursor | None = None

    def __post_init__(self) -> None:
        """Hold that the moments are some.

        Raises:
            ValueError: one of them is none.
        """
        hold_moments(self.from_, self.until)

    @property
    def conditions(self) -> SessionConditions:
        """The conditions alone."""
        return SessionConditions(
            id=self.id,
            kind=self.kind,
            verdict=self.verdict,
            state=self.state,
            from_=None if self.from_ is None else moment(self.from_),
            until=None if self.until is None else moment(self.until),
            upload=self.upload,
            agrees=self.agrees,
        )


class DeclaredQuery(Struct, frozen=True):
    """Which version of what is declared."""

    version: Digest | None = None


class ReportQuery(Struct, frozen=True):
    """In what form and language a report is."""

    format: Annotated[Literal["html", "json"], Meta(title="A page, or JSON.")] = "html"
    lang: Annotated[Literal["en", "fr", "de", "pt"], Meta(title="The language of the page.")] = "en"


def item_of(session: Session) -> dict[str, Any]:
    """What every document about a session has in common, by name."""
    failure = None
    if session.failure_code is not None:
        failure = Failure(session.failure_code, session.failure_detail)
    names = [name for name in SessionItem.__struct_fields__ if name not in ("failure", "links")]
    return {
        **{name: getattr(session, name) for name in names},
        "failure": failure,
        "links": _links(session.key),
    }


def details_of(session: Session) -> SessionDetails:
    """A session with what is declared of it and attached to it."""
    records = warehouse().sessions
    versions = [
        Version(one.digest, one.counts, one.upload, one.received_at)
        for one in records.declarations(session.key)
    ]
    return SessionDetails(
        **item_of(session),
        versions=versions,
        listed=records.count_declared(session.key),
        attached=records.attached(session.key),
    )


def verdict_of(session: Session) -> Reply[SessionVerdict]:
    """The last audit of a session, and whether it is worth asking again."""
    stored = warehouse().session_runs.audit(session.key)
    document = SessionVerdict(
        **item_of(session),
        made_at=None if stored is None else stored.made_at,
        audit=None if stored is None else _facts(stored),
    )
    if session.state not in UNSETTLED:
        return Reply(document, HTTPStatus.OK, {})
    return Reply(document, HTTPStatus.ACCEPTED, {"Retry-After": str(RETRY_SECONDS)})


def _facts(stored: StoredAudit) -> SessionFacts:
    audit = stored.audited.audit
    verdicts = Counter[str](hand.verdict for hand in audit.hands)
    return SessionFacts(
        preset=audit.preset,
        options=audit.options,
        verdict=audit.verdict,
        hands=HandCounts(*(verdicts[name] for name in HandCounts.__struct_fields__)),
        standings=audit.standings,
        carried=audit.carried,
        findings=audit.findings,
        unreadable=audit.unreadable,
        hand_ids=_named_hands(stored),
        inputs=audit.inputs,
        versions=audit.versions,
    )


def _named_hands(stored: StoredAudit) -> dict[int, str]:
    """The ids of the hands that standings and findings name by number."""
    audit = stored.audited.audit
    named = {found.hand for found in audit.findings} | {one.parts_at for one in audit.standings}
    return {
        hand.hand_no: stored.audited.hand_ids[hand.place]
        for hand in audit.hands
        if hand.hand_no in named and hand.place in stored.audited.hand_ids
    }


def hands_of(stored: StoredAudit, begin: int, end: int) -> list[AuditedHand]:
    """Some hands of an audit, by their indices."""
    shown = []
    for hand in stored.audited.audit.hands[begin:end]:
        hand_id = stored.audited.hand_ids.get(hand.place)
        shown.append(
            AuditedHand(
                hand_no=hand.hand_no,
                hand_id=hand_id,
                id=hand.id,
                dealer=hand.dealer,
                verdict=hand.verdict,
                codes=sorted({violation.code for violation in hand.violations}),
                unverified_before=hand.unverified_before,
                stacks=hand.stacks,
                carried=hand.carried,
                ledger=hand.ledger,
                bought=hand.bought,
                unexplained=hand.unexplained,
                links={} if hand_id is None else _hand_links(hand_id),
            )
        )
    return shown


def _hand_links(hand_id: str) -> dict[str, str]:
    return {
        "hand": url_for("api.show_hand", hand_id=hand_id),
        "page": url_for("pages.hand", hand_id=hand_id),
    }


def _links(key: str) -> dict[str, str]:
    return {
        "self": url_for("api.show_session", session_key=key),
        "audit": url_for("api.show_audit", session_key=key),
        "hands": url_for("api.list_session_hands", session_key=key),
        "declared": url_for("api.show_declared", session_key=key),
        "document": url_for("api.show_document", session_key=key),
        "report": url_for("api.show_report", session_key=key),
        "page": url_for("sessions.show", session_key=key),
    }
