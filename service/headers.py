"""The headers that keep a browser from doing with our answers what we did not mean."""

from typing import Final

from flask import Flask, Response

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every answer carries. A room that needs another value, such as a page, has set its own."""

_ANYWHERE: Final = "frame-ancestors *"


def secure(app: Flask) -> None:
    """Adds the headers to every answer of the app."""
    app.after_request(_add)


def _add(response: Response) -> Response:
    framed = _ANYWHERE in response.headers.get("Content-Security-Policy", "")
    for name, value in SECURITY_HEADERS.items():
        if not (framed and name == "X-Frame-Options"):  # which cannot say what the policy says
            response.headers.setdefault(name, value)
    return response
