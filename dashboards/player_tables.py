"""Owns the tables of a player's page that stand behind no chart, as CSV."""

from collections.abc import Callable
from typing import Final

from dashboards.figures import Cell, csv_of
from dashboards.language import gettext, later
from dashboards.profile import Profile
from dashboards.rate_figures import rate_cells, rate_columns

FLAGS: Final = {
    "winner-folded": later("Folds the best hand more often than the others"),
    "fold-above-price": later("Folds hands worth more than their price"),
    "call-below-price": later("Calls with hands worth less than the price"),
    "fold-to-open": later("Folds to openings more often than the others"),
    "fold-to-raise": later("Folds to raises more often than the others"),
    "bourre": later("Takes no trick more often than the others"),
    "stay-with-0": later("Stays without a trump more often than the others"),
}
"""What is said of each flag that there is."""


def table(profile: Profile, name: str) -> str | None:
    """One of these tables, or that of one of the page's charts; None where there is none."""
    made = _TABLES.get(name)
    if made is not None:
        return made(profile)
    chart = profile.chart(name)
    return None if chart is None else chart.as_csv()


def _rates(profile: Profile) -> str:
    columns = [gettext("Rate"), gettext("Id"), *rate_columns(), gettext("Counted as")]
    rows = [
        [gettext(rate.label), rate.id, *rate_cells(rate), gettext(rate.formula)]
        for rate in profile.totals.rates()
    ]
    return csv_of(columns, rows)


def _averages(profile: Profile) -> str:
    columns = [
        gettext("Average"),
        gettext("Id"),
        gettext("Value"),
        gettext("Unit"),
        gettext("Of how many"),
        gettext("Counted as"),
    ]
    rows: list[list[Cell]] = [
        [
            gettext(one.label),
            one.id,
            None if one.value is None else round(one.value, 3),
            gettext(one.unit),
            one.n,
            gettext(one.formula),
        ]
        for one in profile.totals.averages()
    ]
    return csv_of(columns, rows)


def _flags(profile: Profile) -> str:
    columns = [
        gettext("Flag"),
        gettext("Id"),
        *rate_columns(),
        gettext("The others %"),
        gettext("Chance of so many %"),
        gettext("To be believed"),
    ]
    rows = [
        [
            gettext(FLAGS[flag.id]),
            flag.id,
            *rate_cells(flag.rate),
            round(100 * flag.usual, 1),
            round(100 * flag.p, 4),
            gettext("yes") if flag.stands else gettext("no"),
        ]
        for flag in profile.figures.flags
    ]
    return csv_of(columns, rows)


def _own(profile: Profile) -> str:
    columns = [gettext("Statistic"), gettext("Id"), "k", "n", gettext("Low %"), gettext("High %")]
    rows: list[list[Cell]] = [
        [one.label, one.id, *_ends(None if rate is None else (rate.k, rate.n, rate.low, rate.high))]
        for one, rate in profile.own
    ]
    return csv_of(columns, rows)


def _ends(counted: tuple[int, int, float | None, float | None] | None) -> list[Cell]:
    if counted is None:
        return [None] * 4
    k, n, *ends = counted
    return [k, n, *(None if end is None else round(100 * end, 1) for end in ends)]


_TABLES: Final[dict[str, Callable[[Profile], str]]] = {
    "rates": _rates,
    "averages": _averages,
    "flags": _flags,
    "own": _own,
}
