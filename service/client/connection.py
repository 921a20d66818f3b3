"""One service over HTTP: the key, the addresses, and which failures are tried again.

Only what does no harm when it is done twice is tried again, after pauses that grow and differ.
"""

import datetime as dt
import email.utils
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn
from urllib.parse import urljoin, urlsplit

import httpx

from service.client.errors import (
    UnexpectedAnswerError,
    UnreachableError,
    problem_error,
)

_AGAIN: Final = frozenset({429, 502, 503, 504})
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
_LONGEST_ASKED: Final = 120.0
"""Who is asked to stay away for longer than this, in seconds, is told so and decides himself."""

_OURS: Final = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


class Connection:
    """Requests to one service.

    Args:
        base_url: Where it is, such as ``https://audit.example``.
        key: Goes with every request, and to no other host.
        timeout: Seconds without a sign of life after which a request counts as failed.
        retries: How often a request is tried again.
    """

    def __init__(self, base_url: str, key: str | None, timeout: float, retries: int) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(
                f"The address of a service is like http://127.0.0.1:8000, not {base_url!r}."
            )
        self.base_url = base_url.rstrip("/")
        self._host = (parts.scheme, parts.netloc)
        self._retries = retries
        headers = {"Accept": "application/json, */*;q=0.5"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        self._http = httpx.Client(headers=headers, timeout=timeout)

    def close(self) -> None:
        """Closes the connections that are open."""
        self._http.close()

    def address(self, link: str) -> str:
        """The whole address of a path of the API, or of a link that the service gave."""
        address = urljoin(self.base_url + "/", link)
        parts = urlsplit(address)
        if (parts.scheme, parts.netloc) != self._host:
            raise UnexpectedAnswerError(f"A link leads away from {self.base_url}: {link[:200]}")
        return address

    def ask(
        self,
        method: str,
        link: str,
        *,
        again: bool,
        query: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
        body: Callable[[], Iterator[bytes]] | None = None,
    ) -> httpx.Response:
        """Makes a request and returns the answer of its success.

        Args:
            method: Of HTTP.
            link: A path below the service's address, or a link that it gave.
            again: Whether doing it twice does no harm.
            query: The parameters.
            headers: Further headers.
            body: Gives the body, anew for every attempt.

        Raises:
            ProblemError: The service says what is wrong.
            UnreachableError: It gave no answer.
        """
        address = self.address(link)

        def request() -> httpx.Response:
            content = None if body is None else body()
            return self._http.request(
                method, address, params=query or None, headers=headers, content=content
            )

        return self._tried(request, again=again)

    def download(
        self, link: str, query: dict[str, str], take: Callable[[httpx.Response], None]
    ) -> None:
        """Gets what is too large to be held; ``take`` reads it, from its beginning every time.

        Raises:
            ProblemError: The service says what is wrong.
            UnreachableError: It gave no answer, or not all of it.
        """
        address = self.address(link)

        def request() -> httpx.Response:
            with self._http.stream("GET", address, params=query or None) as response:
                if response.is_success:
                    take(response)
                else:
                    response.read()
                return response

        self._tried(request, again=True)

    def _tried(self, request: Callable[[], httpx.Response], *, again: bool) -> httpx.Response:
        """The answer of a request's success, which may take several attempts."""
        for attempt in range(self._retries + 1):
            last = not again or attempt == self._retries
            try:
                response = request()
            except httpx.TransportError as error:
                if last or isinstance(error, _OURS):
                    self._unreachable(error)
                time.sleep(_pause(attempt))
                continue
            if response.is_success:
                return response
            wanted = retry_after(response.headers)
            patient = wanted is None or wanted <= _LONGEST_ASKED
            if last or response.status_code not in _AGAIN or not patient:
                raise_problem(response)
            time.sleep(_pause(attempt) if wanted is None else wanted + random.random())  # noqa: S311 - no secret
        raise AssertionError("the last attempt answers or raises")

    @contextmanager
    def stream(self, link: str, *, accept: str, timeout: float) -> Iterator[httpx.Response]:
        """The answer to a GET whose body is read as it comes; its success is the caller's to check.

        Raises:
            UnreachableError: There was no answer, or it broke off.
        """
        try:
            with self._http.stream(
                "GET",
                self.address(link),
                headers={"Accept": accept},
                timeout=timeout,
            ) as response:
                yield response
        except httpx.TransportError as error:
            self._unreachable(error)

    def _unreachable(self, error: httpx.TransportError) -> NoReturn:
        reason = str(error) or type(error).__name__
        raise UnreachableError(f"{self.base_url} gave no answer: {reason}") from error


def raise_problem(response: httpx.Response) -> NoReturn:
    """Raises what the answer, whose body has been read, says is wrong."""
    if response.is_redirect:
        leads = response.headers.get("Location", "elsewhere")
        raise UnexpectedAnswerError(f"{response.url} leads to {leads}, which is not followed.")
    raise problem_error(
        response.status_code,
        response.content,
        request_id=response.headers.get("X-Request-Id"),
        retry_after=retry_after(response.headers),
    )


def retry_after(headers: httpx.Headers) -> float | None:
    """The seconds after which to come again, where the answer says so."""
    value = headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        when = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=dt.UTC)
    return max(0.0, (when - dt.datetime.now(dt.UTC)).total_seconds())


def _pause(attempt: int) -> float:
    """Seconds before the next attempt: twice as many each time, and not the same for everybody."""
    longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt)
    return random.uniform(longest / 2, longest)  # noqa: S311 - no secret
