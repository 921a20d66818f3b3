"""Owns which panels a player's page has below its numbers; each is brought when it comes near."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from dashboards.language import gettext
from dashboards.player_charts import MOST_BARS
from dashboards.profile import Profile

APART: Final = "apart"
OWN: Final = "own"


class Panel(Struct, frozen=True):
    """A panel: the id of its chart, or `APART` or `OWN`; its words; and how high its chart is."""

    id: str
    title: str
    note: str
    size: str = ""
    legend: bool = False


def panels(profile: Profile) -> list[str]:
    """The ids of the panels of a player who has hands, in their order."""
    there = {
        "strength": profile.has_judged,
        "luck": profile.has_luck,
        "stays": profile.has_stays,
        OWN: bool(profile.own_statistics),
    }
    return [name for name in _PANELS if there.get(name, True)]


def panel_of(name: str, profile: Profile, zone: str) -> Panel:
    """The panel of an id; local times are those of the zone."""
    return _PANELS[name](profile, zone)


def _apart(profile: Profile, zone: str) -> Panel:
    return Panel(
        APART,
        gettext("%(rate)s, taken apart", rate=gettext(profile.one_rate.label)),
        gettext(
            "Each point with its 95 %% interval, the dotted line is the rate of all these hands."
            " Hours and days are those of %(zone)s. Choose another rate at the top of the page.",
            zone=zone,
        ),
        size="small",
    )


def _sessions(profile: Profile) -> Panel:
    note = gettext("What each session brought, in chips. Choose a bar to see its hands.")
    if len(profile.sittings) > MOST_BARS:
        note = gettext("What sessions brought, in chips; each leads to its hands from the table.")
    return Panel("sessions", gettext("Sessions"), note, size="middle")


def _strength() -> Panel:
    return Panel(
        "strength",
        gettext("Decisions against their price"),
        gettext(
            "Calls and folds of the latest hands whose cards are known. q is the chance of the hand"
            " at a showdown of the whole table; on the line it is just worth the price. Choose a"
            " point to open its hand."
        ),
        legend=True,
    )


def _opponents() -> Panel:
    return Panel(
        "opponents",
        gettext("Head to head"),
        gettext(
            "Where the chips came from and where they went, for those most often at the same table;"
            " all of them are in the table. What a loser pays is shared out among the winners by"
            " what each wins."
        ),
        size="tall",
    )


def _luck() -> Panel:
    return Panel(
        "luck",
        gettext("Luck of brelans"),
        gettext(
            "Brelans dealt beside those that chance deals, with the 95 % interval: across the 0 is"
            " nothing out of the usual."
        ),
        size="small",
    )


def _stays() -> Panel:
    return Panel(
        "stays",
        gettext("Stays at Bourré"),
        gettext("How often they stay, by the trumps in hand and by the size of the pot."),
        size="middle",
        legend=True,
    )


def _own() -> Panel:
    return Panel(
        OWN,
        gettext("Statistics of the club’s own"),
        gettext("Under the same filters, with 95 % Wilson intervals where k is a part of n."),
    )


_PANELS: Final[dict[str, Callable[[Profile, str], Panel]]] = {
    APART: _apart,
    "sessions": lambda profile, _: _sessions(profile),
    "strength": lambda *_: _strength(),
    "opponents": lambda *_: _opponents(),
    "luck": lambda *_: _luck(),
    "stays": lambda *_: _stays(),
    OWN: lambda *_: _own(),
}
