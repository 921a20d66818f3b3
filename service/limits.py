"""How much one key may ask for in a time, counted in the broker's database for all processes.

Without the broker each process counts for itself, so that nobody is kept out by its loss.
"""

from http import HTTPStatus
from typing import Final

from flask import Flask, Response, g, request
from flask.typing import RouteCallable
from flask_limiter import Limiter
from flask_limiter.errors import RateLimitExceeded

from service.problems import problem
from warehouse.settings import Settings
from workers.broker import socket_path

_UPLOADS: Final = "api.post_upload"


def limit(app: Flask, settings: Settings) -> None:
    """Hold every key, and every address without one, to the rates of the settings."""
    app.after_request(_no_wait)  # called in the reverse order: behind the limiter's own
    limiter = Limiter(
        _whose,
        storage_uri=settings.broker_url or f"redis+unix://{socket_path(settings.data)}",
        storage_options={"socket_connect_timeout": 1, "socket_timeout": 1},
        key_prefix="retourne",
        application_limits=[settings.request_rate],
        application_limits_exempt_when=lambda: (request.endpoint or "").endswith("static"),
        in_memory_fallback_enabled=True,
        headers_enabled=True,
        retry_after="delta-seconds",
    )
    limiter.init_app(app)
    app.after_request(_note_advice)
    upload: RouteCallable = limiter.limit(settings.upload_rate)(app.view_functions[_UPLOADS])  # type: ignore[assignment] # it wraps what it is given
    app.view_functions[_UPLOADS] = upload
    app.register_error_handler(RateLimitExceeded, _too_many)


def _whose() -> str:
    access = g.get("access")
    return f"key:{access.key.id}" if access is not None else f"address:{request.remote_addr}"


def _too_many(exceeded: RateLimitExceeded) -> Response:
    allowed = str(exceeded.limit.limit)
    detail = f"At most {allowed} of these are taken; try again after the time in Retry-After."
    return problem("rate-limited", detail, allowed=allowed)


def _note_advice(response: Response) -> Response:
    """Remember what the answer itself advises, before the limiter puts its own advice there."""
    g.advice = response.headers.get("Retry-After")
    return response


def _no_wait(response: Response) -> Response:
    """Take back the limiter's advice to wait from whoever has not come up against a limit."""
    if response.status_code != HTTPStatus.TOO_MANY_REQUESTS:
        response.headers.pop("Retry-After", None)
        if g.get("advice") is not None:
            response.headers["Retry-After"] = g.advice
    return response
