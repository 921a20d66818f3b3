"""Owns how pages name their static files, carry data and are sent: their content security policy.

A static file's URL carries the start of its SHA-256, so browsers may keep it for ever.
"""

import functools
import hashlib
from pathlib import Path
from typing import Final

from flask import Response, request, url_for

STATIC_FOLDER: Final = Path(__file__).parent / "static"

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@functools.cache
def fingerprint(name: str) -> str:
    """The first 12 hex digits of the SHA-256 of a static file.

    Raises:
        FileNotFoundError: if a template names a file that is not there.
    """
    return hashlib.sha256((STATIC_FOLDER / name).read_bytes()).hexdigest()[:12]


def asset(name: str) -> str:
    """The URL of a static file, such as ``css/base.css``, with its fingerprint."""
    return url_for("pages.static", filename=name, v=fingerprint(name))


def in_script(text: str) -> str:
    """JSON text made safe inside a ``script`` element."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def add_headers(response: Response) -> Response:
    """Adds the policy to pages and long caching to fingerprinted static files."""
    if request.endpoint == "pages.static":
        if response.status_code == 200 and "v" in request.args:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    else:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers.setdefault("Cache-Control", "no-store")
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    return response
