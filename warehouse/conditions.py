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
from warehouse.local_time import local_hour, zone_of
from warehouse.notes import TAG_PATTERN
from warehouse.rows import Standing
from warehouse.seat_conditions import RATES, seat_where
from warehouse.totals import Place

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
Zone = Annotated[
    str,
    Meta(
        description="a time zone such as Europe/Paris",
        min_length=1,
        max_length=64,
        extra_json_schema={"examples": ["Europe/Paris"]},
    ),
]
Chips = Annotated[int, Meta(ge=0, le=2**53)]
_RATES: Final = {"enum": list(RATES)}


def hold_moments(*texts: str | None) -> None:
    """Hold that every text there is names a moment.

    Raises:
        ValueError: one of them names none.
    """
    for text in texts:
        if text is not None:
            moment(text)


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


class HandConditions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a hand must be to be chosen.

    ``from_`` and ``until`` are moments or days, in UTC where they have no offset, and bound the
    time of play: from the one on, and before the other. A hand without a time meets neither.
    ``hour`` and ``weekday`` are those of the zone ``tz`` at which the UTC hour of the hand begins.

    ``place``, ``position``, ``made`` and ``chance`` speak of one and the same seat: that of
    ``player``, or of anybody where no player is asked for.
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
    hour: (
        Annotated[int, Meta(title="The hour of the day when it was played.", ge=0, le=23)] | None
    ) = None
    weekday: (
        Annotated[
            int,
            Meta(title="The day of the week when it was played: 1 Monday … 7 Sunday.", ge=1, le=7),
        ]
        | None
    ) = None
    tz: (
        Annotated[
            Zone, Meta(title="The time zone of `hour` and `weekday`; without it they are in UTC.")
        ]
        | None
    ) = None
    dated: Annotated[bool, Meta(title="Whether it is known when the hand was played.")] | None = (
        None
    )
    in_session: Annotated[bool, Meta(title="Whether the hand names a session.")] | None = None
    seats: Annotated[int, Meta(title="How many sat at the table.", ge=1, le=100)] | None = None
    opponent: (
        Annotated[str, _Text, Meta(title="Another of the hand's players, by any of their names.")]
        | None
    ) = None
    place: (
        Annotated[
            Place, Meta(title="Where the player sat: first to speak, the dealer, or between.")
        ]
        | None
    ) = None
    position: (
        Annotated[
            int,
            Meta(title="Where the player sat: 1 right of the dealer … the dealer.", ge=1, le=100),
        ]
        | None
    ) = None
    made: (
        Annotated[
            str,
            Meta(
                title="A rate by its id: the player did in the hand what it counts.",
                extra_json_schema=_RATES,
            ),
        ]
        | None
    ) = None
    chance: (
        Annotated[
            str,
            Meta(
                title="A rate by its id: the player had a chance in the hand to do it.",
                extra_json_schema=_RATES,
            ),
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        """Hold that moments, zone and rates are some.

        Raises:
            ValueError: one of them is none.
        """
        hold_moments(self.from_, self.until)
        if self.tz is not None:
            zone_of(self.tz)
        for rate in (self.made, self.chance):
            if rate is not None and rate not in RATES:
                raise ValueError(f"There is no rate {rate!r}.")


ANY_HAND: Final = HandConditions()
"""No condition at all."""


def conditions_of(asked: HandConditions) -> HandConditions:
    """Return the conditions alone of what asks for more than them."""
    return HandConditions(
        **{name: getattr(asked, name) for name in HandConditions.__struct_fields__}
    )


LIKELY_YEARS: Final = (1970, 2070)
"""When hands were played, where nothing is known of it."""


class LookedUp(Struct, frozen=True, kw_only=True):
    """What the records know of what is asked for.

    ``player`` and ``opponent`` are all names of these two, ``tagged`` the ids of all hands with the
    tag, ``years`` the first and the last in which any hand was played.
    """

    player: Sequence[str] = ()
    opponent: Sequence[str] = ()
    tagged: Sequence[str] = ()
    years: tuple[int, int] = LIKELY_YEARS


class Where(Struct, frozen=True):
    """Conditions as SQL over the columns of hands, and the values of its ``$names``.

    Where it is ``of_seats`` it names ``{seats}``, those of the same hands, too.
    """

    sql: str
    values: dict[str, object]
    of_seats: bool


def hands_where(conditions: HandConditions, known: LookedUp) -> Where:
    """Return conditions as SQL."""
    looked_up = {"player": known.player, "opponent": known.opponent, "tag": known.tagged}
    parts: list[str] = []
    values: dict[str, object] = {}
    for name, (sql, value) in _SQL.items():
        asked = getattr(conditions, name)
        if asked is not None:
            parts.append(sql)
            values[name] = looked_up[name] if name in looked_up else value(asked)
    parts += _local_parts(conditions, known.years, values)
    seat = seat_where(conditions.place, conditions.position, conditions.made, conditions.chance)
    if seat:
        whose = "" if conditions.player is None else " AND list_contains($player, player)"
        parts.append(f"hand_id IN (SELECT hand_id FROM {{seats}} WHERE {seat}{whose})")  # noqa: S608 -- constants
        if conditions.position is not None:
            values["position"] = conditions.position
    return Where(" AND ".join(parts) or "true", values, bool(seat))


def _local_parts(
    conditions: HandConditions, years: tuple[int, int], values: dict[str, object]
) -> list[str]:
    """The conditions on the local time; what they bind goes to the values."""
    asked = {"hour": conditions.hour, "isodow": conditions.weekday}
    parts = []
    for part, value in asked.items():
        if value is not None:
            local = local_hour(zone_of(conditions.tz or "UTC"), "played_at", years)
            parts.append(f"{part}({local}) = ${part}")
            values[part] = value
    return parts


def _same(asked: object) -> object:
    return asked


def _naive(text: str) -> dt.datetime:
    """The moment as segments hold it: UTC without an offset."""
    return moment(text).replace(tzinfo=None)


def codes_of(severity: str) -> list[str]:
    """Return the codes of all findings that are so grave."""
    return [code for code, of in _SEVERITIES.items() if of == severity]


_SQL: Final[dict[str, tuple[str, Callable[[Any], object]]]] = {
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
    "dated": ("(played_at IS NOT NULL) = $dated", _same),
    "in_session": ("(session IS NOT NULL) = $in_session", _same),
    "seats": ("len(players) = $seats", _same),
    "opponent": ("list_has_any(players, $opponent)", _same),
}
