"""The statistics: which there are, those that a club makes up, and what they come to."""

import datetime as dt
import re
from typing import Annotated, Final

from flask import Response, url_for
from msgspec import Meta, Struct

from service.api.answers import bad_parameter, warehouse
from service.api.operations import operation
from service.problems import problem
from warehouse.custom import ID, MOST_OF_A_LABEL, TAKEN, CustomStatistic, UncountableError
from warehouse.expressions import LONGEST
from warehouse.statistics import AVERAGES, STATISTICS, Game
from warehouse.totals import EVERYTHING, totals_by

_ID_ABOUT: Final = "1 to 60 of A–Z a–z 0–9 and -, beginning with a letter"

StatisticId = Annotated[
    str,
    Meta(
        title="The statistic's id.",
        description=_ID_ABOUT,
        pattern=f"^{ID}$",
    ),
]
Expression = Annotated[
    str,
    Meta(description="an expression over the columns of a seat", min_length=1, max_length=LONGEST),
]

_NOT_FOUND: Final = ("not-found",)


class BuiltIn(Struct, frozen=True):
    """A statistic that is always there. ``kind`` is whether it is a rate or an average."""

    id: str
    kind: str
    game: Game
    label: str
    formula: str


class OwnStatistic(CustomStatistic, frozen=True):
    """A statistic of the club's own, with where it leads to."""

    links: dict[str, str]


class StatisticList(Struct, frozen=True):
    """All statistics: those that are always there, and those of the club's own."""

    built_in: list[BuiltIn]
    own: list[OwnStatistic]


class StatisticWish(Struct, frozen=True):
    """A statistic of the club's own: ``made`` ÷ ``chances``, each summed over all seats."""

    label: Annotated[str, Meta(min_length=1, max_length=MOST_OF_A_LABEL)]
    made: Expression
    chances: Expression


class PlayerRate(Struct, frozen=True):
    """What a statistic comes to for a name: k of n, and its 95 % interval where there is one."""

    player: str
    k: int
    n: int
    low: float | None
    high: float | None


class PlayerRates(Struct, frozen=True):
    """What a statistic comes to, those with most chances first."""

    statistic: str
    players: list[PlayerRate]


@operation("GET", "/api/v1/statistics", scope="read")
def list_statistics() -> StatisticList:
    """List the statistics, with their formulas."""
    rates = [BuiltIn(one.id, "rate", one.game, one.label, one.formula) for one in STATISTICS]
    averages = [BuiltIn(one.id, "average", one.game, one.label, one.formula) for one in AVERAGES]
    return StatisticList(rates + averages, [_document(one) for one in warehouse().custom.all()])


@operation(
    "PUT",
    "/api/v1/statistics/<statistic_id>",
    scope="audit",
    problems=("bad-expression", "statistic-taken"),
)
def put_statistic(statistic_id: StatisticId, document: StatisticWish) -> OwnStatistic | Response:
    """Add a statistic of the club's own, or change it.

    Its two expressions are read over the columns of the exported seats, with whole numbers, texts,
    `+ - *`, comparisons, `AND OR NOT`, `IN`, `BETWEEN`, `IS NULL`, `coalesce` and `CASE`, and with
    nothing else.
    """
    if not re.fullmatch(ID, statistic_id):
        return bad_parameter("statistic_id", _ID_ABOUT, statistic_id)
    if statistic_id in TAKEN:
        detail = f"There is a statistic {statistic_id} already, which is not the club's own."
        return problem("statistic-taken", detail, statistic=statistic_id)
    wanted = CustomStatistic(statistic_id, document.label, document.made, document.chances)
    refused = warehouse().custom.put(wanted, dt.datetime.now(dt.UTC))
    if refused is not None:
        part, why = refused
        return problem("bad-expression", f"{part}: {why.reason}", part=part, reason=why.reason)
    return _document(wanted)


@operation("DELETE", "/api/v1/statistics/<statistic_id>", scope="audit", problems=_NOT_FOUND)
def delete_statistic(statistic_id: StatisticId) -> OwnStatistic | Response:
    """Delete a statistic of the club's own; the answer is what it was."""
    found = warehouse().custom.find(statistic_id)
    if found is None or not warehouse().custom.remove(statistic_id):
        return _missing(statistic_id)
    return _document(found)


@operation(
    "GET",
    "/api/v1/statistics/<statistic_id>/players",
    scope="read",
    problems=("not-found", "bad-expression"),
)
def list_rates(statistic_id: StatisticId) -> PlayerRates | Response:
    """List what a rate, or a statistic of the club's own, comes to for every player's name."""
    built_in = next((one for one in STATISTICS if one.id == statistic_id), None)
    own = warehouse().custom.find(statistic_id)
    if built_in is not None:
        of_all = totals_by(warehouse().rollups, None, EVERYTHING, "player")
        found = [(key[0], totals.rate(built_in)) for key, totals in of_all]
        rates = [PlayerRate(name, one.k, one.n, one.low, one.high) for name, one in found if one.n]
        rates.sort(key=lambda one: (-one.n, one.player))
    elif own is not None:
        try:
            counted = warehouse().custom.by_player(own)
        except UncountableError as error:
            detail = f"Over the hands that there are it cannot be worked out: {error}"
            return problem("bad-expression", detail, reason=str(error))
        rates = [
            PlayerRate(one.player or "", one.k, one.n, one.low, one.high)
            for one in counted
            if one.n
        ]
    else:
        return _missing(statistic_id)
    return PlayerRates(statistic_id, rates)


def _document(one: CustomStatistic) -> OwnStatistic:
    links = {"players": url_for("api.list_rates", statistic_id=one.id)}
    return OwnStatistic(one.id, one.label, one.made, one.chances, links)


def _missing(statistic_id: str) -> Response:
    detail = "There is no such statistic."
    return problem("not-found", detail, statistic=statistic_id[:100])
