"""The hands of a stored upload, each as the hand document that it is or becomes.

Whatever was asked of an upload is done here: its limits, and its dialect, of which it is kept what
was found and why. The same bytes give the same hands whoever reads them, and whenever.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.archive import PackedFile
from schemas.dialects import (
    Converted,
    DetectedDialect,
    Dialect,
    UndecidedDialect,
    convert,
    detect,
    dialect_named,
    hands_of_any_file,
)
from schemas.dialects.hints import csv_hint
from schemas.errors import UnreadableHand, clip
from schemas.inflate import PlainBytes
from schemas.session_decode import ReadSession
from schemas.streams import (
    LimitExceeded,
    MeetSession,
    RawHand,
    StreamLimits,
    hands_of_text,
    read_files,
)
from warehouse.settings import Settings

AUTO: Final = "auto"
"""Asks that each hand's dialect be told from itself."""

_TOLD: Final = 100
"""So many different things of a kind are written down; the rest of them only counted."""


class Told(Struct):
    """Something that was found of hands: of how many, and the ordinal of the first of them."""

    text: str
    hands: int
    first: int


class Reading(Struct):
    """How the hands of an upload were read so far.

    Attributes:
        dialects: The names of the dialects that they are in.
        reasons: What that was told by, for people; nothing where the client said it.
        assumptions: What was taken for granted or left out, for people.
        untold: How many more there were of reasons and assumptions, once there were too many.
    """

    dialects: list[Told] = []
    reasons: list[Told] = []
    assumptions: list[Told] = []
    untold: int = 0

    def note(self, told: list[Told], text: str, ordinal: int) -> None:
        """Count one more hand of which something was found."""
        text = clip(text)
        for one in told:
            if one.text == text:
                one.hands += 1
                return
        if len(told) < _TOLD:
            told.append(Told(text, 1, ordinal))
        else:
            self.untold += 1


class FoundHand(Struct, frozen=True):
    """A hand of an upload as it ``came``, and as it is ``read``: a hand document, or an error."""

    came: RawHand
    read: RawHand


def read_reading(written: str | None) -> Reading | None:
    """Return a reading from the records, if there is one."""
    return None if written is None else msgspec.json.decode(written, type=Reading)


def written_reading(reading: Reading | None) -> str | None:
    """Return a reading as the records keep it."""
    return None if reading is None else msgspec.json.encode(reading).decode()


def _pass_over(_read: ReadSession) -> None:
    """Do nothing about a session part."""


class UploadedHands:
    """The hands of one upload's bytes, from the first one behind those that are known already.

    ``reading`` is kept up with every hand that is given; None where no dialect was asked for.
    ``met`` is given the session part of every document, before its hands.
    """

    def __init__(
        self,
        stored: BinaryIO,
        settings: Settings,
        dialect: str | None,
        *,
        behind: int = 0,
        reading: Reading | None = None,
        met: MeetSession = _pass_over,
    ) -> None:
        self._stored = stored
        self._limits = stream_limits(settings)
        self._most = settings.max_hands
        self._behind = behind
        self._met = met
        self._dialect = _dialect(dialect)
        self.reading = None if dialect is None else reading or Reading()

    def __iter__(self) -> Iterator[tuple[int, RawHand]]:
        """Yields each hand with its ordinal in the upload.

        Raises:
            LimitExceeded: the upload has more hands, or unfolds to more, than the limits allow.
        """
        for ordinal, raw in enumerate(self._raws(), 1):
            if ordinal > self._most:
                raise LimitExceeded("max_hands", self._most, ordinal)
            if ordinal > self._behind:
                yield ordinal, self._document(ordinal, raw)

    def find(self, ordinal: int) -> FoundHand | None:
        """Return the hand at a place of the upload, from 1, or None where there is none.

        Raises:
            LimitExceeded: the upload unfolds to more than the limits allow.
        """
        came = next(islice(self._raws(), ordinal - 1, None), None)
        return None if came is None else FoundHand(came, self._document(ordinal, came))

    def _raws(self) -> Iterator[RawHand]:
        hands_of = _hands_or_hint if self._dialect is None else hands_of_any_file
        return read_files(self._stored, self._limits, partial(hands_of, met=self._met))

    def _document(self, ordinal: int, raw: RawHand) -> RawHand:
        """The hand converted to a hand document, where a dialect was asked for."""
        if self._dialect is None or self.reading is None or raw.error is not None:
            return raw
        told = detect(raw.raw) if self._dialect == AUTO else None
        if isinstance(told, UndecidedDialect):
            expected = "its dialect named: " + ", ".join(told.candidates)
            error = UnreadableHand("undecided-dialect", "", clip(expected), told.question)
            return replace(raw, raw=b"", error=error)
        if isinstance(told, UnreadableHand):
            return replace(raw, raw=b"", error=told)
        dialect = self._dialect if isinstance(self._dialect, Dialect) else _told(told)
        converted = convert(raw.raw, dialect)
        if isinstance(converted, UnreadableHand):
            return replace(raw, raw=b"", error=converted)
        self._note(ordinal, dialect, told, converted)
        return replace(raw, raw=converted.document)

    def _note(
        self, ordinal: int, dialect: Dialect, told: DetectedDialect | None, converted: Converted
    ) -> None:
        reading = self.reading
        if reading is None:
            return
        reading.note(reading.dialects, dialect.name, ordinal)
        for reason in [] if told is None else told.reasons:
            reading.note(reading.reasons, reason, ordinal)
        assumptions = [] if told is None else told.assumptions
        for assumption in [*assumptions, *converted.assumptions]:
            reading.note(reading.assumptions, assumption, ordinal)


def _dialect(name: str | None) -> Dialect | str | None:
    """What was asked for: a dialect, `AUTO`, or nothing."""
    if name is None or name == AUTO:
        return name
    dialect = dialect_named(name)
    if dialect is None:
        raise ValueError(f"{name!r} is no dialect")
    return dialect


def _told(told: DetectedDialect | None) -> Dialect:
    dialect = None if told is None else dialect_named(told.name)
    if dialect is None:
        raise AssertionError("a dialect was detected that goes by no name")
    return dialect


def _hands_or_hint(file: PackedFile, limits: StreamLimits, met: MeetSession) -> Iterator[RawHand]:
    """The hands of a file in our format; of a CSV, one error instead of one for every line."""
    plain = PlainBytes(file.source, limits, file.total)
    hint = csv_hint(plain)
    if hint is None:
        yield from hands_of_text(plain, limits, met)
    else:
        yield RawHand(1, 0, b"", hint)


def stream_limits(settings: Settings) -> StreamLimits:
    """Return the bounds of what an upload may unfold to."""
    return StreamLimits(
        max_expanded_bytes=settings.max_expanded_bytes,
        max_ratio=settings.max_ratio,
        unrated_bytes=settings.unrated_bytes,
        max_line_bytes=settings.max_line_bytes,
        max_document_bytes=settings.max_document_bytes,
        max_zip_files=settings.max_zip_files,
    )
