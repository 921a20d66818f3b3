"""The conditions on hands: the same wherever hands are chosen, in lists, exports and on pages.

They are to be met all together; one that is None is none.
"""

import datetime as dt
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field

from engine.presets import PRESETS
from engine.terms import Severity, Verdict
from engine.violations import CODES, WARNING
from warehouse.notes import TAG_PATTERN
from warehouse.rows import Standing

HandSort = Literal["-played_at", "played_at", "-pot", "pot", "-hand_no", "hand_no"]

MOMENT: Final = (
    "a day or a moment of ISO 8601, such as 2026-03-14, 2026-03-14T20:15:00Z or"
    " 2026-03-14T21:15:00+01:00, whose + is %2B in an address"
)
_SEVERITIES: Final = {
    **{code: about.severity for code, about in CODES.items()},
    "unknown-key": WARNING,
}
FINDING_CODES: Final = tuple(sorted(_SEVERITIES))

_Text = Meta(min_length=1, max_length=200)
_MOMENT: Final = re.compile(
    r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII
)

UploadId = Annotated[
    str,
    Meta(
        title="The upload's id, the SHA-256 of its bytes.",
        description="the 64 hex digits of an upload's id",
        pattern="^[0-9a-f]{64}$",
    ),
]
Moment = Annotated[
    str,
    Meta(
        description=MOMENT,
        min_length=10,
        max_length=40,
        extra_json_schema={"examples": ["2026-03-14", "2026-03-14T20:15:00Z"]},
    ),
]
Chips = Annotated[int, Meta(ge=0, le=2**53)]


class HandConditions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a hand must be to be chosen.

    ``from_`` and ``until`` are moments or days, in UTC where they have no offset, and bound the
    time of play: from the one on, and before the other. A hand without a time meets neither.
    """

    upload: UploadId | None = None
    player: (
        Annotated[str, _Text, Meta(title="One of the hand's players, by any of their names.")]
        | None
    ) = None
    session: Annotated[str, _Text, Meta(title="The hand's session, by its id.")] | None = None
    source: Annotated[str, _Text, Meta(title="The source of the hand's identity.")] | None = None
    table: Annotated[str, _Text, Meta(title="The table of the hand's identity.")] | None = None
    preset: (
        Annotated[
            str,
            Meta(
                title="The preset of the hand's rules.",
                extra_json_schema={"enum": sorted(PRESETS)},
            ),
        ]
        | None
    ) = None
    verdict: Annotated[Verdict, Meta(title="The hand's verdict.")] | None = None
    standing: (
        Annotated[Standing, Meta(title="Whether the hand counts, or is in conflict with another.")]
        | None
    ) = None
    code: (
        Annotated[
            str,
            Meta(
                title="The code of one of the hand's findings.",
                extra_json_schema={"enum": list(FINDING_CODES)},
            ),
        ]
        | None
    ) = None
    severity: Annotated[Severity, Meta(title="How grave one of the hand's findings is.")] | None = (
        None
    )
    found: Annotated[bool, Meta(title="Whether anything was found.")] | None = None
    tag: (
        Annotated[str, Meta(title="A tag that people put on the hand.", pattern=TAG_PATTERN)] | None
    ) = None
    showdown: Annotated[bool, Meta(title="Whether the hand came to a showdown.")] | None = None
    min_pot: (
        Annotated[Chips, Meta(title="The chips that are in all pots together at least.")] | None
    ) = None
    from_: Annotated[Moment, Meta(title="Played then or later.")] | None = field(
        default=None, name="from"
    )
    until: Annotated[Moment, Meta(title="Played before.")] | None = None

    def __post_init__(self) -> None:
        """Hold that the moments are some.

        Raises:
            ValueError: one of them is none.
        """
        for text in (self.from_, self.until):
            if text is not None:
                moment(text)


ANY_HAND: Final = HandConditions()
"""No condition at all."""


def conditions_of(asked: HandConditions) -> HandConditions:
    """Return the conditions alone of what asks for more than them."""
    return HandConditions(
        **{name: getattr(asked, name) for name in HandConditions.__struct_fields__}
    )


def moment(text: str) -> dt.datetime:
    """Return the moment that a text names, in UTC; a day is its beginning.

    Raises:
        ValueError: it names none.
    """
    if not _MOMENT.fullmatch(text):
        raise ValueError(f"{text!r} is no moment")
    read = dt.datetime.fromisoformat(text)
    try:
        return read.replace(tzinfo=dt.UTC) if read.tzinfo is None else read.astimezone(dt.UTC)
    except OverflowError:
        raise ValueError(f"{text!r} is out of the years that there are") from None


class Where(Struct, frozen=True):
    """Conditions as SQL over the columns of hands, and the values of its ``$names``."""

    sql: str
    values: dict[str, object]


def hands_where(
    conditions: HandConditions, names: Sequence[str], tagged: Sequence[str] = ()
) -> Where:
    """Return conditions as SQL.

    Args:
        conditions: What is asked for.
        names: All the names of the player who is asked for.
        tagged: The ids of all hands with the tag that is asked for.
    """
    looked_up = {"player": names, "tag": tagged}
    parts: list[str] = []
    values: dict[str, object] = {}
    for name, (sql, value) in _SQL.items():
        asked = getattr(conditions, name)
        if asked is not None:
            parts.append(sql)
            if value is not None:
                values[name] = looked_up[name] if name in looked_up else value(asked)
    return Where(" AND ".join(parts) or "true", values)


def _same(asked: object) -> object:
    return asked


def _naive(text: str) -> dt.datetime:
    """The moment as segments hold it: UTC without an offset."""
    return moment(text).replace(tzinfo=None)


def codes_of(severity: str) -> list[str]:
    """Return the codes of all findings that are so grave."""
    return [code for code, of in _SEVERITIES.items() if of == severity]


_SQL: Final[dict[str, tuple[str, Callable[[Any], object] | None]]] = {
    "upload": ("upload = $upload", _same),
    "player": ("list_has_any(players, $player)", _same),
    "session": ("session = $session", _same),
    "source": ("source = $source", _same),
    "table": ('"table" = $table', _same),
    "preset": ("preset = $preset", _same),
    "verdict": ("verdict = $verdict", _same),
    "standing": ("standing = $standing", _same),
    "code": ("list_contains(codes, $code)", _same),
    "severity": ("list_has_any(codes, $severity)", codes_of),
    "found": ("(len(codes) > 0) = $found", _same),
    "tag": ("list_contains($tag::VARCHAR[], hand_id)", _same),
    "showdown": ("showdown = $showdown", _same),
    "min_pot": ("pot >= $min_pot", _same),
    "from_": ("played_at >= $from_", _naive),
    "until": ("played_at < $until", _naive),
}
