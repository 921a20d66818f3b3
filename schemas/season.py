"""A season of a club to try everything on: evenings and tournaments, and what went wrong in them.

Every hand is played through the engine by players of some character. What is wrong is planted: a
tournament whose result is wrong because one hand was scored wrongly, illegal hands, a line that was
cut off, a hand that two logs tell differently. The same season comes every time.
"""

import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Final, Literal
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import msgspec
from msgspec import UNSET, Struct

from engine.styles import NEVER_FOLDS, STYLES, Style
from schemas import document
from schemas.declare_session import declare_session
from schemas.generate import Sitting, play_sitting
from schemas.season_course import SeasonCourse
from schemas.season_slips import cut_off, miscount, told_otherwise

CLUB: Final = "club-42"
TOURNAMENT: Final = "coupe-de-printemps"
"""The tournament whose declared result is wrong."""

Kind = Literal["session", "tournament"]

_SEED: Final = 17
_BEGINS: Final = dt.time(19, 30, tzinfo=dt.UTC)

CAST: Final[dict[str, Style]] = {
    "Anaïs": STYLES["steady"],
    "Bastien": Style("calls-all", 0.62, NEVER_FOLDS, 0.90, 0.02, carres=0.10, va_tout=0.01),
    "Camille": Style("timid", 0.74, 0.72, 0.95, 0.0, carres=0.02, va_tout=0.01),
    "Désiré": STYLES["steady"],
    "Éloïse": Style("pushing", 0.40, 0.62, 0.60, 0.35, carres=0.10, va_tout=0.0),
    "Fabrice": STYLES["loose"],
    "Gaston": STYLES["carre-happy"],
    "Hélène": Style("waiting", 0.74, 0.66, 2.0, 0.0, carres=0.02, va_tout=0.0),
}
"""Who plays, and how: Bastien calls whatever comes, Éloïse bets whatever she holds, Hélène waits.

Their luck is `SeasonCourse`'s.
"""


@dataclass(frozen=True)
class _Event:
    """An evening or a tournament: its name, when it was, by which rules, and who sat there.

    ``slips`` are kinds of faults by the number of the hand that has one.
    """

    name: str
    day: dt.date
    preset: str
    players: str  # by their initials
    hands: int
    slips: dict[int, str]
    kind: Kind = "session"

    @property
    def session(self) -> str:
        return self.name if self.kind == "tournament" else f"evening-{self.name}"

    def played(self) -> list[document.Hand]:
        """The hands as the table's log has them."""
        rng = random.Random(f"{_SEED} {self.name}")  # noqa: S311 -- games to look at, not secrets
        players = {name: style for name, style in CAST.items() if name[0] in self.players}
        sitting = Sitting(
            preset=self.preset,
            source=CLUB,
            name=self.session,
            players=players,
            start=dt.datetime.combine(self.day, _BEGINS),
            hands=self.hands,
        )
        course = SeasonCourse(self.preset, list(players), self.slips, rng)
        hands = list(play_sitting(sitting, rng, course))
        for number, hand in enumerate(hands, 1):
            hand.id.table = "T1"
            hand.id.hand = f"{self.name}-{number:02d}"
            if hand.session is not UNSET:
                hand.session.kind = self.kind
        return hands


def _evening(
    month: int, day: int, preset: str, players: str, hands: int, slips: dict[int, str] | None = None
) -> _Event:
    held = dt.date(2026, month, day)
    return _Event(held.isoformat(), held, preset, players, hands, slips or {})


def _tournament(name: str, month: int, day: int, preset: str, players: str, hands: int) -> _Event:
    held = dt.date(2026, month, day)
    return _Event(name, held, preset, players, hands, {}, "tournament")


_CUT_OFF: Final = "2026-02-06"
_TOLD_TWICE: Final = "2026-02-27"

CALENDAR: Final = (
    _evening(1, 9, "bouillotte/salon", "ACDÉG", 36),
    _evening(1, 16, "brelan/classique", "BCDFH", 36),
    _evening(1, 23, "bouillotte/academie-1834", "ABÉFH", 36, {17: "low-raise"}),
    _evening(1, 30, "bourre/louisiana", "ACDÉFGH", 24, {9: "another-suit"}),
    _evening(2, 6, "bouillotte/salon", "BCÉGH", 36),
    _tournament("coupe-d-hiver", 2, 14, "brelan/classique", "ABCDG", 24),
    _evening(2, 20, "brelan/classique", "CDÉFG", 36, {20: "bet-out-of-turn"}),
    _evening(2, 27, "bouillotte/academie-1834", "ACFGH", 36),
    _evening(3, 6, "bourre/pagat", "ABDÉGH", 24),
    _evening(3, 13, "bouillotte/academie-1834", "BCDÉH", 36),
    _tournament(TOURNAMENT, 3, 21, "bouillotte/historico", "BCDH", 12),
    _tournament("coupe-du-bayou", 3, 28, "bourre/louisiana", "ABCDÉF", 20),
)
"""The season, in the order in which it was played."""


class SeasonFile(Struct, frozen=True):
    """A file of the season, as the club would send it."""

    name: str
    content: bytes


def season_files() -> Iterator[SeasonFile]:
    """The files of the season, one for every evening and every tournament.

    Most are session documents; one has its hands a line each, and one is a ZIP with the log that
    somebody else kept of the same evening.
    """
    yield from map(_file, CALENDAR)


def season_tournament() -> SeasonFile:
    """The file of `TOURNAMENT` alone."""
    return next(_file(event) for event in CALENDAR if event.session == TOURNAMENT)


def _file(event: _Event) -> SeasonFile:
    hands = event.played()
    if event.name == _CUT_OFF:
        lines = [*map(msgspec.json.encode, hands)]
        lines.insert(-1, cut_off(lines[-1]))
        return SeasonFile(f"{event.name}.ndjson", _ndjson(lines))
    session = declare_session(hands, event.session, event.kind)
    if event.name == TOURNAMENT:
        miscount(session, hands)
    whole = msgspec.json.encode(session)
    if event.name != _TOLD_TWICE:
        return SeasonFile(f"{event.name}.json", whole)
    others = [*hands[10:12], told_otherwise(hands[12])]
    lines = [*map(msgspec.json.encode, others)]
    packed = {f"{event.name}.json": whole, "from-gaston.ndjson": _ndjson(lines)}
    return SeasonFile(f"{event.name}.zip", _zip(packed))


def _zip(files: dict[str, bytes]) -> bytes:
    """Files in their order, the same bytes every time."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name), content)
    return packed.getvalue()


def _ndjson(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)
