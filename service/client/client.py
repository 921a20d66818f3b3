"""The client: uploads sent and waited for, lists followed to their end, hands asked for."""

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self, Unpack

import httpx
import msgspec

from service.client.bodies import Body, Content, opened
from service.client.connection import Connection
from service.client.documents import (
    Conflict,
    HandConditions,
    HandSummary,
    Problem,
    Replay,
    RowFormat,
    Rows,
    Session,
    SessionConditions,
    SessionVerdict,
    Upload,
    Verdict,
)
from service.client.errors import (
    ChangedError,
    RateLimitedError,
    UnavailableError,
    UnreachableError,
    WaitTimeoutError,
)
from service.client.events import read_events
from service.client.parameters import named, text
from service.client.players import Player
from service.client.reading import Answer, entries, get, read

__all__ = ["DEFAULT_URL", "Client", "Content"]

DEFAULT_URL: Final = "http://127.0.0.1:8000"

_API: Final = "api/v1/"
_PIECE: Final = 1 << 16
_EVENTS: Final = "text/event-stream"
_QUIET: Final = 60.0  # seconds after which a stream without a sign of life counts as broken
_PATIENCE: Final = 90.0  # seconds for which a service may be away while something is waited for
_FIRST_LOOK, _LONGEST_LOOK = 0.1, 2.0  # seconds between two looks at an upload


class Client:
    """One service, as whoever holds the key may use it. It closes as a context manager.

    Requests that do no harm when they come twice, which all of these are, are tried again when the
    connection fails or the service is busy.

    Args:
        base_url: Where the service is; else ``RETOURNE_URL``, else `DEFAULT_URL`.
        key: What goes with every request; else ``RETOURNE_KEY``, else none.
        timeout: Seconds without a sign of life after which a request counts as failed.
        retries: How often a request is tried again.

    Raises:
        ValueError: The address is none.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 60.0,
        retries: int = 4,
    ) -> None:
        base_url = base_url or os.environ.get("RETOURNE_URL") or DEFAULT_URL
        key = key or os.environ.get("RETOURNE_KEY") or None
        self._connection = Connection(base_url, key, timeout, retries)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are open."""
        self._connection.close()

    def address(self, link: str) -> str:
        """The whole address of a link that the service gave."""
        return self._connection.address(link)

    def upload(
        self,
        content: Content,
        *,
        name: str | None = None,
        dialect: str | None = None,
        idempotency_key: str | None = None,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> Upload:
        """Sends an upload and returns how it stands once it is safe with the service.

        It is read piece by piece and never held whole. What can be read twice is sent under an
        idempotency key made of its bytes, its name and its dialect, and sent again if need be.

        Args:
            content: A path, bytes, or an open binary file, which is read from where it stands.
            name: What to call it; else the name of the file, if it has one.
            dialect: How its hands are written, where that is not to be told from them.
            idempotency_key: One of your own. Under the one that is made, an upload that was deleted
                within the last day stays deleted.
            progress: Is called with the bytes that were sent and those that there are, if known.

        Raises:
            OSError: The file cannot be read.
            ChangedError: The file changed while it was sent.
            RetourneError: The service did not take it.
        """
        with opened(content) as (body, file_name):
            said = {"name": name or file_name, "dialect": dialect}
            query = {what: text for what, text in said.items() if text is not None}
            sent = None if progress is None else _told(progress, body.size)
            response = self._connection.ask(
                "POST",
                _API + "uploads",
                again=body.repeatable,
                query=query,
                headers=_headers(body, query, idempotency_key),
                body=lambda: body.chunks(sent),
            )
            upload = read(response.content, Upload)
            if body.digest is not None and upload.sha256 != body.digest:
                raise ChangedError("The file changed while it was sent; what arrived is not it.")
            return upload

    def state(self, upload: Upload | str) -> Upload:
        """How an upload stands now."""
        return self._get(f"{_API}uploads/{_id(upload)}", Upload)

    def uploads(self) -> Iterator[Upload]:
        """All uploads, the newest first."""
        return self._list(f"{_API}uploads", "uploads", Upload, {})

    def wait(
        self,
        upload: Upload | str,
        *,
        progress: Callable[[Upload], None] | None = None,
        timeout: float | None = None,
    ) -> Upload:
        """Waits until an upload is audited or given up, and returns how it stands then.

        Args:
            upload: It, or its id.
            progress: Is called with the upload whenever the service tells how far it is.
            timeout: Seconds to wait at the most.

        Raises:
            WaitTimeoutError: It took longer than that.
            RetourneError: The service does not tell.
        """
        seen: Upload | None = None
        try:
            for state in self._states(_id(upload), _Deadline(timeout)):
                seen = state
                if progress is not None:
                    progress(state)
                if state.finished:
                    return state
        except _TooLateError:
            raise WaitTimeoutError(seen, timeout or 0.0) from None
        raise AssertionError("an upload's states have no end before it is finished")

    def problems(self, upload: Upload | str) -> Iterator[Problem]:
        """The hands of an upload that could not be read, in their order."""
        return self._list(f"{_API}uploads/{_id(upload)}/problems", "problems", Problem, {})

    def conflicts(self, upload: Upload | str) -> Iterator[Conflict]:
        """The hands of an upload whose identity another hand had first."""
        return self._list(f"{_API}uploads/{_id(upload)}/conflicts", "conflicts", Conflict, {})

    def hands(self, **conditions: Unpack[HandConditions]) -> Iterator[HandSummary]:
        """The hands that meet all conditions, the last played first."""
        return self._list(f"{_API}hands", "hands", HandSummary, _query(conditions))

    def hand(self, hand_id: str) -> Verdict:
        """The verdict on a hand."""
        return self._get(f"{_API}hands/{_id(hand_id)}", Verdict)

    def replay(self, hand_id: str) -> Replay:
        """A hand with the table after each of its events."""
        return self._get(f"{_API}hands/{_id(hand_id)}/replay", Replay)

    def original(self, hand_id: str) -> bytes:
        """The exact bytes of a hand's document as they came."""
        link = f"{_API}hands/{_id(hand_id)}/original"
        return self._connection.ask("GET", link, again=True).content

    def export_rows(
        self,
        rows: Rows,
        to: str | os.PathLike[str],
        *,
        form: RowFormat = "csv",
        masked: bool = False,
        progress: Callable[[int, int | None], None] | None = None,
        **conditions: Unpack[HandConditions],
    ) -> Path:
        """Writes one row for every hand, every seat or every finding to a file.

        Args:
            rows: ``hands``, ``seats`` or ``findings``, of the hands that meet the conditions.
            to: The file, which is there when it is whole and not before.
            form: ``csv``, ``ndjson`` or ``parquet``.
            masked: Whether pseudonyms stand in place of the players' names.
            progress: Is called with the bytes that have come and those that there are.
            conditions: Those on the hands.

        Raises:
            OSError: The file cannot be written.
            RetourneError: The service does not give it.
        """
        query = {**_query(conditions), "format": form, "masked": text(masked)}
        return self._save(f"{_API}exports/{rows}", query, Path(to), progress)

    def export_documents(
        self,
        to: str | os.PathLike[str],
        *,
        progress: Callable[[int, int | None], None] | None = None,
        **conditions: Unpack[HandConditions],
    ) -> Path:
        """Writes the documents of the hands that meet all conditions to a file, one a line.

        The arguments and errors are those of `export_rows`.
        """
        return self._save(f"{_API}exports/documents", _query(conditions), Path(to), progress)

    def sessions(self, **conditions: Unpack[SessionConditions]) -> Iterator[Session]:
        """The sessions that meet all conditions, the last played first."""
        return self._list(f"{_API}sessions", "sessions", Session, _query(conditions))

    def session(self, session: Session | str) -> SessionVerdict:
        """A session, or the one of this id, as it stands, with its last audit."""
        return self._get(f"{_API}sessions/{_key(session)}/audit", SessionVerdict)

    def wait_for_session(
        self, session: Session | str, *, timeout: float | None = None
    ) -> SessionVerdict:
        """Waits until the audit of a session is of the session as it stands, or has failed.

        Raises:
            WaitTimeoutError: It took longer than ``timeout`` seconds.
            RetourneError: The service does not tell.
        """
        deadline, pause = _Deadline(timeout), _FIRST_LOOK
        while True:
            seen = self.session(session)
            if seen.settled:
                return seen
            try:
                deadline.sleep(pause)
            except _TooLateError:
                raise WaitTimeoutError(seen, timeout or 0.0) from None
            pause = min(_LONGEST_LOOK, pause * 1.5)

    def session_report(
        self,
        session: Session | str,
        to: str | os.PathLike[str],
        *,
        form: Literal["html", "json"] = "html",
        lang: Literal["en", "fr", "de", "pt"] = "en",
    ) -> Path:
        """Writes the report of a session's audit to a file, as `retourne audit --report` does."""
        link = f"{_API}sessions/{_key(session)}/report"
        return self._save(link, {"format": form, "lang": lang}, Path(to), None)

    def session_document(self, session: Session | str, to: str | os.PathLike[str]) -> Path:
        """Writes the document of a session, with all its hands, to a file."""
        return self._save(f"{_API}sessions/{_key(session)}/document", {}, Path(to), None)

    def player(self, name: str) -> Player:
        """A player by any of their names; nothing is asked for yet."""
        return Player(self._connection, f"{_API}players", name)

    def _save(
        self,
        link: str,
        query: dict[str, str],
        to: Path,
        progress: Callable[[int, int | None], None] | None,
    ) -> Path:
        """Downloads into a file beside, which takes its place when it is whole."""
        with tempfile.NamedTemporaryFile(
            dir=to.parent, prefix=f".{to.name}.", delete=False
        ) as beside:

            def take(response: httpx.Response) -> None:
                beside.seek(0)
                beside.truncate()
                announced = response.headers.get("Content-Length", "")
                size = int(announced) if announced.isdecimal() else None
                done = 0
                for piece in response.iter_bytes(_PIECE):
                    beside.write(piece)
                    done += len(piece)
                    if progress is not None:
                        progress(done, size)

            try:
                self._connection.download(link, query, take)
                beside.flush()
                Path(beside.name).replace(to)
            except BaseException:
                Path(beside.name).unlink(missing_ok=True)
                raise
        return to

    def _get(self, link: str, kind: type[Answer]) -> Answer:
        return get(self._connection, link, kind)

    def _list(
        self, link: str, member: str, kind: type[Answer], query: dict[str, str]
    ) -> Iterator[Answer]:
        return entries(self._connection, link, member, kind, query)

    def _states(self, upload_id: str, deadline: "_Deadline") -> Iterator[Upload]:
        """How an upload stands, again and again: told by the service, else looked at.

        A service that is away meanwhile, as when it starts anew, is given some time.
        """
        told, pause = True, _FIRST_LOOK
        away = _Deadline(_PATIENCE)
        while True:
            try:
                if told:
                    told = yield from self._told_states(upload_id, deadline)
                yield self.state(upload_id)
                away = _Deadline(_PATIENCE)
            except (UnreachableError, UnavailableError, RateLimitedError):
                if away.is_over():
                    raise
            deadline.sleep(pause)
            pause = min(_LONGEST_LOOK, pause * 1.5)

    def _told_states(self, upload_id: str, deadline: "_Deadline") -> Generator[Upload, None, bool]:
        """What the service tells of an upload; returns whether it tells such things."""
        link = f"{_API}uploads/{upload_id}/events"
        quiet = min(_QUIET, deadline.left())
        with self._connection.stream(link, accept=_EVENTS, timeout=quiet) as response:
            kind = response.headers.get("Content-Type", "").partition(";")[0]
            if not response.is_success or kind != _EVENTS:
                return False
            for event in read_events(response.iter_bytes()):
                deadline.check()
                if event.name == "end":
                    break
                if event.name == "progress":
                    yield read(event.data, Upload)
        return True


class _TooLateError(Exception):
    """The time given is over."""


class _Deadline:
    """The time until which to wait; for ever without a timeout in seconds."""

    def __init__(self, timeout: float | None) -> None:
        self._end = None if timeout is None else time.monotonic() + timeout

    def left(self) -> float:
        """Seconds until then."""
        return float("inf") if self._end is None else max(0.001, self._end - time.monotonic())

    def is_over(self) -> bool:
        """Whether it is past."""
        return self._end is not None and time.monotonic() >= self._end

    def check(self) -> None:
        """Raises _TooLateError once it is over."""
        if self.is_over():
            raise _TooLateError

    def sleep(self, seconds: float) -> None:
        """Waits, and raises _TooLateError once it is over."""
        time.sleep(min(seconds, self.left()))
        self.check()


def _id(upload: Upload | str) -> str:
    """An id as part of a path: whatever would lead elsewhere is refused.

    Raises:
        ValueError: It is no id.
    """
    one = upload if isinstance(upload, str) else upload.id
    if not one.isascii() or not one.isalnum():
        raise ValueError(f"An id has letters and digits alone, unlike {one[:100]!r}.")
    return one


def _key(session: Session | str) -> str:
    """What a session stands by in an address: made of its id, which may have any letters."""
    if isinstance(session, Session):
        return session.key
    return hashlib.sha256(session.encode()).hexdigest()[:24]


def _query(conditions: HandConditions | SessionConditions) -> dict[str, str]:
    """The conditions as the API has them."""
    given: dict[str, object] = {**conditions}
    if "upload" in conditions:
        given["upload"] = _id(conditions["upload"])
    return named(given)


def _headers(body: Body, query: dict[str, str], key: str | None) -> dict[str, str]:
    headers = {"Content-Type": "application/octet-stream"}
    if body.size is not None:
        headers["Content-Length"] = str(body.size)
    if key is not None:
        headers["Idempotency-Key"] = key
    elif body.digest is not None:
        told = msgspec.json.encode([body.digest, sorted(query.items())])
        headers["Idempotency-Key"] = hashlib.sha256(told).hexdigest()
    return headers


def _told(progress: Callable[[int, int | None], None], size: int | None) -> Callable[[int], None]:
    return lambda sent: progress(sent, size)
