"""Who comes in, and into whose house: the one place where a request gets what it may see.

Every request that is not for everybody names a key, by its header or by the pages' cookie. The key
is of one club and opens that club's house, which is all that the request can reach.
"""

import datetime as dt
from http import HTTPStatus
from typing import Final, Literal
from urllib.parse import urlsplit

import structlog
from flask import Flask, Response, current_app, g, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import (  # type: ignore[import-untyped]
    generate_csrf,
    validate_csrf,
)
from msgspec import Struct

from dashboards.house import SCOPE
from service.api.operations import OPERATIONS
from service.problems import prefers_page, problem
from service.registry import Registry, registry
from warehouse.keys import Key, Refusal, Scope
from warehouse.settings import Settings
from warehouse.shares import Share

COOKIE_KEY: Final = "key"
"""What the pages' cookie holds: the id of the key that somebody signed in with."""

Means = Literal["header", "cookie"]

_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_REFERENCE: Final = "reference.page"
_FOR_EVERYBODY: Final = ("pages.static", "login.", "reference.", "shared.")
_METRICS: Final = "metrics.show"
_FORM_BYTES: Final = 1 << 20
"""So many bytes a page's form may have. What the API takes has limits of its own."""

_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_OF_PROXIES: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
_REFUSALS: Final[dict[Refusal, str]] = {
    "unknown": "No key has this text.",
    "expired": "The key has expired.",
    "revoked": "The key was revoked.",
}
_NO_KEY: Final = (
    "Send a key as `Authorization: Bearer rtn_…`. The service on this machine keeps its own in"
    " local.key in its data folder; `retourne keys make` makes others."
)


class Access(Struct, frozen=True):
    """Who is behind a request: a key, sent along or signed in with."""

    key: Key
    by: Means


def guard(app: Flask, settings: Settings) -> None:
    """Let no request into the app that may not come in."""
    known = Registry(settings)
    app.extensions["registry"] = known
    app.secret_key = known.cookie_secret()
    app.config.update(
        SESSION_COOKIE_NAME="retourne",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.secure_cookies,
        PERMANENT_SESSION_LIFETIME=dt.timedelta(days=14),
        WTF_CSRF_TIME_LIMIT=None,  # as long as the cookie
    )
    app.jinja_env.globals["csrf_token"] = generate_csrf
    app.jinja_env.globals["access"] = lambda: g.get("access")
    needs: dict[str, Scope | None] = {f"api.{one.name}": one.scope for one in OPERATIONS}

    @app.before_request
    def admit() -> ResponseReturnValue | None:
        endpoint = request.endpoint
        if endpoint not in needs:
            request.max_content_length = _FORM_BYTES
        if endpoint == _REFERENCE:
            _greet(settings)
        if endpoint is None or endpoint.startswith(_FOR_EVERYBODY):
            return None
        if endpoint == _METRICS and settings.metrics == "open":
            return None
        scope = needs[endpoint] if endpoint in needs else _page_scope(endpoint)
        return None if scope is None else _let_in(settings, scope)


def _greet(settings: Settings) -> None:
    """Let who reads of the API, as everybody may, try it with the key that they have."""
    key, by = _find_key(settings)
    if isinstance(key, Key):
        enter(key, by)


def enter(key: Key, by: Means) -> None:
    """Give the request the house of the key's club."""
    g.access = Access(key, by)
    g.house = registry().houses.of(key.club)
    structlog.contextvars.bind_contextvars(club=key.club, key=key.id)


def enter_shared(share: Share) -> None:
    """Give the request, which is nobody's, the house of the club that shares a hand of it.

    Who asks for this shows nothing of the house but that hand.
    """
    g.house = registry().houses.of(share.club)
    structlog.contextvars.bind_contextvars(club=share.club, share=share.id)


def sign_in(key: Key) -> None:
    """Remember in the pages' cookie who has shown a key."""
    session.clear()
    session.permanent = True
    session[COOKIE_KEY] = key.id


def token_fault() -> Response | None:
    """The problem of a request that changes something by the cookie without the page's token."""
    if request.method in _SAFE:
        return None
    token = request.headers.get("X-CSRFToken")
    if token is None and request.mimetype == "application/x-www-form-urlencoded":
        token = request.form.get("csrf_token")
    try:
        validate_csrf(token)
    except ValueError as error:
        return problem("bad-csrf-token", f"{error.args[0]} Load the page again.")
    return None


def _page_scope(endpoint: str) -> Scope:
    """What a page takes; one that changes something and does not say, takes all."""
    declared: Scope | None = getattr(current_app.view_functions[endpoint], SCOPE, None)
    return declared or ("read" if request.method in _SAFE else "admin")


def _let_in(settings: Settings, scope: Scope) -> ResponseReturnValue | None:
    key, by = _find_key(settings)
    if isinstance(key, Response):
        return key
    if key is None:
        return _ask_for_key()
    fault = token_fault() if by == "cookie" else None
    if fault is not None:
        return fault
    if not key.may(scope):
        detail = f"This takes a key with the scope {scope}; this one has {', '.join(key.scopes)}."
        return problem("missing-scope", detail, scope=scope, scopes=list(key.scopes))
    enter(key, by)
    return None


def _find_key(settings: Settings) -> tuple[Key | Response | None, Means]:
    """The key of a request, the problem with it, or None where there is none; and whence."""
    now = dt.datetime.now(dt.UTC)
    header = request.headers.get("Authorization")
    if header is not None:
        kind, _, text = header.partition(" ")
        if kind.lower() != "bearer":
            return _bad_key("The header Authorization should be `Bearer` and a key."), "header"
        found = registry().keys.check(text.strip(), now)
        return (found if isinstance(found, Key) else _bad_key(_REFUSALS[found])), "header"
    if COOKIE_KEY in session:
        found = registry().keys.check_id(session[COOKIE_KEY], now)
        if isinstance(found, Key):
            return found, "cookie"
        session.clear()
    if settings.login == "open" and prefers_page() and request.method in _SAFE and _is_here():
        local = registry().local_key(now)
        if local is not None:
            sign_in(local)
        return local, "cookie"
    return None, "cookie"


def _is_here() -> bool:
    """Whether the request comes from this machine, and names it as such.

    A page of elsewhere whose name was made to lead here names itself. A proxy on this machine may
    name it for anybody, but adds for whom.
    """
    if any(name in request.headers for name in _OF_PROXIES):
        return False
    return request.remote_addr in _LOOPBACK and urlsplit(request.host_url).hostname in _LOOPBACK


def _ask_for_key() -> ResponseReturnValue:
    if prefers_page():
        onward = request.full_path if request.method in _SAFE else "/"
        return redirect(url_for("login.ask", onward=onward.rstrip("?")), HTTPStatus.SEE_OTHER)
    return _challenge(problem("no-key", _NO_KEY))


def _bad_key(detail: str) -> Response:
    return _challenge(problem("bad-key", detail))


def _challenge(response: Response) -> Response:
    response.headers["WWW-Authenticate"] = 'Bearer realm="retourne"'
    return response
