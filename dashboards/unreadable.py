"""Owns the short titles of why a line of an upload, or a whole upload, could not be read."""

from typing import Final

from dashboards.language import gettext, later

_TITLES: Final = {
    "empty": later("Nothing to read"),
    "not-utf8": later("Not text in UTF-8"),
    "not-json": later("Not JSON"),
    "too-deep": later("Nested too deeply"),
    "not-an-object": later("Not a hand"),
    "wrong-version": later("Unknown version of the format"),
    "duplicate-key": later("A key twice"),
    "missing-key": later("A key is missing"),
    "wrong-type": later("A value of the wrong kind"),
    "out-of-range": later("A value too large or too small"),
    "unknown-value": later("Unknown value"),
    "unknown-preset": later("Unknown game"),
    "unknown-option": later("Unknown option of the rules"),
    "unknown-card": later("Unknown card"),
    "too-many-events": later("Too many events"),
    "line-too-long": later("The line is too long"),
    "hand-too-long": later("The hand is too long"),
    "corrupt-stream": later("Damaged compressed data"),
    "truncated-stream": later("The data ends too early"),
    "broken-array": later("A damaged list of hands"),
    "broken-archive": later("A damaged ZIP"),
    "encrypted-file": later("An encrypted file in the ZIP"),
    "unknown-packing": later("A file in the ZIP that cannot be unpacked"),
    "nested-archive": later("A ZIP in the ZIP"),
    "undecided-dialect": later("The dialect cannot be told"),
    "audit-failed": later("A mistake of ours"),
    "bytes-missing": later("The bytes of the upload are gone"),
    "bytes-changed": later("The bytes of the upload have changed"),
    "worker-lost": later("Every attempt lost its worker"),
    "out-of-memory": later("Too little memory"),
    "too-slow": later("It took too long"),
    "internal-error": later("A mistake of ours"),
    "max_hands": later("More hands than allowed"),
    "max_expanded_bytes": later("It unfolds to more than allowed"),
    "max_ratio": later("It is packed more tightly than allowed"),
    "max_document_bytes": later("A document larger than allowed"),
    "max_zip_files": later("More files in the ZIP than allowed"),
}


def title(code: str) -> str:
    """What a code of an unreadable line or of a failed upload is called."""
    return gettext(_TITLES[code]) if code in _TITLES else code
