"""Sessions and tournaments: what is declared of them, their hands, and the audit of the whole.

In an address a session stands by its key: the first 24 hex digits of the SHA-256 of its id, in
UTF-8.
"""

import datetime as dt
from http import HTTPStatus
from typing import Annotated, Any, Final

import msgspec
from flask import Response, url_for
from msgspec import UNSET, Meta, Raw
from msgspec.structs import asdict

from schemas.document import HandId
from schemas.errors import UnreadableHand
from schemas.report import report_html, report_json
from schemas.session import Session as SessionDocument
from schemas.session_decode import decode_session
from service.api.answers import PageQuery, bad_parameter, store, warehouse, written
from service.api.body import bad_body, read_body
from service.api.hands import HandKey
from service.api.operations import Reply, operation
from service.api.session_documents import (
    RETRY_SECONDS,
    AuditedHandPage,
    Declaration,
    DeclaredParts,
    DeclaredQuery,
    HandsToAttach,
    Report,
    ReportQuery,
    SessionDetails,
    SessionItem,
    SessionKey,
    SessionPage,
    SessionsQuery,
    SessionVerdict,
    WholeSession,
    details_of,
    hands_of,
    item_of,
    verdict_of,
)
from service.problems import problem
from warehouse.cursors import BadCursor, read_cursor, write_cursor
from warehouse.sessions.declarations import with_parts
from warehouse.sessions.records import UNSETTLED, Session
from workers.sessions import send_sessions

_JSON: Final = "application/json"
_HTML: Final = "text/html"
_ATTACHMENT: Final = {"Content-Disposition": "What to call the file."}
_NOT_FOUND: Final = ("not-found",)


@operation(
    "POST",
    "/api/v1/sessions",
    scope="upload",
    body={_JSON: (SessionDocument,)},
    statuses={
        HTTPStatus.CREATED: "The session is new.",
        HTTPStatus.OK: "The session was known; what is new of the declaration counts now.",
    },
    headers={"Location": "The address of the session."},
    problems=("bad-body", "body-too-large", "incomplete-upload"),
)
def post_session() -> Reply[SessionDetails] | Response:
    """Declare a session, by its document without hands.

    Its hands are those that name it, unless it lists them. A version that is known already changes
    nothing; another one counts from now on, and the earlier ones are kept.
    """
    raw = read_body(store().settings.max_document_bytes)
    if isinstance(raw, Response):
        return raw
    read = decode_session(raw)
    if isinstance(read, UnreadableHand):
        return bad_body(read)
    if read.session.hands is not UNSET:
        expected = "no hands: send the document as an upload, which takes them in as well"
        return bad_body(UnreadableHand("unknown-value", "/hands", expected, "a list of hands"))
    made = store().sessions.declare(read, None, _now())
    document = details_of(_woken(made.session))
    status = HTTPStatus.CREATED if made.is_new else HTTPStatus.OK
    return Reply(document, status, {"Location": document.links["self"]})


@operation("GET", "/api/v1/sessions", scope="read")
def list_sessions(query: SessionsQuery) -> SessionPage | Response:
    """List the sessions that meet all conditions, the last played first unless asked otherwise."""
    found = warehouse().session_search.find(query.conditions, query.sort, query.limit, query.cursor)
    if isinstance(found, BadCursor):
        return bad_parameter("cursor", found.expected, found.seen)
    following = None
    if found.next_cursor is not None:
        following = url_for("api.list_sessions", **{**written(query), "cursor": found.next_cursor})
    return SessionPage([SessionItem(**item_of(session)) for session in found.sessions], following)


@operation("GET", "/api/v1/sessions/<session_key>", scope="read", problems=_NOT_FOUND)
def show_session(session_key: SessionKey) -> SessionDetails | Response:
    """Show one session: its state, its verdict, what is declared of it."""
    session = _find(session_key)
    return session if isinstance(session, Response) else details_of(session)


@operation("GET", "/api/v1/sessions/<session_key>/declared", scope="read", problems=_NOT_FOUND)
def show_declared(session_key: SessionKey, query: DeclaredQuery) -> Declaration | Response:
    """Give a version of what is declared, as it came, without the hands."""
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    text = warehouse().sessions.text(session.key, query.version)
    if text is not None:
        return Raw(text)
    detail = "Nothing is declared of this session." if query.version is None else "No such version."
    return problem("not-found", detail, session=session.id)


@operation("PUT", "/api/v1/sessions/<session_key>/declared", scope="audit", problems=_NOT_FOUND)
def put_declared(session_key: SessionKey, document: DeclaredParts) -> SessionDetails | Response:
    """Declare the ledger and the standings of a session anew.

    What else is declared stays. This makes a version of its own, which counts.
    """
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    text = warehouse().sessions.text(session.key)
    if text is None:
        text = msgspec.json.encode({"session": {"id": session.id, "kind": session.kind}})
    parts: dict[str, bytes | None] = {
        name: None if value is UNSET else msgspec.json.encode(value)
        for name in DeclaredParts.__struct_fields__
        for value in [getattr(document, name)]
    }
    read = decode_session(with_parts(text, parts))
    if isinstance(read, UnreadableHand):
        return bad_body(read)
    made = store().sessions.replace_declared(read, _now())
    return details_of(_woken(made.session))


@operation(
    "POST",
    "/api/v1/sessions/<session_key>/hands",
    scope="upload",
    problems=("not-found", "unknown-hands"),
)
def attach_hands(session_key: SessionKey, document: HandsToAttach) -> SessionDetails | Response:
    """Attach stored hands to a session, behind those that name it or that it lists.

    With attached hands a session has a list of its hands, and their numbers are their places in it.
    """
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    hands: list[str | HandId] = [*document.hands, *document.hand_ids]
    attached = store().sessions.attach(session.key, hands, _now())
    return _after_listing(attached, "These hands are not here; none was attached.")


@operation("DELETE", "/api/v1/sessions/<session_key>/hands", scope="upload", problems=_NOT_FOUND)
def detach_hands(session_key: SessionKey) -> SessionDetails | Response:
    """Take out of a session all hands that were attached to it."""
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    hands = warehouse().sessions.attached(session.key)
    return _after_listing(store().sessions.detach(session.key, hands, _now()), "")


@operation(
    "DELETE",
    "/api/v1/sessions/<session_key>/hands/<hand_id>",
    scope="upload",
    problems=("not-found", "unknown-hands"),
)
def detach_hand(session_key: SessionKey, hand_id: HandKey) -> SessionDetails | Response:
    """Take a hand out of a session to which it was attached."""
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    detached = store().sessions.detach(session.key, [hand_id], _now())
    return _after_listing(detached, "This hand was not attached.")


@operation(
    "GET",
    "/api/v1/sessions/<session_key>/audit",
    scope="read",
    problems=_NOT_FOUND,
    statuses={
        HTTPStatus.OK: "The audit of the session as it stands; `null` where it has no hands.",
        HTTPStatus.ACCEPTED: "The audit is being made; the last one, if any, is of before.",
    },
)
def show_audit(session_key: SessionKey) -> Reply[SessionVerdict] | Response:
    """Show the audit of a session: standings ours beside the declared, and all findings.

    While it is being made the answer says after how many seconds to ask again (`Retry-After`).
    """
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    return verdict_of(session)


@operation(
    "POST",
    "/api/v1/sessions/<session_key>/audit",
    scope="audit",
    problems=_NOT_FOUND,
    statuses={HTTPStatus.ACCEPTED: "The audit will be made anew."},
)
def ask_audit(session_key: SessionKey) -> Reply[SessionVerdict] | Response:
    """Have a session audited again, such as one whose audit has failed."""
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    store().session_runs.ask_again(session.key, _now())
    again = _find(session_key)
    return again if isinstance(again, Response) else verdict_of(_woken(again))


@operation(
    "GET",
    "/api/v1/sessions/<session_key>/report",
    scope="read",
    media=(_HTML, _JSON),
    headers=_ATTACHMENT,
    problems=("not-found", "not-audited"),
)
def show_report(session_key: SessionKey, query: ReportQuery) -> Report | Response:
    """Give the report of a session's audit, as `retourne audit --report` writes it.

    `retourne verify REPORT DOCUMENT` makes it again from the session's document and compares.
    """
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    stored = warehouse().session_runs.audit(session.key)
    if session.state != "done" or stored is None:
        return _not_audited(session)
    audit = stored.audited.audit
    is_page = query.format == "html"
    body = report_html(audit, query.lang) if is_page else report_json(audit)
    return _file(body, _HTML if is_page else _JSON, f"{session.key}.{query.format}")


@operation(
    "GET",
    "/api/v1/sessions/<session_key>/document",
    scope="read",
    headers=_ATTACHMENT,
    problems=_NOT_FOUND,
)
def show_document(session_key: SessionKey) -> WholeSession | Response:
    """Give the document of a session: what is declared, with all its hands in their order.

    This is what is audited, so its SHA-256 is the input that the report names.
    """
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    return _file(warehouse().session_hands.document(session), _JSON, f"{session.key}.json")


@operation("GET", "/api/v1/sessions/<session_key>/hands", scope="read", problems=_NOT_FOUND)
def list_session_hands(session_key: SessionKey, query: PageQuery) -> AuditedHandPage | Response:
    """List the hands of a session in their order, with the accounts after each of them."""
    session = _find(session_key)
    if isinstance(session, Response):
        return session
    stored = warehouse().session_runs.audit(session.key)
    listing = ["session-hands", session.key]
    begin = 0
    if query.cursor is not None:
        place = read_cursor(query.cursor, listing, Annotated[int, Meta(ge=0)])  # type: ignore[arg-type]
        if isinstance(place, BadCursor):
            return bad_parameter("cursor", place.expected, place.seen)
        begin = place
    if stored is None:
        return AuditedHandPage([], None)
    end = begin + query.limit
    hands = hands_of(stored, begin, end)
    following = None
    if end < len(stored.audited.audit.hands):
        following = url_for(
            "api.list_session_hands",
            session_key=session.key,
            limit=query.limit,
            cursor=write_cursor(listing, end),
        )
    return AuditedHandPage(hands, following)


def _find(key: str) -> Session | Response:
    found = warehouse().sessions.session(key)
    if found is not None:
        return found
    detail = "There is no such session. Its key begins the SHA-256 of its id, or is in the list."
    return problem("not-found", detail, session=key[:100])


def _woken(session: Session) -> Session:
    """The session, for which a worker is woken up; without a broker the sweeper does it."""
    if session.state == "stale":
        send_sessions(store(), [session.key])
    return session


def _after_listing(changed: Session | list[str | HandId], detail: str) -> SessionDetails | Response:
    if isinstance(changed, Session):
        return details_of(_woken(changed))
    hands = [one for one in changed if isinstance(one, str)]
    hand_ids = [asdict(one) for one in changed if isinstance(one, HandId)]
    return problem("unknown-hands", detail, hands=hands, hand_ids=hand_ids)


def _not_audited(session: Session) -> Response:
    detail = {
        "none": "The session has no hands, so there is nothing to report.",
        "failed": "The audit of the session has failed; its failure says why.",
    }.get(session.state, "The audit of the session is being made; ask again in a little while.")
    answer = problem("not-audited", detail, state=session.state)
    if session.state in UNSETTLED:
        answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _file(body: Any, media: str, name: str) -> Response:  # noqa: ANN401 - what Flask takes
    headers = {
        "Content-Disposition": f'attachment; filename="session-{name}"',
        "Cache-Control": "no-store",
    }
    return Response(body, mimetype=media, headers=headers)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
